// A recipient ends the reminders of a letter. It says nothing of the letter itself, which stays; what warns an author is
// no reminder, and nothing here ends it.
import type { ReplyOf } from '../../../../shared/http/call.ts';
import type { confirmations } from '../../../../shared/nouns/switch.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';
import { cancelMessages } from '../../delivery/message-store.ts';

/** @param publicId the recipient's. @returns null where there is none, or nothing was released to them */
export async function lookAtReminders(
  { db }: Pick<Deps, 'db'>,
  publicId: string,
): Promise<ReplyOf<typeof confirmations.look> | null> {
  const row = await db
    .selectFrom('scroll_recipients')
    .select(['opened_at', 'unopened_since', 'reminders_stopped_at'])
    .where('public_id', '=', publicId)
    .where('released_at', 'is not', null)
    .executeTakeFirst();
  if (!row) return null;
  if (row.reminders_stopped_at !== null) return { kind: 'reminders', state: 'pressed' };
  const isOver = row.opened_at !== null || row.unopened_since !== null;
  return { kind: 'reminders', state: isOver ? 'over' : 'open' };
}

/** Ends them, also those that wait to be sent. A second time changes nothing. @returns whether there is such a recipient */
export function stopReminders(deps: Pick<Deps, 'db' | 'now'>, publicId: string): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    const stopped = await tx
      .updateTable('scroll_recipients')
      .set((eb) => ({
        reminders_stopped_at: eb.fn.coalesce('reminders_stopped_at', eb.val(deps.now())),
      }))
      .where('public_id', '=', publicId)
      .where('released_at', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (stopped)
      await cancelMessages(tx, { recipientId: stopped.id, kind: 'reminder' }, ['waiting', 'failed']);
    return stopped !== undefined;
  });
}
