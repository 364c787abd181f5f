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
 * The time since this machine was booted, its sleep included (Linux: CLOCK_BOOTTIME), and which boot that is. Where the
 * system does not tell, the time since this process began.
 * @param ask whether the system says that its calendar is synchronised
 */
export function systemClock(ask: () => Promise<boolean> = askSystem): MachineClock {
  const bootId = readBootId();
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
    return { elapsed: bootId === null ? running : uptime() * 1000, bootId, synchronised };
  };
}
