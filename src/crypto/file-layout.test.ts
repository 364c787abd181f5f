// Lengths and ranges of files: each against a plain count of bytes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  layoutOf,
  paddedLength,
  type Range,
  sealedLength,
  segmentRange,
  segmentsOfPlain,
  segmentsOfSealed,
} from './file-layout.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** A file of a few bytes has many segments with these. */
const STEPS = { small: 4, segment: 16 };

const lengths = fc.integer({ min: 0, max: 200 });
/** A layout, and a range that is not empty of what `length` says of it. */
const aRange = (length: (layout: ReturnType<typeof layoutOf>) => number) =>
  lengths
    .map((bytes) => layoutOf(bytes, STEPS))
    .filter((layout) => length(layout) > 0)
    .chain((layout) =>
      fc
        .tuple(fc.nat(length(layout) - 1), fc.integer({ min: 1, max: length(layout) }))
        .filter(([from, to]) => from < to)
        .map(([from, to]) => ({ layout, range: { from, to } })),
    );

test.each([
  [0, 64 * KIB, 1],
  [1, 64 * KIB, 1],
  [64 * KIB, 64 * KIB, 1],
  [64 * KIB + 1, 128 * KIB, 1],
  [MIB - 1, MIB, 1],
  [MIB, MIB, 1],
  [MIB + 1, 2 * MIB, 2],
  [2 * MIB, 2 * MIB, 2],
  [5 * 1024 * MIB + 1, 5 * 1024 * MIB + MIB, 5121],
])('a file of %i bytes is padded to %i and has %i segments', (bytes, padded, segments) => {
  expect(paddedLength(bytes)).toBe(padded);
  expect(sealedLength(bytes)).toBe(padded + 16 * segments);
  expect(layoutOf(bytes)).toEqual({
    ...{ bytes, padded, segments },
    ...{ sealed: padded + 16 * segments, segmentBytes: MIB },
  });
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2 ** 53 - 1])(
  '%d is no length',
  (bytes) => {
    expect(() => layoutOf(bytes)).toThrow(RangeError);
  },
);

test('a larger file never has a shorter ciphertext, and its padding is in its last segment', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 40 }), fc.nat({ max: 4 * MIB }), (bytes, more) => {
      expect(sealedLength(bytes + more)).toBeGreaterThanOrEqual(sealedLength(bytes));
      const { padded, segments, segmentBytes } = layoutOf(bytes);
      expect(padded).toBeGreaterThanOrEqual(bytes);
      if (bytes > 0) expect(bytes).toBeGreaterThan((segments - 1) * segmentBytes);
    }),
  );
});

describe('segments', () => {
  test('are all of a file and all of its ciphertext, one after the other', () => {
    fc.assert(
      fc.property(lengths, (bytes) => {
        const layout = layoutOf(bytes, STEPS);
        const ranges = Array.from({ length: layout.segments }, (_, index) => segmentRange(layout, index));
        const end: { plain: number; sealed: number } = { plain: 0, sealed: 0 };
        for (const { plain, sealed } of ranges) {
          expect([plain.from, sealed.from]).toEqual([end.plain, end.sealed]);
          [end.plain, end.sealed] = [plain.to, sealed.to];
        }
        expect(end).toEqual({ plain: bytes, sealed: layout.sealed });
      }),
    );
  });

  test.each([-1, 3, 0.5, Number.NaN])('%d is none of three', (index) => {
    expect(() => segmentRange(layoutOf(3 * MIB), index)).toThrow(RangeError);
  });
});

/** Which segments have a byte of a range, counted. */
const counted = (layout: ReturnType<typeof layoutOf>, range: Range, of: 'plain' | 'sealed') =>
  Array.from({ length: layout.segments }, (_, index) => index).filter((index) => {
    const { from, to } = segmentRange(layout, index)[of];
    return from < range.to && range.from < to;
  });

describe('a range', () => {
  test('of a file is read from the segments that have a byte of it, and no others', () => {
    fc.assert(
      fc.property(
        aRange(({ bytes }) => bytes),
        ({ layout, range }) => {
          const { first, end, sealed } = segmentsOfPlain(layout, range);
          const needed = counted(layout, range, 'plain');
          expect([first, end - 1]).toEqual([needed[0], needed.at(-1)]);
          expect(sealed.from).toBe(segmentRange(layout, first).sealed.from);
          expect(sealed.to).toBe(segmentRange(layout, end - 1).sealed.to);
        },
      ),
    );
  });

  test('of a ciphertext is made of the segments that have a byte of it, and no others', () => {
    fc.assert(
      fc.property(
        aRange(({ sealed }) => sealed),
        ({ layout, range }) => {
          const { first, end } = segmentsOfSealed(layout, range);
          const needed = counted(layout, range, 'sealed');
          expect([first, end - 1]).toEqual([needed[0], needed.at(-1)]);
        },
      ),
    );
  });

  test.each([
    [0, 0],
    [5, 4],
    [-1, 4],
    [0, 11],
    [0.5, 4],
    [0, Number.NaN],
  ])('from %d to %d is none of a file of ten bytes', (from, to) => {
    expect(() => segmentsOfPlain(layoutOf(10), { from, to })).toThrow(RangeError);
  });
});
