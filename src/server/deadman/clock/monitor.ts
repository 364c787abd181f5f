// The tick: it advances counted time by what a monotonic clock has measured, notices outages and calendars that jump,
// and stops everything when the database is not the one that this server has lived with (docs/legacy.md). What is done is
// decided in decide.ts, and done here.
import type { Clock } from '../../clock.ts';
import type { Deps } from '../../deps.ts';
import {
  adoptDatabase,
  type InstanceClock,
  pauseSwitch,
  readInstanceClock,
  writeTick,
} from './counted-time-store.ts';
import { type Action, adopted, begin, decide, noted, paused, type Readings, saw, trusts } from './decide.ts';
import { instanceName } from './instance.ts';
import type { Journal } from './journal.ts';

export interface MonitorParts {
  /** Milliseconds that only ever advance. */
  elapsed: Clock;
  journal: Journal;
  /** Whether nobody else ever ticks in this database: then nothing in it comes on but before our eyes. */
  alone: boolean;
}

export type MonitorDeps = Pick<Deps, 'db' | 'calendar' | 'log' | 'rules' | 'digests'>;

export interface Monitor {
  /** The clock after it. Null when another server has ticked, or nothing may be done. */
  tick(): Promise<InstanceClock | null>;
  /** Whether the last tick found that this database counts, and its clock still says so. */
  trusts(clock: InstanceClock): boolean;
  /** Writes down what was reached. */
  note(clock: InstanceClock): void;
}

export function createMonitor(deps: MonitorDeps, { elapsed, journal, alone }: MonitorParts): Monitor {
  const { db, calendar, log, rules } = deps;
  let state = begin({ instance: instanceName(deps.digests), alone, rules }, journal.read());
  const readings = (): Readings => ({ calendar: calendar(), monotonic: elapsed() });

  async function tick(): Promise<InstanceClock | null> {
    const row = await readInstanceClock(db);
    const { action, state: next } = decide(state, row, readings());
    state = next;
    if (action.kind !== 'adopt') return perform(action, row);
    await adoptDatabase(db, { instance: state.instance, epoch: action.epoch });
    state = adopted(state, await readInstanceClock(db));
    return tick();
  }

  /** @param row the one that it was decided by */
  async function perform(action: Exclude<Action, { kind: 'adopt' }>, row: InstanceClock) {
    switch (action.kind) {
      case 'rest':
        return null;
      case 'note':
        note(row);
        return null;
      case 'pause': {
        const { reason, epoch } = action;
        if (!(await pauseSwitch(db, reason, epoch, calendar()))) return null;
        state = paused(state, epoch);
        log.error(
          { reason },
          'the dead man’s switch is paused until its administrator confirms; see docs/legacy.md',
        );
        return null;
      }
      case 'tick': {
        const written = await writeTick(db, action.tick);
        if (!written) return null;
        if (action.outage) {
          log.warn(
            'the server was asleep; nothing is released for inactivity for three days of counted time',
          );
        }
        state = saw(state, written, readings());
        note(written);
        return written;
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

  return { tick, note, trusts: (clock) => trusts(state, clock) };
}
