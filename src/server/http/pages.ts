// Pages of lists: how much one may weigh, and the `Link` header (RFC 8288) that says where the next one begins.
import type { Context } from 'hono';
import { addHeader } from './answer.ts';

export interface Page<T> {
  /** Newest first. */
  rows: T[];
  /** Whether another page may follow. */
  more: boolean;
}

/** The most ciphertext in one answer, in characters: a page of the largest entries must not fill the memory. */
export const PAGE_WEIGHT = 8 * 1024 * 1024;

/** How many rows of these sizes, from the first on, make one page: at least one, however large. */
export function rowsWithin(sizes: readonly number[], weight: number = PAGE_WEIGHT): number {
  let sum = 0;
  const over = sizes.findIndex((size) => {
    sum += size;
    return sum > weight;
  });
  return over === -1 ? sizes.length : Math.max(over, 1);
}

/** Which rows a page is asked of: those before a number, so many at most. */
export interface Slice {
  limit: number;
  before: number;
}

/**
 * Reads one page: `limit` rows, or fewer where they are so large that an answer would grow too heavy.
 * @param sizes answers how large the rows of a slice are, newest first, without reading them whole
 * @param rows reads them
 */
export async function readPage<Row>(
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
  sizes: (slice: Slice) => Promise<{ size: number }[]>,
  rows: (slice: Slice) => Promise<Row[]>,
): Promise<Page<Row>> {
  const weighed = (await sizes({ limit, before })).map(({ size }) => size);
  const fitting = rowsWithin(weighed);
  const cut = fitting < weighed.length;
  // Uncut, the page keeps its own limit: a row that has come meanwhile must not push the last one out unseen.
  const page = await rows({ limit: cut ? fitting : limit, before });
  return { rows: page, more: cut || page.length === limit };
}

/** Names the next page when there may be one. */
export function linkNextPage(
  c: Context,
  path: string,
  limit: number,
  { rows, more }: Page<{ id: number }>,
): void {
  const last = rows.at(-1);
  if (last && more) addHeader(c, 'Link', `<${path}?limit=${limit}&before=${last.id}>; rel="next"`);
}
