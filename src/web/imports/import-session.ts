// One import: files are read, arranged into memories, shown in slices and handed over one at a time. It runs in a worker
// (import-worker.ts), fetches nothing and keeps nothing. The words stay there until each is sealed.

import { toBase64Url } from '../../crypto/base64.ts';
import { lengthPrefixed, utf8 } from '../../crypto/encoding.ts';
import { importNumber } from '../../crypto/import-number.ts';
import { parseEdtf } from '../../shared/edtf.ts';
import { withoutSigns } from '../../vault/entries/without-signs.ts';
import { groupChat } from './chats.ts';
import type { FileBeside } from './files-beside.ts';
import { standingInParts, withFilesNamed } from './files-named.ts';
import { type FoundFile, findFiles, opened } from './files-of-rows.ts';
import { type FittingEntry, fitEntry } from './fit-entry.ts';
import type {
  Arrangement,
  ImportProgress,
  ImportReply,
  ImportRequest,
  PreviewRow,
  ReadReply,
} from './import-messages.ts';
import { type LeftOut, LeftOutList, type ParsedEntry } from './imported-entry.ts';
import { type Findings, readFiles } from './read-files.ts';
import { IMPORT_LIMITS, type ImportLimits } from './zip-files.ts';

/** Rows of one reply: a message that holds them is unpacked in a few milliseconds. */
export const ROWS_AT_ONCE = 250;
const START_MAX = 160;

interface Arranged extends Omit<PreviewRow, 'start' | 'textBytes' | 'files'> {
  content: string;
  found: readonly FoundFile[];
}

/** Answers the requests of one import, in their order. */
export function createImportSession(limits: ImportLimits = IMPORT_LIMITS) {
  let findings: Findings | null = null;
  let arranged: Arranged[] = [];

  async function answer(
    request: ImportRequest,
    tell: (progress: ImportProgress) => void,
  ): Promise<ImportReply> {
    if (request.ask === 'read') {
      const { files, keys } = request;
      findings = await readFiles(files, { tell: sparingly(tell), limits, keys });
      return { ok: true, read: summaryOf(findings) };
    }
    if (request.ask === 'arrange') {
      if (!findings) return { ok: false };
      const { entries, leftOut } = await arrange(findings, request.arrangement, limits);
      arranged = entries;
      return { ok: true, arranged: { total: entries.length, leftOut } };
    }
    if (request.ask === 'words') {
      const found = arranged[request.id];
      return found ? { ok: true, words: found.content } : { ok: false };
    }
    if (request.ask === 'file') {
      const found = arranged[request.id]?.found[request.at];
      return found ? { ok: true, file: await opened(found) } : { ok: false };
    }
    const rows = arranged.slice(request.from, request.from + ROWS_AT_ONCE);
    return {
      ok: true,
      rows: rows.map(({ content, found, ...row }) => ({
        ...row,
        start: startOf(withFilesNamed(content, found)),
        textBytes: utf8(content).length,
        files: found.map(({ zipFile: _, ...file }) => file),
      })),
    };
  }

  return (request: ImportRequest, tell: (progress: ImportProgress) => void): Promise<ImportReply> =>
    answer(request, tell).catch(() => ({ ok: false }));
}

/** The first words, without the signs of Markdown: a preview has no room to show what they mean. */
const startOf = (content: string) =>
  [...withoutSigns(content.slice(0, 4 * START_MAX)).replace(/\s+/g, ' ')].slice(0, START_MAX).join('');

/** Tells each hundredth once. */
function sparingly(tell: (progress: ImportProgress) => void) {
  let told = '';
  return (name: string, done: number, total: number) => {
    const now = `${name} ${Math.floor((done / Math.max(1, total)) * 100)}`;
    if (now === told) return;
    told = now;
    tell({ name, done, total });
  };
}

function summaryOf({ sources, refused, archives, locked }: Findings): ReadReply {
  return {
    sources: sources.map(({ name, formats, entries, chats }, index) => ({
      index,
      name,
      formats,
      entries: entries.length,
      chats: chats.map((chat) => ({
        name: chat.name,
        messages: chat.messages().length,
        orders: chat.orders,
      })),
    })),
    refused,
    archives,
    locked,
  };
}

/** The memories that everything becomes, the latest first, each with its number. */
async function arrange(
  findings: Findings,
  { grouping, orders, numbering }: Arrangement,
  limits: ImportLimits,
): Promise<{ entries: Arranged[]; leftOut: LeftOut[] }> {
  const parsed = findings.sources.flatMap(({ entries, chats, beside }, index) =>
    [...entries, ...chats.flatMap((chat) => groupChat(chat, grouping, orders[index]))].map((entry) => ({
      entry,
      beside,
    })),
  );
  // Arranging again begins at what the reading had left out.
  const leftOut = new LeftOutList();
  leftOut.addAll(findings.leftOut.toArray());
  const seen = new Set<string>();
  const taken = new Set<FileBeside>();
  const entries: Omit<Arranged, 'id'>[] = [];
  const ids = shareIds(parsed.map(({ entry }) => entry));
  // One long tag of a hundred thousand notes stands in the text of each.
  let room = limits.textBytes;
  for (const { entry, beside } of parsed) {
    const files = findFiles(entry.files ?? [], beside, leftOut, taken);
    const fitting = fitEntry(withWords(entry, files));
    if (fitting.length === 0) leftOut.add('empty');
    const whole = await identify(entry, ids);
    const ofParts = filesOfParts(files, entry.content, fitting);
    for (const { format, title, content: text, happenedOn, tags, part } of fitting) {
      const { found = [], elsewhere = [] } = ofParts[part - 1] ?? {};
      // What comes along with another part is not left out.
      const content = withFilesNamed(text, elsewhere);
      const sourceId = part === 1 ? whole : `${whole}/${part}`;
      const sealId = await importNumber(numbering, format, sourceId);
      if (seen.has(sealId)) leftOut.add('twice', title);
      else if (content.length > room) leftOut.add('too-large', title);
      else {
        room -= content.length;
        entries.push({ format, title, content, happenedOn, tags, sourceId, sealId, found });
      }
      seen.add(sealId);
    }
  }
  const when = ({ happenedOn }: Omit<Arranged, 'id'>) =>
    parseEdtf(happenedOn ?? '')?.start.getTime() ?? Number.NEGATIVE_INFINITY;
  const sorted = entries.sort((a, b) => (when(a) < when(b) ? 1 : when(a) > when(b) ? -1 : 0));
  return { entries: sorted.map((entry, id) => ({ ...entry, id })), leftOut: leftOut.toArray() };
}

interface FilesOfPart {
  found: FoundFile[];
  /** Those that come with another part. */
  elsewhere: FoundFile[];
}

/**
 * Which files come with each part of an entry that is split: those that it is the first to name. What none names comes with the
 * first. Each knows as which of its like it stands in the part.
 * @param content the entry's before it was split
 */
function filesOfParts(
  files: readonly FoundFile[],
  content: string,
  fitting: readonly FittingEntry[],
): FilesOfPart[] {
  const parts: FilesOfPart[] = fitting.map(() => ({ found: [], elsewhere: [] }));
  for (const file of files) {
    const { standsAs, ...named } = file;
    const standing = standsAs && standingInParts(content, standsAs, fitting);
    const here = fitting.map((_, at): FoundFile => {
      const nths = standing?.[at] ?? [];
      return { ...named, ...(standsAs && { standsAs: { ...standsAs, nths } }) };
    });
    const names = here.map((one, at) => {
      const text = fitting[at]?.content ?? '';
      return withFilesNamed(text, [one]) !== text;
    });
    const first = Math.max(0, names.indexOf(true));
    for (const [at, one] of here.entries()) parts[at]?.[at === first ? 'found' : 'elsewhere'].push(one);
  }
  return parts;
}

/** An entry that has files alone says which: it would be left out as empty. */
function withWords(entry: ParsedEntry, files: readonly FoundFile[]): ParsedEntry {
  const [first] = files;
  if (!first || entry.title.trim() !== '' || entry.content.trim() !== '') return entry;
  return {
    ...entry,
    title: files.length === 1 ? first.name : `${files.length} files`,
    content: files.map(({ name }) => `[File left out: ${name}]`).join('\n'),
  };
}

/** Numbers that more than one thing of this import claims to have. */
function shareIds(entries: readonly ParsedEntry[]): ReadonlySet<string> {
  const once = new Set<string>();
  const shared = new Set<string>();
  for (const { format, sourceId } of entries) {
    const id = `${format} ${sourceId}`;
    if (sourceId !== null && once.has(id)) shared.add(id);
    once.add(id);
  }
  return shared;
}

/** An own number of this length is kept as it is; a longer one is known by its sum. */
const ID_MAX = 200;

/** What an entry is known by, in every time zone: the number that it has where it comes from, or the sum of what it says. */
async function identify(entry: ParsedEntry, shared: ReadonlySet<string>): Promise<string> {
  const { format, sourceId, grows, instant } = entry;
  const when = instant === undefined ? (entry.happenedOn ?? '') : String(instant);
  if (sourceId === null) return sumOf(entry.title, when, entry.content);
  const own = sourceId.length > ID_MAX ? await sumOf(sourceId) : sourceId;
  if (!grows && !shared.has(`${format} ${sourceId}`)) return own;
  return `${own}#${await sumOf(entry.title, entry.content)}`;
}

async function sumOf(...texts: string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', lengthPrefixed(...texts));
  return toBase64Url(new Uint8Array(digest, 0, 16));
}
