import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, placeToast } from './toast-place.ts';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const TOAST = { width: 420, height: 120 };
const SHEET = { width: 390, height: 120 };

const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const isFree = (place: { left: number; top: number }, { width, height }: typeof TOAST, controls: Box[]) =>
  controls.every(
    (one) =>
      one.right <= place.left ||
      one.left >= place.left + width ||
      one.bottom <= place.top ||
      one.top >= place.top + height,
  );

describe('a toast', () => {
  it('stands in the lower right corner where nothing is', () => {
    expect(placeToast(WIDE, TOAST, [])).toEqual({ left: 1020, top: 780, hides: false });
  });

  it('rises above the buttons at the foot of a narrow window', () => {
    const controls = [box(20, 780, 170, 48), box(200, 780, 170, 48)];
    const place = placeToast(NARROW, SHEET, controls);
    expect(place.left).toBe(0);
    expect(isFree(place, SHEET, controls)).toBe(true);
    expect(place.top).toBeGreaterThan(600);
  });

  it('goes to the other side where its own is full', () => {
    const controls = [box(1000, 0, 440, 900)];
    expect(isFree(placeToast(WIDE, TOAST, controls), TOAST, controls)).toBe(true);
  });

  it('stays where it is while nothing is beneath it', () => {
    expect(placeToast(WIDE, TOAST, [], { left: 0, top: 300 })).toEqual({ left: 0, top: 300, hides: false });
  });

  it('hides the middle of no control where rows fill the window', () => {
    const rows = Array.from({ length: 6 }, (_, i) => box(0, i * 140, 390, 140));
    const { top, hides } = placeToast(NARROW, SHEET, rows);
    expect(hides).toBe(true);
    for (const row of rows) {
      const middle = (row.top + row.bottom) / 2;
      expect(middle >= top && middle <= top + SHEET.height).toBe(false);
    }
  });

  it('is always within the window, and off every control where there is room at its side', () => {
    const control = fc.record({
      left: fc.integer({ min: 0, max: 980 }),
      top: fc.integer({ min: 0, max: 860 }),
    });
    fc.assert(
      fc.property(fc.array(control, { maxLength: 30 }), (places) => {
        const controls = places.map(({ left, top }) => box(left % 560, top, 40, 40));
        const place = placeToast(WIDE, TOAST, controls);
        expect(place.left).toBeGreaterThanOrEqual(0);
        expect(place.left + TOAST.width).toBeLessThanOrEqual(WIDE.width);
        expect(place.top).toBeGreaterThanOrEqual(0);
        expect(isFree(place, TOAST, controls)).toBe(true);
      }),
    );
  });
});
