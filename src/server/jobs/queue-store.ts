// The queue of what must be done although servers die: a job is enqueued in the transaction that wants it, taken by one
// server at a time for as long as its lease lasts, and gone once it is acknowledged. Each kind has its clock
// (`registry.ts`); times here are by that clock.

import { randomBytes } from 'node:crypto';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { DAY, MINUTE } from '../../shared/time.ts';
import { asNumber } from '../db/casts.ts';
import { compiled } from '../db/compiled.ts';
import { locksRows } from '../db/locks.ts';
import type { Database } from '../db/open.ts';
import type { JobKind, LeasedJob } from './registry.ts';

/** How long one try may take before another server takes the job over, unless its kind says otherwise; by the job's clock. */
export const LEASE_LASTS = 10 * MINUTE;

/**
 * Asks for a job. One of a kind is there for each key: asked for again, it runs at the earlier of the two times, and one
 * that was given up comes to life.
 * @param runAt by the kind's clock
 */
export async function enqueue(tx: Database, kind: string, key: string, runAt: number): Promise<void> {
  await tx
    .insertInto('jobs')
    .values({ kind, dedupe_key: key, run_at: runAt, lease: null, lease_until: null })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'dedupe_key']).doUpdateSet({
        run_at: sql<number>`case when jobs.dead_at is not null or jobs.run_at > excluded.run_at
          then excluded.run_at else jobs.run_at end`,
        attempts: sql<number>`case when jobs.dead_at is null then jobs.attempts else 0 end`,
        dead_at: null,
      }),
    )
    .execute();
}

/** Longer than any job of the calendar waits, or is leased for. */
const FAR_AHEAD = 10 * DAY;

/** Jobs of a kind that wait for a time which a calendar that was ahead has given them come now. */
export async function hurryJobs(db: Database, kind: string, now: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ run_at: now, lease: null, lease_until: null })
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('run_at', '>', now + FAR_AHEAD), eb('lease_until', '>', now + FAR_AHEAD)]))
    .execute();
}

/**
 * Jobs of a kind that wait for later come at this time, but for those that run just now.
 * @param keys a list, or a query, in parentheses
 * @param runAt by the kind's clock
 */
export async function advanceJobs(
  tx: Database,
  kind: string,
  keys: RawBuilder<unknown>,
  runAt: number,
): Promise<void> {
  await sql`update jobs set run_at = ${runAt} where kind = ${kind} and run_at > ${runAt} and lease is null
    and dedupe_key in ${keys}`.execute(tx);
}

/**
 * Takes back jobs of a kind.
 * @param keys a list, or a query, in parentheses
 * @returns whether there were any
 */
export async function cancelJobs(tx: Database, kind: string, keys: RawBuilder<unknown>): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from jobs
    where kind = ${kind} and dedupe_key in ${keys}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

type Kinds = Readonly<Record<string, Pick<JobKind, 'backoff' | 'lease'>>>;

/** When a job comes again if nothing is ever recorded of the try that begins now. */
function nextTry(kinds: Kinds, time: Expression<number>): Expression<number> {
  const waits = Object.entries(kinds).flatMap(([kind, { backoff }]) =>
    backoff.map((wait, attempts) => {
      const isLast = attempts === backoff.length - 1;
      const matches = isLast ? sql`attempts >= ${attempts}` : sql`attempts = ${attempts}`;
      return sql`when kind = ${kind} and ${matches} then ${time} + ${sql.lit(wait)}`;
    }),
  );
  return sql<number>`case ${sql.join(waits, sql` `)} else run_at end`;
}

/** Until when nobody else takes a job that is taken now, unless its kind says otherwise. */
const leaseUntil = (time: number): number => time + LEASE_LASTS;

/** The same, with what the kinds say. */
function ownLeaseUntil(
  kinds: Kinds,
  { time, until }: { time: Expression<number>; until: Expression<number> },
): Expression<number> {
  const own = Object.entries(kinds).flatMap(([kind, { lease }]) =>
    lease === undefined ? [] : [sql`when kind = ${kind} then ${time} + ${sql.lit(lease)}`],
  );
  return own.length === 0 ? until : sql<number>`case ${sql.join(own, sql` `)} else ${until} end`;
}

/** How many jobs of a kind may be being taken in one moment until whoever comes next finds none of it. */
const AT_ONCE_OF_A_KIND = 16;

/** The statement by which `takeJob` takes a job of these kinds. */
const takeJobOf = (kinds: Kinds) =>
  compiled<{ time: number; until: number; lease: string }>()((db, value) => {
    const [time, until] = [asNumber(value('time')), asNumber(value('until'))];
    // SQLite knows no row locks and needs none: its writers come one after the other.
    const locks = locksRows(db);
    /** What nobody has, longest first. */
    const due = () =>
      db
        .selectFrom('jobs as due')
        .where('due.dead_at', 'is', null)
        .where('due.run_at', '<=', time)
        .where((eb) => eb.or([eb('due.lease_until', 'is', null), eb('due.lease_until', '<=', time)]))
        .orderBy('due.run_at')
        .orderBy('due.id');
    // Of each kind by itself: in an index by kind and time, none that waits for later is read. Nothing is held here, or the
    // first of every kind would be kept from all others; so others may hold some of them, and the next ones are looked at.
    const firstOf = (kind: string) => {
      const firsts = due()
        .select(['due.id', 'due.run_at'])
        .where('due.kind', '=', kind)
        .limit(locks ? AT_ONCE_OF_A_KIND : 1);
      return db.selectFrom(firsts.as('first')).select('id');
    };
    const firsts = Object.keys(kinds)
      .map(firstOf)
      .reduce((some, more) => some.unionAll(more));
    const longest = due().select('due.id').where('due.id', 'in', firsts).limit(1);
    return db
      .updateTable('jobs')
      .set({
        lease: value('lease'),
        lease_until: ownLeaseUntil(kinds, { time, until }),
        attempts: sql<number>`attempts + 1`,
        run_at: nextTry(kinds, time),
      })
      .where('id', '=', locks ? longest.forUpdate().skipLocked() : longest)
      .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', time)]))
      .returningAll();
  });

/** Servers look for jobs every few seconds, and always for the same kinds. */
const statements = new WeakMap<Kinds, ReturnType<typeof takeJobOf>>();

/**
 * Takes the job of these kinds that has waited longest, so that nobody else has it until the lease ends; null when none
 * is due. When it comes again is written down beforehand: a server that dies at each try must not try without end.
 * @param kinds all of one clock; never changed
 * @param time by that clock
 */
export async function takeJob(
  { db }: { db: Database },
  kinds: Kinds,
  time: number,
): Promise<LeasedJob | null> {
  const lease = randomBytes(16).toString('hex');
  const take = statements.get(kinds) ?? takeJobOf(kinds);
  statements.set(kinds, take);
  const [job] = await take(db, { time, until: leaseUntil(time), lease });
  return job ? { ...job, lease } : null;
}

/** Ends every lease: for the only server of a database when it starts. Nobody else works for it. */
export async function releaseLeases(db: Database): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ lease: null, lease_until: null })
    .where('lease', 'is not', null)
    .execute();
}

/** Takes a job that is done off the queue, unless its lease has gone to somebody else. */
export async function ackJob(db: Database, { id, lease }: LeasedJob): Promise<void> {
  await db.deleteFrom('jobs').where('id', '=', id).where('lease', '=', lease).execute();
}

/**
 * Gives a job back until a later time, its try recorded.
 * @returns false where its lease has gone to somebody else, and nothing was changed
 */
export async function rescheduleJob(db: Database, { id, lease }: LeasedJob, runAt: number): Promise<boolean> {
  const row = await db
    .updateTable('jobs')
    .set({ run_at: runAt, lease: null, lease_until: null, attempts: 0, error: null, failed_at: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface Failure {
  /** What an administrator may read of it. */
  error: string;
  /** Epoch milliseconds. */
  at: number;
  /** Whether it is given up until somebody retries it. */
  isDead: boolean;
}

/** Gives back a job that failed. It comes again when `takeJob` has written down, unless it is given up. */
export async function failJob(
  db: Database,
  { id, lease }: LeasedJob,
  { error, at, isDead }: Failure,
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ lease: null, lease_until: null, error, failed_at: at, dead_at: isDead ? at : null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .execute();
}
