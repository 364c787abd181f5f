// Answers with a file that a browser saves under its name. Caches keep it, and ask each time whether it is still the one.
import type { Context } from 'hono';
import type { Download } from './scroll-files.ts';

export function sendDownload(c: Context, { name, type, bytes, digest }: Download): Response {
  const tag = `"${digest}"`;
  const headers = { ETag: tag, 'Cache-Control': 'no-cache' };
  if (isKnown(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers);
  return c.body(bytes, 200, {
    ...headers,
    'Content-Type': type,
    'Content-Length': String(bytes.length),
    'Content-Disposition': `attachment; filename="${name}"`,
  });
}

/** Whether `If-None-Match` names this tag (RFC 9110, 13.1.2: weak and strong are the same there). */
function isKnown(header: string | undefined, tag: string): boolean {
  return (header ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');
}
