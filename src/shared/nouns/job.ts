// Background jobs as an administrator meets them: those that fail, or that nobody can run.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, message } from '../http/field-classes.ts';
import { entryId, timestamp } from '../http/wire.ts';

/** `dead`: given up until it is retried. `unknown`: of a kind that this server does not know. */
export const jobStates = ['waiting', 'failing', 'dead', 'unknown'] as const;
export type JobState = (typeof jobStates)[number];

const troubledJobSchema = z.object({
  id: entryId,
  kind: clear('what kind of job it is', z.string().check(z.maxLength(64))),
  state: clear('why a job needs attention', z.enum(['failing', 'dead', 'unknown'])),
  attempts: clear('how often a job was tried', z.int().check(z.minimum(0))),
  error: z.nullable(message('what type of error a job failed with', z.string().check(z.maxLength(200)))),
  failedAt: z.nullable(clear('when a job last failed', timestamp)),
});
export type TroubledJob = z.output<typeof troubledJobSchema>;

export const jobs = {
  /** Those that were given up first, a hundred at most. */
  list: call({
    method: 'GET',
    path: '/api/jobs',
    access: 'admin',
    reply: z.array(troubledJobSchema).check(z.maxLength(100)),
  }),
  /** Runs a job again now, as if for the first time. */
  retry: call({
    method: 'POST',
    path: '/api/jobs/{id}/retry',
    access: 'admin',
    status: 204,
  }),
};
