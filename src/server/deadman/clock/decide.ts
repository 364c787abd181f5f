// What a server does at a tick, decided from what it knows, the row that it has read and what its clocks say.
// Nothing here reads a clock, a disk or a database: monitor.ts performs what is decided (docs/legacy.md, "Counted time"
// and "Restored and copied databases").
import type { SwitchRules } from '../../../shared/nouns/switch.ts';
import type { PauseReason } from '../../../shared/nouns/switch-state.ts';
import { DAY } from '../../../shared/time.ts';
import type { Readings } from '../../clock.ts';
import { beginProof, type CalendarProof, continueProof } from './calendar-proof.ts';
import type { InstanceClock, Tick } from './counted-time-store.ts';
import type { JournalEntry } from './journal.ts';

/** What a server knows. All but the first three changes with what it sees. */
export interface MonitorState {
  /** What it calls the instance that it belongs to. */
  readonly instance: string;
  /** Whether nobody else ever ticks in this database: then nothing in it comes on but before our eyes. */
  readonly alone: boolean;
  readonly rules: SwitchRules;
  /** What the journal said at the start, or what was written to it since; null for nothing. */
  readonly kept: JournalEntry | null;
  /** Whether the journal is a copy of another file. */
  readonly copied: boolean;
  /** The last tick that was seen, and when, by the clock that nobody can set. */
  readonly seen: { readonly number: number; readonly at: number } | null;
  /** Whether it may tick: nobody else does, or it has seen how. */
  readonly joined: boolean;
  /** What it knows of its machine's calendar; null before the first reading. */
  readonly calendar: CalendarProof | null;
  /** The absence before this process, whose length only a proved calendar can tell; null for none. */
  readonly absence: Absence | null;
  /** The epoch in which the switch was seen paused: a higher one is the administrator's word. */
  readonly pausedIn: number | null;
  /** Whether the last tick found that this database counts. */
  readonly trusted: boolean;
}

/** An absence that began in another boot of the machine, or on another machine. Milliseconds. */
export interface Absence {
  /** What the last calendar that was proved said, and the counted time then. */
  readonly provedAt: number;
  readonly provedCounted: number;
  /** Its length as the calendar has told it so far; null for never. */
  readonly length: number | null;
}

export type Action =
  /** Nothing, for now. */
  | { kind: 'rest' }
  /**
   * Waits: to see whether others tick, or until this server can be reached again. Until somebody ticks, signs of activity
   * are written down with what may be added.
   */
  | { kind: 'wait'; after: number; mayAdd: number; isOutOfReach: boolean }
  /** Makes an empty database this instance's own, then decides anew. */
  | { kind: 'adopt'; epoch: number }
  /** Pauses the switch until its administrator confirms. `epoch`: the highest that is known of. */
  | { kind: 'pause'; reason: PauseReason; epoch: number }
  /** Somebody else ticks. Whoever never does, because others always do, must not remember an old server. */
  | { kind: 'note' }
  /** Ticks. `absence`: for how long nobody has, where that was long enough to matter; else null. */
  | { kind: 'tick'; tick: Tick; absence: number | null };

export interface Decision {
  action: Action;
  /** What the server knows from here on, whatever becomes of the action. */
  state: MonitorState;
}

/** Without a tick of somebody else for so many intervals, nobody else is there. */
const ALONE_AFTER = 3;

/** @param found what the journal says; null for none */
export function begin(
  { instance, alone, rules }: Pick<MonitorState, 'instance' | 'alone' | 'rules'>,
  found: { entry: JournalEntry; copied: boolean } | null,
): MonitorState {
  return {
    instance,
    alone,
    rules,
    kept: found?.entry ?? null,
    copied: found?.copied ?? false,
    seen: null,
    joined: alone,
    calendar: null,
    absence: null,
    pausedIn: null,
    trusted: false,
  };
}

/** Decides one tick. */
export function decide(before: MonitorState, row: InstanceClock, now: Readings): Decision {
  const state = { ...before, calendar: readCalendar(before, row, now) };
  if (row.instance === null) return { action: { kind: 'adopt', epoch: beyond(state) }, state };
  // A backup that was made in an earlier pause: what its authors were told then was of another one.
  if (row.paused_reason !== null && state.kept?.instance === state.instance && row.epoch < state.kept.epoch) {
    return pause(state, row, 'restored');
  }
  if (row.paused_reason !== null) return decidePaused(state, row, now);
  const problem = disagreement(state, row);
  if (problem) return doubt(state, row, now, problem);
  const trusting = { ...state, trusted: true };
  if (state.seen && state.seen.number !== row.tick_number) {
    // Whoever ticks counts this time. An absence that nobody has measured yet is still to be measured if they stop.
    const among = { ...trusting, joined: true, absence: row.may_add > 0 ? openAbsence(row) : null };
    return { action: { kind: 'note' }, state: saw(among, row, now) };
  }
  return follow(trusting, row, now);
}

/** An earlier process of this boot may have proved the calendar: it still is, if nobody has set it since. */
function readCalendar({ calendar, rules }: MonitorState, row: InstanceClock, now: Readings): CalendarProof {
  if (calendar !== null) return continueProof(calendar, now, rules);
  const { ticked_at, boot_time, proved_at } = row;
  const earlier = { offset: ticked_at - boot_time, isProved: proved_at === ticked_at };
  return beginProof(now, isSameBoot(row, now) ? earlier : null, rules);
}

const isSameBoot = (row: InstanceClock, { bootId, elapsed }: Readings): boolean =>
  bootId !== null && row.boot_id === bootId && elapsed >= row.boot_time;

/**
 * No scroll has ever stood in an empty database. Whatever the journal knows, it knows of another one, which falls behind
 * by an epoch: should it come back, its administrator is asked.
 */
function beyond({ kept, instance }: MonitorState): number {
  return kept?.instance === instance ? kept.epoch + 1 : 0;
}

/** An empty database was adopted: what it says is so. @param row as it is since */
export const adopted = (state: MonitorState, row: InstanceClock): MonitorState => ({
  ...state,
  pausedIn: row.epoch - 1,
});

/** The switch was paused by this server. What passed before is no part of the pause. */
export const paused = (
  state: MonitorState,
  { epoch, tick_number }: Pick<InstanceClock, 'epoch' | 'tick_number'>,
  { elapsed }: Readings,
): MonitorState => ({
  ...state,
  pausedIn: epoch,
  seen: { number: tick_number, at: elapsed },
  absence: null,
});

/** Remembers a row as the one that this server has lived with. */
export const noted = (state: MonitorState, row: InstanceClock): MonitorState & { kept: JournalEntry } => ({
  ...state,
  kept: {
    instance: state.instance,
    epoch: row.epoch,
    countedTime: row.counted_time,
    releases: row.releases,
    waits: row.waits,
  },
  copied: false,
  pausedIn: null,
});

/** A tick was seen, perhaps a new one. */
export function saw(state: MonitorState, row: InstanceClock, { elapsed }: Readings): MonitorState {
  if (state.seen?.number === row.tick_number) return state;
  return { ...state, seen: { number: row.tick_number, at: elapsed } };
}

/** Whether messages may leave: the last tick found that this database counts, and its clock still says so. */
export const trusts = (state: MonitorState, row: InstanceClock): boolean =>
  state.trusted && disagreement(state, row) === null;

/** Why this database may not be the one that this server has lived with; null for nothing. */
function disagreement(state: MonitorState, row: InstanceClock): PauseReason | null {
  const { instance, kept, copied, pausedIn } = state;
  if (row.instance !== instance) return 'another-key';
  if (pausedIn !== null && row.epoch > pausedIn) return null;
  if (kept === null || kept.instance !== instance) return 'journal-missing';
  return copied || isBehind(state, row) || isAhead(state, row) ? 'restored' : null;
}

function isBehind({ kept }: MonitorState, { epoch, counted_time, releases, waits }: InstanceClock): boolean {
  if (kept === null || epoch > kept.epoch) return false;
  if (epoch < kept.epoch || waits < kept.waits) return true;
  return counted_time < kept.countedTime || releases < kept.releases;
}

/**
 * It has lived elsewhere. Between a tick and the journal a crash leaves what one tick may add, and what an administrator
 * confirms is seen here.
 */
function isAhead({ alone, kept, rules }: MonitorState, { epoch, counted_time }: InstanceClock): boolean {
  if (!alone || kept === null) return false;
  return epoch > kept.epoch || counted_time > kept.countedTime + rules.absenceCounts + rules.dark;
}

function pause(state: MonitorState, row: InstanceClock, reason: PauseReason): Decision {
  const epoch = Math.max(row.epoch, state.kept?.epoch ?? 0);
  return { action: { kind: 'pause', reason, epoch }, state: { ...state, trusted: false } };
}

/** Its administrator is asked already. What is counted is how long they do not answer. */
function decidePaused(before: MonitorState, row: InstanceClock, now: Readings): Decision {
  const state = { ...before, trusted: false, pausedIn: row.epoch };
  if (state.seen && state.seen.number !== row.tick_number) {
    return { action: { kind: 'rest' }, state: saw({ ...state, joined: true, absence: null }, row, now) };
  }
  const decision = follow(state, row, now);
  if (decision.action.kind === 'tick') return decision;
  return { action: { kind: 'rest' }, state: saw(decision.state, row, now) };
}

/**
 * Several servers may stand on one PostgreSQL, and one that joins them knows less than they do, whether its journal
 * is missing or came with a copied folder: it neither stops them nor takes part before it has seen one of them work.
 */
function doubt(before: MonitorState, row: InstanceClock, now: Readings, reason: PauseReason): Decision {
  const { alone, rules, seen } = before;
  if (alone || (reason === 'restored' && isBehind(before, row))) return pause(before, row, reason);
  const state = saw({ ...before, trusted: false }, row, now);
  if (seen && seen.number !== row.tick_number && reason !== 'another-key') {
    return { action: { kind: 'rest' }, state: { ...state, pausedIn: row.epoch - 1 } };
  }
  if (seen && now.elapsed - seen.at >= ALONE_AFTER * rules.tick) return pause(state, row, reason);
  return { action: { kind: 'rest' }, state };
}

/** Follows the last tick with one of our own. */
function follow(before: MonitorState, row: InstanceClock, now: Readings): Decision {
  const { rules } = before;
  const gap = gapSince(before, row, now);
  const state = { ...before, absence: absenceOf(before, row, gap) };
  const forgetsReach = isForgotten(state, row, now);
  const isOutOfReach = row.out_of_reach_since !== null && !forgetsReach;
  if (isOutOfReach || othersMayTick(state, row, now)) {
    const mayAdd = rules.absenceCounts + ALONE_AFTER * rules.tick;
    return {
      action: { kind: 'wait', after: row.tick_number, mayAdd, isOutOfReach },
      state: saw(state, row, now),
    };
  }
  const ran = Math.floor(Math.min(gap ?? 0, rules.absenceCounts));
  const { missing, absence } = measure(state, row, now, ran);
  const credit = missing === null ? 0 : Math.floor(Math.min(Math.max(missing, 0), rules.absenceCounts));
  // What a calendar has told for the first time, or anew.
  const told = absence === state.absence ? null : (absence?.length ?? null);
  const length = Math.max(gap ?? 0, told ?? 0);
  const isOutage = length > rules.outage;
  // A day that has begun since then has begun unseen, or by a calendar that was set.
  const isDark = state.calendar?.wasSet || length > rules.dark || (told ?? 0) < -rules.dark;
  const isProved = state.calendar?.isProved ?? false;
  const isPaused = row.paused_reason !== null;
  const mayAdd = absence !== null && absence.length === null ? rules.absenceCounts : 0;
  const counts = ran + credit;
  const tick: Tick = {
    after: row.tick_number,
    counts,
    ran: ran <= rules.tick * rules.tickCounts ? ran : 0,
    at: now.calendar,
    proves: isProved,
    boot: { id: now.bootId, time: Math.floor(now.elapsed) },
    mayAdd,
    holdFor: isOutage ? rules.holdAfterOutage : 0,
    holdFirmlyFor: isOutage && length > rules.longOutage ? rules.holdAfterLongOutage : 0,
    warnAnew: isOutage,
    doubtFor: isDark ? rules.holdAfterDarkDate : 0,
    forgetsReach,
    isPaused,
    // Nothing of a pause is ever added to counted time, and whoever ends it holds back by themselves.
    ...(isPaused && { mayAdd: row.may_add, holdFor: 0, holdFirmlyFor: 0, warnAnew: false, doubtFor: 0 }),
  };
  return {
    action: { kind: 'tick', tick, absence: isOutage ? length : null },
    state: { ...state, joined: true, absence },
  };
}

/**
 * Whether this server's own address has been silent for so long that its silence says nothing any more: a name that has
 * expired or a router that was replaced must not stop the switch for ever.
 */
function isForgotten(
  { calendar, rules }: MonitorState,
  { out_of_reach_since: since, elsewhere, proved_at }: InstanceClock,
  now: Readings,
): boolean {
  // What answers in this server's place is not silent.
  if (since === null || elsewhere !== null || !calendar?.isProved) return false;
  // It was written down by a calendar that may have been wrong; the last one that was proved is from before.
  return now.calendar - Math.max(proved_at, since <= now.calendar ? since : 0) > rules.longOutage;
}

/** How long it is since the last tick, by the clock that nobody can set; null where only a calendar could tell. */
function gapSince({ seen }: MonitorState, row: InstanceClock, now: Readings): number | null {
  if (row.ticked_at === 0) return 0;
  if (isSameBoot(row, now)) return now.elapsed - row.boot_time;
  return seen?.number === row.tick_number ? now.elapsed - seen.at : null;
}

/** An absence whose length nobody knows begins where a calendar was proved last, also one that an earlier process left open. */
function absenceOf(state: MonitorState, row: InstanceClock, gap: number | null): Absence | null {
  if (row.may_add > 0 || (state.seen === null && gap === null)) return openAbsence(row);
  return state.absence;
}

/** One that nobody has measured. What was open before a calendar was proved last has been. */
const openAbsence = ({ proved_at, proved_counted }: InstanceClock): Absence => ({
  provedAt: proved_at,
  provedCounted: proved_counted,
  length: null,
});

/**
 * What a proved calendar says of the absence before this process: the first time what is missing from counted time, and
 * later only its length, as a calendar that is put right when hours have passed tells more.
 */
function measure(
  { absence, calendar }: MonitorState,
  row: InstanceClock,
  now: Readings,
  ran: number,
): { missing: number | null; absence: Absence | null } {
  if (absence === null || !calendar?.isProved) return { missing: null, absence };
  if (absence.provedAt === 0) return { missing: null, absence: { ...absence, length: 0 } };
  const counted = row.counted_time + row.paused_for + ran - absence.provedCounted;
  const length = now.calendar - absence.provedAt - counted;
  if (absence.length === null) return { missing: length, absence: { ...absence, length } };
  const more = calendar.wasSet || length > absence.length + DAY;
  return { missing: null, absence: more ? { ...absence, length } : absence };
}

/** Whether others may tick in this database: a server that joins them looks for a while before it does. */
function othersMayTick({ joined, seen, rules }: MonitorState, row: InstanceClock, now: Readings): boolean {
  if (joined || row.ticked_at === 0) return false;
  const quiet = isSameBoot(row, now)
    ? now.elapsed - row.boot_time
    : seen === null
      ? 0
      : now.elapsed - seen.at;
  return quiet < ALONE_AFTER * rules.tick;
}
