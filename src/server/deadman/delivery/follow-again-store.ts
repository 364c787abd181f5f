// Reminders that go on: of a recipient whom nothing more was to be sent, and whose message has left, or is tried, at last.
import { sql } from 'kysely';
import { DAY } from '../../../shared/time.ts';
import { lockRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import { FOLLOW_UP } from './message-store.ts';

/** How long a job sleeps while a message of its recipient is still on its way. */
export const LOOKS_AGAIN = DAY;

/** Holds the recipient of a message: before the message, in the order of db/locks.ts. */
export async function lockRecipientOf(tx: Database, messageId: number): Promise<void> {
  await tx
    .updateTable('scroll_recipients')
    .set({ reminders: sql`reminders` })
    .where('id', '=', (eb) =>
      eb.selectFrom('messages').select('messages.recipient_id').where('messages.id', '=', messageId),
    )
    .execute();
}

/** Holds a recipient, so that nobody decides what is due of them meanwhile. */
export async function holdRecipient(tx: Database, id: number): Promise<void> {
  await lockRows(tx, tx.selectFrom('scroll_recipients').select('id').where('id', '=', id)).execute();
}

/**
 * A message that had failed is tried again, or was passed on, or one that had waited for too long was accepted: reminders
 * go on after it.
 * @param time counted time
 */
export async function followAgain(tx: Database, recipientId: number | null, time: number): Promise<void> {
  if (recipientId === null) return;
  const recipient = await tx
    .updateTable('scroll_recipients')
    .set({ unopened_since: null })
    .where('id', '=', recipientId)
    .where('opened_at', 'is', null)
    .where('unopened_since', 'is not', null)
    .returning('public_id')
    .executeTakeFirst();
  if (recipient) await enqueue(tx, FOLLOW_UP, recipient.public_id, time + LOOKS_AGAIN);
}
