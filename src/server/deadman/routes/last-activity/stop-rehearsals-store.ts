// A recipient wants no more messages of rehearsals. The letter, its reminders and what is written to its author stay as they are.
import type { ReplyOf } from '../../../../shared/http/call.ts';
import type { confirmations } from '../../../../shared/nouns/switch.ts';
import { lockScrolls } from '../../../db/locks.ts';
import { transact } from '../../../db/transact.ts';
import type { Deps } from '../../../deps.ts';
import { cancelMessages } from '../../delivery/message-store.ts';

/** @param publicId the recipient's. @returns null where there is none */
export async function lookAtRehearsals(
  { db }: Pick<Deps, 'db'>,
  publicId: string,
): Promise<ReplyOf<typeof confirmations.look> | null> {
  const row = await db
    .selectFrom('scroll_recipients')
    .select('rehearsals_stopped_at')
    .where('public_id', '=', publicId)
    .executeTakeFirst();
  if (!row) return null;
  return { kind: 'rehearsals', state: row.rehearsals_stopped_at === null ? 'open' : 'pressed' };
}

/** Ends them, also one that waits to be sent. A second time changes nothing. @returns whether there is such a recipient */
export function stopRehearsals(deps: Pick<Deps, 'db' | 'now'>, publicId: string): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    // Whoever asks for a rehearsal holds the scroll: none is written by somebody who has not seen this yet.
    await lockScrolls(tx, (eb) =>
      eb('id', 'in', (q) =>
        q.selectFrom('scroll_recipients').select('scroll_id').where('public_id', '=', publicId),
      ),
    );
    const stopped = await tx
      .updateTable('scroll_recipients')
      .set((eb) => ({
        rehearsals_stopped_at: eb.fn.coalesce('rehearsals_stopped_at', eb.val(deps.now())),
      }))
      .where('public_id', '=', publicId)
      .returning('id')
      .executeTakeFirst();
    if (stopped)
      await cancelMessages(tx, { recipientId: stopped.id, kind: 'rehearsal' }, ['waiting', 'failed']);
    return stopped !== undefined;
  });
}
