// Counted time in the database: how much time this server has lived through. Nothing turns it back, and the calendar
// cannot move it (docs/legacy.md, "Counted time").
import { expressionBuilder, type Selectable, sql } from 'kysely';
import type { SwitchRules } from '../../../shared/nouns/switch-rules.ts';
import type { PauseReason } from '../../../shared/nouns/switch-state.ts';
import { compiled } from '../../db/compiled.ts';
import { lockRows, lockScrolls } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { Flag } from '../../db/schema/columns.ts';
import type { InstanceClockTable } from '../../db/schema/deadman.ts';
import type { Schema } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import { speaksOfDeadline } from '../watch/postponement-store.ts';

export type InstanceClock = Selectable<InstanceClockTable>;

const theClock = compiled<Record<never, never>>()((db) =>
  db.selectFrom('instance_clock').selectAll().where('id', '=', 1),
);

export async function readInstanceClock(db: Database): Promise<InstanceClock> {
  const [clock] = await theClock(db, {});
  if (!clock) throw new Error('The database has no counted time.');
  return clock;
}

/** Whether anybody may be warned, or anything released or sent: it is neither paused nor out of reach, and no copy. */
export const mayAct = ({ paused_reason, out_of_reach_since, elsewhere }: InstanceClock): boolean =>
  paused_reason === null && out_of_reach_since === null && elsewhere === null;

/** Counted time as of the last tick: up to one interval behind, never ahead. */
export async function countedTime(db: Database): Promise<number> {
  return (await readInstanceClock(db)).counted_time;
}

/**
 * Which history this database has: another one for every other database, and for a copy or a backup once the switch has noticed
 * that it is one, and again once its administrator has confirmed it.
 */
export async function readHistory(db: Database): Promise<string> {
  const { identity, epoch, paused_at } = await readInstanceClock(db);
  return JSON.stringify([identity, epoch, paused_at]);
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
  /** For how long a server has run since the last tick, in milliseconds: it ticked on time, and nobody was away. */
  ran: number;
  /** The calendar's time. */
  at: number;
  /** Whether the calendar is proved. */
  proves: boolean;
  /** What passed and will never be counted, while the length of an absence is still unknown. Milliseconds. */
  lost: number;
  /** Which boot of which machine this is, and the milliseconds since. */
  boot: { id: string | null; time: number };
  /** What a later tick may yet add for an absence whose length nobody knows, in milliseconds. */
  mayAdd: number;
  /** For how much longer, in counted time from this tick on, silence releases nothing; 0 changes nothing. */
  holdFor: number;
  /** The same, whatever else ends. */
  holdFirmlyFor: number;
  /** What the calendar alone tells of absences in this boot, and what it takes back. */
  told: {
    /** How long absences were in all, what was counted for them, and what earlier ones are owed. Milliseconds. */
    length: number;
    credit: number;
    owed: number;
    /** As above. */
    holdFor: number;
    holdFirmlyFor: number;
    /** Whether this boot begins with an absence: what was told in earlier ones is not taken back any more. */
    isAnotherBoot: boolean;
    /** That there was an outage, or that there was a long one: their holds end. */
    takesBack: 'outage' | 'long-outage' | null;
  };
  /** 1 where the calendar stands where the last tick before this boot ended. */
  stoodStill: Flag;
  /** Whether warnings begin anew. */
  warnAnew: boolean;
  /** For how much longer the calendar is doubted. It stands in the row, so that a server that dies now forgets nothing. */
  doubtFor: number;
  /** For how long the calendar was steady, for later boots; null where it was set in this one. Milliseconds. */
  steadyFor: number | null;
  /** By how much it was set since it was proved last. Milliseconds. */
  movedBy: number;
  /** By how much it was set forward, and nobody has vouched for it. Milliseconds. */
  setForwardBy: number;
  /** Whether the administrator's word on the calendar was there, which counts for one tick. */
  endsWord: boolean;
  /** Whether this server's own address has been silent for so long that its silence proves nothing any more. */
  forgetsReach: boolean;
  /** Whether the switch is paused: what is counted then is the pause alone. */
  isPaused: boolean;
}

const clockEb = expressionBuilder<Schema, 'instance_clock'>();

/** Counted time that is so much after this tick. */
const after = (counts: number, length: number) => clockEb('counted_time', '+', counts + length);

/** What a column of counted time becomes: `length` from this tick on, unless it is later already. */
function laterOf(
  column: 'held_until' | 'firmly_held_until' | 'doubted_until',
  counts: number,
  length: number,
) {
  if (length === 0) return clockEb.ref(column);
  const until = after(counts, length);
  return clockEb
    .case()
    .when(clockEb(column, '>', until))
    .then(clockEb.ref(column))
    .else(until)
    .end();
}

/** The later of two columns. */
const laterColumn = (
  one: 'held_until' | 'firmly_held_until',
  other: 'told_held_until' | 'told_firmly_held_until',
) =>
  clockEb
    .case()
    .when(clockEb(other, '>', clockEb.ref(one)))
    .then(clockEb.ref(other))
    .else(clockEb.ref(one))
    .end();

/** The columns of holds. */
function holdsAfter({ counts, holdFor, holdFirmlyFor, told }: Tick) {
  const { isAnotherBoot, takesBack } = told;
  const lasting = {
    held_until: laterOf('held_until', counts, holdFor),
    firmly_held_until: laterOf('firmly_held_until', counts, holdFirmlyFor),
  };
  // No calendar of this boot takes back what one of an earlier boot has told.
  const kept = {
    held_until: laterColumn('held_until', 'told_held_until'),
    firmly_held_until: laterColumn('firmly_held_until', 'told_firmly_held_until'),
  };
  const none = clockEb.lit(0);
  return {
    held_until: isAnotherBoot && holdFor === 0 ? kept.held_until : lasting.held_until,
    firmly_held_until:
      isAnotherBoot && holdFirmlyFor === 0 ? kept.firmly_held_until : lasting.firmly_held_until,
    told_held_until:
      takesBack === 'outage'
        ? none
        : toldUntil('told_held_until', { counts, length: told.holdFor, isAnotherBoot }),
    told_firmly_held_until:
      takesBack !== null
        ? none
        : toldUntil('told_firmly_held_until', { counts, length: told.holdFirmlyFor, isAnotherBoot }),
  };
}

/** @param length from this tick on, which no earlier hold of that kind outlasts; 0 for none */
function toldUntil(
  column: 'told_held_until' | 'told_firmly_held_until',
  { counts, length, isAnotherBoot }: { counts: number; length: number; isAnotherBoot: boolean },
) {
  if (length > 0) return after(counts, length);
  return isAnotherBoot ? clockEb.lit(0) : clockEb.ref(column);
}

/** One tick. Null when another server was faster, or the switch is paused. */
export function writeTick(db: Database, tick: Tick): Promise<InstanceClock | null> {
  if (!tick.warnAnew) return writeTickRow(db, tick);
  return transact(db, async (tx) => {
    await lockScrolls(tx, () => watchesSilence);
    const row = await writeTickRow(tx, tick);
    if (row) await beginWarningsAnew(tx);
    return row;
  });
}

async function writeTickRow(db: Database, tick: Tick): Promise<InstanceClock | null> {
  const {
    after: followed,
    counts,
    ran,
    at,
    proves,
    lost,
    boot,
    mayAdd,
    told,
    stoodStill,
    doubtFor,
    steadyFor,
    movedBy,
    setForwardBy,
    endsWord,
    forgetsReach,
    isPaused,
  } = tick;
  const row = await db
    .updateTable('instance_clock')
    .set((eb) => ({
      [isPaused ? 'paused_for' : 'counted_time']: eb(isPaused ? 'paused_for' : 'counted_time', '+', counts),
      tick_number: eb('tick_number', '+', 1),
      ran: eb('ran', '+', ran),
      ticked_at: at,
      boot_id: boot.id,
      boot_time: boot.time,
      may_add: mayAdd,
      unticked_may_add: 0,
      ...(forgetsReach ? { reached_counted: null, reached_origin: null, out_of_reach_since: null } : {}),
      ...holdsAfter(tick),
      doubted_until: laterOf('doubted_until', counts, doubtFor),
      told_length: told.length,
      told_credit: told.credit,
      owed: told.owed,
      stood_still: stoodStill,
      steady_for: steadyFor,
      moved_by: movedBy,
      set_forward_by: setForwardBy,
      ...(endsWord ? { vouched: 0 } : {}),
      ...(proves
        ? { proved_at: at, proved_counted: eb(eb('counted_time', '+', eb.ref('paused_for')), '+', counts) }
        : lost > 0
          ? {
              proved_at: eb
                .case()
                .when('proved_at', '>', 0)
                .then(eb('proved_at', '+', lost))
                .else(0)
                .end(),
            }
          : {}),
    }))
    .where('id', '=', 1)
    .where('tick_number', '=', followed)
    .where('paused_reason', isPaused ? 'is not' : 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * While a server waits, nobody knows what its next tick will add: what happens meanwhile must not age by it.
 * @returns null where somebody has ticked, or nothing has changed
 */
export async function announceAbsence(
  db: Database,
  { after, mayAdd, isOutOfReach }: { after: number; mayAdd: number; isOutOfReach: boolean },
): Promise<InstanceClock | null> {
  const waiting = db
    .updateTable('instance_clock')
    .set((eb) => ({ unticked_may_add: mayAdd, waits: eb('waits', '+', isOutOfReach ? 1 : 0) }))
    .where('tick_number', '=', after);
  const changing = isOutOfReach ? waiting : waiting.where('unticked_may_add', '<', mayAdd);
  return (await changing.returningAll().executeTakeFirst()) ?? null;
}

/**
 * The counted time of something that happens now, as an expression for a statement: behind it by up to what the next
 * ticks may add for time that has passed already, and nobody shall lose that.
 */
export function countedNow({ tick, tickCounts }: Pick<SwitchRules, 'tick' | 'tickCounts'>) {
  const eb = expressionBuilder<Schema>();
  const usual = tick * tickCounts;
  return eb.selectFrom('instance_clock').select((q) => {
    const mayAdd = q(q.ref('may_add'), '+', q.ref('unticked_may_add'));
    return q(q('counted_time', '+', mayAdd), '+', usual).as('counted_time');
  });
}

/**
 * Pauses the switch until its administrator confirms.
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
      paused_for: 0,
      told_at: null,
      // What passed before is no part of the pause: no clock may add it later.
      boot_id: null,
      boot_time: 0,
      proved_at: 0,
      proved_counted: 0,
      epoch: eb.case().when('epoch', '>', epoch).then(eb.ref('epoch')).else(epoch).end(),
    }))
    .where('id', '=', 1)
    .where((eb) => eb.or([eb('paused_reason', 'is', null), eb('epoch', '<', epoch)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface Confirmation {
  /** Whose database it is from now on. */
  instance: string;
  /** The calendar's time. */
  at: number;
  /** For how long silence releases nothing, in milliseconds of counted time. */
  holdFor: number;
  /** In which epoch this was decided; another one changes nothing. Left out: whichever it is. */
  epoch?: number;
  /** Nobody has confirmed: the pause ends by itself, and nothing shortens its hold. */
  isNobodys?: boolean;
}

/**
 * The administrator's word that this database counts, or what takes its place after long. The hold gives everybody time to show that they live, and to see what a
 * restored database has forgotten of their wishes.
 */
export function confirmSwitch(
  db: Database,
  { instance, at, holdFor, epoch, isNobodys = false }: Confirmation,
): Promise<void> {
  return transact(db, async (tx) => {
    await lockRows(tx, tx.selectFrom('last_activity').select('account_id').orderBy('account_id')).execute();
    await lockScrolls(tx, (eb) => eb('state', '=', sql.lit('watching')));
    await lockRows(tx, tx.selectFrom('instance_clock').select('id')).execute();
    if (epoch !== undefined && (await readInstanceClock(tx)).epoch !== epoch) return;
    await beginSilencesAnew(tx);
    await doubtDaysAnew(tx);
    await tx
      .updateTable('instance_clock')
      .set((eb) => ({
        paused_reason: null,
        paused_at: null,
        paused_for: 0,
        told_at: null,
        // While it was paused, its address answered at a time that is counted no more.
        reached_counted: eb
          .case()
          .when('reached_counted', '>', eb.ref('counted_time'))
          .then(eb.ref('counted_time'))
          .else(eb.ref('reached_counted'))
          .end(),
        // Another address than the one that led here before is confirmed as well.
        home_origin: eb
          .case()
          .when('reached_origin', '=', eb.ref('home_origin'))
          .then(eb.ref('home_origin'))
          .else(null)
          .end(),
        instance,
        ticked_at: at,
        // What passed before is nobody's silence: no clock may add it later.
        boot_id: null,
        boot_time: 0,
        proved_at: 0,
        proved_counted: eb.ref('counted_time'),
        may_add: 0,
        unticked_may_add: 0,
        tick_number: eb('tick_number', '+', 1),
        epoch: eb('epoch', '+', 1),
        held_until: eb('counted_time', '+', holdFor),
        ...(isNobodys && { firmly_held_until: eb('counted_time', '+', holdFor) }),
        ...{ stood_still: 0, told_length: 0, told_credit: 0, owed: 0, vouched: 0 },
        ...{ told_held_until: 0, told_firmly_held_until: 0 },
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
    .where('state', '=', sql.lit('watching'))
    .where('trigger_type', '=', 'date')
    .where('releasable_at', '>=', 0)
    .execute();
}

/**
 * A database that is not the one that was lived with last has forgotten who lived since. Anybody may have, up to this
 * moment: every silence begins with it, and so does every wait of guardians. What a contact has postponed stays postponed, as they were told, and they may postpone
 * once in the new silence.
 */
async function beginSilencesAnew(tx: Database): Promise<void> {
  const { paused_reason, counted_time, may_add, unticked_may_add } = await readInstanceClock(tx);
  if (paused_reason === null) return;
  const now = counted_time + may_add + unticked_may_add;
  await tx.updateTable('last_activity').set({ counted_time: now }).where('counted_time', '<', now).execute();
  await tx
    .updateTable('trusted_contacts')
    .set({ link_number: null, link_hash: null, postponed_at: null })
    .execute();
  await tx
    .updateTable('legacy_scrolls')
    .set({ contact_told_at: null, next_check_at: 0 })
    .where(watchesSilence)
    .execute();
  await tx.updateTable('messages').set({ state: 'cancelled' }).where(speaksOfDeadline).execute();
  await tx
    .updateTable('guardian_kits')
    .set({ asked_counted: now, ended_at: null, next_check_at: 0 })
    .where('asked_counted', 'is not', null)
    .execute();
  await beginSisterSilencesAnew(tx, now);
  await beginWarningsAnew(tx);
}

/**
 * The same for letters that are kept for other instances: one for which silence was over is watched again, as after a sign,
 * unless somebody was written to. What other sisters have shown may be older than a sign that was forgotten.
 */
async function beginSisterSilencesAnew(tx: Database, now: number): Promise<void> {
  await tx
    .updateTable('sister_letters')
    .set({ signed_counted: now, next_check_at: 0, tries: 0, released_counted: null })
    .where('ended_by', 'is', null)
    .where('signed_counted', 'is not', null)
    .where('mailed_counted', 'is', null)
    .execute();
  await tx
    .deleteFrom('sister_shares')
    .where('letter_id', 'in', (q) =>
      q.selectFrom('sister_letters').select('id').where('released_counted', 'is', null),
    )
    .execute();
}

const eb = expressionBuilder<Schema, 'legacy_scrolls'>();
const watchesSilence = eb.and([eb('state', '=', sql.lit('watching')), eb('trigger_type', '=', 'inactivity')]);

/** What was warned of before counts no more, and what has not left says a time that has passed. */
async function beginWarningsAnew(tx: Database): Promise<void> {
  await tx
    .updateTable('legacy_scrolls')
    .set({ warning_step: 0, warning_accepted: null, next_check_at: 0 })
    .where(watchesSilence)
    .where((q) => q.or([q('warning_step', '>', 0), q('warning_accepted', 'is not', null)]))
    .execute();
  // What has not left of these says the time as it is when it leaves.
  await tx
    .updateTable('guardian_kits')
    .set({ warning_step: 0, warning_accepted: null, next_check_at: 0 })
    .where('asked_counted', 'is not', null)
    .where('ended_at', 'is', null)
    .execute();
  await tx
    .updateTable('messages')
    .set({ state: 'cancelled' })
    .where('kind', '=', 'warning')
    .where('state', '=', 'waiting')
    .execute();
}
