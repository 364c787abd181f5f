// Whether a transport works, as every try tells it: since when it has taken nothing. It stands in the database, so that every
// server says the same. Times are the calendar's, because it must be known while a switch is paused, too.
import { type Expression, sql } from 'kysely';
import type { FailingTransports } from '../../../shared/nouns/switch-state.ts';
import { DAY, MINUTE } from '../../../shared/time.ts';
import type { Delivery } from '../../adapters/transport.ts';
import type { Database } from '../../db/open.ts';
import { isoOrNull } from '../../db/times.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { advanceJobs } from '../../jobs/queue-store.ts';
import type { Reading } from '../../metrics.ts';
import { countedTime } from '../clock/counted-time-store.ts';
import type { Message } from './delivery-store.ts';
import { DELIVER } from './message-store.ts';

type Channel = 'email' | 'sms';

/** A transport fails once so many tries in a row have failed, and the first of them so long ago. */
const FAILS_AFTER = { tries: 3, lasting: 5 * MINUTE };
/** What was tried longer ago says nothing any more. Whatever waits is tried each week. */
const BELIEVED_FOR = 8 * DAY;
/** After an outage that was longer, everything is tried at once. After a shorter one it comes soon enough by itself. */
const LONG = DAY;

const NAMES: Record<Channel, string> = { email: 'mail', sms: 'text messages' };

/**
 * Writes down what a try says of its transport. A refusal of one address says nothing of it.
 * Never within the transaction of a message, so that no two messages wait for each other here.
 */
export async function noteTry(
  { db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>,
  { channel }: Pick<Message, 'channel'>,
  delivery: Delivery,
): Promise<void> {
  if (channel === 'whisper') return;
  if (delivery === 'accepted') {
    const failedFor = await noteAccepted(db, channel, now());
    if (failedFor === null) return;
    log.info(`${NAMES[channel]} can be sent again`);
    if (failedFor >= LONG) await hurryMessages(db, channel);
  } else if (delivery.refused === 'for-now' && !delivery.alone) {
    if (!(await noteFailure(db, channel, { why: delivery.why, now: now() }))) return;
    // The sentence is our own, and names no address.
    log.error({ why: delivery.why }, `${NAMES[channel]} cannot be sent; messages wait and are tried again`);
  }
}

/** @returns for how long it had failed; null where it had not been said that it fails */
async function noteAccepted(db: Database, channel: Channel, now: number): Promise<number | null> {
  const failing = await db
    .selectFrom('transports')
    .selectAll()
    .where('channel', '=', channel)
    .where('failing_since', 'is not', null)
    .executeTakeFirst();
  if (!failing || failing.failing_since === null) return null;
  const mended = await db
    .updateTable('transports')
    .set({ failing_since: null, failures: 0, told: 0 })
    .where('channel', '=', channel)
    .where('failing_since', '=', failing.failing_since)
    .returning('channel')
    .executeTakeFirst();
  return mended && failing.told === 1 ? now - failing.failing_since : null;
}

/** @returns whether it is to be told now that it fails: once for each time that it does */
async function noteFailure(
  db: Database,
  channel: Channel,
  { why, now }: { why: string; now: number },
): Promise<boolean> {
  await db
    .insertInto('transports')
    .values({ channel, failing_since: now, failures: 1, tried_at: now, why, told: 0 })
    .onConflict((conflict) =>
      conflict.column('channel').doUpdateSet((eb) => ({
        // One that lies ahead was written by a calendar that was wrong.
        failing_since: sql<number>`case when transports.failing_since <= ${now} then transports.failing_since else ${now} end`,
        failures: eb('transports.failures', '+', 1),
        tried_at: now,
        why,
      })),
    )
    .execute();
  const told = await db
    .updateTable('transports')
    .set({ told: 1 })
    .where('channel', '=', channel)
    .where('told', '=', 0)
    .where('failures', '>=', FAILS_AFTER.tries)
    .where('failing_since', '<=', now - FAILS_AFTER.lasting)
    .returning('channel')
    .executeTakeFirst();
  return told !== undefined;
}

/** What waits for days, or for a week, is tried now. */
async function hurryMessages(db: Database, channel: Channel): Promise<void> {
  const waiting = sql`(select public_id from messages where state = 'waiting' and channel = ${channel}
    and withheld is null and attempts > 0)`;
  await transact(db, async (tx) => advanceJobs(tx, DELIVER, waiting, await countedTime(tx)));
}

/** Since when each transport has taken nothing; null for one that works, or of which nothing is known. */
export async function readFailing({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<FailingTransports> {
  const time = now();
  const rows = await db
    .selectFrom('transports')
    .select(['channel', 'failing_since'])
    .where('failures', '>=', FAILS_AFTER.tries)
    .where('failing_since', '<=', time - FAILS_AFTER.lasting)
    .where('tried_at', '>', time - BELIEVED_FOR)
    .execute();
  const since = (channel: Channel) =>
    isoOrNull(rows.find((row) => row.channel === channel)?.failing_since ?? null);
  return { noMailSince: since('email'), noTextsSince: since('sms') };
}

/** How many messages of an account wait although they were tried. */
export const unsentMessages = (db: Database, accountId: number | Expression<number>) =>
  db
    .selectFrom('messages')
    .where('account_id', '=', accountId)
    .where('state', '=', 'waiting')
    .where('channel', '!=', 'whisper')
    .where('attempts', '>', 0)
    .select((q) => q.fn.countAll<number>().as('n'));

/** The transports as Prometheus reads them; one that was not set up cannot fail. */
export async function transportReadings(deps: Pick<Deps, 'db' | 'now' | 'transports'>): Promise<Reading[]> {
  const { noMailSince, noTextsSince } = await readFailing(deps);
  const since = { email: noMailSince, sms: noTextsSince };
  const channels = (['email', 'sms'] as const).filter((channel) => deps.transports[channel] !== null);
  return [
    {
      name: 'transport_failing',
      help: 'Whether mail, or text messages, cannot be sent: 0 or 1.',
      labels: ['channel'],
      values: channels.map((channel) => ({ labels: { channel }, value: since[channel] === null ? 0 : 1 })),
    },
  ];
}
