// Whether a message may leave now, and whose turn it is where too many want to. A message takes a slot of each of its
// limits, one after the other; where one has none left it stands in that limit's line, and keeps the slots it has.

import { DAY } from '../../../shared/time.ts';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { ackJob, enqueue, rescheduleJob } from '../../jobs/queue-store.ts';
import type { LeasedJob } from '../../jobs/registry.ts';
import { type Message, PERHAPS } from './delivery-store.ts';
import { DELIVER, NEXT_IN_LINE } from './message-store.ts';
import { authorOf, limitsOf, maxOf, type SendLimit, withheldSentences } from './send-limits.ts';
import { hasLine, lockLimits, nextFree, nextInLine, slotsOf, spendSlots, takeSlot } from './slot-store.ts';

/** How long a message in line sleeps, in counted time. */
const ASKS_AGAIN = 30 * DAY;

export type AdmissionDeps = Pick<Deps, 'db' | 'digests' | 'metrics'> & {
  config: Pick<Deps['config'], 'messageLimits'>;
};

/**
 * Takes a slot of every limit of a message, or puts it in line.
 * @returns whether it may be handed over now; otherwise its job was given back
 */
export async function admit(
  deps: AdmissionDeps,
  message: Message,
  job: LeasedJob,
  time: number,
): Promise<boolean> {
  const full = await transact(deps.db, async (tx) => {
    await lockLimits(tx);
    const limit = await takeSlots(deps, tx, message, time);
    if (limit === null) await markTried(tx, message, time, limitsOf(deps.digests, message));
    else await standInLine(deps, tx, { message, job, limit, time });
    return limit;
  });
  if (full === null) return true;
  // It is counted once for each line that it joins.
  if (message.waits_for !== full.key) deps.metrics.countWithheld(message.kind, message.channel, full.reason);
  return false;
}

/** @returns the first limit that has no slot for this message; null when it has one of each */
async function takeSlots(
  { digests, config }: AdmissionDeps,
  tx: Database,
  message: Message,
  time: number,
): Promise<SendLimit | null> {
  const has = await slotsOf(tx, message.public_id, time);
  const author = authorOf(digests, message);
  for (const limit of limitsOf(digests, message)) {
    const { key } = limit;
    if (has.has(key)) continue;
    if (await hasLine(tx, key, message.id)) return limit;
    const max = maxOf(key, config.messageLimits);
    if (!(await takeSlot(tx, { key, max, message: message.public_id, author, time }))) return limit;
  }
  return null;
}

async function markTried(tx: Database, message: Message, time: number, limits: SendLimit[]): Promise<void> {
  await spendSlots(tx, { message: message.public_id, keys: limits.map(({ key }) => key), time });
  if (message.withheld === null && message.first_tried !== null) return;
  await tx
    .updateTable('messages')
    .set({
      first_tried: message.first_tried ?? time,
      withheld: null,
      waits_for: null,
      ...(message.withheld === null ? {} : { why: message.why?.includes(PERHAPS) ? PERHAPS : null }),
    })
    .where('id', '=', message.id)
    .where('state', '=', 'waiting')
    .execute();
}

async function standInLine(
  { digests, config }: AdmissionDeps,
  tx: Database,
  { message, job, limit, time }: { message: Message; job: LeasedJob; limit: SendLimit; time: number },
): Promise<void> {
  const { key, reason } = limit;
  const sentence = withheldSentences[reason];
  await tx
    .updateTable('messages')
    .set({
      withheld: reason,
      waits_for: key,
      author_hash: authorOf(digests, message),
      why: message.why?.includes(PERHAPS) ? `${sentence} ${PERHAPS}` : sentence,
    })
    .where('id', '=', message.id)
    .where('state', '=', 'waiting')
    .execute();
  const max = maxOf(key, config.messageLimits);
  await enqueue(tx, NEXT_IN_LINE, key, await nextFree(tx, { key, max, time }));
  // The line's own job wakes it. Should that be lost, it asks again by itself.
  await rescheduleJob(tx, job, time + ASKS_AGAIN);
}

/** Gives each free slot of a limit to whose turn it is, and comes again for those who still wait. */
export async function callNext(deps: AdmissionDeps, job: LeasedJob, time: number): Promise<void> {
  const key = job.dedupe_key;
  const max = maxOf(key, deps.config.messageLimits);
  // Each in a transaction of its own, so that it holds one message at a time.
  while (await transact(deps.db, (tx) => releaseNext(tx, { key, max, time })));
  await transact(deps.db, async (tx) => {
    await lockLimits(tx);
    if (!(await hasLine(tx, key, null))) return ackJob(tx, job);
    return rescheduleJob(tx, job, await nextFree(tx, { key, max, time }));
  });
}

async function releaseNext(
  tx: Database,
  { key, max, time }: { key: string; max: number; time: number },
): Promise<boolean> {
  await lockLimits(tx);
  const next = await nextInLine(tx, key);
  if (!next) return false;
  const slot = { key, max, message: next.public_id, author: next.author_hash, time };
  if (!(await takeSlot(tx, slot))) return false;
  await tx.updateTable('messages').set({ waits_for: null }).where('id', '=', next.id).execute();
  await enqueue(tx, DELIVER, next.public_id, time);
  return true;
}
