// Runs due jobs of the kinds that this server knows. What it does not know it leaves alone: a newer server, or a feature
// that is switched off, has put it there.
import { isDatabaseAway, isStorageFull } from '../db/away.ts';
import type { Deps } from '../deps.ts';
import { failJob, takeJob } from './queue-store.ts';
import type { JobClock, JobKind, JobRegistry, LeasedJob } from './registry.ts';

/** How many jobs of one clock run at a time: one that hangs must not keep the others. */
const AT_ONCE = 4;

/** The time by each clock; null while no job of that clock may run. */
export type JobTimes = Readonly<Record<JobClock, () => Promise<number | null>>>;

type RunnerDeps = Pick<Deps, 'db' | 'engine' | 'log' | 'now'>;

/** @returns what runs everything that is due, and resolves when nothing is any more */
export function createJobRunner(
  deps: RunnerDeps,
  registry: JobRegistry,
  times: JobTimes,
): () => Promise<void> {
  const workers = (['uptime', 'calendar'] as const).flatMap((clock) => {
    const kinds = Object.fromEntries(Object.entries(registry).filter(([, kind]) => kind.clock === clock));
    if (Object.keys(kinds).length === 0) return [];
    const worker = async () => {
      for (;;) {
        const time = await times[clock]();
        const job = time === null ? null : await takeJob(deps, kinds, time);
        if (time === null || !job) return;
        await runJob(deps, kinds[job.kind] as JobKind, job, time);
      }
    };
    return Array<typeof worker>(AT_ONCE).fill(worker);
  });
  return async () => {
    await Promise.all(workers.map((worker) => worker()));
  };
}

async function runJob(deps: RunnerDeps, kind: JobKind, job: LeasedJob, time: number): Promise<void> {
  const failed = (error: string, isDead: boolean) => failJob(deps.db, job, { error, at: deps.now(), isDead });
  if (job.attempts > kind.tries) {
    deps.log.error(
      { kind: job.kind, tries: kind.tries },
      'a job is given up: servers stopped while running it',
    );
    return failed('The server stopped while running it.', true);
  }
  try {
    await kind.run(job, time);
  } catch (error) {
    // That is no failure of the job. It comes again when its lease ends.
    if (isDatabaseAway(error) || isStorageFull(error)) throw error;
    const isDead = job.attempts === kind.tries;
    deps.log.error(
      { err: error, kind: job.kind, attempt: job.attempts },
      isDead ? 'a job is given up' : 'a job failed',
    );
    await failed(nameOf(error), isDead);
  }
}

/** What may be shown of an error: its type and code. Its message could repeat what a job is about. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} (${error.code})` : error.name;
}
