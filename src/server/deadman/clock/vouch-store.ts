// The administrator's word that the calendar of the machine that ticks is right. It decides nothing by itself: the next
// tick believes the calendar.
import { expressionBuilder } from 'kysely';
import type { SwitchRules } from '../../../shared/nouns/switch.ts';
import type { CalendarDoubt } from '../../../shared/nouns/switch-state.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { calendarDoubt } from './calendar-doubt.ts';
import type { InstanceClock } from './counted-time-store.ts';

type Rules = Pick<SwitchRules, 'provedAfter'>;

/** Why the calendar is doubted; null where it is not, or where the administrator has answered for it already. */
export const openDoubt = (clock: InstanceClock, rules: Rules): CalendarDoubt | null =>
  clock.vouched === 1 ? null : calendarDoubt(clock, rules);

/** As `calendarDoubt`, for a statement. */
function isDoubted({ provedAfter }: Rules) {
  const eb = expressionBuilder<Schema, 'instance_clock'>();
  const ranUnproved = eb(eb('counted_time', '+', eb.ref('paused_for')), '-', eb.ref('proved_counted'));
  return eb.or([
    eb('set_forward_by', '>', 0),
    eb('stood_still', '=', 1),
    eb.and([eb('may_add', '>', 0), eb(ranUnproved, '>', 2 * provedAfter)]),
  ]);
}

/** Where the calendar is believed, it changes nothing. */
export async function vouchForCalendar(db: Database, rules: Rules): Promise<void> {
  await db
    .updateTable('instance_clock')
    .set({ vouched: 1 })
    .where('id', '=', 1)
    .where(isDoubted(rules))
    .execute();
}
