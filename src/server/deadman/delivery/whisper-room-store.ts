// The room for whispers in a vault: how many may lie there unread, of one author and of all together. One that does not fit
// is held back until its recipient has read or deleted some, and authors take turns. Whoever holds the row of the counted
// time decides; a whisper that is held back is known by its message.
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { WHISPERS_PER_AUTHOR, WHISPERS_PER_VAULT } from '../../../shared/nouns/whispers.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { ackJob, enqueue, rescheduleJob } from '../../jobs/queue-store.ts';
import type { LeasedJob } from '../../jobs/registry.ts';
import { countedTime } from '../clock/counted-time-store.ts';
import type { Message } from './delivery-store.ts';
import { DELIVER, NEXT_IN_LINE, type NewMessage } from './message-store.ts';
import { roomOf, withheldSentences } from './send-limits.ts';
import { hasLine, lockLimits, nextInLine, noteTurn } from './slot-store.ts';

/** How long the message of a whisper sleeps that stands in line, in counted time. The line's own job wakes it. */
const ASKS_AGAIN = 30 * DAY;
/** After how long a line is looked at again by itself, in counted time: room is also made by what authors delete. */
const LOOKS_AGAIN = HOUR;

export type RoomDeps = Pick<Deps, 'db' | 'digests' | 'metrics'>;

/** A condition on a recipient: it is a released whisper that their vault has no room for yet. */
export function heldBack(): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'scroll_recipients'>();
  return eb.exists(
    eb
      .selectFrom('messages')
      .select('messages.id')
      .whereRef('messages.recipient_id', '=', 'scroll_recipients.id')
      .where('messages.kind', '=', 'release')
      .where('messages.state', '=', 'waiting')
      .where('messages.withheld', '=', 'vault'),
  );
}

const released = (tx: Database, recipientId: number) =>
  tx
    .selectFrom('scroll_recipients')
    .where('scroll_recipients.recipient_account_id', '=', recipientId)
    .where('scroll_recipients.released_at', 'is not', null);

/**
 * Those that take up room. One that a card or a passphrase opens may be opened by its own author, so it takes room until
 * it is deleted.
 */
const unread = (tx: Database, recipientId: number) =>
  released(tx, recipientId)
    .where((eb) =>
      eb.or([eb('scroll_recipients.access', '!=', 'vault'), eb('scroll_recipients.opened_at', 'is', null)]),
    )
    .where((eb) => eb.not(heldBack()));

async function countUnread(tx: Database, recipientId: number): Promise<number> {
  const { count } = await unread(tx, recipientId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The authors who have as many whispers in a vault as one may, each as a keyed hash. */
async function authorsWithoutRoom(tx: Database, recipientId: number): Promise<string[]> {
  const rows = await unread(tx, recipientId)
    .innerJoin('messages', (join) =>
      join.onRef('messages.recipient_id', '=', 'scroll_recipients.id').on('messages.kind', '=', 'release'),
    )
    .select('messages.author_hash')
    .where('messages.author_hash', 'is not', null)
    .groupBy('messages.author_hash')
    .having((eb) => eb(eb.fn.countAll(), '>=', WHISPERS_PER_AUTHOR))
    .execute();
  return rows.flatMap(({ author_hash }) => author_hash ?? []);
}

/** What is decided of a whisper: the scroll was released in this transaction, and its message is yet to be written. */
interface Placing {
  /** The public id of its message. */
  message: string;
  /** Its author, as a keyed hash. */
  author: string;
  /** Null where this server knows no vault of that address. */
  recipientId: number | null;
}

/**
 * Decides whether a whisper that is released now fits into its recipient's vault.
 * @param tx a transaction that holds the row of the counted time
 * @returns what its message says of that
 */
export async function placeWhisper(
  tx: Database,
  { digests }: Pick<RoomDeps, 'digests'>,
  { message, author, recipientId }: Placing,
): Promise<Pick<NewMessage, 'author_hash' | 'withheld' | 'why'>> {
  if (recipientId === null) return { author_hash: author };
  const others = await released(tx, recipientId)
    .select('scroll_recipients.id')
    .where(heldBack())
    .limit(1)
    .executeTakeFirst();
  const fits =
    !others &&
    // It counts itself: it has been released.
    (await countUnread(tx, recipientId)) <= WHISPERS_PER_VAULT &&
    !(await authorsWithoutRoom(tx, recipientId)).includes(author);
  if (!fits) return { author_hash: author, withheld: 'vault', why: withheldSentences.vault };
  await noteTurn(tx, { key: roomOf(digests, recipientId), message, author, time: await countedTime(tx) });
  return { author_hash: author };
}

/**
 * Puts a whisper that is held back into its line, where the line's job finds it.
 * @returns false when it may be delivered: it is not held back, or not any more
 */
export async function awaitRoom(
  deps: RoomDeps,
  message: Message,
  job: LeasedJob,
  time: number,
): Promise<boolean> {
  if (message.withheld !== 'vault') return false;
  const stands = await transact(deps.db, async (tx) => {
    await lockLimits(tx);
    const now = await tx
      .selectFrom('messages')
      .leftJoin('scroll_recipients', 'scroll_recipients.id', 'messages.recipient_id')
      .leftJoin('accounts as reader', 'reader.id', 'scroll_recipients.recipient_account_id')
      .select(['messages.withheld', 'messages.waits_for', 'reader.id as recipient'])
      .where('messages.id', '=', message.id)
      .where('messages.state', '=', 'waiting')
      .executeTakeFirst();
    if (now?.withheld !== 'vault') return 'called' as const;
    // The vault is gone, and that is for delivering to say.
    if (now.recipient === null) return 'called' as const;
    const key = roomOf(deps.digests, now.recipient);
    await tx
      .updateTable('messages')
      .set({ waits_for: key, why: withheldSentences.vault })
      .where('id', '=', message.id)
      .where('state', '=', 'waiting')
      .execute();
    await enqueue(tx, NEXT_IN_LINE, key, now.waits_for === key ? time + LOOKS_AGAIN : time);
    await rescheduleJob(tx, job, time + ASKS_AGAIN);
    return now.waits_for === key ? ('stands' as const) : ('joins' as const);
  });
  if (stands === 'joins') deps.metrics.countWithheld(message.kind, message.channel, 'vault');
  return stands !== 'called';
}

/** Lets whispers of a line into their vault for as long as there is room, and comes again for those who still wait. */
export async function callNextWhispers(
  { db }: Pick<RoomDeps, 'db'>,
  job: LeasedJob,
  time: number,
): Promise<void> {
  // Each in a transaction of its own, so that it holds one message at a time.
  while (await transact(db, (tx) => releaseNext(tx, job, time)));
}

/** @returns whether there may be another one to call; otherwise the job is done, or comes again later */
async function releaseNext(tx: Database, job: LeasedJob, time: number): Promise<boolean> {
  const key = job.dedupe_key;
  await lockLimits(tx);
  const next = await nextWhisper(tx, key);
  if (next) {
    await noteTurn(tx, { key, message: next.public_id, author: next.author_hash, time });
    await releaseHeldBack(tx, next, time);
    return true;
  }
  if (await hasLine(tx, key, null)) await rescheduleJob(tx, job, time + LOOKS_AGAIN);
  else await ackJob(tx, job);
  return false;
}

/** Whose turn it is in the line of a vault. What was written for a vault that is gone goes first. */
async function nextWhisper(tx: Database, key: string) {
  const line = tx
    .selectFrom('messages')
    .leftJoin('scroll_recipients', 'scroll_recipients.id', 'messages.recipient_id')
    // A vault that was destroyed has no account any more, whatever is not erased yet.
    .leftJoin('accounts as reader', 'reader.id', 'scroll_recipients.recipient_account_id')
    .where('messages.waits_for', '=', key)
    .where('messages.state', '=', 'waiting')
    .limit(1);
  const lost = await line
    .select(['messages.id', 'messages.public_id', 'messages.author_hash'])
    .where('reader.id', 'is', null)
    .executeTakeFirst();
  if (lost) return { ...lost, author_hash: lost.author_hash ?? '' };
  const waiting = await line.select('reader.id as recipient').executeTakeFirst();
  if (!waiting || waiting.recipient === null) return null;
  if ((await countUnread(tx, waiting.recipient)) >= WHISPERS_PER_VAULT) return null;
  return nextInLine(tx, key, await authorsWithoutRoom(tx, waiting.recipient));
}

/** From here on its recipient has it; its delivery only writes that down. */
async function releaseHeldBack(
  tx: Database,
  { id, public_id }: { id: number; public_id: string },
  time: number,
): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ withheld: null, waits_for: null, why: null })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
  await enqueue(tx, DELIVER, public_id, time);
}

/** There may be room in a vault now, or no vault any more: has its line looked at, if there is one. */
export async function scheduleQueue(
  tx: Database,
  { digests }: Pick<RoomDeps, 'digests'>,
  recipientId: number,
): Promise<void> {
  const key = roomOf(digests, recipientId);
  if (!(await hasLine(tx, key, null))) return;
  // Whoever looks at the line just now has seen the room that was made, or ends before this asks anew.
  await lockLimits(tx);
  await enqueue(tx, NEXT_IN_LINE, key, await countedTime(tx));
}
