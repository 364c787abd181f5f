import { describe, expect, it } from 'vitest';
import { askedFor } from './ranges.ts';

const tag = '"abc"';
const asked = (range?: string, ifRange?: string, ifNoneMatch?: string, length = 1000) =>
  askedFor({ range, ifRange, ifNoneMatch }, { tag, length });

describe('which bytes are asked for', () => {
  it.each<[string | undefined, ReturnType<typeof asked>]>([
    [undefined, 'whole'],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-', { first: 0, last: 999 }],
    ['bytes=0-499', { first: 0, last: 499 }],
    ['bytes=500-999', { first: 500, last: 999 }],
    ['bytes=500-5000', { first: 500, last: 999 }],
    ['bytes=999-', { first: 999, last: 999 }],
    ['Bytes=1-2', { first: 1, last: 2 }],
    ['bytes= 1 - 2 ', { first: 1, last: 2 }],
    ['bytes=-1', { first: 999, last: 999 }],
    ['bytes=-500', { first: 500, last: 999 }],
    ['bytes=-5000', { first: 0, last: 999 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=1000-2000', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
    [`bytes=0-${'9'.repeat(400)}`, { first: 0, last: 999 }],
    // What is no range is not looked at (RFC 9110, 14.2).
    ['bytes=5-4', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=0x1-2', 'whole'],
    ['bytes=0-0,2-3', 'whole'],
    ['bytes 0-1', 'whole'],
    ['items=0-1', 'whole'],
    ['', 'whole'],
  ])('by %s', (range, expected) => {
    expect(asked(range)).toEqual(expected);
  });

  it.each<[string, ReturnType<typeof asked>]>([
    ['"abc"', { first: 0, last: 4 }],
    ['"other"', 'whole'],
    ['W/"abc"', 'whole'],
    ['Sat, 01 Jan 2028 00:00:00 GMT', 'whole'],
    ['', 'whole'],
  ])('if the part is still of %s', (ifRange, expected) => {
    expect(asked('bytes=0-4', ifRange)).toEqual(expected);
  });

  it.each<[string, ReturnType<typeof asked>]>([
    ['"abc"', 'unchanged'],
    ['W/"abc"', 'unchanged'],
    ['"x", W/"y", "abc"', 'unchanged'],
    ['*', 'unchanged'],
    ['"x"', { first: 0, last: 4 }],
    ['abc', { first: 0, last: 4 }],
    ['', { first: 0, last: 4 }],
  ])('if none of %s is there', (ifNoneMatch, expected) => {
    expect(asked('bytes=0-4', undefined, ifNoneMatch)).toEqual(expected);
  });

  it.each(['bytes=', 'bytes=0-', 'bytes=-'])(
    'of a header that is as long as one may be, %s, at once',
    (start) => {
      // With a pattern that tries every way to share the spaces, this takes minutes.
      for (const spaces of [' '.repeat(500_000), '\t '.repeat(250_000)]) {
        expect(asked(`${start}${spaces}x`)).toBe('whole');
        expect(asked(undefined, `${spaces}"abc"x`)).toBe('whole');
        expect(asked(undefined, undefined, `${spaces}"abc"x`)).toBe('unchanged');
      }
    },
  );

  it('of nothing', () => {
    expect(asked('bytes=0-', undefined, undefined, 0)).toBe('unsatisfiable');
    expect(asked('bytes=-1', undefined, undefined, 0)).toBe('unsatisfiable');
    expect(asked(undefined, undefined, undefined, 0)).toBe('whole');
  });
});
