import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  LIGHT_WEIGHT,
  LIST_WEIGHT,
  PAGE_WEIGHT,
  type Page,
  ROW_WEIGHT,
  readPage,
  rowsWithin,
  type Slice,
} from './pages.ts';

describe('a page’s weight', () => {
  it('takes rows until the next one would be too much', () => {
    expect(rowsWithin([], 10)).toBe(0);
    expect(rowsWithin([3, 3, 3], 10)).toBe(3);
    expect(rowsWithin([5, 5, 1], 10)).toBe(2);
    expect(rowsWithin([4, 4, 4], 10)).toBe(2);
    expect(rowsWithin([100], 10)).toBe(0);
  });
});

/** A table of rows with these sizes, the oldest first, and every slice that was asked of it. */
function aTable(sizes: number[]) {
  const slices: Slice[] = [];
  const of = ({ limit, before }: Slice) => {
    const first = Math.min(before - 1, sizes.length);
    return Array.from({ length: Math.min(limit, first) }, (_, i) => ({
      id: first - i,
      size: sizes[first - i - 1] ?? 0,
    }));
  };
  const reading = {
    sizes: async (slice: Slice) => of(slice),
    rows: async (slice: Slice) => {
      slices.push(slice);
      return of(slice);
    },
  };
  return { reading, slices, unsized: { rows: reading.rows } };
}

const idsOf = ({ rows }: Page<{ id: number }>) => rows.map(({ id }) => id);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => n - i);

describe('a page', () => {
  it('has as many rows as were asked for, and says whether more may follow', async () => {
    const { reading, unsized } = aTable([1, 1, 1, 1, 1]);
    for (const one of [reading, unsized]) {
      const page = await readPage({ limit: 3 }, one);
      expect(idsOf(page)).toEqual([5, 4, 3]);
      expect(page.more).toBe(true);
      expect(await readPage({ limit: 3, before: 3 }, one)).toMatchObject({ rows: [{}, {}], more: false });
    }
  });

  it('is shorter where its rows are heavy, and has one row however heavy', async () => {
    const half = PAGE_WEIGHT / 2;
    const { reading } = aTable([PAGE_WEIGHT * 2, half, half - ROW_WEIGHT, half - ROW_WEIGHT]);
    expect(idsOf(await readPage({ limit: 100 }, reading))).toEqual([4, 3]);
    expect(idsOf(await readPage({ limit: 100, before: 3 }, reading))).toEqual([2]);
    expect(idsOf(await readPage({ limit: 100, before: 2 }, reading))).toEqual([1]);
  });
});

describe('a whole list', () => {
  it('has every row, and nothing follows', async () => {
    for (const n of [0, 1, 499, 500, 501, 1500]) {
      const { reading, unsized } = aTable(Array(n).fill(10));
      for (const one of [reading, unsized]) {
        const page = await readPage({}, one);
        expect(idsOf(page)).toEqual(upTo(n));
        expect(page.more).toBe(false);
      }
    }
  });

  it('begins behind a row', async () => {
    const { reading } = aTable(Array(1500).fill(10));
    expect(idsOf(await readPage({ before: 1201 }, reading))).toEqual(upTo(1200));
  });

  it('ends before it would grow too heavy, says that more follows, and loses no row on the way', async () => {
    const heavy = 3 * 1024 * 1024;
    const { reading } = aTable([...Array(9).fill(heavy), LIST_WEIGHT * 2, ...Array(700).fill(10)]);
    const seen: number[] = [];
    let before: number | undefined;
    for (let more = true; more; ) {
      const page = await readPage({ before }, reading);
      const ids = idsOf(page);
      seen.push(...ids);
      before = ids.at(-1);
      more = page.more;
      const weights = page.rows.map(({ size }) => size + ROW_WEIGHT);
      if (ids.length > 1) expect(weights.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(LIST_WEIGHT);
    }
    expect(seen).toEqual(upTo(710));
  });

  it('lets others in between its slices, and reads no row far beyond its end', async () => {
    const { reading, slices } = aTable(Array(100_000).fill(10));
    let turns = 0;
    let ended = false;
    const others = (async () => {
      for (; !ended; turns += 1) await setImmediate();
    })();
    const page = await readPage({}, reading);
    ended = true;
    await others;
    expect(page.more).toBe(true);
    expect(turns).toBeGreaterThanOrEqual(slices.length - 1);
    expect(slices.reduce((sum, { limit }) => sum + limit, 0)).toBeLessThanOrEqual(page.rows.length + 500);
  });
});

describe('a turn', () => {
  it('is asked for by the weight of all that is read, also where each slice is light', async () => {
    const { reading } = aTable(Array.from({ length: 3000 }, () => 1000));
    const weights: number[] = [];
    const beforeRows = async (weight: number) => void weights.push(weight);
    await readPage({ beforeRows }, reading);
    const slice = 500 * (1000 + ROW_WEIGHT);
    expect(slice).toBeLessThan(LIGHT_WEIGHT);
    expect(weights.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6].map((n) => n * slice));
  });
});
