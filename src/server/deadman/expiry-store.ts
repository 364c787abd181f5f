// What the dead man's switch forgets, by counted time: a calendar that was set forward must erase nothing.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { messageKinds } from '../../shared/nouns/outbox.ts';
import { DAY } from '../../shared/time.ts';
import { asText } from '../db/casts.ts';
import type { Database } from '../db/open.ts';
import { eraseFilesFirst, heapOf, withEach } from '../db/steps.ts';
import { transact } from '../db/transact.ts';
import type { Deps } from '../deps.ts';
import { cancelJobs } from '../jobs/queue-store.ts';
import { readInstanceClock } from './clock/counted-time-store.ts';
import { cancelFollowUps, DELIVER } from './delivery/message-store.ts';
import { givenUpSentences } from './delivery/send-limits.ts';

/** How long it is remembered what became of a message. */
const MESSAGE_LASTS = 365 * DAY;
/** For how long a scroll that was left is kept after the last day of its message. */
const KEPT_AFTER_MESSAGE = 30 * DAY;
/** How long it is remembered who had a turn at a limit. */
const TURNS_LAST = 90 * DAY;
/** How many messages of a kind one sweep erases. */
const AT_ONCE = 500;

/** What the switch has written goes by its own time: a calendar that was set forth must erase nothing. */
export async function expireByCountedTime({ db }: Pick<Deps, 'db'>, signal?: AbortSignal): Promise<void> {
  const { counted_time, paused_reason } = await readInstanceClock(db);
  if (paused_reason !== null) return;
  await giveUpLeftMessages(db, counted_time, signal);
  await eraseLeftScrolls(db, counted_time, signal);
  await transact(db, (tx) => forgetMessages(tx, counted_time));
  await forgetSlots(db, counted_time);
}

/**
 * A message that a destroyed vault has left must leave a month before its scroll goes, so that whoever gets it still finds
 * what it tells of. Whatever it waits for, that is its last day; one that is on its way just now may arrive. A whisper
 * that waits for room has the same year as one that lies in its vault unread.
 */
async function giveUpLeftMessages(db: Database, countedTime: number, signal?: AbortSignal): Promise<void> {
  const late = sql<SqlBool>`state = 'waiting' and kind in ('release', 'reminder')
    and (withheld is null or withheld <> 'vault')
    and scroll_id in (select id from legacy_scrolls where kept_until <= ${countedTime + KEPT_AFTER_MESSAGE})
    and not exists (select 1 from jobs where jobs.kind = ${DELIVER} and jobs.dedupe_key = messages.public_id
      and jobs.lease_until > ${countedTime})`;
  const why = sql`case when withheld = 'permission' then ${asText(sql.val(givenUpSentences.permission))}
    when withheld is not null then ${asText(sql.val(givenUpSentences.turn))}
    when attempts = 0 then ${asText(sql.val(givenUpSentences.unsent))}
    else ${asText(sql.val(givenUpSentences.refused))} end`;
  const giveUp = (tx: Database, these: RawBuilder<SqlBool>) =>
    sql`update messages set state = 'failed', why = ${why}, withheld = null, waits_for = null
      where ${these}`.execute(tx);
  await withEach(db, heapOf('messages', ['scroll_id', 'id']), late, giveUp, signal);
}

/** Scrolls that a destroyed vault has left, once their year is over, with what became of their messages. */
async function eraseLeftScrolls(db: Database, countedTime: number, signal?: AbortSignal): Promise<void> {
  const scrolls = heapOf('legacy_scrolls', ['kept_until', 'id']);
  const erase = async (tx: Database, these: RawBuilder<SqlBool>) => {
    const { rows } = await sql<{ public_id: string }>`
      delete from messages where scroll_id in (select id from legacy_scrolls where ${these})
      returning public_id`.execute(tx);
    if (rows.length > 0) await cancelJobs(tx, DELIVER, sql`(${sql.join(rows.map((row) => row.public_id))})`);
    await cancelFollowUps(tx, sql`scroll_id in (select id from legacy_scrolls where ${these})`);
    await sql`delete from legacy_scrolls where ${these}`.execute(tx);
  };
  const over = sql<SqlBool>`kept_until <= ${countedTime}`;
  await eraseFilesFirst(db, sql`left_with in (select id from legacy_scrolls where ${over})`, signal);
  if (signal?.aborted) return;
  await withEach(db, scrolls, over, erase, signal);
}

/** Messages that nothing will happen to any more. What became of a release is told for as long as its scroll stands. */
async function forgetMessages(db: Database, countedTime: number): Promise<void> {
  for (const kind of messageKinds) {
    await db
      .deleteFrom('messages')
      .where('id', 'in', (eb) => {
        const old = eb
          .selectFrom('messages as old')
          .select('old.id')
          .where('old.kind', '=', kind)
          .where('old.state', 'in', ['sent', 'cancelled', 'failed'])
          .where('old.created_counted', '<=', countedTime - MESSAGE_LASTS)
          .limit(AT_ONCE);
        return kind === 'release' ? old.where('old.scroll_id', 'is', null) : old;
      })
      .where('state', '!=', 'waiting')
      .execute();
  }
}

/** What counted against a limit counts for a day, and says for longer who had a turn. */
async function forgetSlots(db: Database, countedTime: number): Promise<void> {
  await db
    .deleteFrom('message_slots')
    .where('taken_at', '<=', countedTime - TURNS_LAST)
    .where((eb) =>
      eb.or([
        eb('held', '=', 0),
        eb('message', 'not in', eb.selectFrom('messages').select('public_id').where('state', '=', 'waiting')),
      ]),
    )
    .execute();
}
