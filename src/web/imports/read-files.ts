// Files that somebody has chosen: which application each comes from, by what it says, and what is in it.
import type { Chat } from './chats.ts';
import { decodeText } from './decode-text.ts';
import { isDayOne, parseDayOne } from './formats/day-one.ts';
import { isKeepNote, parseKeepNote } from './formats/google-keep.ts';
import { parseMarkdown } from './formats/markdown.ts';
import { notionId, parseNotion } from './formats/notion.ts';
import { parsePlainText } from './formats/plain-text.ts';
import { isStandardNotes, parseStandardNotes } from './formats/standard-notes.ts';
import { isTelegram, parseTelegram } from './formats/telegram.ts';
import { isWhatsApp, parseWhatsApp } from './formats/whatsapp.ts';
import {
  type ImportFormat,
  isObject,
  LeftOutList,
  type ParsedEntry,
  type RefusalReason,
  Refused,
} from './imported-entry.ts';
import { IMPORT_LIMITS, type ImportLimits, openZip, type Used, type ZipFile } from './zip-files.ts';

/** What one chosen file holds. */
export interface SourceFile {
  name: string;
  formats: ImportFormat[];
  entries: ParsedEntry[];
  chats: Chat[];
}

export interface Findings {
  sources: SourceFile[];
  leftOut: LeftOutList;
  refused: { name: string; reason: RefusalReason }[];
  /** Which of the files are archives of Latebra, by their places: Settings imports those. */
  archives: number[];
}

/** How far the reading has come, in bytes of the chosen files. */
export type TellRead = (name: string, done: number, total: number) => void;

/** A file with a name, such as a browser's. */
export type NamedBlob = Blob & { name: string };

/** Reads every file; those that cannot be imported are refused one by one. */
export async function readFiles(
  files: readonly NamedBlob[],
  tell: TellRead = () => {},
  limits: ImportLimits = IMPORT_LIMITS,
): Promise<Findings> {
  const findings: Findings = { sources: [], leftOut: new LeftOutList(), refused: [], archives: [] };
  const used: Used = { textBytes: 0, nestedBytes: 0 };
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  for (const [index, file] of files.entries()) {
    tell(file.name, before, total);
    // What is left out of a refused file is not told: all of it is.
    const leftOut = new LeftOutList();
    const reading = new Reading(leftOut, used, limits, (share) =>
      tell(file.name, before + share * file.size, total),
    );
    try {
      const found = await reading.file(file);
      if (found === 'archive') findings.archives.push(index);
      else findings.sources.push(found);
      findings.leftOut.addAll(leftOut.toArray());
    } catch (error) {
      findings.refused.push({ name: file.name, reason: error instanceof Refused ? error.reason : 'failed' });
    }
    before += file.size;
  }
  tell('', total, total);
  return findings;
}

/** What begins an age file. */
const AGE = 'age-encryption.org/v1';

/** One chosen file, and what is found in it. */
class Reading {
  private readonly entries: ParsedEntry[] = [];
  private readonly chats: Chat[] = [];
  private readonly leftOut: LeftOutList;
  private readonly used: Used;
  private readonly limits: ImportLimits;
  private readonly tell: (share: number) => void;
  private isArchive = false;
  /** Whether an application was recognised that says all it has in its own files: texts beside them are copies. */
  private strong = false;

  constructor(leftOut: LeftOutList, used: Used, limits: ImportLimits, tell: (share: number) => void) {
    this.leftOut = leftOut;
    this.used = used;
    this.limits = limits;
    this.tell = tell;
  }

  /** @throws Refused */
  async file(file: NamedBlob): Promise<SourceFile | 'archive'> {
    if (file.size === 0) throw new Refused('empty');
    const start = new Uint8Array(await file.slice(0, 64).arrayBuffer());
    const startsWith = (text: string) =>
      [...text].every((character, at) => start[at] === character.charCodeAt(0));
    if (startsWith(AGE)) return 'archive';
    if (startsWith('PK')) await this.zip(file);
    else await this.single(file);
    if (this.isArchive) return 'archive';
    if (this.entries.length === 0 && this.chats.length === 0) throw new Refused('nothing-inside');
    const formats = [...new Set([...this.entries, ...this.chats].map(({ format }) => format))];
    return { name: file.name, formats, entries: this.entries, chats: this.chats };
  }

  private async single(file: NamedBlob): Promise<void> {
    if (file.size > this.limits.fileBytes || this.used.textBytes + file.size > this.limits.textBytes)
      throw new Refused('too-large');
    this.used.textBytes += file.size;
    const text = decodeText(new Uint8Array(await file.arrayBuffer()));
    if (text === null) throw new Refused('not-text');
    if (text.trim() === '') throw new Refused('empty');
    if (this.json(file.name, text)) return;
    // JSON of another application is nothing that a person wrote.
    if (/\.json$/i.test(file.name)) throw new Refused('unknown');
    if (/\.(html?|xml|csv|enex)$/i.test(file.name)) throw new Refused('unknown');
    this.prose(file.name, text, null);
  }

  /** JSON of a known application, whatever its file is called. */
  private json(path: string, text: string): boolean {
    if (!/^\s*[{[]/.test(text.slice(0, 1000))) return false;
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      return false;
    }
    if (isDayOne(json)) this.entries.push(...parseDayOne(json, this.leftOut));
    else if (isTelegram(json)) this.chats.push(...parseTelegram(json, this.leftOut));
    else if (isStandardNotes(json)) this.entries.push(...parseStandardNotes(json, this.leftOut));
    else if (isKeepNote(json)) this.entries.push(...parseKeepNote(json, path, this.leftOut));
    else if (isLatebra(json)) this.isArchive = true;
    else return false;
    this.strong = true;
    return true;
  }

  /** A text that is no JSON. @param zip the name of the zip around it */
  private prose(path: string, text: string, zip: string | null): void {
    if (!/\.(md|markdown)$/i.test(path) && isWhatsApp(text)) {
      this.chats.push(parseWhatsApp(text, path, zip, this.leftOut));
      this.strong = true;
    } else if (notionId(path) && /\.md$/i.test(path)) this.entries.push(parseNotion(path, text));
    else if (/\.(md|markdown)$/i.test(path)) this.entries.push(parseMarkdown(path, text));
    else this.entries.push(parsePlainText(path, text));
  }

  /** @throws Refused when the zip itself cannot be read; what is wrong with one of its files leaves that one out */
  private async zip(zip: NamedBlob): Promise<void> {
    await this.inOrder(zip.name, await openZip(zip, this.leftOut, this.used, this.limits), 0);
  }

  private async inOrder(zip: string, files: readonly ZipFile[], depth: number): Promise<void> {
    const of = (kind: FileKind) => files.filter(({ path }) => kindOf(path) === kind);
    for (const { path } of of('hidden')) this.leftOut.add('other-file', path);
    for (const { path } of of('table')) this.leftOut.add('database', path);
    for (const { path } of of('other')) this.leftOut.add('other-file', path);
    const [json, texts, zips] = [of('json'), of('text'), of('zip')];
    const work = json.length + texts.length + zips.length;
    let done = 0;
    const step = () => this.tell(++done / Math.max(1, work));
    for (const file of json) {
      await this.inside(file, (text) => {
        if (!this.json(file.path, text)) this.leftOut.add('other-file', file.path);
      });
      if (this.isArchive) return;
      step();
    }
    const prose: { path: string; text: string }[] = [];
    for (const file of texts) {
      await this.inside(file, (text) => {
        if (text.trim() === '') this.leftOut.add('empty', file.path);
        else if (this.json(file.path, text)) return;
        else if (!/\.(md|markdown)$/i.test(file.path) && isWhatsApp(text)) this.prose(file.path, text, zip);
        else prose.push({ path: file.path, text });
      });
      step();
    }
    // A backup brings each note once more as a text of its own.
    for (const { path, text } of prose) {
      if (this.strong) this.leftOut.add('copy', path);
      else this.prose(path, text, zip);
    }
    // Only now: what entries have named as their own is counted once.
    for (const { path } of of('media')) this.leftOut.addMediaFile(path);
    for (const file of zips) {
      if (depth > 0) this.leftOut.add('nested', file.path);
      else await this.nested(file, zip);
      step();
    }
  }

  /** Notion exports much as a zip of zips. */
  private async nested(file: ZipFile, zip: string): Promise<void> {
    try {
      const files = await openZip(await file.readBlob(), this.leftOut, this.used, this.limits);
      await this.inOrder(zip, files, 1);
    } catch (error) {
      if (!(error instanceof Refused) || error.reason === 'crafted') throw error;
      this.leftOut.add(error.reason === 'too-large' ? 'too-large' : 'damaged', file.path);
    }
  }

  /** One text of a zip. A zip that deceives is refused as a whole. */
  private async inside(file: ZipFile, take: (text: string) => void): Promise<void> {
    try {
      const text = decodeText(await file.read());
      if (text === null) this.leftOut.add('not-text', file.path);
      else take(text);
    } catch (error) {
      if (!(error instanceof Refused) || error.reason === 'crafted' || error.reason === 'encrypted-backup')
        throw error;
      this.leftOut.add(error.reason === 'too-large' ? 'too-large' : 'damaged', file.path);
    }
  }
}

/** The manifest of an archive that Settings has exported. */
const isLatebra = (json: unknown) =>
  isObject(json) && typeof json.format === 'string' && json.format.startsWith('latebra/');

type FileKind = 'json' | 'text' | 'table' | 'zip' | 'media' | 'hidden' | 'other';

const MEDIA =
  /\.(jpe?g|png|gif|webp|heic|heif|avif|bmp|tiff?|svg|raw|dng|mp4|mov|m4v|avi|mkv|webm|3gp|mp3|m4a|aac|wav|ogg|oga|opus|flac|amr|pdf|docx?|xlsx?|pptx?|odt|ods|odp|epub|vcf|tgs)$/i;

function kindOf(path: string): FileKind {
  if (/(^|\/)(\.|__MACOSX\/)/.test(path)) return 'hidden';
  if (/\.json$/i.test(path)) return 'json';
  if (/\.(txt|text|md|markdown)$/i.test(path)) return 'text';
  if (/\.csv$/i.test(path)) return 'table';
  if (/\.zip$/i.test(path)) return 'zip';
  return MEDIA.test(path) ? 'media' : 'other';
}
