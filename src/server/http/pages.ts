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
