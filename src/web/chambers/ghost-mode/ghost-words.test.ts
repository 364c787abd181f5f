import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/time.ts';
import { fateOf, isLastReading, readingsLeft, readingsUsed, timeLeft } from './ghost-words.ts';

describe('how a ghost entry is spoken of', () => {
  test.each([
    [{ maxReads: 1, currentReads: 0 }, '0 of 1 reading', '1 reading left', true],
    [{ maxReads: 3, currentReads: 1 }, '1 of 3 readings', '2 readings left', false],
    [{ maxReads: 3, currentReads: 2 }, '2 of 3 readings', '1 reading left', true],
    [{ maxReads: 3, currentReads: 3 }, '3 of 3 readings', 'No reading left', true],
    [{ maxReads: null, currentReads: 7 }, '7 of ∞ readings', '∞ readings left', false],
  ])('%o', (ghost, used, left, last) => {
    expect(readingsUsed(ghost)).toBe(used);
    expect(readingsLeft(ghost)).toBe(left);
    expect(isLastReading(ghost)).toBe(last);
  });

  test.each([
    [7 * DAY, '7 d'],
    [6 * DAY + 4 * HOUR + MINUTE, '6 d 4 h'],
    [2 * DAY - 1, '47 h 59 min'],
    [DAY + 5 * SECOND, '24 h'],
    [DAY - 1, '23 h 59 min'],
    [HOUR, '1 h'],
    [HOUR - 1, '59 min 59 s'],
    [12 * MINUTE + 5 * SECOND, '12 min 5 s'],
    [MINUTE, '1 min'],
    [999, '0 s'],
    [-DAY, '0 s'],
  ])('%i ms are %s', (milliseconds, words) => {
    expect(timeLeft(milliseconds)).toBe(words);
  });

  test('no time is said to be longer than it is', () => {
    const sizes: Record<string, number> = { d: DAY, h: HOUR, min: MINUTE, s: SECOND };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * DAY }), (milliseconds) => {
        const said = [...timeLeft(milliseconds).matchAll(/(\d+) (\w+)/g)].reduce(
          (sum, [, count, unit]) => sum + Number(count) * (sizes[unit ?? ''] ?? Number.NaN),
          0,
        );
        expect(said).toBeLessThanOrEqual(milliseconds);
        expect(milliseconds - said).toBeLessThan(HOUR);
      }),
    );
  });

  test('its fate names the reading that takes the words away', () => {
    expect(fateOf(1, 'noon')).toBe(
      'The first reading is the last: then the words are deleted. Read or not, they vanish on noon.',
    );
    expect(fateOf(10, 'noon')).toMatch(/^The tenth reading/);
    expect(fateOf(7, 'noon')).toMatch(/^Reading number 7/);
    expect(fateOf(null, 'noon')).toMatch(/until noon\. Then they vanish\.$/);
  });
});
