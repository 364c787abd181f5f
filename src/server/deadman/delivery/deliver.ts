// Delivering a message: hands it to a transport, and writes down what became of it. A
// server that dies in between leaves the job's lease to run out; the message then goes once more, under the same id.
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import type { Delivery, Letter } from '../../adapters/transport.ts';
import type { Deps } from '../../deps.ts';
import { ackJob, rescheduleJob } from '../../jobs/queue-store.ts';
import type { LeasedJob } from '../../jobs/registry.ts';
import { type AdmissionDeps, admit } from './admission-store.ts';
import {
  confirmationsOf,
  findWaiting,
  hasRecipientVault,
  isOfDestroyedVault,
  isRepeat,
  type Message,
  noteWaiting,
  PERHAPS,
  settle,
} from './delivery-store.ts';
import { giveSlotsBack } from './slot-store.ts';
import { awaitPermission, type PermissionDeps } from './text-permission-store.ts';
import { awaitRoom } from './whisper-room-store.ts';

/** After each try that failed for now, in milliseconds of counted time; then daily. */
const BACKOFF = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];
/** When a message is given up, in counted time since it was first tried. A warning ends with its silence instead. */
const GIVE_UP: Record<Message['kind'], number> = {
  release: 30 * DAY,
  reminder: 30 * DAY,
  'prove-address': 2 * DAY,
  warning: Number.POSITIVE_INFINITY,
  paused: Number.POSITIVE_INFINITY,
  'confirm-switch': Number.POSITIVE_INFINITY,
};
/** How long a message without a transport waits before somebody looks whether there is one now. */
const WITHOUT_TRANSPORT = 10 * MINUTE;
/** Transports give up after a minute by themselves. One that does not must not keep every later message. */
const HAND_OVER_WITHIN = 2 * MINUTE;

export type DeliveryDeps = Pick<
  Deps,
  'db' | 'engine' | 'now' | 'log' | 'rules' | 'digests' | 'transports' | 'catchUp'
> &
  AdmissionDeps &
  PermissionDeps;
/**
 * Writes what a message says.
 * @param confirmations how many confirmations in a row its account's last activity rests on
 * @param countedTime now
 */
export type Write = (message: Message, confirmations: number, countedTime: number) => Letter;

/** Delivers the message of a job, or reschedules it. */
export async function deliver(
  deps: DeliveryDeps,
  write: Write,
  job: LeasedJob,
  countedTime: number,
): Promise<void> {
  const { db } = deps;
  const message = await findWaiting(db, job.dedupe_key);
  if (!message) return ackJob(db, job);
  if (await isOfDestroyedVault(db, message)) {
    await rescheduleJob(db, job, countedTime + MINUTE);
    return;
  }
  if (isRepeat(job)) {
    await noteWaiting(db, message, PERHAPS);
    message.why = PERHAPS;
  }
  if (await isWithheld(deps, message, job, countedTime)) return;
  const confirmations = await confirmationsOf(db, message.account_id);
  const outcome = await hand(deps, (it) => write(it, confirmations, countedTime), message);
  if (outcome === 'no-transport') {
    await giveSlotsBack(db, message.public_id);
    await rescheduleJob(db, job, countedTime + WITHOUT_TRANSPORT);
    return;
  }
  if (outcome === 'accepted') return settle(deps, message, job, 'sent');
  // What was held back for weeks is tried for as long as any other.
  const age = countedTime - (message.first_tried ?? countedTime);
  const over = outcome.refused === 'for-good' || age >= GIVE_UP[message.kind];
  const again = over ? null : countedTime + (BACKOFF[message.attempts] ?? DAY);
  await settle(deps, message, job, { why: outcome.why, again });
}

/**
 * Whether a message waits for a permission, or for its turn. A whisper is a line in a list, and never leaves the server: it
 * waits for room in that list alone.
 */
async function isWithheld(
  deps: DeliveryDeps,
  message: Message,
  job: LeasedJob,
  countedTime: number,
): Promise<boolean> {
  if (message.channel === 'whisper') return awaitRoom(deps, message, job, countedTime);
  if (!deps.transports[message.channel]) return false;
  if (await awaitPermission(deps, message, job, countedTime)) return true;
  return !(await admit(deps, message, job, countedTime));
}

/** Hands a message to its transport. */
export async function hand(
  deps: DeliveryDeps,
  write: (message: Message) => Letter,
  message: Message,
): Promise<Delivery | 'no-transport'> {
  if (message.channel === 'whisper') {
    if (await hasRecipientVault(deps.db, message)) return 'accepted';
    return {
      refused: 'for-good',
      why: 'No vault on this server has that address. The key card still opens it.',
    };
  }
  const transport = deps.transports[message.channel];
  if (!transport) return 'no-transport';
  try {
    return await inTime(transport.send(write(message)));
  } catch (error) {
    deps.log.error({ err: error }, 'a message could not be handed over');
    return { refused: 'for-now', why: 'Something went wrong on this server; its log says more.' };
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
