// The `Link` header of lists (RFC 8288): where the next page begins.
import type { Context } from 'hono';
import { addHeader } from './answer.ts';

/** Names the next page when this one is full. `page` is newest first. */
export function linkNextPage(c: Context, path: string, limit: number, page: { id: number }[]): void {
  const last = page.at(-1);
  if (last && page.length === limit)
    addHeader(c, 'Link', `<${path}?limit=${limit}&before=${last.id}>; rel="next"`);
}
