// The jobs of the dead man's switch: delivering a message, reminding of it, and giving a limit's free slots, or the room in
// a vault, to those who wait for them.
import { DAY, HOUR } from '../../../shared/time.ts';
import type { JobRegistry } from '../../jobs/registry.ts';
import { callNext } from './admission-store.ts';
import { type DeliveryDeps, deliver, type Write } from './deliver.ts';
import { type FollowUpDeps, followUp } from './follow-up-store.ts';
import { DELIVER, FOLLOW_UP, NEXT_IN_LINE } from './message-store.ts';
import { isRoom } from './send-limits.ts';
import { callNextWhispers } from './whisper-room-store.ts';

/**
 * A try of which nothing was recorded may have handed its message over: again at once, since most such servers stop in
 * the middle of something else, then after an hour, then daily. What a transport refuses is rescheduled by `deliver`, and
 * is no failed try.
 */
const PATIENT = { clock: 'uptime', tries: 30, backoff: [0, HOUR, DAY] } as const;

export const deliveryJobs = (deps: DeliveryDeps & FollowUpDeps, write: Write): JobRegistry => ({
  [DELIVER]: { ...PATIENT, run: (job, time) => deliver(deps, write, job, time) },
  [FOLLOW_UP]: {
    ...PATIENT,
    run: async (job, time) => {
      await followUp(deps, job, time);
    },
  },
  [NEXT_IN_LINE]: {
    ...PATIENT,
    run: (job, time) => (isRoom(job.dedupe_key) ? callNextWhispers : callNext)(deps, job, time),
  },
});
