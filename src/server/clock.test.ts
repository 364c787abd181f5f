import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../shared/time.ts';
import { boundedClock } from './clock.ts';

const START = Date.parse('2030-01-01T00:00:00Z');

const sources = (wall: () => number, monotonic: () => number, slept = () => 0) => ({
  wall,
  monotonic,
  sinceBoot: () => 7 + monotonic() + slept(),
});

describe('the server clock', () => {
  it('follows a wall clock that goes as time does', () => {
    let passed = 0;
    const { now: clock } = boundedClock(
      sources(
        () => START + passed,
        () => 500 + passed,
      ),
    );
    expect(clock()).toBe(START);
    passed = 1000 * HOUR;
    expect(clock()).toBe(START + passed);
  });

  it('is an hour ahead at most, however far the wall clock is set forward, and says so once', () => {
    let ahead = 0;
    let said = 0;
    const onHeldBack = () => {
      said += 1;
    };
    const { now: clock } = boundedClock({
      ...sources(
        () => START + ahead,
        () => 0,
      ),
      onHeldBack,
    });
    ahead = HOUR;
    expect(clock()).toBe(START + HOUR);
    expect(said).toBe(0);
    ahead = 365 * 24 * HOUR;
    expect(clock()).toBe(START + HOUR);
    expect(clock()).toBe(START + HOUR);
    expect(said).toBe(1);
  });

  it('keeps up with a machine that slept, whose monotonic clock slept with it', () => {
    let night = 0;
    const { now: clock } = boundedClock(
      sources(
        () => START + night,
        () => 0,
        () => night,
      ),
    );
    for (let i = 1; i <= 5; i += 1) {
      night = i * 8 * HOUR;
      expect(clock()).toBe(START + night);
    }
  });

  it('falls behind with a wall clock that is set back', () => {
    let behind = 0;
    const { now: clock } = boundedClock(
      sources(
        () => START - behind,
        () => 0,
      ),
    );
    behind = 24 * HOUR;
    expect(clock()).toBe(START - behind);
  });

  it('never opens a lock early by more than an hour, whatever happens to the wall clock', () => {
    const step = fc.record({
      passes: fc.integer({ min: 0, max: 48 * HOUR }),
      sleeps: fc.integer({ min: 0, max: 12 * HOUR }),
      wallJumps: fc.integer({ min: -1000 * HOUR, max: 1000 * HOUR }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 50 }),
        fc.integer({ min: 0, max: 2000 * HOUR }),
        (steps, lock) => {
          let monotonic = 0;
          let slept = 0;
          let wall = START;
          const { now: clock } = boundedClock(
            sources(
              () => wall,
              () => monotonic,
              () => slept,
            ),
          );
          for (const { passes, sleeps, wallJumps } of steps) {
            monotonic += passes;
            slept += sleeps;
            wall += passes + sleeps + wallJumps;
            const time = clock();
            const passed = monotonic + slept;
            expect(time).toBeLessThanOrEqual(wall);
            expect(time).toBeLessThanOrEqual(START + passed + HOUR);
            if (passed < lock - HOUR) expect(time).toBeLessThan(START + lock);
            // Where the wall has not run ahead, the server clock is the wall clock.
            if (wall <= START + passed + HOUR) expect(time).toBe(wall);
          }
        },
      ),
    );
  });

  it('believes a wall clock that has proved itself, and bounds it from there on', () => {
    let passed = 0;
    let ahead = 0;
    let said = 0;
    const { now, accept } = boundedClock({
      ...sources(
        () => START + passed + ahead,
        () => passed,
      ),
      onHeldBack: () => {
        said += 1;
      },
    });
    ahead = 300 * 24 * HOUR;
    passed = HOUR;
    expect(now()).toBe(START + 2 * HOUR);
    accept(START + passed + ahead);
    expect(now()).toBe(START + passed + ahead);
    // Set in the moment after it was looked at, it is bounded again.
    ahead += 24 * HOUR;
    expect(now()).toBe(START + passed + ahead - 24 * HOUR + HOUR);
    ahead -= 24 * HOUR;
    passed += 5 * HOUR;
    ahead += 24 * HOUR;
    expect(now()).toBe(START + passed + ahead - 23 * HOUR);
    expect(said).toBe(2);
  });

  it('reads this machine’s clocks unless it is told otherwise', () => {
    const { now: clock } = boundedClock();
    expect(Math.abs(clock() - Date.now())).toBeLessThan(1000);
  });
});
