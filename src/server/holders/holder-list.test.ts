// The list in memory: ranks, amounts to the last bit of a double, and no long work.
import { base58 } from '@scure/base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOLDERS_LISTED } from '../../shared/nouns/holders.ts';
import { anOwner, readingOf } from '../../testing/wallets.ts';
import { indexHolders, tokens } from './holder-list.ts';

it('finds every owner by its bytes, and nobody else', async () => {
  const list = await indexHolders(readingOf([0, 1, 2].map((n) => [anOwner(n), 300 - n * 100])));
  expect(list.count).toBe(3);
  expect(list.find(anOwner(0))).toEqual({ rank: 1, amount: 300, hasRituals: true });
  expect(list.find(anOwner(2))).toEqual({ rank: 3, amount: 100, hasRituals: true });
  expect(list.find(anOwner(3))).toBeNull();
  expect(list.find(anOwner(0).subarray(0, 31))).toBeNull();
});

it('asks for a hundred whole tokens of those who have rituals', async () => {
  const list = await indexHolders(
    readingOf([
      [anOwner(0), 100],
      [anOwner(1), 99.999999],
    ]),
  );
  expect([0, 1].map((n) => list.find(anOwner(n))?.hasRituals)).toEqual([true, false]);
});

it('names the first hundred, and counts all', async () => {
  const owners = Array.from({ length: 12_345 }, (_, n) => [anOwner(n), 20_000 - n] as const);
  const list = await indexHolders(readingOf(owners));
  expect(list.count).toBe(12_345);
  expect(list.top).toHaveLength(HOLDERS_LISTED);
  expect(list.top[99]).toEqual({ address: base58.encode(anOwner(99)), amount: 19_901, rank: 100 });
  expect(list.find(anOwner(12_344))?.rank).toBe(12_345);
});

it('gives others their turn while it is made', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await indexHolders({ rows: new Uint8Array(50_000 * 40), decimals: 0 });
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(9);
});

it('has nobody where nobody holds', async () => {
  expect(await indexHolders(readingOf([]))).toMatchObject({ count: 0, top: [] });
});

it.each([
  [1_000_000n, 6, 1],
  [1_234_567n, 6, 1.234567],
  [2n ** 64n - 1n, 9, 18_446_744_073.709553],
  [2n ** 64n - 1n, 0, 2 ** 64],
  [5n, 9, 5e-9],
])('%s base units of %i decimals are %d tokens', (balance, decimals, amount) => {
  expect(tokens(balance, decimals)).toBe(amount);
});

it('says of any balance what is nearest to it', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.integer({ min: 0, max: 19 }),
      (balance, decimals) => {
        // A decimal number is read to the nearest double, by the language's own definition.
        expect(tokens(balance, decimals)).toBe(Number(`${balance}e-${decimals}`));
      },
    ),
  );
});
