// The tick: it advances counted time by what passed since the one before, notices outages and calendars that were set,
// and stops everything when the database is not the one that this server has lived with (docs/legacy.md). What is done is
// decided in decide.ts, and done here.
import { HOUR } from '../../../shared/time.ts';
import type { MachineClock } from '../../clock.ts';
import type { Deps } from '../../deps.ts';
import {
  adoptDatabase,
  announceAbsence,
  type InstanceClock,
  pauseSwitch,
  readInstanceClock,
  writeTick,
} from './counted-time-store.ts';
import { type Action, adopted, begin, decide, noted, paused, saw, trusts } from './decide.ts';
import { instanceName } from './instance.ts';
import type { Journal } from './journal.ts';

export interface MonitorParts {
  /** The clocks of this machine but for the calendar. */
  machine: MachineClock;
  journal: Journal;
  /** Whether nobody else ever ticks in this database: then nothing in it comes on but before our eyes. */
  alone: boolean;
  /** A hash of the origin that this server is known by; null for none. */
  origin: string | null;
}

export type MonitorDeps = Pick<Deps, 'db' | 'calendar' | 'log' | 'rules' | 'digests'>;

/** What a tick leaves. */
export interface Ticked {
  clock: InstanceClock;
  /** Whether it is proved now: what day it is may be believed. */
  isProved: boolean;
  /** By how much it may be ahead although it is: it was set by minutes a while ago, or is again and again. Milliseconds. */
  mayBeAheadBy: number;
}

export interface Monitor {
  /** Null when another server has ticked, or nothing may be done. */
  tick(): Promise<Ticked | null>;
  /** What the calendar said at the last look, where that was proved; else null. */
  provedCalendar(): number | null;
  /** Whether more may have passed since time was counted than what happens now may be written down with. */
  isBehind(): boolean;
  /** Whether so much has passed since the last look that the machine was away: what was seen then may be so no longer. */
  wasAway(): boolean;
  /** Whether the last tick found that this database counts, and its clock still says so. */
  trusts(clock: InstanceClock): boolean;
  /** Writes down what was reached. */
  note(clock: InstanceClock): void;
}

export function createMonitor(deps: MonitorDeps, { machine, journal, alone, origin }: MonitorParts): Monitor {
  const { db, calendar, log, rules } = deps;
  let state = begin({ instance: instanceName(deps.digests), alone, rules, origin }, journal.read());
  let looked: number | null = null;
  /** Up to when time has surely been counted. Both are times of the clock that nobody can set. */
  let countedTo: number | null = null;
  let latest = 0;
  let proved: number | null = null;
  const readings = () => ({ calendar: calendar(), ...machine() });
  const isLongSince = (time: number | null) =>
    time !== null && machine().elapsed - time > rules.tick * rules.tickCounts;

  async function tick(): Promise<Ticked | null> {
    const attempt = latest + 1;
    latest = attempt;
    const row = await readInstanceClock(db);
    // One that was given up, and comes back when another has begun.
    if (attempt !== latest) return null;
    const now = readings();
    const { absence, hasTicked, calendar: calendarBefore } = state;
    const { action, state: next } = decide(state, row, now);
    state = next;
    proved = state.calendar?.isProved ? now.calendar : null;
    if (action.kind !== 'adopt') {
      let ticked: Ticked | null = null;
      try {
        ticked = await perform(action, row);
      } finally {
        // What was not written down is still to be measured.
        if (action.kind === 'tick' && !ticked && attempt === latest)
          state = { ...state, absence, hasTicked, calendar: calendarBefore };
      }
      // Not before it is written: what happens meanwhile would age by it. Somebody else's tick may be as old as our last look.
      countedTo = action.kind === 'note' ? (looked ?? now.elapsed) : now.elapsed;
      looked = now.elapsed;
      return ticked;
    }
    await adoptDatabase(db, { instance: state.instance, epoch: action.epoch });
    state = adopted(state, await readInstanceClock(db));
    return tick();
  }

  /** @param row the one that it was decided by */
  async function perform(action: Exclude<Action, { kind: 'adopt' }>, row: InstanceClock) {
    switch (action.kind) {
      case 'rest':
        return null;
      case 'wait': {
        const waited = await announceAbsence(db, action);
        // A backup of this time would else be the same as what it takes the place of.
        if (waited && action.isOutOfReach) note(waited);
        return null;
      }
      case 'note':
        note(row);
        return null;
      case 'pause': {
        const { reason, epoch } = action;
        if (!(await pauseSwitch(db, reason, epoch, calendar()))) return null;
        state = paused(state, { ...row, epoch }, readings());
        log.error(
          { reason },
          'the dead man’s switch is paused until its administrator confirms; see docs/legacy.md',
        );
        return null;
      }
      case 'tick': {
        const written = await writeTick(db, action.tick);
        if (!written) return null;
        state = saw(state, written, readings());
        const { isProved = false, isStill = false } = state.calendar ?? {};
        const ticked = { clock: written, isProved, mayBeAheadBy: isStill ? 0 : rules.jitter };
        // A pause is counted, and nothing of it is remembered.
        if (action.tick.isPaused) return ticked;
        if (action.absence !== null) {
          log.warn(
            { hours: Math.round(action.absence / HOUR) },
            'the server was away; nothing is released for inactivity for some days, and warnings begin anew',
          );
        }
        note(written);
        return ticked;
      }
    }
  }

  function note(clock: InstanceClock): void {
    const next = noted(state, clock);
    state = next;
    try {
      journal.write(next.kept);
    } catch (error) {
      // The switch must not stop because a disk is full; what is lost is the memory of this tick.
      log.error({ err: error }, 'the journal of the switch cannot be written');
    }
  }

  return {
    tick,
    provedCalendar: () => proved,
    note,
    trusts: (clock) => trusts(state, clock),
    isBehind: () => isLongSince(countedTo),
    wasAway: () => isLongSince(looked),
  };
}
