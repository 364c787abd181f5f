import { beforeAll, describe, expect, test } from 'vitest';
import { draftEntry, emptyBook, type ShownEntry } from './book.ts';
import type { Pin } from './book-entry.ts';
import { historyOf } from './book-history.ts';
import { generateVaultKey } from './vault-key.ts';

const [key, older] = [generateVaultKey(), generateVaultKey()];
const AUTHOR = { device: 'Firefox on Linux', at: 1_924_992_000_000 };

/** Five entries, the first two under an older key. */
async function aBook(): Promise<{ shown: ShownEntry[]; head: Pin }> {
  const shown: ShownEntry[] = [];
  let book = emptyBook();
  for (let n = 1; n <= 5; n += 1) {
    const { sealed, next } = await draftEntry(book, {}, AUTHOR, n <= 2 ? older : key);
    shown.push({ n, sealed });
    book = next;
  }
  return { shown, head: book.head };
}

let shown: ShownEntry[];
let head: Pin;
beforeAll(async () => {
  ({ shown, head } = await aBook());
});
const numbers = async (...args: Parameters<typeof historyOf>) => (await historyOf(...args)).map(({ n }) => n);

describe('the past of a book', () => {
  test('is told from its head back, with the hash of each entry', async () => {
    const past = await historyOf(head, shown, [key, older]);
    expect(past.map(({ n }) => n)).toEqual([5, 4, 3, 2, 1]);
    expect(past[0]).toMatchObject({ ...head, ...AUTHOR });
    for (const [i, { previous }] of past.slice(0, -1).entries()) expect(past[i + 1]?.hash).toBe(previous);
  });

  test('begins at what was followed, whatever stands behind it', async () => {
    const past = await historyOf(head, shown, [key, older]);
    const third = { n: 3, hash: past[2]?.hash ?? '' };
    expect(await numbers(third, shown, [key, older])).toEqual([3, 2, 1]);
  });

  test('ends where an entry is missing, was exchanged, or does not open', async () => {
    const keys = [key, older];
    expect(
      await numbers(
        head,
        shown.filter(({ n }) => n !== 3),
        keys,
      ),
    ).toEqual([5, 4]);
    const other = await aBook();
    const exchanged = shown.map((one) => (one.n === 3 ? (other.shown[2] ?? one) : one));
    expect(await numbers(head, exchanged, keys)).toEqual([5, 4]);
    expect(
      await numbers(
        head,
        shown.map((one) => (one.n === 3 ? { n: 3, sealed: '?' } : one)),
        keys,
      ),
    ).toEqual([5, 4]);
    expect(await numbers(head, shown, [key])).toEqual([5, 4, 3]);
  });

  test('is nothing where the head is not shown, or is another one', async () => {
    expect(await numbers(head, shown.slice(0, -1), [key, older])).toEqual([]);
    expect(await numbers({ ...head, hash: 'A'.repeat(43) }, shown, [key, older])).toEqual([]);
    expect(await numbers({ ...head, n: 4 }, shown, [key, older])).toEqual([]);
    expect(await numbers(emptyBook().head, [], [key])).toEqual([]);
  });
});
