import { describe, expect, it } from 'vitest';
import { DAY, formatDuration, HOUR, MINUTE, SECOND } from './time.ts';

describe('a duration is told in the unit that fits, and never as less than it is', () => {
  it.each([
    [1, '1 minute'],
    [90 * MINUTE, '90 minutes'],
    [2 * HOUR, '120 minutes'],
    [2 * HOUR + 1, '3 hours'],
    [2 * DAY, '48 hours'],
    [2 * DAY + 1, '3 days'],
    [3 * DAY, '3 days'],
  ])('%i ms: %s', (duration, words) => {
    expect(formatDuration(duration)).toBe(words);
  });

  it.each([
    [0, '1 second'],
    [40 * SECOND, '40 seconds'],
    [90 * SECOND, '90 seconds'],
    [90 * SECOND + 1, '2 minutes'],
    [10 * MINUTE, '10 minutes'],
    [DAY, '24 hours'],
  ])('%i ms, in seconds where it is short: %s', (duration, words) => {
    expect(formatDuration(duration, 'second')).toBe(words);
  });
});
