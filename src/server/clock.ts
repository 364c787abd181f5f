// The server clock. Locks obey it, so a wall clock that jumps forward while the server runs must not open them.

import { uptime } from 'node:os';
import { HOUR } from '../shared/time.ts';

/** Epoch milliseconds. */
export type Clock = () => number;

/** What the clocks of a machine say. Milliseconds. */
export interface Readings {
  /** Since the epoch, as this machine has it. May jump. */
  calendar: number;
  /**
   * Only ever advances, also while the machine sleeps where the system has such a clock. It begins with the boot where
   * `bootId` is given, and otherwise anywhere when the process starts.
   */
  elapsed: number;
  /** Which boot of which machine this is; null where the system does not tell. */
  bootId: string | null;
  /** Whether the system says that its calendar follows a time server. */
  synchronised: boolean;
}

/** The clocks of a machine, but for its calendar. */
export type MachineClock = () => Omit<Readings, 'calendar'>;

const LEAD_ALLOWED = HOUR;

export interface ClockSources {
  /** Epoch milliseconds, as the system has them. */
  wall: Clock;
  /** Milliseconds that only ever advance, but perhaps not while the machine sleeps. Asked at every turn. */
  monotonic: Clock;
  /** Milliseconds that only ever advance, also while the machine sleeps. Asked only when the wall seems ahead. */
  sinceBoot: Clock;
  /** Called once, when the wall clock is first held back. */
  onHeldBack: () => void;
}

export interface BoundedClock {
  now: Clock;
  /** Believes what the wall has said a moment ago: it had proved itself. It may have been set since. */
  accept(wall: number): void;
}

/**
 * A clock that follows the wall but may not outrun the time that has really passed by more than an hour since it was
 * made, or since the wall was accepted last. It may fall behind freely: a late lock harms nobody.
 */
export function boundedClock({
  wall = Date.now,
  monotonic = () => performance.now(),
  sinceBoot = () => uptime() * 1000,
  onHeldBack = () => {},
}: Partial<ClockSources> = {}): BoundedClock {
  let wallAtStart = wall();
  let monotonicAtStart = monotonic();
  let bootAtStart = sinceBoot();
  let slept = 0;
  let heldBack = false;
  const latest = () => wallAtStart + (monotonic() - monotonicAtStart) + slept + LEAD_ALLOWED;
  function now(): number {
    const time = wall();
    if (time <= latest()) return time;
    slept = Math.max(slept, sinceBoot() - bootAtStart - (monotonic() - monotonicAtStart));
    const allowed = latest();
    if (time <= allowed) return time;
    if (!heldBack) {
      heldBack = true;
      onHeldBack();
    }
    return allowed;
  }
  function accept(proved: number): void {
    wallAtStart = proved;
    monotonicAtStart = monotonic();
    bootAtStart = sinceBoot();
    slept = 0;
    heldBack = false;
  }
  return { now, accept };
}
