import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { houseClock } from './clock.ts';
import { HOUR } from './testing/clock.ts';

const START = Date.parse('2030-01-01T00:00:00Z');

describe('the house clock', () => {
  it('follows a wall clock that goes as time does', () => {
    let passed = 0;
    const clock = houseClock(
      () => START + passed,
      () => 500 + passed,
    );
    expect(clock()).toBe(START);
    passed = 1000 * HOUR;
    expect(clock()).toBe(START + passed);
  });

  it('is an hour ahead at most, however far the wall clock is set forward', () => {
    let ahead = 0;
    const clock = houseClock(
      () => START + ahead,
      () => 0,
    );
    ahead = HOUR;
    expect(clock()).toBe(START + HOUR);
    ahead = 365 * 24 * HOUR;
    expect(clock()).toBe(START + HOUR);
  });

  it('falls behind with a wall clock that is set back', () => {
    let behind = 0;
    const clock = houseClock(
      () => START - behind,
      () => 0,
    );
    behind = 24 * HOUR;
    expect(clock()).toBe(START - behind);
  });

  it('never opens a lock early by more than an hour, whatever happens to the wall clock', () => {
    const step = fc.record({
      passes: fc.integer({ min: 0, max: 48 * HOUR }),
      wallJumps: fc.integer({ min: -1000 * HOUR, max: 1000 * HOUR }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 50 }),
        fc.integer({ min: 0, max: 2000 * HOUR }),
        (steps, lock) => {
          let monotonic = 0;
          let wall = START;
          const clock = houseClock(
            () => wall,
            () => monotonic,
          );
          for (const { passes, wallJumps } of steps) {
            monotonic += passes;
            wall += passes + wallJumps;
            const time = clock();
            expect(time).toBeLessThanOrEqual(wall);
            expect(time).toBeLessThanOrEqual(START + monotonic + HOUR);
            if (monotonic < lock - HOUR) expect(time).toBeLessThan(START + lock);
            // Where the wall has not run ahead, the house clock is the wall clock.
            if (wall <= START + monotonic + HOUR) expect(time).toBe(wall);
          }
        },
      ),
    );
  });
});
