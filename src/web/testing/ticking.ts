// Screens that count down look at the clock every few seconds. A test makes those seconds pass by itself.
import { vi } from 'vitest';

/**
 * Does the work of a test while intervals stand as still as the clock. What is opened meanwhile sees time pass by `pass`
 * alone, which takes milliseconds: the clock leaps, and whatever looks at it has looked once more.
 */
export async function whileTimeStands(work: (pass: (by: number) => void) => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() });
  try {
    await work((by) => {
      // A leap alone wakes nobody; the last seconds of it are lived through.
      const lived = Math.min(by, LONGEST_PACE);
      vi.setSystemTime(Date.now() + by - lived);
      vi.advanceTimersByTime(lived);
    });
  } finally {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  }
}

/** How old the present of a screen may be, in milliseconds (hooks/use-now.ts). */
const LONGEST_PACE = 10_000;
