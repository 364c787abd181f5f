// House time in the database: how much time this house has lived through. Nothing turns it back, and the calendar
// cannot move it (docs/legacy.md, "House time").
import { expressionBuilder, type Selectable } from 'kysely';
import type { PauseReason } from '../../../shared/nouns/switch.ts';
import { held, holdScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { HouseClockTable, Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';

export type HouseClock = Selectable<HouseClockTable>;

export function readHouseClock(db: Database): Promise<HouseClock> {
  return db.selectFrom('house_clock').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
}

/** House time as of the last heartbeat: up to one interval behind, never ahead. */
export async function houseTime(db: Database): Promise<number> {
  return (await readHouseClock(db)).house_time;
}

/** Makes an instance secret the one that this database belongs to, if it belongs to none, and begins its history. */
export async function adoptDatabase(
  db: Database,
  history: { instance: string; epoch: number },
): Promise<void> {
  await db.updateTable('house_clock').set(history).where('instance', 'is', null).execute();
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
  /** For how much longer the calendar is doubted. It stands in the row, so that a server that dies now forgets nothing. */
  doubtFor: number;
}

/** What a column of house time becomes: `length` from this beat on, unless it is later already. */
function laterOf(column: 'held_until' | 'doubted_until', counts: number, length: number) {
  const eb = expressionBuilder<Schema, 'house_clock'>();
  if (length === 0) return eb.ref(column);
  const until = eb('house_time', '+', counts + length);
  return eb
    .case()
    .when(eb(column, '>', until))
    .then(eb.ref(column))
    .else(until)
    .end();
}

/** One heartbeat. Null when another server was faster, or the switch is paused. */
export async function writeBeat(
  db: Database,
  { after, counts, at, holdFor, doubtFor }: Beat,
): Promise<HouseClock | null> {
  const row = await db
    .updateTable('house_clock')
    .set((eb) => ({
      house_time: eb('house_time', '+', counts),
      beat_number: eb('beat_number', '+', 1),
      beaten_at: at,
      held_until: laterOf('held_until', counts, holdFor),
      doubted_until: laterOf('doubted_until', counts, doubtFor),
    }))
    .where('id', '=', 1)
    .where('beat_number', '=', after)
    .where('paused_reason', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Pauses the switch until its keeper confirms. What is wrong with a database weighs more than a long outage.
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
    .where((eb) =>
      reason === 'long-outage'
        ? eb('paused_reason', 'is', null)
        : eb.or([eb('paused_reason', 'is', null), eb('paused_reason', '=', 'long-outage')]),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The keeper's word that this database counts. The hold gives everybody time to show that they live, and to see what a
 * restored database has forgotten of their wishes.
 */
export function confirmSwitch(
  db: Database,
  { instance, at, holdFor }: { instance: string; at: number; holdFor: number },
): Promise<void> {
  return transact(db, async (tx) => {
    await held(tx, tx.selectFrom('lives').select('account_id').orderBy('account_id')).execute();
    await holdScrolls(tx, (eb) => eb('state', '=', 'watching'));
    await held(tx, tx.selectFrom('house_clock').select('id')).execute();
    await beginSilencesAnew(tx);
    await doubtDaysAnew(tx);
    await tx
      .updateTable('house_clock')
      .set((eb) => ({
        paused_reason: null,
        paused_at: null,
        instance,
        beaten_at: at,
        beat_number: eb('beat_number', '+', 1),
        epoch: eb('epoch', '+', 1),
        held_until: eb('house_time', '+', holdFor),
        doubted_until: eb('house_time', '+', holdFor),
      }))
      .where('id', '=', 1)
      .where('paused_reason', 'is not', null)
      .execute();
  });
}

/** Days that were noticed before the pause wait like those that begin after it. */
async function doubtDaysAnew(tx: Database): Promise<void> {
  await tx
    .updateTable('legacy_scrolls')
    .set({ date_ripe: null })
    .where('state', '=', 'watching')
    .where('trigger_type', '=', 'date')
    .where('date_ripe', '>=', 0)
    .execute();
}

/**
 * A database that is not the one that was lived with last has forgotten who lived since. Anybody may have, up to this
 * moment: every silence begins with it. A house that slept alone has forgotten nothing.
 */
async function beginSilencesAnew(tx: Database): Promise<void> {
  const { paused_reason, house_time } = await readHouseClock(tx);
  if (paused_reason === null || paused_reason === 'long-outage') return;
  await tx.updateTable('lives').set({ house_time }).where('house_time', '<', house_time).execute();
  await tx
    .updateTable('legacy_scrolls')
    .set({ warned_rung: 0, warning_accepted: null })
    .where('state', '=', 'watching')
    .execute();
  await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('kind', '=', 'warning')
    .where('state', '=', 'waiting')
    .execute();
}
