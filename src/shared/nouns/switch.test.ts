// The switch in numbers: when warnings go, and when silence has lasted.

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DAY } from '../time.ts';
import { dueStep, silenceReleaseAt, switchRules, warningLadder } from './switch-rules.ts';

const periods = fc.integer({ min: 1, max: 365 }).map((days) => days * DAY);

describe('the ladder of warnings', () => {
  test.each([
    [1, [DAY / 2]],
    [2, [DAY]],
    [5, [DAY]],
    [6, [3 * DAY, DAY]],
    [13, [3 * DAY, DAY]],
    [14, [7 * DAY, 3 * DAY, DAY]],
    [365, [7 * DAY, 3 * DAY, DAY]],
  ])('of %i days', (days, ladder) => {
    expect(warningLadder(days * DAY, switchRules)).toEqual(ladder);
  });

  it('is never empty, falls, and begins after half of the period', () => {
    fc.assert(
      fc.property(periods, (period) => {
        const ladder = warningLadder(period, switchRules);
        expect(ladder.length).toBeGreaterThan(0);
        expect(ladder).toEqual([...ladder].sort((a, b) => b - a));
        for (const before of ladder) expect(before).toBeLessThanOrEqual(period / 2);
      }),
    );
  });
});

describe('the step that is due', () => {
  test.each([
    [14, 7 * DAY + 1, 0],
    [14, 7 * DAY, 1],
    [14, 3 * DAY + 1, 1],
    [14, 3 * DAY, 2],
    [14, DAY, 3],
    [14, 1, 3],
    [14, 0, 4],
    [14, -DAY + 1, 4],
    [14, -DAY, 5],
    [14, -14 * DAY, 18],
    [1, DAY / 2 + 1, 0],
    [1, DAY / 2, 1],
    [1, 0, 2],
  ])('of %i days, %i milliseconds before the deadline', (days, remaining, step) => {
    expect(dueStep(days * DAY, remaining, switchRules)).toBe(step);
  });

  it('never falls while silence lasts', () => {
    const remaining = fc.integer({ min: -30 * DAY, max: 365 * DAY });
    fc.assert(
      fc.property(periods, remaining, fc.nat(30 * DAY), (period, before, later) => {
        expect(dueStep(period, before - later, switchRules)).toBeGreaterThanOrEqual(
          dueStep(period, before, switchRules),
        );
      }),
    );
  });
});

describe('silence releases', () => {
  const deadline = 100 * DAY;
  test.each([
    ['dashboard', null, deadline],
    ['dashboard', deadline + 5 * DAY, deadline],
    ['mail', null, deadline + 14 * DAY],
    ['mail', deadline - 7 * DAY, deadline],
    ['mail', deadline - DAY, deadline],
    ['mail', deadline - DAY + 1, deadline + 1],
    ['mail', deadline, deadline + DAY],
    ['mail', deadline + 13 * DAY, deadline + 14 * DAY],
  ] as const)('with %s, accepted at %s', (warning, accepted, at) => {
    expect(silenceReleaseAt(deadline, warning, accepted, switchRules)).toBe(at);
  });

  it('never before the deadline, nor sooner than a day after an accepted warning', () => {
    const moment = fc.integer({ min: 0, max: 400 * DAY });
    fc.assert(
      fc.property(moment, fc.option(moment), (end, accepted) => {
        const at = silenceReleaseAt(end, 'mail', accepted, switchRules);
        expect(at).toBeGreaterThanOrEqual(end);
        if (accepted !== null) expect(at - accepted).toBeGreaterThanOrEqual(DAY);
      }),
    );
  });
});
