// The administrator's calls about background jobs that fail, or that this server does not know.
import type { Hono } from 'hono';
import { jobs } from '../../../shared/nouns/job.ts';
import { isoOrNull } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { idParam, route } from '../../http/route.ts';
import { listTroubledJobs, retryJob } from '../../jobs/troubled-store.ts';

export function jobRoutes(app: Hono, deps: Deps): void {
  const { db, jobKinds } = deps;

  route(app, deps, jobs.list, async () =>
    (await listTroubledJobs(db, jobKinds)).map(({ failed_at, ...job }) => ({
      ...job,
      failedAt: isoOrNull(failed_at),
    })),
  );

  route(app, deps, jobs.retry, async ({ params }) => {
    if (!(await retryJob(db, jobKinds, idParam(params.id)))) throw new AppError('not-found');
  });
}
