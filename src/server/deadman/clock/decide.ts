// What a server does at a tick, decided from what it knows, the row that it has read and what its clocks say.
// Nothing here reads a clock, a disk or a database: monitor.ts performs what is decided (docs/legacy.md, "Counted time"
// and "Restored and copied databases").
import type { SwitchRules } from '../../../shared/nouns/switch-rules.ts';
import type { PauseReason } from '../../../shared/nouns/switch-state.ts';
import { DAY } from '../../../shared/time.ts';
import type { Readings } from '../../clock.ts';
import {
  beginProof,
  type CalendarProof,
  continueProof,
  livedFor,
  setForwardBeforeStep,
  setForwardBy,
  settled,
  steadyFor,
  stepOf,
  toldBy,
} from './calendar-proof.ts';
import type { InstanceClock, Tick } from './counted-time-store.ts';
import type { JournalEntry } from './journal.ts';

/** What a server knows. All but the first four changes with what it sees. */
export interface MonitorState {
  /** What it calls the instance that it belongs to. */
  readonly instance: string;
  /** Whether nobody else ever ticks in this database: then nothing in it comes on but before our eyes. */
  readonly alone: boolean;
  readonly rules: SwitchRules;
  /** A hash of the origin that it is known by; null for none. */
  readonly origin: string | null;
  /** What the journal said at the start, or what was written to it since; null for nothing. */
  readonly kept: JournalEntry | null;
  /** Whether the journal is a copy of another file. */
  readonly copied: boolean;
  /** The last tick that was seen, and when, by the clock that nobody can set. */
  readonly seen: { readonly number: number; readonly at: number } | null;
  /** Whether it may tick: nobody else does, or it has seen how. */
  readonly joined: boolean;
  /** Whether it has ticked: then what the row knows of its boot is of this one. */
  readonly hasTicked: boolean;
  /** What it knows of its machine's calendar; null before the first reading. */
  readonly calendar: CalendarProof | null;
  /** An absence whose length only a proved calendar can tell; null for none. */
  readonly absence: Absence | null;
  /** The epoch in which the switch was seen paused: a higher one is the administrator's word. */
  readonly pausedIn: number | null;
  /** Whether the last tick found that this database counts. */
  readonly trusted: boolean;
}

/** An absence that began in another boot of the machine, or on another machine. Milliseconds. */
export interface Absence {
  /** What the last calendar that was proved said, and the counted time then, with that of a pause; 0 and 0 for none. */
  readonly from: number;
  readonly fromCounted: number;
}

/** With what has just been read of the calendar. */
type Looking = MonitorState & { readonly calendar: CalendarProof };

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
  { instance, alone, rules, origin }: Pick<MonitorState, 'instance' | 'alone' | 'rules' | 'origin'>,
  found: { entry: JournalEntry; copied: boolean } | null,
): MonitorState {
  return {
    instance,
    alone,
    rules,
    origin,
    kept: found?.entry ?? null,
    copied: found?.copied ?? false,
    seen: null,
    joined: alone,
    hasTicked: false,
    calendar: null,
    absence: null,
    pausedIn: null,
    trusted: false,
  };
}

/** Decides one tick. */
export function decide(before: MonitorState, row: InstanceClock, read: Readings): Decision {
  // The administrator's word is worth as much as the system's.
  const now = isVouchedFor(before, row, read) ? { ...read, synchronised: true } : read;
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
    const absence = isOpen(row) ? openAbsence(row) : null;
    const among = {
      ...trusting,
      joined: true,
      absence,
      calendar: alsoToldBy(row, state.calendar, now, state),
    };
    return { action: { kind: 'note' }, state: saw(among, row, now) };
  }
  return follow(trusting, row, now);
}

/**
 * Whether the administrator has vouched for the very calendar that is read: that of the last tick, in the same boot, which
 * nobody has set since by more than minutes.
 */
function isVouchedFor({ hasTicked, rules }: MonitorState, row: InstanceClock, now: Readings): boolean {
  if (row.vouched === 0 || !(isSameBoot(row, now) || (hasTicked && now.bootId === null))) return false;
  return Math.abs(now.calendar - now.elapsed - (row.ticked_at - row.boot_time)) <= rules.jitter;
}

/** Earlier processes of this boot may have proved the calendar: it still is, if nobody has set it since. */
function readCalendar({ calendar, rules }: MonitorState, row: InstanceClock, now: Readings): CalendarProof {
  if (calendar !== null) return continueProof(calendar, now, rules);
  const { ticked_at, boot_time, proved_at, steady_for, set_forward_by, moved_by } = row;
  if (isSameBoot(row, now)) {
    const isProved = proved_at === ticked_at;
    const sameBoot = { offset: ticked_at - boot_time, isProved, movedBy: moved_by };
    const steady = steady_for === null ? null : steady_for + now.elapsed - boot_time;
    const setForwardBefore = setForwardBeforeStep(set_forward_by, moved_by, rules);
    return beginProof(now, { sameBoot, steadyFor: steady, setForwardBefore }, rules);
  }
  const since = now.calendar - ticked_at;
  return beginProof(
    now,
    {
      sameBoot: null,
      // Where it has not come on since, or falls behind, it is not the one that was steady.
      steadyFor: since >= rules.dark ? carriedSteadiness(steady_for ?? 0, rules) : 0,
      setForwardBefore: leftOf(set_forward_by, since),
    },
    rules,
  );
}

/**
 * How much of the time for which earlier boots have seen a steady calendar another one takes over. A quarter of an hour is
 * left to a time server that puts it right; where the last boot was too short to prove it, only as long as shows that it is
 * not being set. Boots of some minutes would else never prove it.
 */
function carriedSteadiness(steadyFor: number, { provedAfter, drift }: SwitchRules): number {
  const wasProved = steadyFor >= provedAfter;
  return Math.min(steadyFor, wasProved ? (3 / 4) * provedAfter : provedAfter - drift);
}

/** What is left of a step forward by more than a day, where a boot of the machine begins so long after the last tick. */
function leftOf(setForwardBy: number, since: number): number {
  const left = setForwardBy + Math.min(0, since);
  return left > DAY ? left : 0;
}

/**
 * Another server has ticked. On another machine it has counted the time by its own clocks. On this one it has told what
 * the calendar was set by, if it has seen the same and found it proved.
 */
function alsoToldBy(
  row: InstanceClock,
  calendar: CalendarProof,
  now: Readings,
  { rules }: MonitorState,
): CalendarProof {
  if (!isSameBoot(row, now)) return settled(calendar, now, rules);
  const since = calendar.offset - (row.ticked_at - row.boot_time);
  const sawTheSame = [since, row.moved_by].every((time) => Math.abs(time) <= rules.jitter);
  if (!sawTheSame || row.proved_at !== row.ticked_at) return calendar;
  // But for minutes, which are still to be told.
  return { ...settled(calendar, now, rules), movedBy: row.moved_by + stepOf(since, rules) };
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
  if (copied || isBehind(state, row) || isAhead(state, row)) return 'restored';
  return isMoved(state, row) ? 'moved' : null;
}

/**
 * It is known by another address than the one that led to this database. A clone of a disk that was given an address of its own
 * looks like this, and nobody could tell it from a server that was moved.
 */
const isMoved = ({ origin }: MonitorState, { home_origin }: InstanceClock): boolean =>
  home_origin !== null && home_origin !== origin;

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
function decidePaused(before: Looking, row: InstanceClock, now: Readings): Decision {
  const state = { ...before, trusted: false, pausedIn: row.epoch };
  if (state.seen && state.seen.number !== row.tick_number) {
    const calendar = alsoToldBy(row, state.calendar, now, state);
    const among = { ...state, joined: true, absence: null, calendar };
    return { action: { kind: 'rest' }, state: saw(among, row, now) };
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
function follow(before: Looking, row: InstanceClock, now: Readings): Decision {
  const { rules, calendar } = before;
  const gap = gapSince(before, row, now);
  const ran = Math.floor(Math.min(gap ?? 0, rules.absenceCounts));
  const unmeasured = absenceOf(before, row, gap);
  const forgetsReach = isForgotten(before, row, now);
  const isOutOfReach = row.out_of_reach_since !== null && !forgetsReach;
  if (isOutOfReach || othersMayTick(before, row, now)) {
    const mayAdd = rules.absenceCounts + ALONE_AFTER * rules.tick;
    return {
      action: { kind: 'wait', after: row.tick_number, mayAdd, isOutOfReach },
      state: saw({ ...before, absence: unmeasured }, row, now),
    };
  }
  // What a longer gap has lost is no part of an absence that is still to be measured.
  const lost = Math.max(0, Math.floor(gap ?? 0) - ran);
  const open = later(unmeasured, lost);
  const state = { ...before, absence: open };
  const measured = measure(state, row, now, ran);
  const absence = measured.length === null ? open : null;
  // While an absence is open, what the calendar was set by is a part of it.
  const movedBy = open === null ? toldBy(calendar, rules) : 0;
  const length = movedBy > 0 ? movedBy : measured.length;
  const isAnotherBoot = open !== null && !before.hasTicked && !isSameBoot(row, now);
  const told = tell(isAnotherBoot ? { ...row, told_length: 0, told_credit: 0 } : row, {
    ...{ length, back: Math.max(0, -movedBy), isVouchedFor: now.synchronised, rules },
  });
  const { standsStill } = measured;
  const isTold = movedBy !== 0 || calendar.isStill || open !== null;
  const after = isTold ? settled(calendar, now, rules) : calendar;
  const stoodStill = absence !== null && !isAnotherBoot ? row.stood_still : 0;
  const isOutage = (gap ?? 0) > rules.outage;
  const isToldOutage = (length ?? 0) > rules.outage;
  const longest = Math.max(gap ?? 0, length ?? 0);
  const isPaused = row.paused_reason !== null;
  const tick: Tick = {
    after: row.tick_number,
    counts: ran + told.counts,
    ran: ran <= rules.tick * rules.tickCounts ? ran : 0,
    at: now.calendar,
    proves: calendar.isProved && absence === null,
    lost: absence === null ? 0 : lost,
    boot: { id: now.bootId, time: Math.floor(now.elapsed) },
    mayAdd: absence === null ? atMostADay(after.movedBy, rules) : rules.absenceCounts,
    holdFor: isOutage ? rules.holdAfterOutage : 0,
    holdFirmlyFor: isOutage && longest > rules.longOutage ? rules.holdAfterLongOutage : 0,
    told: {
      length: told.length,
      credit: told.credit,
      owed: told.owed,
      holdFor: isToldOutage ? rules.holdAfterOutage : 0,
      holdFirmlyFor: (length ?? 0) > rules.longOutage ? rules.holdAfterLongOutage : 0,
      isAnotherBoot,
      takesBack: told.takesBack,
    },
    stoodStill: standsStill ? 1 : stoodStill,
    warnAnew: isOutage || isToldOutage || (standsStill && stoodStill === 0),
    doubtFor: doubtFor(state, row, now, { gap, length }),
    steadyFor: steadyFor(calendar, now),
    movedBy: after.movedBy,
    setForwardBy: setForwardBy(calendar, now, rules),
    endsWord: row.vouched === 1,
    forgetsReach,
    isPaused,
    // Nothing of a pause is ever added to counted time, and whoever ends it holds back by themselves.
    ...(isPaused && {
      mayAdd: row.may_add,
      holdFor: 0,
      holdFirmlyFor: 0,
      told: NOTHING_TOLD,
      stoodStill: 0,
      warnAnew: false,
      doubtFor: 0,
    }),
  };
  return {
    action: { kind: 'tick', tick, absence: isOutage || isToldOutage ? longest : null },
    state: { ...state, joined: true, hasTicked: true, absence, calendar: after },
  };
}

/**
 * For how much longer a day that begins is doubted: it has begun unseen, or by a calendar that was set. What the server has
 * lived through since is a part of that.
 */
function doubtFor(
  { calendar, rules }: Looking,
  { set_forward_by }: InstanceClock,
  now: Readings,
  { gap, length }: { gap: number | null; length: number | null },
): number {
  const isBelievedNow = set_forward_by > 0 && now.synchronised;
  if (isBelievedNow || (gap ?? 0) > rules.dark) return rules.holdAfterDarkDate;
  const isDark = [length ?? 0, calendar.movedBy].some((time) => Math.abs(time) > rules.dark);
  return isDark ? Math.max(0, Math.ceil(rules.holdAfterDarkDate - livedFor(calendar, now))) : 0;
}

const NOTHING_TOLD: Tick['told'] = {
  ...{ length: 0, credit: 0, owed: 0, holdFor: 0, holdFirmlyFor: 0 },
  ...{ isAnotherBoot: false, takesBack: null },
};

/**
 * Whether this server's own address has been silent for so long that its silence says nothing any more: a name that has
 * expired or a router that was replaced must not stop the switch for ever.
 */
function isForgotten(
  { calendar, rules }: Looking,
  { out_of_reach_since: since, elsewhere, proved_at }: InstanceClock,
  now: Readings,
): boolean {
  // What answers in this server's place is not silent.
  if (since === null || elsewhere !== null || !calendar.isProved) return false;
  // It was written down by a calendar that may have been wrong; the last one that was proved is from before.
  return now.calendar - Math.max(proved_at, since <= now.calendar ? since : 0) > rules.longOutage;
}

/** How long it is since the last tick, by the clock that nobody can set; null where only a calendar could tell. */
function gapSince({ seen }: MonitorState, row: InstanceClock, now: Readings): number | null {
  if (row.ticked_at === 0) return 0;
  if (isSameBoot(row, now)) return now.elapsed - row.boot_time;
  return seen?.number === row.tick_number ? now.elapsed - seen.at : null;
}

/** The absence that is still to be measured: one that is open already, or was left so, or lies before this process. */
const absenceOf = ({ absence, seen }: MonitorState, row: InstanceClock, gap: number | null): Absence | null =>
  absence ?? (isOpen(row) || (seen === null && gap === null) ? openAbsence(row) : null);

const later = (absence: Absence | null, lost: number): Absence | null =>
  absence && absence.from > 0 ? { ...absence, from: absence.from + lost } : absence;

/** Whether an absence was open at the last tick: more may be added than what the calendar was set forward by. */
const isOpen = ({ may_add, moved_by, paused_reason }: InstanceClock): boolean =>
  paused_reason === null && may_add > Math.max(0, moved_by);

/**
 * One that nobody has measured. What was open before a calendar was proved last has been; what that calendar was set by
 * since is untold.
 */
const openAbsence = ({ proved_at, proved_counted, ticked_at, moved_by }: InstanceClock): Absence => ({
  from: proved_at > 0 && proved_at === ticked_at ? proved_at - moved_by : proved_at,
  fromCounted: proved_counted,
});

/**
 * How long an absence was, as a proved calendar tells: what has passed by it, less what was counted meanwhile. A calendar
 * that stands where the last tick ended tells nothing: a machine without a battery begins with what it has saved last. Then
 * a time server or the administrator has to vouch for it.
 * @returns `length` in milliseconds; null for not yet
 */
function measure(
  { absence, calendar, rules }: Looking,
  row: InstanceClock,
  now: Readings,
  ran: number,
): { length: number | null; standsStill: boolean } {
  if (absence === null || !calendar.isProved) return { length: null, standsStill: false };
  if (absence.from === 0) return { length: 0, standsStill: false };
  const length = missingSince(absence, row, now, ran);
  const standsStill = !now.synchronised && length < rules.dark;
  return { length: standsStill ? null : length, standsStill };
}

/** What has passed since then by the calendar and was not counted, in milliseconds; below zero where that fell behind. */
const missingSince = (
  { from, fromCounted }: Absence,
  { counted_time, paused_for }: InstanceClock,
  { calendar }: Readings,
  ran: number,
): number => calendar - from - (counted_time + paused_for + ran - fromCounted);

/** What an absence of such a length counts, in whole milliseconds. */
const atMostADay = (length: number, { absenceCounts }: SwitchRules): number =>
  Math.floor(Math.min(Math.max(length, 0), absenceCounts));

/**
 * What is counted for an absence whose length a calendar tells now; and what is owed where it takes back what it has told
 * in this boot: it was ahead, and was set right. Later absences repay that, as counted time never runs back.
 */
function tell(
  row: Pick<InstanceClock, 'told_length' | 'told_credit' | 'owed'>,
  { length, back, isVouchedFor, rules }: Telling,
): { counts: number } & Pick<Tick['told'], 'length' | 'credit' | 'owed' | 'takesBack'> {
  const { told_length, told_credit, owed } = row;
  if (length !== null) {
    const credit = atMostADay(length, rules);
    const repaid = Math.min(owed, credit);
    const told = { length: told_length + Math.max(0, Math.floor(length)), credit: told_credit + credit };
    // What somebody vouches for nobody takes back.
    return { counts: credit - repaid, ...(isVouchedFor ? NONE : told), owed: owed - repaid, takesBack: null };
  }
  const left = Math.max(0, told_length - back);
  const credit = Math.min(told_credit, left);
  // Where it falls behind the last one that was proved, that one was ahead too, and how long nobody was there nobody knows.
  const isContradicted = back > told_length + rules.jitter;
  const isNoMore = (longer: number) => !isContradicted && told_length > longer && left <= longer;
  return {
    ...{ counts: 0, length: left, credit, owed: owed + told_credit - credit },
    takesBack: isNoMore(rules.outage) ? 'outage' : isNoMore(rules.longOutage) ? 'long-outage' : null,
  };
}

const NONE = { length: 0, credit: 0 };

interface Telling {
  /** Of the absence that a calendar has measured now; null for none. */
  length: number | null;
  isVouchedFor: boolean;
  /** By how much it was set back. */
  back: number;
  rules: SwitchRules;
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
