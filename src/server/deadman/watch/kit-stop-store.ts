// What activity does to guardians' kits: it stops the wait of each that was asked for, and its author is told.
import type { Database } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { countedNow } from '../clock/counted-time-store.ts';
import { tellOfKits } from '../delivery/kit-messages-store.ts';
import { cancelMessages } from '../delivery/message-store.ts';

/**
 * Stops all that guardians have asked for, also where the wait is over: what was opened is opened, and the next asking
 * begins anew.
 * @param tx a transaction that holds the life of the author
 */
export async function stopAsks(
  { now, rules }: Pick<Deps, 'now' | 'rules'>,
  tx: Database,
  accountId: number,
): Promise<void> {
  const time = now();
  const stopped = await tx
    .updateTable('guardian_kits')
    .set({
      ...{ asked_counted: null, ended_at: null, warning_step: 0, warning_accepted: null },
      ...{ stopped_at: time, stopped_counted: countedNow(rules) },
    })
    .where('account_id', '=', accountId)
    .where('asked_counted', 'is not', null)
    .returning('asked_at')
    .execute();
  if (stopped.length === 0) return;
  await cancelMessages(tx, { accountId, kind: 'kit-asked' });
  const asked = stopped.flatMap(({ asked_at }) => (asked_at === null ? [] : [asked_at]));
  await tellOfKits(tx, { kind: 'kit-stopped', accountId, deadline: Math.min(...asked) }, time);
}
