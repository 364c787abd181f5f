import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksMissing, gatherIn, type Spread, spreadOut } from './erasure.ts';
import { inverse, multiply } from './galois.ts';
import { drawing } from './testing/scan.ts';

test('the field is one: every element but 0 has an inverse, and multiplying is as by hand', () => {
  const byHand = (a: number, b: number) => {
    let product = 0;
    for (let bit = 7; bit >= 0; bit--) {
      product = (product << 1) ^ (product & 0x80 ? 0x11d : 0);
      if (b & (1 << bit)) product ^= a;
    }
    return product;
  };
  for (let a = 0; a < 256; a++) {
    for (let b = 0; b < 256; b++) if (multiply(a, b) !== byHand(a, b)) expect([a, b]).toBeNull();
    if (a > 0) expect(multiply(a, inverse(a))).toBe(1);
  }
  expect(() => inverse(0)).toThrow(RangeError);
});

const shuffled = (count: number, draw: () => number) =>
  Array.from({ length: count }, (_, n) => ({ n, at: draw() }))
    .sort((a, b) => a.at - b.at)
    .map(({ n }) => n);

const anySpread = fc.record({
  seed: fc.nat(),
  data: fc.integer({ min: 1, max: 40 }),
  spare: fc.integer({ min: 0, max: 40 }),
  stripes: fc.constantFrom(1, 2, 3, 6),
  blockBytes: fc.integer({ min: 1, max: 9 }),
});

test('any blocks are enough as soon as no stripe lacks one, and none before', () => {
  fc.assert(
    fc.property(anySpread, ({ seed, data, spare, stripes, blockBytes }) => {
      const draw = drawing(seed);
      const spread: Spread = { blockBytes, data, total: data + spare, stripes };
      const bytes = Uint8Array.from({ length: data * blockBytes - (data > 1 ? 1 : 0) }, () => 256 * draw());
      const blocks = spreadOut(bytes, spread);
      const have = new Map<number, Uint8Array>();
      for (const n of shuffled(spread.total, draw)) {
        const missing = blocksMissing(new Set(have.keys()), spread);
        const gathered = gatherIn(have, spread);
        expect(gathered === null).toBe(missing > 0);
        if (gathered) expect(gathered.subarray(0, bytes.length)).toEqual(bytes);
        have.set(n, blocks[n]);
      }
      expect(gatherIn(have, spread)?.subarray(0, bytes.length)).toEqual(bytes);
    }),
    { numRuns: 60 },
  );
});

test('a stripe of 256 blocks, of which all that carry the bytes are lost', () => {
  const spread: Spread = { blockBytes: 3, data: 128, total: 256, stripes: 1 };
  const bytes = Uint8Array.from({ length: 384 }, (_, i) => i * 7);
  const blocks = spreadOut(bytes, spread);
  const spare = new Map(blocks.map((block, n) => [n, block] as const).slice(128));
  expect(gatherIn(spare, spread)).toEqual(bytes);
  spare.delete(200);
  expect(blocksMissing(new Set(spare.keys()), spread)).toBe(1);
  expect(gatherIn(spare, spread)).toBeNull();
});

test('what does not fit is refused', () => {
  const spread: Spread = { blockBytes: 2, data: 2, total: 4, stripes: 1 };
  expect(() => spreadOut(new Uint8Array(5), spread)).toThrow(RangeError);
  expect(() => spreadOut(new Uint8Array(4), { ...spread, total: 257 })).toThrow(RangeError);
  expect(() => spreadOut(new Uint8Array(4), { ...spread, total: 1 })).toThrow(RangeError);
});
