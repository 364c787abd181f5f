import { expect, test, vi } from 'vitest';
import { HOUR } from '../../shared/time.ts';
import { sinceBoot, systemClock } from './system-clock.ts';

function machine() {
  const clocks = { boot: 1_000, monotonic: 0, calendar: 5_000 };
  const boot = vi.fn(() => clocks.boot);
  const elapsed = sinceBoot(
    boot,
    () => clocks.monotonic,
    () => clocks.calendar,
  );
  const pass = (by: Partial<typeof clocks>) => {
    for (const name of ['boot', 'monotonic', 'calendar'] as const) clocks[name] += by[name] ?? 0;
  };
  return { boot, elapsed, pass };
}

test('many questions at one moment read the time since the boot once, and the next moment reads it anew', () => {
  const { boot, elapsed, pass } = machine();
  expect([elapsed(), elapsed(), elapsed()]).toEqual([1_000, 1_000, 1_000]);
  expect(boot).toHaveBeenCalledOnce();
  pass({ boot: 20, monotonic: 20, calendar: 20 });
  expect(elapsed()).toBe(1_020);
});

test('a sleep is seen at once, though the monotonic clock stood still', () => {
  const { elapsed, pass } = machine();
  elapsed();
  pass({ boot: HOUR, monotonic: 1, calendar: HOUR });
  expect(elapsed()).toBe(1_000 + HOUR);
});

test('a calendar that is set forward or back never hides what has passed', () => {
  for (const calendar of [-HOUR, HOUR]) {
    const { elapsed, pass } = machine();
    elapsed();
    pass({ boot: 30, monotonic: 30, calendar });
    expect(elapsed()).toBe(1_030);
  }
});

test('this machine says how long it has run, and which boot that was', () => {
  const clock = systemClock(async () => true);
  const { elapsed, bootId } = clock();
  expect(elapsed).toBeGreaterThan(0);
  expect(clock().bootId).toBe(bootId);
});
