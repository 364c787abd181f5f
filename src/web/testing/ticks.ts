// Clocks of a page that tick by an interval, made to tick when a test has moved the time.
import { vi } from 'vitest';

/** Notes intervals that are begun from now on. Returns what makes them all tick once. */
export function noteIntervals(): () => void {
  const ticking = new Map<unknown, () => void>();
  const { setInterval, clearInterval } = globalThis;
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void, every?: number) => {
    const timer = setInterval(work, every);
    ticking.set(timer, work);
    return timer;
  }) as typeof setInterval);
  vi.spyOn(globalThis, 'clearInterval').mockImplementation((timer) => {
    ticking.delete(timer);
    clearInterval(timer);
  });
  return () => {
    for (const work of [...ticking.values()]) work();
  };
}
