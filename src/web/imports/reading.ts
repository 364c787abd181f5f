// One chosen file or folder: which application it comes from, by what it says, and what is in it.
import { blobFile } from './blob-file.ts';
import { decodeText } from './decode-text.ts';
import type { Evidence } from './file-evidence.ts';
import { type FileKind, kindOf } from './file-kinds.ts';
import { Findings, type ReadingOf, type SourceFile } from './findings.ts';
import { foreignKind, START_BYTES } from './foreign-files.ts';
import { isEvernote, readEvernote } from './formats/evernote.ts';
import {
  isJoplinName,
  type JoplinItem,
  joplinResourceId,
  parseJoplin,
  readJoplinItem,
} from './formats/joplin.ts';
import { parsedJson, readJson } from './formats/known-json.ts';
import { readText } from './formats/known-texts.ts';
import { bundlesIn, parseTextBundle } from './formats/text-bundle.ts';
import { isTomboy } from './formats/tomboy.ts';
import { isUpNoteBackup, parseUpNoteBackup } from './formats/upnote.ts';
import { isWebArchive, parseWebArchive } from './formats/web-archive.ts';
import { isWhatsApp } from './formats/whatsapp.ts';
import { gunzip } from './gunzip.ts';
import { type ParsedEntry, Refused } from './imported-entry.ts';
import { Pages } from './pages.ts';
import { isTar, openTar } from './tar-files.ts';
import { openZip, type ZipFile } from './zip-files.ts';

/** A file with a name, such as a browser's. One of a chosen folder is called by its path in it. */
export type NamedBlob = Blob & { name: string };

/** What begins an age file. */
const AGE = 'age-encryption.org/v1';

/** One chosen file or folder, and what is found in it. */
export class Reading extends Findings {
  private readonly tell: (share: number) => void;

  constructor(of: ReadingOf, tell: (share: number) => void) {
    super(of);
    this.tell = tell;
  }

  /** @throws Refused */
  async file(file: NamedBlob): Promise<SourceFile | 'archive'> {
    if (file.size === 0) throw new Refused('empty');
    const start = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer());
    const startsWith = (text: string) =>
      [...text].every((character, at) => start[at] === character.charCodeAt(0));
    if (startsWith(AGE)) return 'archive';
    const evidence = { name: file.name, start, paths: [] };
    const seems = foreignKind(evidence);
    if (seems) throw new Refused('foreign', seems);
    if (startsWith('PK') || isTar(start)) return this.container(file, evidence);
    if (isEvernote(new TextDecoder().decode(start))) await this.evernote(file);
    else if (startsWith('\x1f\x8b')) this.upNote(file.name, await gunzip(file, this.used, this.limits));
    else await this.single(file);
    return this.isArchive ? 'archive' : this.found(evidence);
  }

  /** A zip or tar. What is wrong with one of its files leaves that one out. */
  private async container(file: NamedBlob, evidence: Evidence): Promise<SourceFile | 'archive'> {
    const files = await this.filesIn(file);
    await this.inOrder(file.name, files, 0);
    if (this.isArchive) return 'archive';
    return this.found({ ...evidence, paths: files.map(({ path }) => path) });
  }

  private async filesIn(file: Blob): Promise<ZipFile[]> {
    const start = new Uint8Array(await file.slice(0, 512).arrayBuffer());
    const open = isTar(start) ? openTar : openZip;
    return open(file, this.leftOut, this.used, this.limits);
  }

  /** @throws Refused, also for an archive of Latebra: Settings takes it whole, and not unpacked */
  async folder(name: string, files: readonly NamedBlob[]): Promise<SourceFile> {
    if (files.length > this.limits.files) throw new Refused('too-large');
    const inside = files.map((file) =>
      blobFile(file.name.slice(name.length + 1), file, this.used, this.limits),
    );
    await this.inOrder(name, inside, 0);
    if (this.isArchive) throw new Refused('foreign', 'latebra-unpacked');
    return this.found({ name, start: new Uint8Array(0), paths: inside.map(({ path }) => path) });
  }

  private async single(file: NamedBlob): Promise<void> {
    if (file.size > this.limits.fileBytes || this.used.textBytes + file.size > this.limits.textBytes)
      throw new Refused('too-large');
    this.used.textBytes += file.size;
    const text = decodeText(new Uint8Array(await file.arrayBuffer()));
    if (text === null) throw new Refused('not-text');
    if (text.trim() === '') throw new Refused('empty');
    if (await this.json(file.name, text)) return;
    // JSON of another application is nothing that a person wrote.
    if (/\.(json|canvas)$/i.test(file.name)) throw new Refused('unknown');
    if (isWebArchive(text)) this.take({ entries: this.webArchive(file.name, text) });
    else if (isUpNoteBackup(text)) this.take({ entries: parseUpNoteBackup(file.name, text, this.leftOut) });
    else if (kindOf(file.name) === 'page' || /^\s*<!doctype html|^\s*<html[\s>]/i.test(text))
      this.pages([{ path: file.name, text }]);
    else if (/\.(xml|enex|mht|mhtml|opml)$/i.test(file.name)) throw new Refused('unknown');
    else this.prose(file.name, text, null);
  }

  /** JSON of a known application, whatever its file is called. */
  private async json(path: string, text: string): Promise<boolean> {
    const found = await readJson(text, { path, leftOut: this.leftOut, key: this.key });
    if (found) this.take(found);
    return found !== null;
  }

  private async evernote(file: Blob): Promise<void> {
    const { leftOut, used, limits, beside } = this;
    this.take({ entries: await readEvernote(file, { leftOut, used, limits, beside }) });
  }

  private webArchive(path: string, text: string): ParsedEntry[] {
    const { leftOut, beside } = this;
    return parseWebArchive(path, text, { leftOut, beside });
  }

  /** @throws Refused for what else is packed in this way */
  private upNote(path: string, bytes: Uint8Array): void {
    const text = decodeText(bytes) ?? '';
    if (!isUpNoteBackup(text)) throw new Refused('foreign', 'gzip');
    this.take({ entries: parseUpNoteBackup(path, text, this.leftOut) });
  }

  private prose(path: string, text: string, zip: string | null): void {
    this.take(readText(text, { path, zip, leftOut: this.leftOut }));
  }

  private async inOrder(zip: string, files: readonly ZipFile[], depth: number): Promise<void> {
    this.beside.add(files);
    const read = new Set([...(await this.bundles(files)), ...(await this.joplin(files))]);
    const of = (kind: FileKind) => files.filter(({ path }) => kindOf(path) === kind && !read.has(path));
    for (const { path } of of('hidden')) this.leftOut.add('other-file', path);
    for (const { path } of of('table')) this.leftOut.add('database', path);
    for (const file of of('other')) {
      this.leftOut.add('other-file', file.path);
      this.beside.addOther(file);
    }
    const [json, texts, zips] = [of('json'), of('text'), of('zip')];
    const others = [...of('page'), ...of('web-archive'), ...of('evernote'), ...of('upnote')];
    const work = json.length + texts.length + zips.length + others.length;
    let done = 0;
    const step = () => this.tell(++done / Math.max(1, work));
    const pages = new Pages(files, this.leftOut);
    for (const file of json) {
      await this.inside(file, async (text) => {
        if (await this.json(file.path, text)) return;
        if (!pages.takesJson(file.path, text)) this.leftOut.add('other-file', file.path);
      });
      if (this.isArchive) return;
      step();
    }
    const prose: { path: string; text: string }[] = [];
    for (const file of texts) {
      await this.inside(file, async (text) => {
        if (text.trim() === '') this.leftOut.add('empty', file.path);
        else if (await this.json(file.path, text)) return;
        else if (isTomboy(text)) this.prose(file.path, text, zip);
        else if (!/\.(md|markdown)$/i.test(file.path) && isWhatsApp(text)) this.prose(file.path, text, zip);
        else prose.push({ path: file.path, text });
      });
      step();
    }
    // A backup brings each note once more as a text of its own.
    for (const { path, text } of prose) {
      if (this.strong) this.leftOut.add('copy', path);
      else await this.attempt(path, async () => this.prose(path, text, zip));
    }
    await this.inHtml(of, pages, step);
    // Only now: what entries have named as their own is counted once.
    for (const { path } of of('media')) this.leftOut.addMediaFile(path);
    for (const file of zips) {
      if (depth > 0) this.leftOut.add('nested', file.path);
      else await this.nested(file, zip);
      step();
    }
  }

  /** Pages, and the other files that are HTML within. */
  private async inHtml(of: (kind: FileKind) => ZipFile[], pages: Pages, step: () => void): Promise<void> {
    for (const file of of('page')) {
      await this.inside(file, async (text) => pages.add({ path: file.path, text }));
      step();
    }
    for (const file of of('web-archive')) {
      await this.inside(file, async (text) => {
        if (isWebArchive(text)) this.take({ entries: this.webArchive(file.path, text), isOneOfMany: true });
        else this.leftOut.add('other-file', file.path);
      });
      step();
    }
    for (const file of of('evernote')) {
      await this.attempt(file.path, async () => this.evernote(await file.readBlob()));
      step();
    }
    // Each backup has everything: the last one counts.
    const backups = of('upnote').toSorted((a, b) => (a.path < b.path ? 1 : -1));
    for (const [at, file] of backups.entries()) {
      if (at > 0) this.leftOut.add('copy', file.path);
      else
        await this.attempt(file.path, async () =>
          this.upNote(file.path, await gunzip(await file.readBlob(), this.used, this.limits)),
        );
      step();
    }
    this.finish(pages, this.strong);
  }

  private pages(all: readonly { path: string; text: string }[]): void {
    const pages = new Pages([], this.leftOut);
    for (const page of all) pages.add(page);
    this.finish(pages, false);
  }

  private finish(pages: Pages, known: boolean): void {
    this.take({ entries: pages.finish(known), isOneOfMany: true });
    this.refusal ??= pages.refusal;
  }

  /** The items of Joplin, which only together say which note has which tags. @returns the paths that are read by that */
  private async joplin(files: readonly ZipFile[]): Promise<ReadonlySet<string>> {
    const done = new Set<string>();
    const items: JoplinItem[] = [];
    for (const file of files.filter(({ path }) => isJoplinName(path))) {
      // What cannot be read is counted by that.
      done.add(file.path);
      await this.inside(file, async (text) => {
        const item = readJoplinItem(text);
        if (item) items.push(item);
        else done.delete(file.path);
      });
    }
    if (items.length === 0) return done;
    this.take({ entries: parseJoplin(items, this.leftOut), isOneOfMany: true });
    const ids = new Set(items.map(({ properties }) => properties.id));
    // Each of them was counted with what describes it.
    for (const { path } of files) if (ids.has(joplinResourceId(path) ?? '')) done.add(path);
    return done;
  }

  /** The texts of bundles, each with what its folder says of it. @returns the paths that are read by that */
  private async bundles(files: readonly ZipFile[]): Promise<ReadonlySet<string>> {
    const done = new Set<string>();
    for (const { name, text, info } of bundlesIn(files)) {
      let said: unknown = null;
      if (info)
        await this.inside(info, async (json) => {
          said = parsedJson(json);
        });
      await this.inside(text, async (words) => {
        this.entries.push(...parseTextBundle({ name, path: text.path }, words, said, this.leftOut));
      });
      for (const file of [text, info]) if (file) done.add(file.path);
    }
    return done;
  }

  /** Notion exports much as a zip of zips. */
  private async nested(file: ZipFile, zip: string): Promise<void> {
    // What one zip says all of makes no copies of the texts in another.
    const { strong } = this;
    this.strong = false;
    try {
      await this.attempt(file.path, async () =>
        this.inOrder(zip, await this.filesIn(await file.readBlob()), 1),
      );
    } catch (error) {
      // One that deceives is refused by itself, and not with what lies beside it.
      if (!(error instanceof Refused)) throw error;
      this.refusal ??= error;
      this.leftOut.add('damaged', file.path);
    } finally {
      this.strong = strong;
      // Settings takes an archive of Latebra by itself alone: what lies beside it is no part of it.
      if (this.isArchive) this.leftOut.add('other-file', file.path);
      this.isArchive = false;
    }
  }
}
