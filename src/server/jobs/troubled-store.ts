// Jobs that an administrator should know of: those that fail, those that were given up, and those of kinds that this
// server does not know.
import { sql } from 'kysely';
import type { JobState } from '../../shared/nouns/job.ts';
import type { Database } from '../db/open.ts';
import type { Deps } from '../deps.ts';
import type { Reading } from '../metrics.ts';

export interface TroubledJob {
  id: number;
  kind: string;
  state: Exclude<JobState, 'waiting'>;
  attempts: number;
  error: string | null;
  failed_at: number | null;
}

/** @param known the kinds of the registry */
const stateOf = (known: readonly string[]) => sql<JobState>`case
  when kind not in (${sql.join(known.length > 0 ? known : [''])}) then 'unknown'
  when dead_at is not null then 'dead'
  when error is not null then 'failing'
  else 'waiting' end`;

/** The most that are shown at once. */
export const TROUBLED_MAX = 100;

/** Those given up first, then the oldest. */
export function listTroubledJobs(db: Database, known: readonly string[]): Promise<TroubledJob[]> {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('jobs')
        .select(['id', 'kind', 'attempts', 'error', 'failed_at', stateOf(known).as('state')])
        .as('job'),
    )
    .selectAll()
    .where('state', '!=', 'waiting')
    .$narrowType<{ state: TroubledJob['state'] }>()
    .orderBy('state')
    .orderBy('id')
    .limit(TROUBLED_MAX)
    .execute();
}

/**
 * Lets a job run again now, as if for the first time. One of an unknown kind stays where it is.
 * @returns whether there is such a job
 */
export async function retryJob(db: Database, known: readonly string[], id: number): Promise<boolean> {
  const row = await db
    .updateTable('jobs')
    .set({ run_at: 0, attempts: 0, error: null, failed_at: null, dead_at: null })
    .where('id', '=', id)
    .where('kind', 'in', known)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** How many jobs there are of each kind and state. */
export async function jobReadings({ db, jobKinds }: Pick<Deps, 'db' | 'jobKinds'>): Promise<Reading[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(['kind', stateOf(jobKinds).as('state'), (eb) => eb.fn.countAll().as('count')])
    .groupBy(['kind', 'state'])
    .execute();
  return [
    {
      name: 'jobs',
      help: 'How many background jobs there are, by kind and by whether they wait, fail, were given up or are unknown.',
      labels: ['kind', 'state'],
      values: rows.map(({ kind, state, count }) => ({ labels: { kind, state }, value: Number(count) })),
    },
  ];
}
