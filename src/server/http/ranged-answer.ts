// Answers what may be asked for by ranges of bytes: 200, 206, 304 or 416 (ranges.ts).
import type { Context } from 'hono';
import { askedFor } from './ranges.ts';

interface Representation {
  /** The strong entity tag, with its quotes. */
  tag: string;
  /** In bytes. */
  length: number;
  /** What else it has: its type, and for how long it may be kept. */
  headers: Readonly<Record<string, string>>;
}

/**
 * @param body the bytes from one position to another, both inclusive; asked for once, and not for HEAD. What it throws is
 *   thrown before anything is answered
 */
export async function answerRange(
  c: Context,
  { tag, length, headers: own }: Representation,
  body: (first: number, last: number) => ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>,
): Promise<Response> {
  const header = (name: string) => c.req.header(name);
  const isHead = c.req.method === 'HEAD';
  const asked = askedFor(
    // Ranges are of GET alone (RFC 9110, 14.2).
    {
      range: isHead ? undefined : header('range'),
      ifRange: header('if-range'),
      ifNoneMatch: header('if-none-match'),
    },
    { tag, length },
  );
  const { 'Content-Type': type = 'application/octet-stream', ...rest } = own;
  const headers = { ETag: tag, 'Accept-Ranges': 'bytes', ...rest };
  if (asked === 'unchanged') return new Response(null, { status: 304, headers });
  if (asked === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${length}` } });
  }
  const { first, last } = asked === 'whole' ? { first: 0, last: length - 1 } : asked;
  return new Response(isHead ? null : await body(first, last), {
    status: asked === 'whole' ? 200 : 206,
    headers: {
      ...headers,
      'Content-Type': type,
      'Content-Length': String(last - first + 1),
      ...(asked === 'whole' ? {} : { 'Content-Range': `bytes ${first}-${last}/${length}` }),
    },
  });
}
