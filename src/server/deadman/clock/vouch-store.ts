// The administrator's word that the calendar of the machine that ticks is right. It decides nothing by itself: the next
// tick believes the calendar.
import type { SwitchRules } from '../../../shared/nouns/switch-rules.ts';
import type { CalendarDoubt } from '../../../shared/nouns/switch-state.ts';
import { lockRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { transact } from '../../db/transact.ts';
import { calendarDoubt } from './calendar-doubt.ts';
import { type InstanceClock, readInstanceClock } from './counted-time-store.ts';

type Rules = Pick<SwitchRules, 'provedAfter'>;

/** Why the calendar is doubted; null where it is not, or where the administrator has answered for it already. */
export const openDoubt = (clock: InstanceClock, rules: Rules): CalendarDoubt | null =>
  clock.vouched === 1 ? null : calendarDoubt(clock, rules);

/** Where the calendar is believed, it changes nothing. */
export function vouchForCalendar(db: Database, rules: Rules): Promise<void> {
  return transact(db, async (tx) => {
    await lockRows(tx, tx.selectFrom('instance_clock').select('id')).execute();
    if (calendarDoubt(await readInstanceClock(tx), rules) === null) return;
    await tx.updateTable('instance_clock').set({ vouched: 1 }).where('id', '=', 1).execute();
  });
}
