// How much a server runs, as far as it has seen: one mark for each of the last thirty days. By it an author is told how
// long a silence takes here (docs/legacy.md, "Counted time").

import { DAY } from '../../../shared/time.ts';
import type { Database } from '../../db/open.ts';
import type { InstanceClock } from './counted-time-store.ts';

/** How many days are looked back at. */
const DAYS = 30;

/** What passed since the oldest mark, in milliseconds. */
export interface Uptime {
  /** By the calendar. */
  passed: number;
  /** How much of it was counted as time without activity. */
  counted: number;
  /** How much of it the server ran. */
  ran: number;
}

/** @returns what marks the first tick of each day whose calendar is proved */
export function uptimeMarks(db: Database): (clock: InstanceClock) => Promise<void> {
  let marked: number | null = null;
  return async ({ ticked_at: at, counted_time: counted, ran }) => {
    const day = Math.floor(at / DAY);
    if (day === marked) return;
    marked = day;
    await db
      .insertInto('uptime_marks')
      .values({ day, at, counted, ran })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute();
    // Those of a calendar that was ahead are no longer to be believed.
    await db
      .deleteFrom('uptime_marks')
      .where((eb) => eb.or([eb('day', '<', day - DAYS), eb('day', '>', day)]))
      .execute();
  };
}

/** Null before a whole day was seen. */
export async function readUptime(
  db: Database,
  { proved_at, counted_time, ran }: Pick<InstanceClock, 'proved_at' | 'counted_time' | 'ran'>,
): Promise<Uptime | null> {
  const first = await db.selectFrom('uptime_marks').selectAll().orderBy('day').limit(1).executeTakeFirst();
  if (!first || proved_at - first.at < DAY) return null;
  return { passed: proved_at - first.at, counted: counted_time - first.counted, ran: ran - first.ran };
}
