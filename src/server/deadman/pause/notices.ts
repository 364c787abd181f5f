// Delivering what tells of a paused switch. Counted time stands still then, so that these go by the calendar; and they
// pass no limit, as there is one for each account and pause.
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { ackJob, rescheduleJob } from '../../jobs/queue-store.ts';
import type { JobRegistry, LeasedJob } from '../../jobs/registry.ts';
import { type DeliveryDeps, hand, type Write } from '../delivery/deliver.ts';
import { findWaiting, settle } from '../delivery/delivery-store.ts';
import { NOTIFY } from '../delivery/message-store.ts';
import { dropNotice, isStillPaused, noteTold } from './notice-store.ts';

const BACKOFF = [5 * MINUTE, HOUR, 6 * HOUR, DAY];
const WITHOUT_TRANSPORT = 10 * MINUTE;

type NoticeDeps = DeliveryDeps;

export const noticeJobs = (deps: NoticeDeps, write: Write): JobRegistry => ({
  [NOTIFY]: {
    clock: 'calendar',
    tries: Number.POSITIVE_INFINITY,
    backoff: [0, HOUR, DAY],
    run: (job, time) => deliverNotice(deps, write, job, time),
  },
});

async function deliverNotice(deps: NoticeDeps, write: Write, job: LeasedJob, time: number): Promise<void> {
  const { db } = deps;
  const message = await findWaiting(db, job.dedupe_key);
  if (!message) return ackJob(db, job);
  if (!(await isStillPaused(db, message))) return dropNotice(db, message, job);
  const outcome = await hand(deps, (it) => write(it, 0, 0), message);
  if (outcome === 'no-transport') {
    await rescheduleJob(db, job, time + WITHOUT_TRANSPORT);
    return;
  }
  if (outcome !== 'accepted') {
    const again = outcome.refused === 'for-good' ? null : time + (BACKOFF[message.attempts] ?? DAY);
    return settle(deps, message, job, { why: outcome.why, again });
  }
  // Before the job is done: a server that dies in between sends it once more, and forgets nothing.
  await noteTold(db, message);
  return settle(deps, message, job, 'sent');
}
