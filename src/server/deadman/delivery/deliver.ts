// Delivering a message: hands it to a transport, and writes down what became of it. A
// server that dies in between leaves the job's lease to run out; the message then goes once more, under the same id.
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import type { Delivery, Letter, Refusal } from '../../adapters/transport.ts';
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
  type Outcome,
  PERHAPS,
  settle,
} from './delivery-store.ts';
import { giveSlotsBack } from './slot-store.ts';
import { awaitPermission, type PermissionDeps } from './text-permission-store.ts';
import { noteTry } from './transport-store.ts';
import { awaitRoom } from './whisper-room-store.ts';

/** After each try that failed for now, in milliseconds of counted time; then daily, and in the end weekly. */
const BACKOFF = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];
/** For how long a message is tried each day, in counted time since it was first tried. */
const DAILY_FOR = 30 * DAY;
const WEEK = 7 * DAY;
/** No mail server is missed for longer. */
const TWO_YEARS = 730 * DAY;
/**
 * When a message is given up whose address was not refused, in counted time since it was first tried. A warning ends with
 * its silence instead, and what a contact is told as well. Whoever asks to have an address proved waits for it, and asks once more.
 */
const GIVE_UP: Record<Message['kind'], number> = {
  release: TWO_YEARS,
  reminder: TWO_YEARS,
  'after-release': TWO_YEARS,
  postponed: TWO_YEARS,
  // Whoever asked for it waits for it, and the page of a rehearsal ends by itself.
  rehearsal: 7 * DAY,
  'rehearsal-due': 30 * DAY,
  'contact-warning': Number.POSITIVE_INFINITY,
  'kit-asked': Number.POSITIVE_INFINITY,
  'kit-stopped': TWO_YEARS,
  'kit-opened': TWO_YEARS,
  'kit-made': TWO_YEARS,
  'kit-removed': TWO_YEARS,
  'sister-letter': TWO_YEARS,
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
  await settle(
    deps,
    message,
    job,
    outcome === 'accepted' ? 'sent' : afterRefusal(message, outcome, countedTime),
  );
  await noteTry(deps, message, outcome);
}

/** What follows a refusal: only one of the address itself ends a message before its time is over. */
function afterRefusal(message: Message, { refused, why }: Refusal, countedTime: number): Outcome {
  if (refused === 'for-good') return { why, refused: true, again: null };
  // What was held back for weeks is tried for as long as any other.
  const age = countedTime - (message.first_tried ?? countedTime);
  if (age >= GIVE_UP[message.kind]) return { why, refused: false, again: null };
  const later = age < DAILY_FOR ? DAY : WEEK;
  return { why, refused: false, again: countedTime + (BACKOFF[message.attempts] ?? later) };
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
    const why = 'Something went wrong on this server; its log says more.';
    return { refused: 'for-now', alone: true, why };
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
