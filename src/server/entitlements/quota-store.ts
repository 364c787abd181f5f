// The one place that says how much an account may store. A paid plan writes the account's own limits into its row of
// `usage`; where they are null, the server's count. The triggers in db/usage-triggers.ts decide by the same columns.
import type { Usage } from '../../shared/nouns/usage.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/open.ts';
import { accountGone } from '../errors.ts';
import { quotaOfAnybody } from './plans.ts';

/** What an account stores and may store. */
export async function quotaOf(db: Database, accountId: number): Promise<Usage> {
  return db
    .selectFrom('usage')
    .innerJoin('quota', (join) => join.onTrue())
    .select((eb) => [
      'usage.bytes',
      'usage.row_count as rows',
      eb.fn.coalesce('usage.bytes_max', 'quota.bytes_max').as('bytesMax'),
      eb.fn.coalesce('usage.rows_max', 'quota.rows_max').as('rowsMax'),
    ])
    .where('usage.account_id', '=', accountId)
    .executeTakeFirstOrThrow(accountGone);
}

/**
 * Writes down what an account without limits of its own may store: what this server is configured with, and no more than
 * the free plan where there are plans. Of several servers, the last to start decides for all.
 */
export async function setServerQuota(
  db: Database,
  config: Pick<Config, 'quota' | 'payments'>,
): Promise<void> {
  const { bytes, rows } = quotaOfAnybody(config);
  await db
    .updateTable('quota')
    .set({ bytes_max: bytes, rows_max: rows })
    .where((eb) => eb.or([eb('bytes_max', '<>', bytes), eb('rows_max', '<>', rows)]))
    .execute();
}
