// Messages in the database: written in the transaction that decides to send them, together with the job that does.
import { randomBytes } from 'node:crypto';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { MessagesTable } from '../../db/schema/messages.ts';
import { cancelJobs, enqueue } from '../../jobs/queue-store.ts';
import { countedTime } from '../clock/counted-time-store.ts';

/** The kind of job that delivers a message; its key is the message's public id. */
export const DELIVER = 'deliver';

/** The kind of job that tells of a paused switch; its key is the message's public id. */
export const NOTIFY = 'notify';

/** The kind of job that gives the free slots of a limit to those who wait for them; its key is the limit's. */
export const NEXT_IN_LINE = 'next-in-line';

/** The kind of job that sees to reminders until a recipient has opened the letter; its key is the recipient's number. */
export const FOLLOW_UP = 'follow-up';

export const newMessageId = (): string => randomBytes(16).toString('base64url');

export type NewMessage = Pick<
  Insertable<MessagesTable>,
  'kind' | 'channel' | 'address' | 'account_id' | 'scroll_id' | 'scroll_public_id'
> &
  Partial<
    Pick<
      Insertable<MessagesTable>,
      | 'public_id'
      | 'step'
      | 'deadline'
      | 'in_line_since'
      | 'author_hash'
      | 'withheld'
      | 'why'
      | 'recipient_id'
      | 'author_name'
      | 'texts_permitted'
    >
  >;

/**
 * Writes a message and asks for its delivery. Returns its public id.
 * @param message `in_line_since`: counted time from which its place in a line counts; now, unless told
 * @param at `deliverAt`: counted time of its first try; now, unless told
 */
export async function writeMessage(
  tx: Database,
  message: NewMessage,
  { time, countedTime, deliverAt = countedTime }: { time: number; countedTime: number; deliverAt?: number },
): Promise<string> {
  const publicId = message.public_id ?? newMessageId();
  await tx
    .insertInto('messages')
    .values({
      deadline: null,
      why: null,
      ...message,
      public_id: publicId,
      created_at: time,
      created_counted: countedTime,
      // What counts from an activation is up to two ticks ahead.
      in_line_since: Math.min(message.in_line_since ?? countedTime, countedTime),
      sent_at: null,
      confirmed_at: null,
    })
    .execute();
  await enqueue(tx, DELIVER, publicId, deliverAt);
  return publicId;
}

/**
 * Asks for the delivery of a message that waits, now.
 * @param calendar the calendar's time
 */
export async function deliverSoon(
  tx: Database,
  { public_id, kind }: Pick<MessagesTable, 'public_id' | 'kind'>,
  calendar: number,
): Promise<void> {
  const isNotice = kind === 'paused' || kind === 'confirm-switch';
  if (isNotice) await enqueue(tx, NOTIFY, public_id, calendar);
  else await enqueue(tx, DELIVER, public_id, await countedTime(tx));
}

/** Recipients are erased: nothing follows their release any more. @param these a condition on `scroll_recipients` */
export const cancelFollowUps = (tx: Database, these: RawBuilder<unknown>): Promise<boolean> =>
  cancelJobs(tx, FOLLOW_UP, sql`(select public_id from scroll_recipients where ${these})`);

/** Whose messages end, and of which kind. */
type MessagesOf = ({ recipientId: number } | { scrollId: number } | { accountId: number }) & {
  kind?: MessagesTable['kind'];
};

/**
 * Nobody shall have these any more, as far as they have not left. Their jobs end when they are looked at.
 * @param states `failed` too where the administrator shall not try again
 */
export async function cancelMessages(
  tx: Database,
  of: MessagesOf,
  states: ('waiting' | 'failed')[] = ['waiting'],
): Promise<void> {
  let update = tx.updateTable('messages').set({ state: 'cancelled' }).where('state', 'in', states);
  if ('recipientId' in of) update = update.where('recipient_id', '=', of.recipientId);
  else if ('scrollId' in of) update = update.where('scroll_id', '=', of.scrollId);
  else update = update.where('account_id', '=', of.accountId);
  if (of.kind) update = update.where('kind', '=', of.kind);
  await update.execute();
}
