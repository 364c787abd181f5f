// Counted time in the database: how much time this server has lived through. Nothing turns it back, and the calendar
// cannot move it (docs/legacy.md, "Counted time").
import { expressionBuilder, type Selectable } from 'kysely';
import type { PauseReason } from '../../../shared/nouns/switch-state.ts';
import { held, lockScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { InstanceClockTable, Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';

export type InstanceClock = Selectable<InstanceClockTable>;

export function readInstanceClock(db: Database): Promise<InstanceClock> {
  return db.selectFrom('instance_clock').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
}

/** Counted time as of the last tick: up to one interval behind, never ahead. */
export async function countedTime(db: Database): Promise<number> {
  return (await readInstanceClock(db)).counted_time;
}

/** Makes an instance secret the one that this database belongs to, if it belongs to none, and begins its history. */
export async function adoptDatabase(
  db: Database,
  history: { instance: string; epoch: number },
): Promise<void> {
  await db.updateTable('instance_clock').set(history).where('instance', 'is', null).execute();
}

export interface Tick {
  /** The number of the tick that this server has seen last: only one server can follow it. */
  after: number;
  /** What is added to counted time, in milliseconds. */
  counts: number;
  /** The calendar's time. */
  at: number;
  /** For how much longer, in counted time from this tick on, silence releases nothing; 0 changes nothing. */
  holdFor: number;
  /** For how much longer the calendar is doubted. It stands in the row, so that a server that dies now forgets nothing. */
  doubtFor: number;
}

/** What a column of counted time becomes: `length` from this tick on, unless it is later already. */
function laterOf(column: 'held_until' | 'doubted_until', counts: number, length: number) {
  const eb = expressionBuilder<Schema, 'instance_clock'>();
  if (length === 0) return eb.ref(column);
  const until = eb('counted_time', '+', counts + length);
  return eb
    .case()
    .when(eb(column, '>', until))
    .then(eb.ref(column))
    .else(until)
    .end();
}

/** One tick. Null when another server was faster, or the switch is paused. */
export async function writeTick(
  db: Database,
  { after, counts, at, holdFor, doubtFor }: Tick,
): Promise<InstanceClock | null> {
  const row = await db
    .updateTable('instance_clock')
    .set((eb) => ({
      counted_time: eb('counted_time', '+', counts),
      tick_number: eb('tick_number', '+', 1),
      ticked_at: at,
      held_until: laterOf('held_until', counts, holdFor),
      doubted_until: laterOf('doubted_until', counts, doubtFor),
    }))
    .where('id', '=', 1)
    .where('tick_number', '=', after)
    .where('paused_reason', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Pauses the switch until its administrator confirms. What is wrong with a database weighs more than a long outage.
 * @param epoch the highest that is known of; the confirmation will be beyond it
 */
export async function pauseSwitch(
  db: Database,
  reason: PauseReason,
  epoch: number,
  at: number,
): Promise<boolean> {
  const row = await db
    .updateTable('instance_clock')
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
 * The administrator's word that this database counts. The hold gives everybody time to show that they live, and to see what a
 * restored database has forgotten of their wishes.
 */
export function confirmSwitch(
  db: Database,
  { instance, at, holdFor }: { instance: string; at: number; holdFor: number },
): Promise<void> {
  return transact(db, async (tx) => {
    await held(tx, tx.selectFrom('last_activity').select('account_id').orderBy('account_id')).execute();
    await lockScrolls(tx, (eb) => eb('state', '=', 'watching'));
    await held(tx, tx.selectFrom('instance_clock').select('id')).execute();
    await beginSilencesAnew(tx);
    await doubtDaysAnew(tx);
    await tx
      .updateTable('instance_clock')
      .set((eb) => ({
        paused_reason: null,
        paused_at: null,
        instance,
        ticked_at: at,
        tick_number: eb('tick_number', '+', 1),
        epoch: eb('epoch', '+', 1),
        held_until: eb('counted_time', '+', holdFor),
        doubted_until: eb('counted_time', '+', holdFor),
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
    .set({ releasable_at: null })
    .where('state', '=', 'watching')
    .where('trigger_type', '=', 'date')
    .where('releasable_at', '>=', 0)
    .execute();
}

/**
 * A database that is not the one that was lived with last has forgotten who lived since. Anybody may have, up to this
 * moment: every silence begins with it. A server that slept alone has forgotten nothing.
 */
async function beginSilencesAnew(tx: Database): Promise<void> {
  const { paused_reason, counted_time } = await readInstanceClock(tx);
  if (paused_reason === null || paused_reason === 'long-outage') return;
  await tx
    .updateTable('last_activity')
    .set({ counted_time })
    .where('counted_time', '<', counted_time)
    .execute();
  await tx
    .updateTable('legacy_scrolls')
    .set({ warning_step: 0, warning_accepted: null })
    .where('state', '=', 'watching')
    .execute();
  await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('kind', '=', 'warning')
    .where('state', '=', 'waiting')
    .execute();
}
