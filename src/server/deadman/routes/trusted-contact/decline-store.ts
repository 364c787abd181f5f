// Whom an author has named may never have been asked: by the link in a mail they are nobody's contact any more. Who named
// them stays told of it, and cannot name the same address again.
import type { ReplyOf } from '../../../../shared/http/call.ts';
import type { confirmations } from '../../../../shared/nouns/switch.ts';
import { lockScrolls } from '../../../db/locks.ts';
import type { Database } from '../../../db/open.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';
import { lockLastActivity } from '../../watch/last-activity-store.ts';
import { watchesSilence } from '../../watch/postponement-store.ts';

const findDeclining = (db: Database, number: string) =>
  db
    .selectFrom('trusted_contacts')
    .select(['account_id', 'declined_at', 'postponed_until'])
    .where('decline_number', '=', number)
    .executeTakeFirst();

/** @param number what the link was made from. @returns null where its author has removed or replaced them */
export async function lookAtDeclining(
  { db }: Pick<Deps, 'db'>,
  number: string,
): Promise<ReplyOf<typeof confirmations.look> | null> {
  const found = await findDeclining(db, number);
  return found ? { kind: 'decline', state: found.declined_at === null ? 'open' : 'pressed' } : null;
}

/** A second time changes nothing. @returns whether there is such a contact */
export function decline(deps: Pick<Deps, 'db' | 'now'>, number: string): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    const found = await findDeclining(tx, number);
    if (!found) return false;
    const accountId = found.account_id;
    await lockLastActivity(tx, accountId);
    await lockScrolls(tx, () => watchesSilence(accountId));
    const declined = await tx
      .updateTable('trusted_contacts')
      .set((eb) => ({
        declined_at: eb.fn.coalesce('declined_at', eb.val(deps.now())),
        ...{ link_number: null, link_hash: null, postponed_at: null, postponed_until: 0 },
      }))
      .where('decline_number', '=', number)
      .returning('account_id')
      .executeTakeFirst();
    if (!declined) return false;
    await eraseContactMessages(tx, accountId);
    // What waited for them may be due by now. Where they had postponed it, its author is warned once more before.
    const warnedAnew = found.postponed_until > 0 && { warning_step: 0, warning_accepted: null };
    await tx
      .updateTable('legacy_scrolls')
      .set({ next_check_at: 0, ...warnedAnew })
      .where(watchesSilence(accountId))
      .execute();
    return true;
  });
}

/** Nothing of what was written to them stays, and what waits is sent to nobody. @param keep whose mails stay */
export async function eraseContactMessages(tx: Database, accountId: number, keep?: string): Promise<void> {
  await tx
    .deleteFrom('messages')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'contact-warning')
    .$if(keep !== undefined, (query) => query.where('address', '!=', keep ?? ''))
    .execute();
}
