// The rules of a guardians' kit that was asked for: they are those of a scroll that waits for silence and is warned of by
// mail, but that its silence begins when it is asked for, and that any activity ends it. They decide nothing by themselves.
// All times are counted time.
import type { Selectable } from 'kysely';
import { silenceReleaseAt } from '../../../shared/nouns/switch-rules.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import type { GuardianKitsTable } from '../../db/schema/deadman.ts';
import type { Deps } from '../../deps.ts';
import type { InstanceClock } from '../clock/counted-time-store.ts';
import { dueAt, isReleasable, nextCheckAt, nextWarning, type Silent, stepInDigest } from './silence.ts';

export const kitColumns = [
  'id',
  'account_id',
  'wait_days',
  'asked_counted',
  'warning_step',
  'warning_accepted',
] as const;

type Row = Pick<Selectable<GuardianKitsTable>, (typeof kitColumns)[number]>;

/** A kit that waits. */
export interface AskedKit extends Row {
  asked_counted: number;
}

export const isAsked = (row: Row | undefined): row is AskedKit =>
  row !== undefined && row.asked_counted !== null;

/** Activity ends a wait, so that a kit that waits has seen none since it was asked for. */
const NONE_SINCE = 0;

const asSilent = ({ wait_days, asked_counted, ...kit }: AskedKit): Silent => ({
  ...{ id: kit.id, account_id: kit.account_id, period: wait_days * DAY, watching_since: asked_counted },
  ...{ warning: 'mail', warning_step: kit.warning_step, warning_accepted: kit.warning_accepted },
  ...{ contact_told_at: null, postponed_until: null },
});

/** When its wait is over, whatever holds it then. */
export const kitDeadline = ({ asked_counted, wait_days }: AskedKit): number =>
  asked_counted + wait_days * DAY;

/** Whether its wait is over, and nothing holds it any more. */
export const isWaitOver = (kit: AskedKit, clock: InstanceClock, rules: Deps['rules']): boolean =>
  isReleasable(asSilent(kit), NONE_SINCE, clock, rules);

/** Whether the next warning of it is due, and which step it is; null for none. */
export const nextKitWarning = (kit: AskedKit, countedTime: number, rules: Deps['rules']): number | null =>
  nextWarning(asSilent(kit), NONE_SINCE, countedTime, rules);

/** The step with which it goes along in a warning that leaves now; null for none. */
export const kitStepInDigest = (kit: AskedKit, countedTime: number, rules: Deps['rules']): number | null =>
  stepInDigest(asSilent(kit), NONE_SINCE, countedTime, rules);

/** Before when nothing more is due of it; null after its deadline. */
export const nextKitCheckAt = (kit: AskedKit, countedTime: number, rules: Deps['rules']): number | null =>
  nextCheckAt(asSilent(kit), NONE_SINCE, countedTime, rules);

/**
 * What guardians and the author read of the time that is left, in milliseconds: up to the next full hour, and an hour at
 * least, because only a tick ends a wait.
 */
export function remainingOfKit(kit: AskedKit, clock: InstanceClock, rules: Deps['rules']): number {
  const { counted_time: now } = clock;
  const due = dueAt(asSilent(kit), NONE_SINCE, clock, rules);
  const end = now < due ? due : silenceReleaseAt(kitDeadline(kit), 'mail', kit.warning_accepted, rules);
  // What counts from the asking is up to two ticks ahead.
  const left = Math.min(end - now, end - kit.asked_counted);
  return Math.max(HOUR, Math.ceil(left / HOUR) * HOUR);
}
