// Pages of lists: how much one may weigh, and the `Link` header (RFC 8288) that says where the next one begins.
import { setImmediate } from 'node:timers/promises';
import type { Context } from 'hono';
import { PAGE_MAX } from '../../shared/http/wire.ts';
import { addHeader } from './answer.ts';

export interface Page<T> {
  /** Newest first. */
  rows: T[];
  /** Whether another page may follow. */
  more: boolean;
}

/** What a list is asked for: a page of so many rows at most, or all of it; from the newest row on, or behind one. */
export interface Asked {
  limit?: number | undefined;
  before?: number | undefined;
  /** Called before rows of this weight are read. It may wait for a turn, or throw where nobody listens any more. */
  beforeRows?: (weight: number) => Promise<void>;
}

/** The most ciphertext in one page, in characters: a page of the largest entries must not fill the memory. */
export const PAGE_WEIGHT = 8 * 1024 * 1024;
/** The most that a whole list answers, in characters. */
export const LIST_WEIGHT = 16 * 1024 * 1024;
/** How much of a whole list is read before others get their turn, in characters. */
const SLICE_WEIGHT = 4 * 1024 * 1024;
/** Rows of this weight are read without waiting for a turn. */
export const LIGHT_WEIGHT = 1024 * 1024;
/** What a row weighs besides its ciphertext. Rows of no list have more names, numbers and times. */
export const ROW_WEIGHT = 1024;

/** How many rows of these sizes, from the first on, weigh no more than this. */
export function rowsWithin(sizes: readonly number[], weight: number): number {
  let sum = 0;
  const over = sizes.findIndex((size) => {
    sum += size;
    return sum > weight;
  });
  return over === -1 ? sizes.length : over;
}

/** Chooses as many rows of these sizes as are no heavy answer, and one at least. @param beforeRows as of `Asked` */
export const lightRows =
  (beforeRows: (weight: number) => Promise<void>) =>
  async (sizes: readonly number[]): Promise<number> => {
    const fitting = Math.max(rowsWithin(sizes, LIGHT_WEIGHT), 1);
    await beforeRows(sizes.slice(0, fitting).reduce((all, one) => all + one, 0));
    return fitting;
  };

/** Which rows are asked of the database: those before a number, so many at most. */
export interface Slice {
  limit: number;
  before: number;
}

/** Reads rows of one list, newest first. */
export interface Reading<Row> {
  /** How much ciphertext the rows of a slice hold, without reading them whole. Left out where rows hold none. */
  sizes?: (slice: Slice) => Promise<{ size: number }[]>;
  rows: (slice: Slice) => Promise<Row[]>;
}

/**
 * Reads what was asked for: a page, which is shorter where its rows are so large that an answer would grow too heavy, or
 * the whole list, which ends where it would. One row is read however large it is.
 */
export function readPage<Row extends { id: number }>(
  { limit, before = Number.MAX_SAFE_INTEGER, beforeRows = async () => {} }: Asked,
  reading: Reading<Row>,
): Promise<Page<Row>> {
  return limit === undefined
    ? readWhole(before, reading, beforeRows)
    : readSlice({ limit, before }, reading, PAGE_WEIGHT, beforeRows);
}

/** As many rows of a slice as weigh no more than this, and at least one. */
async function readSlice<Row>(
  { limit, before }: Slice,
  { sizes, rows }: Reading<Row>,
  weight: number,
  beforeRows: (weight: number) => Promise<void>,
): Promise<Page<Row> & { weight: number }> {
  const weighed = sizes
    ? (await sizes({ limit, before })).map(({ size }) => Number(size) + ROW_WEIGHT)
    : Array<number>(limit).fill(ROW_WEIGHT);
  const fitting = Math.max(rowsWithin(weighed, weight), 1);
  const cut = fitting < weighed.length;
  // Uncut, the page keeps its own limit: a row that has come meanwhile must not push the last one out unseen.
  const asked = cut ? fitting : limit;
  const weightOf = (count: number) => weighed.slice(0, count).reduce((all, one) => all + one, 0);
  await beforeRows(weightOf(asked));
  const page = await rows({ limit: asked, before });
  return {
    rows: page,
    more: (cut && sizes !== undefined) || page.length === asked,
    weight: weightOf(page.length),
  };
}

/** Slice by slice, so that nobody else waits for the whole of a long list. */
async function readWhole<Row extends { id: number }>(
  before: number,
  reading: Reading<Row>,
  beforeRows: (weight: number) => Promise<void>,
): Promise<Page<Row>> {
  const all: Row[] = [];
  for (let [room, from] = [LIST_WEIGHT, before]; ; ) {
    const slice = { limit: PAGE_MAX, before: from };
    const sofar = LIST_WEIGHT - room;
    // Many light slices are a heavy list.
    const beforeSlice = (weight: number) => beforeRows(sofar + weight);
    const { rows, more, weight } = await readSlice(slice, reading, Math.min(room, SLICE_WEIGHT), beforeSlice);
    room -= weight;
    // The first row of a slice is read however large it is; in a list that has others it waits for the next answer.
    if (room < 0 && all.length > 0) return { rows: all, more: true };
    all.push(...rows);
    const last = rows.at(-1);
    if (!last || !more || room <= 0) return { rows: all, more: more && rows.length > 0 };
    from = last.id;
    await setImmediate();
  }
}

/**
 * Names the next page when there may be one.
 * @param asked the whole query: what else it asks for is asked of the next page, too
 */
export function linkNextPage(
  c: Context,
  path: string,
  { before: _, ...asked }: Pick<Asked, 'limit' | 'before'>,
  { rows, more }: Page<{ id: number }>,
): void {
  const last = rows.at(-1);
  if (!last || !more) return;
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) next.set(name, String(value));
  next.set('before', String(last.id));
  addHeader(c, 'Link', `<${path}?${next}>; rel="next"`);
}
