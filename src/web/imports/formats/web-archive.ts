// A web page in one file (MHTML), as OneNote for Windows exports pages and sections: a mail whose first part is HTML
// (RFC 2557).
import type { Bytes } from '../../../crypto/encoding.ts';
import type { FilesBeside } from '../files-beside.ts';
import { type LeftOutList, type ParsedEntry, Refused } from '../imported-entry.ts';
import { parseMarkup } from '../markup/parse-markup.ts';
import { parseWebPage } from './web-page.ts';

/** Whether a text is such a page: a mail of parts that says so in its head. */
export function isWebArchive(text: string): boolean {
  const { head } = partOf(text.slice(0, 20_000));
  return /^mime-version:/im.test(head) && /^content-type:\s*multipart\/related/im.test(unfolded(head));
}

interface ReadingOf {
  leftOut: LeftOutList;
  /** Where its pictures can be found afterwards. */
  beside: FilesBeside;
}

/** The page as an entry, with its pictures. @throws Refused `damaged` where it has no page that can be read */
export function parseWebArchive(path: string, text: string, { leftOut, beside }: ReadingOf): ParsedEntry[] {
  const { head, body } = partOf(text);
  const boundary = /boundary="?([^"\s;]{1,200})"?/i.exec(unfolded(head))?.[1];
  if (!boundary) throw new Refused('damaged');
  const parts = `\n${body}`
    .split(`\n--${boundary}`)
    .slice(1)
    .map((part) => partOf(part.replace(/^[^\n]*\n/, '')));
  const page = parts.find((part) => /^content-type:\s*(text\/html|application\/xhtml)/im.test(part.head));
  if (!page) throw new Refused('damaged');
  const html = wordsOf(page);
  const within = filesOf(parts, beside);
  const from = locationOf(page.head);
  const entry = parseWebPage(path, parseMarkup(html), leftOut, (source) =>
    within.get(addressFrom(from, source)),
  );
  // What the page has named as its own is counted once.
  for (const { head } of parts) if (isFile(typeOf(head))) leftOut.addMediaFile(locationOf(head));
  const oneNote = /content="?(OneNote\.File|Microsoft OneNote)/i.test(html.slice(0, 5000));
  return [oneNote ? { ...entry, format: 'onenote' } : entry];
}

const locationOf = (head: string): string => /^content-location:\s*(\S+)/im.exec(head)?.[1] ?? '';

const typeOf = (head: string): string =>
  /^content-type:\s*([\w.+/-]+)/im.exec(head)?.[1]?.toLowerCase() ?? '';

const isFile = (type: string): boolean => /^(image|audio|video)\//.test(type) || type === 'application/pdf';

/** The pictures and documents among the parts: under their addresses, the paths that lead to them. */
function filesOf(parts: readonly Part[], beside: FilesBeside): Map<string, string> {
  const within = new Map<string, string>();
  for (const { head, body } of parts) {
    const type = typeOf(head);
    if (!isFile(type) || encodingOf(head) !== 'base64') continue;
    const bytes = bytesOfBase64(body);
    if (!bytes || bytes.length === 0) continue;
    // A browser keeps the bytes of a Blob on the disk where they are many.
    const blob = new Blob([bytes], { type });
    within.set(locationOf(head), beside.addWithin({ size: blob.size, type, open: async () => blob }));
  }
  return within;
}

/** Where an address in a page leads. What OneNote writes is not always one, so that it is put together as text. */
const addressFrom = (page: string, source: string): string =>
  /^[a-z][a-z\d+.-]*:/i.test(source) ? source : page.slice(0, page.lastIndexOf('/') + 1) + source;

interface Part {
  head: string;
  body: string;
}

function partOf(text: string): Part {
  const end = text.indexOf('\n\n');
  return end < 0 ? { head: text, body: '' } : { head: text.slice(0, end), body: text.slice(end + 2) };
}

/** A line of a head that is indented goes on the line before. */
const unfolded = (head: string) => head.replace(/\n[ \t]+/g, ' ');

const encodingOf = (head: string): string | undefined =>
  /^content-transfer-encoding:\s*([\w-]+)/im.exec(head)?.[1]?.toLowerCase();

function bytesOfBase64(body: string): Bytes | null {
  try {
    return Uint8Array.from(atob(body.replace(/\s+/g, '')), (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
}

function wordsOf({ head, body }: Part): string {
  const encoding = encodingOf(head);
  const charset = /charset="?([\w-]+)/i.exec(unfolded(head))?.[1] ?? 'utf-8';
  if (encoding === 'quoted-printable') return decode(bytesOfQuoted(body), charset);
  if (encoding !== 'base64') return body;
  const bytes = bytesOfBase64(body);
  if (!bytes) throw new Refused('damaged');
  return decode(bytes, charset);
}

const bytesOfQuoted = (body: string): Uint8Array => {
  const text = body.replace(/=[ \t]*\n/g, '');
  const bytes = new TextEncoder().encode(text);
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const digits = String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0);
    const isQuoted = bytes[at] === 61 && /^[0-9a-f]{2}$/i.test(digits);
    out[length++] = isQuoted ? Number.parseInt(digits, 16) : (bytes[at] ?? 0);
    if (isQuoted) at += 2;
  }
  return out.subarray(0, length);
};

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
