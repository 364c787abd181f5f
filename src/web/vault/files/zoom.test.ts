import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moved, SCALE_MAX, type View, WHOLE, zoomed } from './zoom.ts';

const place = { width: 400, height: 300 };
const point = fc.record({ x: fc.integer({ min: -200, max: 200 }), y: fc.integer({ min: -150, max: 150 }) });
const steps = fc.array(
  fc.oneof(
    fc.record({ factor: fc.double({ min: 0.2, max: 5, noNaN: true }), at: point }),
    fc.record({ by: point }),
  ),
);
const reach = (scale: number, length: number) => ((scale - 1) * length) / 2 + 1e-6;

test('a picture is never smaller than its place, and never leaves it, whatever is done', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const view = all.reduce<View>(
        (now, step) => ('by' in step ? moved(now, step.by, place) : zoomed(now, step.factor, step.at, place)),
        WHOLE,
      );
      expect(view.scale).toBeGreaterThanOrEqual(1);
      expect(view.scale).toBeLessThanOrEqual(SCALE_MAX);
      expect(Math.abs(view.x)).toBeLessThanOrEqual(reach(view.scale, place.width));
      expect(Math.abs(view.y)).toBeLessThanOrEqual(reach(view.scale, place.height));
    }),
  );
});

test('what stands under the fingers stays there', () => {
  const view = zoomed(WHOLE, 2, { x: 100, y: -50 }, place);
  expect(view).toEqual({ scale: 2, x: -100, y: 50 });
  // The point of the picture at (100, -50) is drawn there still.
  expect({ x: 100 * 2 + view.x, y: -50 * 2 + view.y }).toEqual({ x: 100, y: -50 });
  expect(zoomed(view, 0.5, { x: 100, y: -50 }, place)).toEqual(WHOLE);
});

test('a picture that is not enlarged is not moved', () => {
  expect(moved(WHOLE, { x: 30, y: 30 }, place)).toEqual(WHOLE);
});
