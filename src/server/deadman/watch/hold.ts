// How long a scroll has, and what holds it back: what its author is shown. It decides nothing. All times are
// milliseconds of counted time, except the calendar's `now` and `due_at`.
import type { Selectable } from 'kysely';
import { type SwitchRules, silenceReleaseAt } from '../../../shared/nouns/switch.ts';
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
    | 'paused_reason'
    | 'out_of_reach_since'
    | 'ticked_at'
    | 'proved_at'
    | 'may_add'
  >;
  /** The calendar's time. */
  now: number;
  rules: Pick<SwitchRules, 'graceAfterWarning' | 'holdAtMost'>;
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

/** Until when what was noticed of outages holds a scroll of this deadline, all in counted time. No hold but a long one's outlasts `holdAtMost`. */
export const heldUntil = (
  deadline: number,
  { held_until, firmly_held_until }: Pick<InstanceClock, 'held_until' | 'firmly_held_until'>,
  { holdAtMost }: Pick<SwitchRules, 'holdAtMost'>,
): number => Math.max(firmly_held_until, Math.min(held_until, deadline + holdAtMost));

/** What keeps a watching scroll from its release, now or at its deadline; null for nothing. */
export function holdOf(scroll: Watch, moment: Moment): Hold | null {
  if (scroll.state !== 'watching' || scroll.trigger_type === 'manual') return null;
  if (moment.clock.paused_reason !== null) return 'paused';
  if (moment.clock.out_of_reach_since !== null) return 'out-of-reach';
  return scroll.trigger_type === 'date' ? holdOfDate(scroll, moment) : holdOfSilence(scroll, moment);
}

function holdOfDate({ releasable_at, due_at }: Watch, { clock, now }: Moment): Hold | null {
  if (due_at !== null && due_at <= now && clock.proved_at !== clock.ticked_at) return 'after-start';
  return releasable_at !== null && releasable_at > clock.counted_time ? 'dark-date' : null;
}

function holdOfSilence(scroll: Watch, { lastActivity, clock, rules }: Moment): Hold | null {
  const deadline = deadlineOf(scroll, lastActivity);
  if (deadline === null) return null;
  const time = clock.counted_time;
  // A hold that ends before the deadline keeps nothing back.
  if (heldUntil(deadline, clock, rules) > Math.max(time, deadline)) return 'after-outage';
  if (time < deadline) return null;
  // While the length of an absence is not known yet, nothing is released.
  if (clock.may_add > 0) return 'after-start';
  const accepted = scroll.warning_accepted;
  if (time >= silenceReleaseAt(deadline, scroll.warning ?? 'dashboard', accepted, rules)) return null;
  return accepted === null ? 'warning-unaccepted' : 'warned-lately';
}
