// The one that reads the chain: a job, so that of all servers on a database one has it at a time. It is never given up, and
// nothing that the RPC or its address may hold reaches the log or the database.
import { HOUR, MINUTE, SECOND } from '../../../shared/time.ts';
import { HolderReadError, type HolderReading } from '../../adapters/holder-reading.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { digestOf, keepFailure, keepReading, readState } from '../../holders/list-store.ts';
import { ackJob, enqueue, rescheduleJob } from '../../jobs/queue-store.ts';
import type { JobRegistry, LeasedJob } from '../../jobs/registry.ts';

export const READ_HOLDERS = 'read-holders';

/** Longer than a reading, and short: a server that is killed in the middle of one holds it up for so long. */
const LEASE = 2 * MINUTE;
/** When a reading that a stopping server gives back is begun by another: not by itself, while it stops. */
const HANDED_ON = 5 * SECOND;
/** The longest wait after failures, which doubles from the usual interval. */
const WAIT_MAX = 15 * MINUTE;
/** The longest that an RPC may ask us to wait. */
const RETRY_AFTER_MAX = HOUR;

type RefresherDeps = Pick<Deps, 'config' | 'db' | 'now' | 'calendar' | 'log' | 'holderSource' | 'holders'>;

/** @param stopping ends a reading when the server stops, so that another one may begin it */
export const holderJobs = (deps: RefresherDeps, stopping?: AbortSignal): JobRegistry => ({
  [READ_HOLDERS]: {
    clock: 'calendar',
    tries: Number.POSITIVE_INFINITY,
    backoff: [deps.config.holderRefresh],
    lease: LEASE,
    run: (job, time) => refresh(deps, job, time, stopping ?? new AbortController().signal),
  },
});

/** Sees to it that the holders are read: once for all servers that start, and not before the last reading is old. */
export async function beginReading({
  config,
  db,
  calendar,
  holderSource,
}: Pick<Deps, 'config' | 'db' | 'calendar' | 'holderSource'>): Promise<void> {
  if (!holderSource) return;
  const { mint } = holderSource;
  const state = await readState(db, mint);
  const isGood = state !== null && state.readAt !== null && state.failures === 0;
  const dueAt = isGood && state.readAt !== null ? state.readAt + config.holderRefresh : 0;
  await enqueue(db, READ_HOLDERS, mint, Math.min(dueAt, calendar() + config.holderRefresh));
}

async function refresh(
  deps: RefresherDeps,
  job: LeasedJob,
  time: number,
  stopping: AbortSignal,
): Promise<void> {
  const { config, db, now, calendar, log, holderSource, holders } = deps;
  const mint = job.dedupe_key;
  // Of a token that this server was configured with before.
  if (holderSource?.mint !== mint) return ackJob(db, job);
  let reading: HolderReading;
  try {
    reading = await holderSource.read(stopping);
  } catch (error) {
    if (stopping.aborted) {
      await rescheduleJob(db, job, time + HANDED_ON);
      return;
    }
    return noteFailure(deps, job, error);
  }
  const digest = await digestOf(reading);
  await transact(db, async (tx) => {
    // One that took too long has lost its job to another server, which knows better.
    // The next comes an interval after this one has ended, or one that takes longer would never end.
    if (!(await rescheduleJob(tx, job, calendar() + config.holderRefresh))) return;
    await keepReading(tx, mint, { ...reading, digest }, now());
  });
  holders.expectNews();
  log.debug('the holders were read from the chain');
}

async function noteFailure(deps: RefresherDeps, job: LeasedJob, error: unknown): Promise<void> {
  const { config, db, now, calendar, log } = deps;
  const [reason, retryAfter] =
    error instanceof HolderReadError
      ? [error.reason, error.retryAfter]
      : [error instanceof Error ? error.name : 'Error', null];
  const failures = await transact(db, async (tx) => {
    const before = (await readState(tx, job.dedupe_key))?.failures ?? 0;
    const asked = Math.min(retryAfter ?? 0, RETRY_AFTER_MAX);
    const wait = Math.min(config.holderRefresh * 2 ** Math.min(before, 10), WAIT_MAX);
    // As above: what another server has read since is no failure.
    if (!(await rescheduleJob(tx, job, calendar() + Math.max(wait, asked)))) return before;
    return keepFailure(tx, job.dedupe_key, reason, now());
  });
  log.warn({ reason, failures }, 'the holders could not be read from the chain');
}
