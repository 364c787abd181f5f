// Delivering what tells of a paused switch. Counted time stands still then, so that these go by the calendar; and they
// pass no limit, as there is one for each account and pause.
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { ackJob, rescheduleJob } from '../../jobs/queue-store.ts';
import type { JobRegistry, LeasedJob } from '../../jobs/registry.ts';
import { type DeliveryDeps, hand, type Write } from '../delivery/deliver.ts';
import { findWaiting, isOfDestroyedVault, settle } from '../delivery/delivery-store.ts';
import { NOTIFY } from '../delivery/message-store.ts';
import { noteTry } from '../delivery/transport-store.ts';
import { dropNotice, isElsewhere, isStillPaused, noteTold } from './notice-store.ts';

const BACKOFF = [5 * MINUTE, HOUR, 6 * HOUR, DAY];
const WITHOUT_TRANSPORT = 10 * MINUTE;

type NoticeDeps = DeliveryDeps & {
  /** Whether it is known where this server's address leads: a copy of a paused server must tell nobody. */
  hasLooked: () => boolean;
};

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
  if (!deps.hasLooked() || (await isElsewhere(db)) || (await isOfDestroyedVault(db, message))) {
    await rescheduleJob(db, job, time + MINUTE);
    return;
  }
  const outcome = await hand(deps, (it) => write(it, 0, 0), message);
  if (outcome === 'no-transport') {
    await rescheduleJob(db, job, time + WITHOUT_TRANSPORT);
    return;
  }
  if (outcome !== 'accepted') {
    // Nobody else can be told in their place, and a relay that refuses everybody for good may be mended.
    const wait = outcome.refused === 'for-good' ? 7 * DAY : (BACKOFF[message.attempts] ?? DAY);
    await settle(deps, message, job, { why: outcome.why, refused: false, again: time + wait });
    return noteTry(deps, message, outcome);
  }
  // Before the job is done: a server that dies in between sends it once more, and forgets nothing.
  await noteTold(db, message);
  await settle(deps, message, job, 'sent');
  await noteTry(deps, message, outcome);
}
