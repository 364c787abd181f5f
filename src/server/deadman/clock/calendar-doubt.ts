// Whether the calendar of the machine that ticks is doubted, and why: what people are told of it. It decides nothing.
import type { SwitchRules } from '../../../shared/nouns/switch-rules.ts';
import type { CalendarDoubt } from '../../../shared/nouns/switch-state.ts';
import type { InstanceClock } from './counted-time-store.ts';

type Told = Pick<
  InstanceClock,
  'set_forward_by' | 'stood_still' | 'may_add' | 'counted_time' | 'paused_for' | 'proved_counted'
>;

/** What keeps the calendar from being believed, beyond the first hours after a start; null for nothing. */
export function calendarDoubt(
  clock: Told,
  { provedAfter }: Pick<SwitchRules, 'provedAfter'>,
): CalendarDoubt | null {
  if (clock.set_forward_by > 0) return 'set-forward';
  if (clock.stood_still === 1) return 'stood-still';
  const ranUnproved = clock.counted_time + clock.paused_for - clock.proved_counted;
  return clock.may_add > 0 && ranUnproved > 2 * provedAfter ? 'unproved' : null;
}
