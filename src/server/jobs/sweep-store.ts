// The statements of the sweep. Each finds its rows by an index, so that it may run every minute.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { GHOST_REMAINS } from '../../shared/nouns/ghost.ts';
import { messageKinds } from '../../shared/nouns/switch.ts';
import { asText } from '../db/casts.ts';
import type { Database } from '../db/open.ts';
import { rewriteDatabase } from '../db/rewrite.ts';
import { firstRows, type Heap, heapOf, newRoom, takeSteps } from '../db/steps.ts';
import { retried, transact } from '../db/transact.ts';
import { emptyLog } from '../db/truncate-log.ts';
import { readHouseClock } from '../deadman/clock/counted-time-store.ts';
import { DELIVER } from '../deadman/delivery/message-store.ts';
import { givenUpSentences } from '../deadman/delivery/send-limits.ts';
import type { Deps } from '../deps.ts';
import { sweepActivity } from '../http/activity-store.ts';
import { sweepAttempts } from '../http/attempt-store.ts';
import { eraseDestroyed, ghostHeap } from './erase-store.ts';

/** What is staged for a new key and never put in place is forgotten after a day. */
const REGENERATION_LASTS = 24 * 60 * 60 * 1000;
/** For how long the list shows what became of an invitation. */
const INVITATION_REMAINS = 90 * 24 * 60 * 60 * 1000;
/** How long it is remembered what became of a message, in house time. */
const MESSAGE_LASTS = 365 * 24 * 60 * 60 * 1000;
/** For how long a scroll that was left is kept after the last day of its message, in house time. */
const KEPT_AFTER_MESSAGE = 30 * 24 * 60 * 60 * 1000;
const DAY = 24 * 60 * 60 * 1000;
/** How long it is remembered who had a turn at a limit, in counted time. */
const TURNS_LAST = 90 * DAY;
/** How many messages of a kind one sweep erases. */
const AT_ONCE = 500;
/** How many steps one sweep takes to erase what destroyed vaults held: some thirty seconds. The next one goes on. */
const STEPS = 1000;

/** @param signal ends it between two steps */
export async function deleteExpired(
  deps: Pick<Deps, 'db' | 'engine' | 'now' | 'log' | 'digests'>,
  signal?: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const time = deps.now();
  // Several servers sweep at the same time, each in an order of its own.
  await retried(() => db.deleteFrom('sessions').where('expires_at', '<=', time).execute());
  await retried(() => db.deleteFrom('challenges').where('expires_at', '<=', time).execute());
  await eraseOldestChallenges(db, CHALLENGES_MAX);
  await sweepAttempts(deps);
  await eraseStaged(db, time, signal);
  await db
    .deleteFrom('invitations')
    .where('expires_at', '<=', time - INVITATION_REMAINS)
    .execute();
  await sweepActivity(db, time);
  await eraseGhosts(db, time, signal);
  await retried(() => db.deleteFrom('final_breaths').where('lease_until', '<=', time).execute());
  await eraseSpentShares(db, time, signal);
  await eraseByHouseTime(db, signal);
  // What its request did not come to, or a server that was killed.
  await eraseDestroyed(deps, undefined, { steps: STEPS, signal });
  await rewriteDatabase(deps);
  // Also what others have erased, where a reader held the log just then.
  await emptyLog(deps);
}

/**
 * Challenges are written for people who are not signed in. Each address may ask for some, and they last five minutes;
 * beyond this many from everywhere the oldest go, so that no number of addresses fills the disk.
 */
const CHALLENGES_MAX = 100_000;

export async function eraseOldestChallenges(db: Database, max: number): Promise<void> {
  await db
    .deleteFrom('challenges')
    .where('expires_at', '<', (eb) =>
      eb
        .selectFrom('challenges as newer')
        .select('newer.expires_at')
        .orderBy('newer.expires_at', 'desc')
        .limit(1)
        .offset(max - 1),
    )
    .execute();
}

/** What the steps of the sweep do with rows that are held: the first so many that meet a condition. */
type Act = (tx: Database, these: RawBuilder<SqlBool>) => Promise<unknown>;

/** Does something with every row that meets a condition, some at a time. */
function withEach(
  db: Database,
  heap: Heap,
  where: RawBuilder<SqlBool>,
  { act, signal }: { act: Act; signal: AbortSignal | undefined },
): Promise<void> {
  let next = where;
  return takeSteps(
    async () => {
      const { some, more } = await transact(db, async (tx) => {
        const room = newRoom();
        const some = await firstRows(tx, heap, next, room);
        if (some) await act(tx, some.these);
        return { some, more: room.rows <= 0 };
      });
      // Those before need not be looked at again.
      if (some) next = sql<SqlBool>`${where} and ${some.behind}`;
      return more;
    },
    { signal },
  );
}

/** What was staged for a new key and never put in place. */
async function eraseStaged(db: Database, time: number, signal?: AbortSignal): Promise<void> {
  const old = time - REGENERATION_LASTS;
  const staged = heapOf('staged_entries', ['account_id', 'kind', 'entry_id']);
  const stale = sql<SqlBool>`account_id in (select account_id from regenerations where begun_at <= ${old})`;
  const act: Act = (tx, these) => sql`delete from staged_entries where ${these}`.execute(tx);
  await withEach(db, staged, stale, { act, signal });
  await db.deleteFrom('regenerations').where('begun_at', '<=', old).execute();
}

/** Words go when they expire. Their row follows a day later, or at once where its owner has read them to the end. */
async function eraseGhosts(db: Database, time: number, signal?: AbortSignal): Promise<void> {
  const wordy = sql<SqlBool>`expires_at <= ${time}
    and exists (select 1 from ghost_words where ghost_id = ghost_entries.id)`;
  const expiring = ghostHeap(['expires_at', 'id']);
  await withEach(db, expiring, wordy, {
    act: (tx, these) =>
      sql`delete from ghost_words where ghost_id in (select id from ghost_entries where ${these})`.execute(
        tx,
      ),
    signal,
  });
  const over = sql<SqlBool>`expires_at <= ${time}
    and (expires_at <= ${time - GHOST_REMAINS} or current_reads >= max_reads)`;
  await withEach(db, expiring, over, {
    act: (tx, these) => sql`delete from ghost_entries where ${these}`.execute(tx),
    signal,
  });
}

/**
 * Erases the words behind one-time links that nobody can open any more: opened, with the lease over, or expired. The
 * rows stay, for their owner to see.
 */
async function eraseSpentShares(db: Database, time: number, signal?: AbortSignal): Promise<void> {
  const act: Act = (tx, these) =>
    sql`update shareable_keys set encrypted_content = null, claim_hash = null where ${these}`.execute(tx);
  const opened = sql<SqlBool>`lease_until <= ${time} and encrypted_content is not null`;
  await withEach(db, heapOf('shareable_keys', ['lease_until', 'id']), opened, { act, signal });
  const unopened = sql<SqlBool>`expires_at <= ${time} and opened_at is null and encrypted_content is not null`;
  await withEach(db, heapOf('shareable_keys', ['expires_at', 'id']), unopened, { act, signal });
}

/** What the switch has written goes by its own time: a calendar that was set forth must erase nothing. */
async function eraseByHouseTime(db: Database, signal?: AbortSignal): Promise<void> {
  const { house_time, paused_reason } = await readHouseClock(db);
  if (paused_reason !== null) return;
  await giveUpLeftMessages(db, house_time, signal);
  await eraseLeftScrolls(db, house_time, signal);
  await transact(db, (tx) => forgetMessages(tx, house_time));
  await forgetSlots(db, house_time);
}

/**
 * A message that a destroyed vault has left must leave a month before its scroll goes, so that whoever gets it still finds
 * what it tells of. Whatever it waits for, that is its last day; one that is on its way just now may arrive. A whisper
 * that waits for room has the same year as one that lies in its vault unread.
 */
async function giveUpLeftMessages(db: Database, houseTime: number, signal?: AbortSignal): Promise<void> {
  const late = sql<SqlBool>`state = 'waiting' and kind = 'release'
    and (withheld is null or withheld <> 'vault')
    and scroll_id in (select id from legacy_scrolls where kept_until <= ${houseTime + KEPT_AFTER_MESSAGE})
    and not exists (select 1 from jobs where jobs.kind = ${DELIVER} and jobs.dedupe_key = messages.public_id
      and jobs.lease_until > ${houseTime})`;
  const why = sql`case when withheld = 'permission' then ${asText(sql.val(givenUpSentences.permission))}
    when withheld is not null then ${asText(sql.val(givenUpSentences.turn))}
    when attempts = 0 then ${asText(sql.val(givenUpSentences.unsent))}
    else ${asText(sql.val(givenUpSentences.refused))} end`;
  await withEach(db, heapOf('messages', ['scroll_id', 'id']), late, {
    act: (tx, these) =>
      sql`update messages set state = 'failed', why = ${why}, withheld = null, waits_for = null
        where ${these}`.execute(tx),
    signal,
  });
}

/** Scrolls that a destroyed vault has left, once their year is over, with what became of their messages. */
async function eraseLeftScrolls(db: Database, houseTime: number, signal?: AbortSignal): Promise<void> {
  await withEach(
    db,
    heapOf('legacy_scrolls', ['kept_until', 'id']),
    sql<SqlBool>`kept_until <= ${houseTime}`,
    {
      async act(tx, these) {
        const { rows } = await sql<{ public_id: string }>`
        delete from messages where scroll_id in (select id from legacy_scrolls where ${these})
        returning public_id`.execute(tx);
        for (const { public_id } of rows) {
          await tx
            .deleteFrom('jobs')
            .where('kind', '=', DELIVER)
            .where('dedupe_key', '=', public_id)
            .execute();
        }
        await sql`delete from legacy_scrolls where ${these}`.execute(tx);
      },
      signal,
    },
  );
}

/** Messages that nothing will happen to any more. What became of a release is told for as long as its scroll stands. */
async function forgetMessages(db: Database, houseTime: number): Promise<void> {
  for (const kind of messageKinds) {
    await db
      .deleteFrom('messages')
      .where('id', 'in', (eb) => {
        const old = eb
          .selectFrom('messages as old')
          .select('old.id')
          .where('old.kind', '=', kind)
          .where('old.state', 'in', ['sent', 'cancelled', 'failed'])
          .where('old.created_house', '<=', houseTime - MESSAGE_LASTS)
          .limit(AT_ONCE);
        return kind === 'release' ? old.where('old.scroll_id', 'is', null) : old;
      })
      .where('state', '!=', 'waiting')
      .execute();
  }
}

/** What counted against a limit counts for a day, and says for longer who had a turn. */
async function forgetSlots(db: Database, houseTime: number): Promise<void> {
  await db
    .deleteFrom('message_slots')
    .where('taken_at', '<=', houseTime - TURNS_LAST)
    .where((eb) =>
      eb.or([
        eb('held', '=', 0),
        eb('message', 'not in', eb.selectFrom('messages').select('public_id').where('state', '=', 'waiting')),
      ]),
    )
    .execute();
}
