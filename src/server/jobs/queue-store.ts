// The queue of what must be done although servers die: a job is enqueued in the transaction that wants it, taken by one
// server at a time for as long as its lease lasts, and gone once it is done. Its times are house time, so that a clock
// that jumps can neither strand a job nor rush it.
import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { asNumber } from '../db/casts.ts';
import type { Database, Engine } from '../db/open.ts';
import type { JobsTable } from '../db/schema.ts';

export type Job = Selectable<JobsTable> & { lease: string };

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How long one try may take before another server takes the job over, in milliseconds of house time. */
export const LEASE_LASTS = 10 * 60 * 1000;

/**
 * Asks for a job. One of a kind is there for each key: asked for again, it runs at the earlier of the two times.
 * @param runAt house time
 */
export async function enqueue(tx: Database, kind: string, key: string, runAt: number): Promise<void> {
  await tx
    .insertInto('jobs')
    .values({ kind, dedupe_key: key, run_at: runAt, lease: null, lease_until: null })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'dedupe_key']).doUpdateSet({
        run_at: sql<number>`case when jobs.run_at > excluded.run_at then excluded.run_at else jobs.run_at end`,
      }),
    )
    .execute();
}

/** When a job comes again whose `attempts` were never recorded: at once after the first, an hour after the second, then daily. */
const unrecorded = (houseTime: number) => sql<number>`case attempts when 0 then run_at
  when 1 then ${asNumber(sql.val(houseTime + HOUR))} else ${asNumber(sql.val(houseTime + DAY))} end`;

/**
 * Takes the job that has waited longest, so that nobody else has it until the lease ends; null when none is due. When it
 * comes again is written down beforehand: a server that dies at each try must not try without end.
 */
export async function takeJob(
  { db, engine }: { db: Database; engine: Engine },
  houseTime: number,
): Promise<Job | null> {
  const lease = randomBytes(16).toString('hex');
  const due = db
    .selectFrom('jobs as due')
    .select('due.id')
    .where('due.run_at', '<=', houseTime)
    .where((eb) => eb.or([eb('due.lease_until', 'is', null), eb('due.lease_until', '<=', houseTime)]))
    .orderBy('due.run_at')
    .orderBy('due.id')
    .limit(1);
  const job = await db
    .updateTable('jobs')
    .set({
      lease,
      lease_until: houseTime + LEASE_LASTS,
      attempts: sql<number>`attempts + 1`,
      run_at: unrecorded(houseTime),
    })
    // SQLite knows no row locks and needs none: its writers come one after the other.
    .where('id', 'in', engine === 'postgres' ? due.forUpdate().skipLocked() : due)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', houseTime)]))
    .returningAll()
    .executeTakeFirst();
  return job ? { ...job, lease } : null;
}

/** Gives back every job that somebody has taken: for a house that begins, and knows that nobody else works for it. */
export async function freeJobs(db: Database): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ lease: null, lease_until: null })
    .where('lease', 'is not', null)
    .execute();
}

/** Takes a finished job off the queue, unless its lease has gone to somebody else. */
export async function finishJob(db: Database, { id, lease }: Job): Promise<void> {
  await db.deleteFrom('jobs').where('id', '=', id).where('lease', '=', lease).execute();
}

/** Gives a job back until a later house time, its try recorded, unless its lease has gone to somebody else. */
export async function postponeJob(db: Database, { id, lease }: Job, runAt: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ run_at: runAt, lease: null, lease_until: null, attempts: 0 })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .execute();
}
