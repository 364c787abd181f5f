// How long whoever guesses has to wait: for every row that counts wrong claims in `failed_claims`, `next_claim_at`.
import { sql } from 'kysely';
import { asNumber } from './casts.ts';

/**
 * When the next claim is heard. The first three cost nothing: they leave the time alone, because another server's clock
 * may be a moment behind. Each further one doubles the wait, from a second to ten: whoever guesses on keeps everybody
 * else waiting as well. What makes guessing hopeless is the stretched passphrase, not the wait.
 */
export const nextClaimAt = (time: number) => sql<number>`case when failed_claims < 3 then next_claim_at
  else ${asNumber(sql.val(time))} + case when failed_claims > 6 then 10000
    else 1000 * (1 << (failed_claims - 3)) end end`;
