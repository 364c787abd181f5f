// The clocks of this machine that nobody can set, and what its system says of its calendar.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { MINUTE } from '../../shared/time.ts';
import type { MachineClock } from '../clock.ts';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
/** How often the system is asked whether its calendar follows a time server. */
const ASK_EVERY = 5 * MINUTE;
const ANSWER_WITHIN = 5_000;

/** How long a reading of the time since the boot is as good as a new one, in milliseconds: to ask costs a read of a file. */
const READ_EVERY = 20;

/** Null where the system has no such file; elsewhere than on Linux the time since the boot may follow the calendar. */
function readBootId(): string | null {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** Whether systemd says that a time server is followed: of timesyncd, chrony and every other that tells the kernel. */
const askSystem = (): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(
      'timedatectl',
      ['show', '--property=NTPSynchronized', '--value'],
      { timeout: ANSWER_WITHIN },
      (error, stdout) => resolve(error === null && stdout.trim() === 'yes'),
    ).unref();
  });

/**
 * The time since the boot, asked for again as soon as one of two other clocks has moved: the monotonic one, which may stand
 * still while the machine sleeps, or the calendar, which does not, but may be set.
 */
export function sinceBoot(
  boot: () => number = () => uptime() * 1000,
  monotonic: () => number = () => performance.now(),
  calendar: () => number = Date.now,
): () => number {
  let read = { monotonic: Number.NaN, calendar: Number.NaN, boot: 0 };
  return () => {
    const now = { monotonic: monotonic(), calendar: calendar() };
    const isRecent =
      now.monotonic - read.monotonic < READ_EVERY && Math.abs(now.calendar - read.calendar) < READ_EVERY;
    if (!isRecent) read = { ...now, boot: boot() };
    return read.boot;
  };
}

/**
 * The time since this machine was booted, its sleep included (Linux: CLOCK_BOOTTIME), and which boot that is. Where the
 * system does not tell, the time since this process began.
 * @param ask whether the system says that its calendar is synchronised
 */
export function systemClock(ask: () => Promise<boolean> = askSystem): MachineClock {
  const bootId = readBootId();
  const elapsed = bootId === null ? () => performance.now() : sinceBoot();
  let synchronised = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const running = performance.now();
    if (running - askedAt >= ASK_EVERY) {
      askedAt = running;
      void ask().then((answer) => {
        synchronised = answer;
      });
    }
    return { elapsed: elapsed(), bootId, synchronised };
  };
}
