// The administrator's outbox: what leaves this server, what waits, and what did not arrive.
import type { SwitchOutlook } from '../../../../shared/nouns/switch.ts';
import type { SwitchState } from '../../../../shared/nouns/switch-state.ts';
import { HOUR } from '../../../../shared/time.ts';
import { iso } from '../../../db/times.ts';
import { transact } from '../../../db/transact.ts';
import { ofStandingVault } from '../../../db/vault-state.ts';
import type { Deps } from '../../../deps.ts';
import { type Asked, type Page, readPage } from '../../../http/pages.ts';
import {
  confirmSwitch,
  countedTime,
  type InstanceClock,
  readInstanceClock,
} from '../../clock/counted-time-store.ts';
import { instanceName } from '../../clock/instance.ts';
import { readUptime } from '../../clock/uptime-store.ts';
import { openDoubt, vouchForCalendar } from '../../clock/vouch-store.ts';
import { contactColumns, type Message } from '../../delivery/delivery-store.ts';
import { followAgain, lockRecipientOf } from '../../delivery/follow-again-store.ts';
import { withKits } from '../../delivery/kit-messages-store.ts';
import { deliverSoon, NEXT_IN_LINE } from '../../delivery/message-store.ts';
import { withReleases } from '../../delivery/told-releases-store.ts';
import { readFailing } from '../../delivery/transport-store.ts';
import { withScrolls } from '../../delivery/warned-scrolls-store.ts';
import { goesOnIn, whyItStays } from '../../pause/paused-switch.ts';
import { heldAtMostUntil } from '../../watch/hold.ts';

type Store = Pick<Deps, 'db' | 'now' | 'calendar' | 'rules' | 'digests' | 'config'>;

export interface MessageRow extends Message {
  /** How many confirmations in a row the last activity of its account rests on. */
  confirmations: number;
  /** Counted time at which those who wait for the same limit are looked at next. */
  next_try: number | null;
}

const withContext = ({ db }: Pick<Store, 'db'>) =>
  db
    .selectFrom('messages')
    .leftJoin('accounts', 'accounts.id', 'messages.account_id')
    .leftJoin('last_activity', 'last_activity.account_id', 'messages.account_id')
    .leftJoin('trusted_contacts', 'trusted_contacts.account_id', 'messages.account_id')
    .leftJoin('jobs as line', (join) =>
      join.on('line.kind', '=', NEXT_IN_LINE).onRef('line.dedupe_key', '=', 'messages.waits_for'),
    )
    .selectAll('messages')
    .where(ofStandingVault('messages'))
    .select(['line.run_at as next_try', 'accounts.uid as account_uid'])
    .select(contactColumns)
    .select((eb) => eb.fn.coalesce('last_activity.confirmations', eb.lit(0)).as('confirmations'));

/** One page, newest first. */
export async function listMessages(deps: Pick<Store, 'db'>, asked: Asked): Promise<Page<MessageRow>> {
  const { rows, more } = await readPage(asked, {
    rows: ({ limit, before }) =>
      withContext(deps)
        .where('messages.id', '<', before)
        .orderBy('messages.id', 'desc')
        .limit(limit)
        .execute(),
  });
  return { rows: await withWhatTheyTell(deps.db, rows), more };
}

async function findMessage({ db }: Pick<Store, 'db'>, id: number): Promise<MessageRow | undefined> {
  const rows = await withContext({ db }).where('messages.id', '=', id).execute();
  const [message] = await withWhatTheyTell(db, rows);
  return message;
}

type Bare = Omit<MessageRow, 'scrolls' | 'releases' | 'kits'>;

const withWhatTheyTell = async (db: Deps['db'], rows: Bare[]): Promise<MessageRow[]> =>
  withKits(db, await withReleases(db, await withScrolls(db, rows)));

/**
 * Tries a message that waits, or has failed, again now. One that was sent or cancelled stays what it is.
 * @returns the message as it stands then
 */
export function retryMessage(
  { db, calendar }: Pick<Store, 'db' | 'calendar'>,
  id: number,
): Promise<MessageRow | undefined> {
  return transact(db, async (tx) => {
    await lockRecipientOf(tx, id);
    const waiting = await tx
      .updateTable('messages')
      .set({ state: 'waiting', refused: 0 })
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'failed'])
      .where(ofStandingVault('messages'))
      .returning(['public_id', 'kind', 'recipient_id'])
      .executeTakeFirst();
    if (waiting) {
      await deliverSoon(tx, waiting, calendar());
      await followAgain(tx, waiting.recipient_id, await countedTime(tx));
    }
    return findMessage({ db: tx }, id);
  });
}

/**
 * The administrator has passed a message on by hand. It is never an accepted warning: no mail server has said so.
 * @returns the message as it stands then
 */
export function markPassedOn(
  { db, now }: Pick<Store, 'db' | 'now'>,
  id: number,
): Promise<MessageRow | undefined> {
  return transact(db, async (tx) => {
    await lockRecipientOf(tx, id);
    const time = await countedTime(tx);
    const passed = await tx
      .updateTable('messages')
      .set({ state: 'sent', sent_at: now(), sent_counted: time, by_hand: 1, why: null })
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'failed'])
      .where(ofStandingVault('messages'))
      .returning('recipient_id')
      .executeTakeFirst();
    if (passed) await followAgain(tx, passed.recipient_id, time);
    return findMessage({ db: tx }, id);
  });
}

export async function readSwitchState({
  db,
  now,
  calendar,
  config,
  rules,
}: Pick<Store, 'db' | 'now' | 'calendar' | 'config' | 'rules'>): Promise<SwitchState> {
  const clock = await readInstanceClock(db);
  const { paused_reason, paused_at, out_of_reach_since, elsewhere } = clock;
  const doubt = openDoubt(clock, rules);
  return {
    paused:
      paused_reason === null
        ? null
        : {
            reason: paused_reason,
            since: iso(paused_at ?? 0),
            goesOnIn: goesOnIn(clock, { config }, rules),
          },
    outOfReachSince: out_of_reach_since === null ? null : iso(out_of_reach_since),
    elsewhere,
    calendar: doubt && { doubt, says: iso(dateOf(clock, calendar())) },
    ...(await readFailing({ db, now })),
    heldFor: Math.max(0, heldAtMostUntil(clock) - clock.counted_time),
  };
}

/** The date that is in doubt: that of the machine which ticks, which may be another one than answers here. */
const dateOf = ({ ticked_at }: InstanceClock, here: number): number =>
  Math.abs(ticked_at - here) > SHOWN_WITHIN ? ticked_at : here;

export async function readSwitchOutlook({
  db,
  config,
  rules,
}: Pick<Store, 'db' | 'config' | 'rules'>): Promise<SwitchOutlook> {
  const clock = await readInstanceClock(db);
  return {
    staysPaused: whyItStays(clock, { config }),
    calendar: openDoubt(clock, rules),
    uptime: await readUptime(db, clock),
  };
}

/** The administrator's word that this database counts, here. Where the switch is not paused it changes nothing. */
export function confirmHere({
  db,
  calendar,
  rules,
  digests,
}: Pick<Store, 'db' | 'calendar' | 'rules' | 'digests'>): Promise<void> {
  const instance = instanceName(digests);
  return confirmSwitch(db, { instance, at: calendar(), holdFor: rules.holdAfterOutage });
}

/** How far the calendar may be from what the administrator was shown: they take a while to look at another clock. */
const SHOWN_WITHIN = HOUR;

/**
 * The administrator's word that the calendar is right. Where it is believed already it changes nothing.
 * @param says what the calendar said when they were asked, in epoch milliseconds
 * @returns false where it says something else by now
 */
export async function vouchHere(
  { db, calendar, rules }: Pick<Store, 'db' | 'calendar' | 'rules'>,
  says: number,
): Promise<boolean> {
  const clock = await readInstanceClock(db);
  if (openDoubt(clock, rules) === null) return true;
  if (Math.abs(dateOf(clock, calendar()) - says) > SHOWN_WITHIN) return false;
  await vouchForCalendar(db, rules);
  return true;
}
