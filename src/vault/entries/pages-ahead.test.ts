// The pages of a list, fetched ahead of what is known of it: all rows come, whatever their numbers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastIn, pagesBelow } from './pages-ahead.ts';

const SIZE = 5;

/** A server's table: its pages, what was asked of it, and how many questions it has had at once at most. */
function table(ids: readonly number[]) {
  const rows = [...ids].sort((a, b) => b - a);
  const asked: number[] = [];
  let [open, most] = [0, 0];
  return {
    asked,
    most: () => most,
    async fetchText(before: number) {
      asked.push(before);
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      const page = rows.filter((id) => id < before).slice(0, SIZE);
      return {
        text: JSON.stringify(page.map((id) => ({ title: '"id":7', id, note: '\\"id":8' }))),
        hasNext: page.length === SIZE,
      };
    },
  };
}

async function readAll(ids: readonly number[], before: number, span: number) {
  const { fetchText, asked, most } = table(ids);
  const found = new Set<number>();
  for await (const text of pagesBelow(fetchText, before, span)) {
    for (const { id } of JSON.parse(text)) found.add(id);
  }
  return { found, asked, most: most() };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test('numbers without a gap are asked for once each, several pages at a time', async () => {
  const { found, asked, most } = await readAll(upTo(42), 43, SIZE);
  expect([...found]).toEqual(upTo(42).reverse());
  expect(asked).toEqual([43, 38, 33, 28, 23, 18, 13, 8, 3]);
  expect(most).toBe(3);
});

test('no row is left out, however its neighbours lie', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 90 }),
      fc.integer({ min: 1, max: 420 }),
      fc.integer({ min: 0, max: 60 }),
      async (ids, before, span) => {
        const { found } = await readAll(ids, before, span);
        expect([...found].sort((a, b) => a - b)).toEqual(
          ids.filter((id) => id < before).sort((a, b) => a - b),
        );
      },
    ),
  );
});

test('a failing page ends it, and those on their way are nobody’s rejection', async () => {
  const { fetchText } = table(upTo(42));
  const failing = (before: number) =>
    before < 43 ? Promise.reject(new TypeError('away')) : fetchText(before);
  const read = async () => {
    for await (const _ of pagesBelow(failing, 43, SIZE));
  };
  await expect(read()).rejects.toThrow('away');
});

test('a page without rows has no last one', () => {
  expect(lastIn('[]')).toBeNull();
  expect(lastIn('[{"id":9},{"title":"x","id":4,"details":null}]')).toBe(4);
});
