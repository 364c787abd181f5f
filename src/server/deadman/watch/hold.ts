// How long a scroll has, and what holds it back: what its author is shown. It decides nothing. All times are
// milliseconds of counted time, except the calendar's `now` and `due_at`.
import type { Selectable } from 'kysely';
import { type SwitchRules, silenceReleaseAt } from '../../../shared/nouns/switch-rules.ts';
import type { Hold } from '../../../shared/nouns/switch-state.ts';
import type { LastActivityTable, LegacyScrollsTable } from '../../db/schema/deadman.ts';
import type { InstanceClock } from '../clock/counted-time-store.ts';

export type Watch = Pick<
  Selectable<LegacyScrollsTable>,
  | 'state'
  | 'trigger_type'
  | 'period'
  | 'due_at'
  | 'watching_since'
  | 'warning'
  | 'warning_accepted'
  | 'contact_told_at'
  | 'releasable_at'
>;
export type LastActivity = Pick<Selectable<LastActivityTable>, 'counted_time'>;

/** What a scroll is looked at with. */
export interface Moment {
  /** The last sign of activity of the scroll's author, if one was given. */
  lastActivity: LastActivity | null | undefined;
  clock: Pick<
    InstanceClock,
    | 'counted_time'
    | 'held_until'
    | 'firmly_held_until'
    | 'told_held_until'
    | 'told_firmly_held_until'
    | 'paused_reason'
    | 'out_of_reach_since'
    | 'may_add'
    | 'stood_still'
    | 'set_forward_by'
  >;
  /** Until when the author's trusted contact has postponed, in counted time; 0 for not, null without a contact. */
  postponedUntil: number | null;
  /** The calendar's time. */
  now: number;
  rules: Pick<
    SwitchRules,
    'graceAfterWarning' | 'holdAtMost' | 'holdAfterLongOutage' | 'contactToldBefore' | 'jitter'
  >;
}

/** When silence is over, in counted time; null unless a scroll watches for it. */
export function deadlineOf(
  scroll: Pick<Watch, 'state' | 'trigger_type' | 'period' | 'watching_since'>,
  lastActivity: LastActivity | null | undefined,
): number | null {
  const { state, trigger_type, period, watching_since } = scroll;
  if (state !== 'watching' || trigger_type !== 'inactivity' || period === null) return null;
  return Math.max(lastActivity?.counted_time ?? 0, watching_since ?? 0) + period;
}

/** Milliseconds until the deadline, negative after it; null unless a scroll watches for silence or for a day. */
export function remainingOf(
  scroll: Watch,
  { lastActivity, clock, now }: Pick<Moment, 'lastActivity' | 'clock' | 'now'>,
): number | null {
  const deadline = deadlineOf(scroll, lastActivity);
  // A sign of activity counts from where the next tick may reach; nobody has more than the whole period for it.
  if (deadline !== null) return Math.min(deadline - clock.counted_time, scroll.period ?? 0);
  return scroll.state === 'watching' && scroll.trigger_type === 'date' && scroll.due_at !== null
    ? scroll.due_at - now
    : null;
}

/** Until when anything is held for an outage, whatever its deadline: counted time. */
export const heldAtMostUntil = (
  clock: Pick<
    InstanceClock,
    'held_until' | 'firmly_held_until' | 'told_held_until' | 'told_firmly_held_until'
  >,
): number =>
  Math.max(
    ...[clock.held_until, clock.told_held_until],
    ...[clock.firmly_held_until, clock.told_firmly_held_until],
  );

/**
 * Until when what was noticed of outages holds a scroll of this deadline, all in counted time. No hold outlasts
 * `holdAtMost` after the deadline, and one after a long outage only by its own length: a server that is off for days
 * each week, or whose clock tells of outages that never were, must not hold its scrolls for ever.
 */
export const heldUntil = (
  deadline: number,
  clock: Pick<
    InstanceClock,
    'held_until' | 'firmly_held_until' | 'told_held_until' | 'told_firmly_held_until'
  >,
  { holdAtMost, holdAfterLongOutage }: Pick<SwitchRules, 'holdAtMost' | 'holdAfterLongOutage'>,
): number => {
  const held = Math.max(clock.held_until, clock.told_held_until);
  const firmly = Math.max(clock.firmly_held_until, clock.told_firmly_held_until);
  const atMost = deadline + holdAtMost;
  return Math.max(Math.min(held, atMost), Math.min(firmly, atMost + holdAfterLongOutage));
};

/**
 * Whether it is known how long nobody was there, but for minutes, as far as that may hold a scroll. Where the calendar stood
 * still, nobody will know; then a warning that was accepted since does as well.
 */
export const isAbsenceKnown = (
  { warning, warning_accepted }: Pick<Watch, 'warning' | 'warning_accepted'>,
  deadline: number,
  { counted_time, may_add, stood_still }: Pick<InstanceClock, 'counted_time' | 'may_add' | 'stood_still'>,
  { holdAtMost, jitter }: Pick<SwitchRules, 'holdAtMost' | 'jitter'>,
): boolean =>
  may_add <= jitter ||
  counted_time >= deadline + holdAtMost ||
  (stood_still === 1 && warning === 'mail' && warning_accepted !== null);

/** What keeps a watching scroll from its release, now or at its deadline; null for nothing. */
export function holdOf(scroll: Watch, moment: Moment): Hold | null {
  if (scroll.state !== 'watching' || scroll.trigger_type === 'manual') return null;
  if (moment.clock.paused_reason !== null) return 'paused';
  if (moment.clock.out_of_reach_since !== null) return 'out-of-reach';
  return scroll.trigger_type === 'date' ? holdOfDate(scroll, moment) : holdOfSilence(scroll, moment);
}

function holdOfDate({ releasable_at, due_at }: Watch, { clock, now }: Moment): Hold | null {
  if (due_at === null || due_at > now) return null;
  if (due_at > now - clock.set_forward_by) return 'calendar-set';
  if (releasable_at === null) return 'after-start';
  return releasable_at > clock.counted_time ? 'dark-date' : null;
}

function holdOfSilence(scroll: Watch, { lastActivity, postponedUntil, clock, rules }: Moment): Hold | null {
  const deadline = deadlineOf(scroll, lastActivity);
  if (deadline === null) return null;
  const time = clock.counted_time;
  // A hold that ends before the deadline keeps nothing back.
  const held = heldUntil(deadline, clock, rules);
  if (postponedUntil !== null && postponedUntil > Math.max(time, deadline, held)) return 'postponed';
  if (held > Math.max(time, deadline)) return 'after-outage';
  if (time < deadline) return null;
  if (!isAbsenceKnown(scroll, deadline, clock, rules)) {
    return clock.stood_still === 1 ? 'calendar-stood-still' : 'after-start';
  }
  const accepted = scroll.warning_accepted;
  if (time >= silenceReleaseAt(deadline, scroll.warning ?? 'dashboard', accepted, rules)) {
    return postponedUntil !== null && isContactJustTold(scroll, time, rules) ? 'contact-told' : null;
  }
  return accepted === null ? 'warning-unaccepted' : 'warned-lately';
}

/** A contact who was told too late for their day, or is to be told at the next tick. */
function isContactJustTold(
  { contact_told_at, period }: Watch,
  time: number,
  { graceAfterWarning, contactToldBefore }: Moment['rules'],
): boolean {
  const grace = Math.min(graceAfterWarning, contactToldBefore, (period ?? 0) / 2);
  return contact_told_at === null || time < contact_told_at + grace;
}
