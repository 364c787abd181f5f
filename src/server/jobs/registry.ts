// What a kind of job is. Kinds are composed in start.ts; features define theirs beside the work that it does.
import type { Selectable } from 'kysely';
import type { JobsTable } from '../db/schema/jobs.ts';

/** A job that one worker has for as long as its lease lasts. */
export type LeasedJob = Selectable<JobsTable> & { lease: string };

/**
 * Which time a job's `run_at` is: the counted time that servers were up, which no clock that jumps can strand or rush, or
 * the calendar's, for what others expect at a date. Both are milliseconds.
 */
export type JobClock = 'uptime' | 'calendar';

export interface JobKind {
  clock: JobClock;
  /** After so many tries that failed, or that no server survived, the job is dead until an administrator retries it. */
  tries: number;
  /** How long after each try that nothing was recorded of the job comes again, in milliseconds. The last one repeats. */
  backoff: readonly number[];
  /** How long one try may take before another server takes the job over, in milliseconds; `LEASE_LASTS` unless told. */
  lease?: number;
  /**
   * Does the work, and acknowledges or reschedules the job in the transaction of its effect. Throws where it failed.
   * @param time by the kind's clock
   */
  run(job: LeasedJob, time: number): Promise<void>;
}

/** The kinds that a server knows, by the name in the queue. */
export type JobRegistry = Readonly<Record<string, JobKind>>;
