// Counters of attempts. A bucket is a keyed hash, and nothing here can say of whom.
import { setImmediate } from 'node:timers/promises';
import { type SelectQueryBuilder, sql } from 'kysely';
import { HOUR } from '../../shared/time.ts';
import { asNumber } from '../db/casts.ts';
import type { AttemptsTable } from '../db/schema/accounts.ts';
import type { Schema } from '../db/schema.ts';
import { retried } from '../db/transact.ts';
import type { Deps } from '../deps.ts';

type Store = Pick<Deps, 'db' | 'now'>;

/**
 * How many counters are kept, some 250 MB. Whoever has addresses enough to need more makes the smallest and oldest
 * ones be forgotten, and does not fill the disk.
 */
export const MOST_COUNTERS = 1_000_000;
/** No counter ends later than its window, but for what the calendars of two servers differ by. */
const SKEW = HOUR;
/** How many one statement of the sweep deletes: so few that each is found by an index, and holds nobody up. */
const AT_ONCE = 500;

export interface Taking {
  /** Milliseconds from the first attempt, after which the bucket is empty again. */
  window: number;
  /** How many attempts a window has; without it, any number. */
  most?: number;
  /** As how many attempts this one counts; one, unless told. */
  weight?: number;
  /** After how many attempts each next one must wait: a second, doubled each time up to the longest (milliseconds). */
  pause?: { free: number; longest: number };
}

/** An attempt that was counted. */
export interface Taken {
  count: number;
  /** Until when the next one is refused, epoch milliseconds; in the past when it may come at once. */
  nextAt: number;
  resetsAt: number;
}

/**
 * Counts one attempt, unless the bucket is full or still pauses. One statement both counts and decides, so that any
 * number of attempts at the same moment get no more than the bucket has.
 * @returns the attempt, or `{ wait }` in milliseconds for one that was refused and is not counted
 */
export async function takeAttempt(
  { db, now }: Store,
  bucket: string,
  { window, most, pause, weight = 1 }: Taking,
): Promise<Taken | { wait: number }> {
  const time = asNumber(sql.val(now()));
  // One that ends later was counted while the calendar was ahead, and would refuse people for as long as it was.
  const tooLate = asNumber(sql.val(now() + window + SKEW));
  const over = sql<boolean>`(attempts.resets_at <= ${time} or attempts.resets_at > ${tooLate})`;
  const room = most === undefined ? sql<boolean>`1 = 1` : sql<boolean>`attempts.count <= ${most - weight}`;
  const next = pause ? sql<number>`${time} + ${pauseAfter(pause)}` : sql<number>`0`;
  const taken = await db
    .insertInto('attempts')
    .values({ bucket, count: weight, resets_at: now() + window })
    .onConflict((conflict) =>
      conflict
        .column('bucket')
        .doUpdateSet({
          count: sql`case when ${over} then ${weight} else attempts.count + ${weight} end`,
          next_at: sql`case when ${over} then 0 else ${next} end`,
          resets_at: sql`case when ${over} then ${time} + ${window} else attempts.resets_at end`,
        })
        .where(sql<boolean>`(${over} or (attempts.next_at <= ${time} and ${room}))`),
    )
    .returning(['count', 'next_at as nextAt', 'resets_at as resetsAt'])
    .executeTakeFirst();
  return taken ?? { wait: await waitFor({ db, now }, bucket, most && most - weight + 1) };
}

/** The pause after an attempt, by how many were counted before it. */
function pauseAfter({ free, longest }: { free: number; longest: number }) {
  const doublings = Math.ceil(Math.log2(longest / 1000));
  return sql<number>`case when attempts.count < ${free} then 0
    when attempts.count >= ${free + doublings} then ${longest}
    else 1000 * (1 << (attempts.count - ${free})) end`;
}

/** Only words for a refusal that the statement above has already made. */
async function waitFor({ db, now }: Store, bucket: string, most = Number.POSITIVE_INFINITY): Promise<number> {
  const row = await db
    .selectFrom('attempts')
    .select(['count', 'next_at', 'resets_at'])
    .where('bucket', '=', bucket)
    .executeTakeFirst();
  if (!row) return 0;
  return Math.max(0, (row.count >= most ? row.resets_at : row.next_at) - now());
}

/**
 * Takes back attempts that were counted and should not have been. A counter that has nothing left to count goes; one that has begun
 * anew since has not counted them.
 */
export async function giveBack(
  { db }: Pick<Deps, 'db'>,
  bucket: string,
  { resetsAt }: Pick<Taken, 'resetsAt'>,
  attempts = 1,
): Promise<void> {
  const emptied = await db
    .deleteFrom('attempts')
    .where('bucket', '=', bucket)
    .where('resets_at', '=', resetsAt)
    .where('count', '<=', attempts)
    .returning('bucket')
    .executeTakeFirst();
  if (emptied) return;
  await db
    .updateTable('attempts')
    .set((eb) => ({ count: eb('count', '-', attempts) }))
    .where('bucket', '=', bucket)
    .where('resets_at', '=', resetsAt)
    .where('count', '>=', attempts)
    .execute();
}

export async function deleteAttempts({ db }: Pick<Deps, 'db'>, bucket: string): Promise<void> {
  await db.deleteFrom('attempts').where('bucket', '=', bucket).execute();
}

/**
 * Forgets what is over; and of what is too much, the counters that say least: the smallest, and of those the ones that end
 * first.
 */
export async function expireAttempts({ db, now }: Store, most = MOST_COUNTERS): Promise<void> {
  const least = db.selectFrom('attempts as least').select('least.bucket');
  const over = least.where('least.resets_at', '<=', now()).orderBy('least.resets_at');
  await deleteSome(db, over, Number.POSITIVE_INFINITY);
  const { kept } = await db
    .selectFrom('attempts')
    .select((eb) => eb.fn.countAll<number>().as('kept'))
    .executeTakeFirstOrThrow();
  // The index attempts_by_weight has this order.
  await deleteSome(db, least.orderBy('least.count').orderBy('least.resets_at'), Number(kept) - most);
}

/** Deletes the first of these counters, at most so many, in small pieces between which others get their turn. */
async function deleteSome(
  db: Store['db'],
  buckets: SelectQueryBuilder<Schema & { least: AttemptsTable }, 'least', { bucket: string }>,
  most: number,
): Promise<void> {
  for (let left = most; left > 0; ) {
    const piece = Math.min(left, AT_ONCE);
    const some = db.deleteFrom('attempts').where('bucket', 'in', buckets.limit(piece));
    // Another server may be at the same rows, in another order.
    const { numDeletedRows } = await retried(db, () => some.executeTakeFirstOrThrow());
    if (Number(numDeletedRows) < piece) return;
    left -= piece;
    await setImmediate();
  }
}
