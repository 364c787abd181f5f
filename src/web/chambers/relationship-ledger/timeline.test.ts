// Moments on a line of time: in order, within the line, and never wholly on top of each other.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY } from '../../../shared/time.ts';
import { nearest, placeMoments, ticksBetween } from './timeline.ts';

const NOON = new Date(2026, 2, 12, 12).getTime();

const moments = fc
  .array(
    fc.record({
      at: fc.integer({ min: NOON - 20_000 * DAY, max: NOON }),
      weight: fc.integer({ min: 1, max: 5 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((all) => all.sort((a, b) => a.at - b.at));

describe('a place', () => {
  test('is the middle for a single moment', () => {
    expect(placeMoments([{ at: NOON, weight: 3 }])).toEqual([0.5]);
  });

  test('is an end of the line for the first and the last day', () => {
    const [first, middle, last] = placeMoments([
      { at: NOON, weight: 1 },
      { at: NOON + 5 * DAY, weight: 2 },
      { at: NOON + 10 * DAY, weight: 3 },
    ]);
    expect([first, middle, last]).toEqual([0, 0.5, 1]);
  });

  test('is side by side where one day is all there is', () => {
    const places = placeMoments([0, 1, 2].map((minute) => ({ at: NOON + minute * 60_000, weight: 4 })));
    expect(places.map((place) => place.toFixed(2))).toEqual(['0.44', '0.50', '0.56']);
  });

  test('differs for moments of one day and weight, also at the ends of the line', () => {
    const same = (at: number) => [0, 1, 2].map(() => ({ at, weight: 4 }));
    const places = placeMoments([...same(NOON - 9 * DAY), ...same(NOON - 4 * DAY), ...same(NOON)]);
    expect(new Set(places.map((place) => place.toFixed(4))).size).toBe(9);
    expect(Math.min(...places)).toBeCloseTo(0, 10);
    expect(Math.max(...places)).toBeCloseTo(1, 10);
  });

  test('lies on the line, and keeps the order within a weight and a day', () => {
    fc.assert(
      fc.property(moments, (all) => {
        const places = placeMoments(all);
        expect(places).toHaveLength(all.length);
        for (const place of places) {
          expect(place).toBeGreaterThanOrEqual(-1e-9);
          expect(place).toBeLessThanOrEqual(1 + 1e-9);
        }
        all.forEach(({ at, weight }, i) => {
          const next = all.findIndex(
            (other, j) =>
              j > i &&
              other.weight === weight &&
              new Date(other.at).toDateString() === new Date(at).toDateString(),
          );
          if (next > i) expect(places[next]).toBeGreaterThan(places[i] ?? 1);
        });
      }),
    );
  });

  test('of a crowded day stays near that day', () => {
    const crowd = Array.from({ length: 400 }, (_, i) => ({ at: NOON - 50 * DAY + i, weight: 2 }));
    const places = placeMoments([{ at: NOON - 100 * DAY, weight: 1 }, ...crowd, { at: NOON, weight: 1 }]);
    for (const place of places.slice(1, -1)) expect(Math.abs(place - 0.5)).toBeLessThan(0.04);
  });
});

describe('ticks', () => {
  const labels = (from: Date, to: Date) =>
    ticksBetween(from.getTime(), to.getTime()).map(({ label }) => label);

  test.each([
    ['days', new Date(2026, 2, 3), new Date(2026, 2, 20), []],
    ['months', new Date(2025, 10, 3), new Date(2026, 1, 20), ['Dec', '2026', 'Feb']],
    ['two years', new Date(2024, 6, 28), new Date(2026, 10, 21), ['2025', 'Jul', '2026', 'Jul']],
    ['a lifetime', new Date(1951, 3, 1), new Date(2026, 3, 1), ['1960', '1980', '2000', '2020']],
  ])('of %s', (_, from, to, expected) => {
    expect(labels(from, to)).toEqual(expected);
  });

  test('are few, on the line, in order, and have one place each', () => {
    const moment = fc.integer({
      min: Date.parse('0001-01-02T00:00:00Z'),
      max: Date.parse('9999-12-30T00:00:00Z'),
    });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const ticks = ticksBetween(Math.min(a, b), Math.max(a, b));
        expect(ticks.length).toBeLessThanOrEqual(8);
        ticks.forEach(({ place }, i) => {
          expect(place).toBeGreaterThan(ticks[i - 1]?.place ?? 0);
          expect(place).toBeLessThan(1);
        });
      }),
    );
  });
});

test('the nearest point within reach is found, the later one of two', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 10, y: 0 },
  ];
  expect(nearest(points, { x: 3, y: 1 }, 20)).toBe(0);
  expect(nearest(points, { x: 9, y: 1 }, 20)).toBe(2);
  expect(nearest(points, { x: 90, y: 1 }, 20)).toBeNull();
});
