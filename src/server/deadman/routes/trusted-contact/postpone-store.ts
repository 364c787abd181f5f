// What a trusted contact presses in a mail: it postpones, and their author is told of it in the same moment.
import type { ReplyOf } from '../../../../shared/http/call.ts';
import type { confirmations } from '../../../../shared/nouns/switch.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';
import { countedTime } from '../../clock/counted-time-store.ts';
import { writeMessage } from '../../delivery/message-store.ts';
import { provedAddresses } from '../../delivery/proved-addresses-store.ts';
import { findPostponement, postpone } from '../../watch/contact-store.ts';

/** Looking changes nothing. A link that counts no more is over, whatever has ended it. */
export async function lookAtPostponement(
  { db }: Pick<Deps, 'db'>,
  token: string,
): Promise<ReplyOf<typeof confirmations.look>> {
  const found = await findPostponement(db, token);
  const state = found?.postponed_at != null ? 'pressed' : found?.counts ? 'open' : 'over';
  return { kind: 'postpone', state };
}

/** @returns false where the link counts no more: it was pressed, its author is active again, or the letters have left */
export function pressPostponement(deps: Pick<Deps, 'db' | 'now' | 'rules'>, token: string): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    const accountId = await postpone({ ...deps, db: tx }, token);
    if (accountId === null) return false;
    const now = { time: deps.now(), countedTime: await countedTime(tx) };
    for (const { channel, address } of await provedAddresses(tx, accountId)) {
      if (channel !== 'email') continue;
      await writeMessage(
        tx,
        {
          ...{ kind: 'postponed', channel, address, account_id: accountId },
          ...{ scroll_id: null, scroll_public_id: null },
        },
        now,
      );
    }
    return true;
  });
}
