// The statements of the sweep. Each finds its rows by an index, so that it may run every minute.
import { sql } from 'kysely';
import { GHOST_REMAINS } from '../../shared/ghost.ts';
import { messageKinds } from '../../shared/switch.ts';
import { holdScrolls } from '../db/hold.ts';
import type { Database } from '../db/open.ts';
import { rewriteDatabase } from '../db/rewrite.ts';
import { transact } from '../db/transact.ts';
import { emptyLog } from '../db/truncate-log.ts';
import type { Deps } from '../deps.ts';
import { sweepActivity } from '../http/activity-store.ts';
import { sweepAttempts } from '../http/attempt-store.ts';
import { readHouseClock } from '../switch/house-clock-store.ts';

/** What is staged for a new key and never put in place is forgotten after a day. */
const REGENERATION_LASTS = 24 * 60 * 60 * 1000;
/** For how long the list shows what became of an invitation. */
const INVITATION_REMAINS = 90 * 24 * 60 * 60 * 1000;
/** How long it is remembered what became of a message, in house time. */
const MESSAGE_LASTS = 365 * 24 * 60 * 60 * 1000;
/** A scroll whose message has not left yet is kept for so long after it will have, in house time; and a day. */
const KEPT_AFTER_MESSAGE = 30 * 24 * 60 * 60 * 1000;
const DAY = 24 * 60 * 60 * 1000;
/** How long it is remembered who had a turn at a limit, in counted time. */
const TURNS_LAST = 90 * DAY;
/** How many messages of a kind, or scrolls, one sweep erases. */
const AT_ONCE = 500;

export async function deleteExpired(deps: Pick<Deps, 'db' | 'engine' | 'now' | 'log'>): Promise<void> {
  const { db } = deps;
  const time = deps.now();
  await db.deleteFrom('sessions').where('expires_at', '<=', time).execute();
  await db.deleteFrom('challenges').where('expires_at', '<=', time).execute();
  await eraseOldestChallenges(db, CHALLENGES_MAX);
  await sweepAttempts(deps);
  await db
    .deleteFrom('regenerations')
    .where('begun_at', '<=', time - REGENERATION_LASTS)
    .execute();
  await db
    .deleteFrom('invitations')
    .where('expires_at', '<=', time - INVITATION_REMAINS)
    .execute();
  await sweepActivity(db, time);
  // Those that other transactions change as well are transactions, which are run again where one got in their way.
  await transact(db, (tx) => eraseGhosts(tx, time));
  await db.deleteFrom('final_breaths').where('lease_until', '<=', time).execute();
  await transact(db, (tx) => eraseSpentShares(tx, time));
  await eraseByHouseTime(deps);
  // For vaults that were destroyed while it was too early to rewrite the file once more.
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

/** Words go when they expire. Their row follows a day later, or at once where its owner has read them to the end. */
async function eraseGhosts(db: Database, time: number): Promise<void> {
  await db
    .deleteFrom('ghost_words')
    .where('ghost_id', 'in', (eb) =>
      eb.selectFrom('ghost_entries').select('id').where('expires_at', '<=', time),
    )
    .execute();
  await db
    .deleteFrom('ghost_entries')
    .where('expires_at', '<=', time)
    .where((eb) =>
      eb.or([eb('expires_at', '<=', time - GHOST_REMAINS), sql<boolean>`current_reads >= max_reads`]),
    )
    .execute();
}

/**
 * Erases the words behind one-time links that nobody can open any more: opened, with the lease over, or expired. The
 * rows stay, for their owner to see.
 */
async function eraseSpentShares(db: Database, time: number): Promise<void> {
  await db
    .updateTable('shareable_keys')
    .set({ encrypted_content: null, claim_hash: null })
    .where('encrypted_content', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('lease_until', '<=', time),
        eb.and([eb('opened_at', 'is', null), eb('expires_at', '<=', time)]),
      ]),
    )
    .execute();
}

/** What the switch has written goes by its own time: a calendar that was set forth must erase nothing. */
async function eraseByHouseTime({ db }: Pick<Deps, 'db'>): Promise<void> {
  const { house_time, paused_reason } = await readHouseClock(db);
  if (paused_reason !== null) return;
  await transact(db, (tx) => eraseDetachedScrolls(tx, house_time));
  await transact(db, (tx) => forgetMessages(tx, house_time));
  await forgetSlots(db, house_time);
}

/** Scrolls that a destroyed vault has left behind, once their time is over and their message has left. */
async function eraseDetachedScrolls(db: Database, houseTime: number): Promise<void> {
  await holdScrolls(db, (eb) => eb('kept_until', '<=', houseTime + KEPT_AFTER_MESSAGE));
  // Whoever gets the message shall find what it tells of. A whisper that waits for room has the same year as one that lies
  // in its vault unread.
  await db
    .updateTable('legacy_scrolls')
    .set({ kept_until: houseTime + KEPT_AFTER_MESSAGE + DAY })
    .where('kept_until', '<=', houseTime + KEPT_AFTER_MESSAGE)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('messages')
        .select((q) => q.ref('messages.scroll_id').$notNull().as('id'))
        .where('messages.state', '=', 'waiting')
        .where('messages.kind', '=', 'release')
        .where((q) => q.or([q('withheld', 'is', null), q('withheld', '!=', 'vault')])),
    )
    .execute();
  const over = await db
    .selectFrom('legacy_scrolls')
    .select('id')
    .where('kept_until', '<=', houseTime)
    .limit(AT_ONCE)
    .execute();
  if (over.length === 0) return;
  const ids = over.map(({ id }) => id);
  await db.deleteFrom('messages').where('scroll_id', 'in', ids).execute();
  await db.deleteFrom('legacy_scrolls').where('id', 'in', ids).where('kept_until', '<=', houseTime).execute();
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
