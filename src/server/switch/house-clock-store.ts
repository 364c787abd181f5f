// House time in the database: how much time this house has lived through. Nothing turns it back, and the calendar
// cannot move it (docs/legacy.md, "House time").
import type { Selectable } from 'kysely';
import type { PauseReason } from '../../shared/switch.ts';
import type { Database } from '../db/open.ts';
import type { HouseClockTable } from '../db/schema.ts';
import { doubtDays } from './dark-store.ts';

export type HouseClock = Selectable<HouseClockTable>;

export function readHouseClock(db: Database): Promise<HouseClock> {
  return db.selectFrom('house_clock').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
}

/** House time as of the last heartbeat: up to one interval behind, never ahead. */
export async function houseTime(db: Database): Promise<number> {
  return (await readHouseClock(db)).house_time;
}

/** Makes an instance secret the one that this database belongs to, if it belongs to none. */
export async function adoptDatabase(db: Database, instance: string): Promise<void> {
  await db.updateTable('house_clock').set({ instance }).where('instance', 'is', null).execute();
}

export interface Beat {
  /** The number of the beat that this server has seen last: only one server can follow it. */
  after: number;
  /** What is added to house time, in milliseconds. */
  counts: number;
  /** The calendar's time. */
  at: number;
  /** For how much longer, in house time from this beat on, silence releases nothing; 0 changes nothing. */
  holdFor: number;
}

/** One heartbeat. Null when another server was faster, or the switch is paused. */
export async function writeBeat(
  db: Database,
  { after, counts, at, holdFor }: Beat,
): Promise<HouseClock | null> {
  const row = await db
    .updateTable('house_clock')
    .set((eb) => ({
      house_time: eb('house_time', '+', counts),
      beat_number: eb('beat_number', '+', 1),
      beaten_at: at,
      ...(holdFor > 0
        ? {
            held_until: eb
              .case()
              .when(eb('held_until', '>', eb('house_time', '+', counts + holdFor)))
              .then(eb.ref('held_until'))
              .else(eb('house_time', '+', counts + holdFor))
              .end(),
          }
        : {}),
    }))
    .where('id', '=', 1)
    .where('beat_number', '=', after)
    .where('paused_reason', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Pauses the switch until its keeper confirms.
 * @param epoch the highest that is known of; the confirmation will be beyond it
 */
export async function pauseSwitch(
  db: Database,
  reason: PauseReason,
  epoch: number,
  at: number,
): Promise<boolean> {
  const row = await db
    .updateTable('house_clock')
    .set((eb) => ({
      paused_reason: reason,
      paused_at: at,
      epoch: eb.case().when('epoch', '>', epoch).then(eb.ref('epoch')).else(epoch).end(),
    }))
    .where('id', '=', 1)
    .where('paused_reason', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The keeper's word that this database counts. The holds give everybody time to show that they live, and to take back
 * what they had taken back in another history.
 * @param holdFor for how long silence releases nothing, and `holdDaysFor` days that have begun meanwhile
 */
export async function confirmSwitch(
  db: Database,
  {
    instance,
    at,
    holdFor,
    holdDaysFor,
  }: { instance: string; at: number; holdFor: number; holdDaysFor: number },
): Promise<void> {
  await doubtDays(db, { at, holdFor: holdDaysFor });
  await db
    .updateTable('house_clock')
    .set((eb) => ({
      paused_reason: null,
      paused_at: null,
      instance,
      beaten_at: at,
      beat_number: eb('beat_number', '+', 1),
      epoch: eb('epoch', '+', 1),
      held_until: eb('house_time', '+', holdFor),
    }))
    .where('id', '=', 1)
    .where('paused_reason', 'is not', null)
    .execute();
}
