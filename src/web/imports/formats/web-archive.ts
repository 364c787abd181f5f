// A web page in one file (MHTML), as OneNote for Windows exports pages and sections: a mail whose first part is HTML
// (RFC 2557). Pure.
import { type LeftOutList, type ParsedEntry, Refused } from '../imported-entry.ts';
import { parseMarkup } from '../markup/parse-markup.ts';
import { parseWebPage } from './web-page.ts';

/** Whether a text is such a page: a mail of parts that says so in its head. */
export function isWebArchive(text: string): boolean {
  const { head } = partOf(text.slice(0, 20_000));
  return /^mime-version:/im.test(head) && /^content-type:\s*multipart\/related/im.test(unfolded(head));
}

/** The page as an entry; its pictures are counted. @throws Refused `damaged` where it has no page that can be read */
export function parseWebArchive(path: string, text: string, leftOut: LeftOutList): ParsedEntry[] {
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
  const entry = parseWebPage(path, parseMarkup(html), leftOut);
  for (const { head } of parts) {
    const location = /^content-location:\s*(\S+)/im.exec(head)?.[1];
    // What the page has named as its own is counted once.
    if (location && /^content-type:\s*(image|audio|video)\//im.test(head)) leftOut.addMediaFile(location);
  }
  const oneNote = /content="?(OneNote\.File|Microsoft OneNote)/i.test(html.slice(0, 5000));
  return [oneNote ? { ...entry, format: 'onenote' } : entry];
}

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

function wordsOf({ head, body }: Part): string {
  const encoding = /^content-transfer-encoding:\s*([\w-]+)/im.exec(head)?.[1]?.toLowerCase();
  const charset = /charset="?([\w-]+)/i.exec(unfolded(head))?.[1] ?? 'utf-8';
  if (encoding === 'quoted-printable') return decode(bytesOfQuoted(body), charset);
  if (encoding !== 'base64') return body;
  try {
    return decode(
      Uint8Array.from(atob(body.replace(/\s+/g, '')), (c) => c.charCodeAt(0)),
      charset,
    );
  } catch {
    throw new Refused('damaged');
  }
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
