// What a server does at a tick, decided from what it knows, the row that it has read and what its clocks say.
// Nothing here reads a clock, a disk or a database: monitor.ts performs what is decided (docs/legacy.md, "Counted time"
// and "Restored and copied databases").
import type { SwitchRules } from '../../../shared/nouns/switch.ts';
import type { PauseReason } from '../../../shared/nouns/switch-state.ts';
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
  /** The last tick that was seen, and the monotonic time then. */
  readonly seen: { readonly number: number; readonly at: number } | null;
  /** The epoch in which the switch was seen paused: a higher one is the administrator's word. */
  readonly pausedIn: number | null;
  /** Whether the last tick found that this database counts. */
  readonly trusted: boolean;
}

/** Milliseconds. */
export interface Readings {
  /** Since the epoch, as this machine has it. May jump. */
  calendar: number;
  /** Only ever advances; begins anywhere when the process starts. */
  monotonic: number;
}

export type Action =
  /** Nothing, for now. */
  | { kind: 'rest' }
  /** Makes an empty database this instance's own, then decides anew. */
  | { kind: 'adopt'; epoch: number }
  /** Pauses the switch until its administrator confirms. `epoch`: the highest that is known of. */
  | { kind: 'pause'; reason: PauseReason; epoch: number }
  /** Somebody else ticks. Whoever never does, because others always do, must not remember an old server. */
  | { kind: 'note' }
  /** Ticks. `outage`: nobody has for too long. */
  | { kind: 'tick'; tick: Tick; outage: boolean };

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
    pausedIn: null,
    trusted: false,
  };
}

/** Decides one tick. */
export function decide(state: MonitorState, row: InstanceClock, now: Readings): Decision {
  if (row.instance === null) return { action: { kind: 'adopt', epoch: beyond(state) }, state };
  if (row.paused_reason !== null) return decidePaused(state, row, now);
  const problem = disagreement(state, row);
  if (problem) return doubt(state, row, now, problem);
  const trusting = { ...state, trusted: true };
  if (state.seen && state.seen.number !== row.tick_number) {
    return { action: { kind: 'note' }, state: saw(trusting, row, now) };
  }
  return follow(trusting, row, now);
}

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

/** The switch was paused by this server. */
export const paused = (state: MonitorState, epoch: number): MonitorState => ({ ...state, pausedIn: epoch });

/** Remembers a row as the one that this server has lived with. */
export const noted = (state: MonitorState, row: InstanceClock): MonitorState & { kept: JournalEntry } => ({
  ...state,
  kept: {
    instance: state.instance,
    epoch: row.epoch,
    countedTime: row.counted_time,
    releases: row.releases,
  },
  copied: false,
  pausedIn: null,
});

/** A tick was seen, perhaps a new one. */
export function saw(state: MonitorState, row: InstanceClock, { monotonic }: Readings): MonitorState {
  if (state.seen?.number === row.tick_number) return state;
  return { ...state, seen: { number: row.tick_number, at: monotonic } };
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

function isBehind({ kept }: MonitorState, { epoch, counted_time, releases }: InstanceClock): boolean {
  if (kept === null || epoch > kept.epoch) return false;
  return epoch < kept.epoch || counted_time < kept.countedTime || releases < kept.releases;
}

/**
 * It has lived elsewhere. Between a tick and the journal a crash leaves two intervals at most, and what an administrator
 * confirms is seen here.
 */
function isAhead({ alone, kept, rules }: MonitorState, { epoch, counted_time }: InstanceClock): boolean {
  if (!alone || kept === null) return false;
  return epoch > kept.epoch || counted_time > kept.countedTime + rules.outage;
}

function pause(state: MonitorState, row: InstanceClock, reason: PauseReason): Decision {
  const epoch = Math.max(row.epoch, state.kept?.epoch ?? 0);
  return { action: { kind: 'pause', reason, epoch }, state: { ...state, trusted: false } };
}

/** A backup may have been made during a pause. Its administrator is asked about the restore, which weighs more. */
function decidePaused(before: MonitorState, row: InstanceClock, now: Readings): Decision {
  const state = saw({ ...before, trusted: false, pausedIn: row.epoch }, row, now);
  const problem = row.paused_reason === 'long-outage' ? disagreement(before, row) : null;
  if (problem && (state.alone || isBehind(state, row))) return pause(state, row, problem);
  return { action: { kind: 'rest' }, state };
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
  if (seen && now.monotonic - seen.at >= ALONE_AFTER * rules.tick) return pause(state, row, reason);
  return { action: { kind: 'rest' }, state };
}

/** Follows the last tick with one of our own. */
function follow(state: MonitorState, row: InstanceClock, now: Readings): Decision {
  const { rules, seen } = state;
  const lived = livedSince(seen, now);
  const passed = row.ticked_at === 0 ? 0 : now.calendar - row.ticked_at;
  if (passed > rules.longOutage) return pause(state, row, 'long-outage');
  if (seen === null && othersMayTick(state, row, passed)) {
    return { action: { kind: 'rest' }, state: saw(state, row, now) };
  }
  // A server that has just started only has the calendar's word for how long nobody was there.
  const outage = (seen === null ? Math.abs(passed) : Math.max(passed, lived)) > rules.outage;
  // A day that has begun since then has begun unseen, or by a calendar that jumped.
  const dark = outage || (seen !== null && passed - lived > rules.drift);
  const tick = {
    after: row.tick_number,
    counts: Math.floor(Math.min(lived, rules.tickCounts * rules.tick)),
    at: now.calendar,
    holdFor: outage ? rules.holdAfterOutage : 0,
    doubtFor: dark ? rules.holdAfterDarkDate : 0,
  };
  return { action: { kind: 'tick', tick, outage }, state };
}

/** How long this server has lived since the last tick, by its monotonic clock: nothing when it has just started. */
const livedSince = (seen: MonitorState['seen'], now: Readings): number =>
  seen === null ? 0 : now.monotonic - seen.at;

/** The first tick of a server counts nothing: while others tick, it would only make them lose what they have measured. */
function othersMayTick({ alone, rules }: MonitorState, row: InstanceClock, passed: number): boolean {
  if (alone || row.ticked_at === 0) return false;
  return Math.abs(passed) < Math.min(ALONE_AFTER * rules.tick, rules.drift);
}
