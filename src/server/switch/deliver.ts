// Delivering messages: takes their jobs off the queue, hands them to a courier, and writes down what became of them. A
// server that dies in between leaves the job's lease to run out; the message then goes once more, under the same id.
import type { Delivery, Letter } from '../adapters/courier.ts';
import type { Deps } from '../deps.ts';
import { finishJob, type Job, postponeJob, takeJob } from '../jobs/queue-store.ts';
import { type AdmissionDeps, admit, callNext } from './admission-store.ts';
import {
  findWaiting,
  hasRecipientVault,
  isOfDestroyedVault,
  isRepeat,
  type Message,
  noteWaiting,
  PERHAPS,
  pressesOf,
  settle,
} from './delivery-store.ts';
import { readHouseClock } from './house-clock-store.ts';
import { instanceName } from './instance.ts';
import { NEXT_IN_LINE } from './message-store.ts';
import { giveSlotsBack } from './slot-store.ts';
import { awaitPermission, type PermissionDeps } from './text-permission-store.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** After each try that failed for now, in milliseconds of house time; then daily. */
const BACKOFF = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];
/** When a message is given up, in house time since it was first tried. A warning ends with its silence instead. */
const GIVE_UP: Record<Message['kind'], number> = {
  release: 30 * DAY,
  'prove-address': 2 * DAY,
  warning: Number.POSITIVE_INFINITY,
};
/** How long a message without a courier waits before somebody looks whether there is one now. */
const WITHOUT_COURIER = 10 * MINUTE;
/** How many messages are on their way at once: a server that hangs must not keep the others. */
const AT_ONCE = 4;
/** Couriers give up after a minute by themselves. One that does not must not keep every later message. */
const HAND_OVER_WITHIN = 2 * MINUTE;

export type DeliveryDeps = Pick<Deps, 'db' | 'engine' | 'now' | 'log' | 'rules' | 'digests' | 'couriers'> &
  AdmissionDeps &
  PermissionDeps;
/**
 * Writes what a message says.
 * @param presses how many presses in a row its account's life rests on
 * @param houseTime now
 */
export type Write = (message: Message, presses: number, houseTime: number) => Letter;

/** Delivers what is due. Nothing leaves while the switch is paused: this may be a copy of the house. */
export async function deliverDue(deps: DeliveryDeps, write: Write): Promise<void> {
  const worker = async () => {
    for (;;) {
      const clock = await readHouseClock(deps.db);
      if (clock.paused_reason !== null || clock.instance !== instanceName(deps.digests)) return;
      const job = await takeJob(deps, clock.house_time);
      if (!job) return;
      if (job.kind === NEXT_IN_LINE) await callNext(deps, job, clock.house_time);
      else await deliver(deps, write, job, clock.house_time);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function deliver(deps: DeliveryDeps, write: Write, job: Job, houseTime: number): Promise<void> {
  const { db } = deps;
  const message = await findWaiting(db, job.dedupe_key);
  if (!message) return finishJob(db, job);
  if (await isOfDestroyedVault(db, message)) return postponeJob(db, job, houseTime + MINUTE);
  if (isRepeat(job)) {
    await noteWaiting(db, message, PERHAPS);
    message.why = PERHAPS;
  }
  if (await isWithheld(deps, message, job, houseTime)) return;
  const presses = await pressesOf(db, message.account_id);
  const outcome = await hand(deps, (it) => write(it, presses, houseTime), message);
  if (outcome === 'no-courier') {
    await giveSlotsBack(db, message.public_id);
    return postponeJob(db, job, houseTime + WITHOUT_COURIER);
  }
  if (outcome === 'accepted') return settle(deps, message, job, 'sent');
  // What was held back for weeks is tried for as long as any other.
  const age = houseTime - (message.first_tried ?? houseTime);
  const over = outcome.refused === 'for-good' || age >= GIVE_UP[message.kind];
  const again = over ? null : houseTime + (BACKOFF[message.attempts] ?? DAY);
  await settle(deps, message, job, { why: outcome.why, again });
}

/** Whether a message waits for a permission or for its turn. A whisper is a line in a list, and leaves nobody's house. */
async function isWithheld(
  deps: DeliveryDeps,
  message: Message,
  job: Job,
  houseTime: number,
): Promise<boolean> {
  if (message.channel === 'whisper' || !deps.couriers[message.channel]) return false;
  if (await awaitPermission(deps, message, job, houseTime)) return true;
  return !(await admit(deps, message, job, houseTime));
}

async function hand(
  deps: DeliveryDeps,
  write: (message: Message) => Letter,
  message: Message,
): Promise<Delivery | 'no-courier'> {
  if (message.channel === 'whisper') {
    if (await hasRecipientVault(deps.db, message)) return 'accepted';
    return {
      refused: 'for-good',
      why: 'No vault of this house has that address. The key card still opens it.',
    };
  }
  const courier = deps.couriers[message.channel];
  if (!courier) return 'no-courier';
  try {
    return await inTime(courier.send(write(message)));
  } catch (error) {
    deps.log.error({ err: error }, 'a message could not be handed over');
    return { refused: 'for-now', why: 'Something went wrong in this house; its log says more.' };
  }
}

async function inTime(delivery: Promise<Delivery>): Promise<Delivery> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Delivery>((resolve) => {
    const refusal = { refused: 'for-now', why: 'It took too long.' } as const;
    timer = setTimeout(() => resolve(refusal), HAND_OVER_WITHIN).unref();
  });
  return Promise.race([delivery, late]).finally(() => clearTimeout(timer));
}
