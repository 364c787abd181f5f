import { describe, expect, it } from 'vitest';
import { formatSpan } from './moments.ts';

const [MINUTE, HOUR] = [60_000, 60 * 60_000];

describe('lengths of time', () => {
  it.each([
    [1, '1 minute'],
    [90 * MINUTE, '90 minutes'],
    [2 * HOUR + 1, '3 hours'],
    [48 * HOUR, '48 hours'],
    [48 * HOUR + 1, '3 days'],
    [72 * HOUR, '3 days'],
  ])('a span of %i ms is told as %s, never as less', (span, words) => {
    expect(formatSpan(span)).toBe(words);
  });
});
