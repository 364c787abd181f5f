// Pages that were made to be looked at for ever.
import { expect, test } from 'vitest';
import { findFinders } from './finders.ts';
import type { GrayImage } from './gray.ts';

/** The square in the corner of a code, in modules. */
const SQUARE = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];

/** A page of squares. @param wide their modules, in pixels, by their places: left, top */
function pageOf(side: number, squares: readonly (readonly [left: number, top: number, wide: number])[]) {
  const image: GrayImage = { width: side, height: side, luma: new Uint8Array() };
  const dark = new Uint8Array(side * side);
  for (const [left, top, wide] of squares)
    for (let y = 0; y < 7 * wide; y++)
      for (let x = 0; x < 7 * wide; x++)
        dark[(top + y) * side + left + x] = Number(SQUARE[Math.floor(y / wide)]?.[Math.floor(x / wide)]);
  return { image, dark };
}

test('of a page full of squares the largest are looked at, and no more than can be compared', () => {
  const small = Array.from(
    { length: 400 },
    (_, at) => [4 + 20 * (at % 20), 4 + 20 * Math.floor(at / 20), 2] as const,
  );
  const code = [
    [20, 420, 6],
    [300, 420, 6],
    [20, 700, 6],
  ] as const;
  const { image, dark } = pageOf(800, [...small, ...code]);
  const finders = findFinders(image, dark);
  expect(finders).toHaveLength(120);
  expect(finders.filter(({ module }) => Math.round(module) === 6)).toHaveLength(3);
});
