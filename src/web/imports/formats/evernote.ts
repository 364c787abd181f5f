// Evernote: notes as XML with a page of ENML each (https://xml.evernote.com/pub/evernote-export4.dtd). Read as a stream:
// what is attached to them may be gigabytes, of which only the names and places are kept.
import { Parser } from 'htmlparser2';
import { utf8 } from '../../../crypto/encoding.ts';
import { mediaTypeOf } from '../../../vault/files/media-type.ts';
import type { FilesBeside } from '../files-beside.ts';
import { type LeftOutList, type ParsedEntry, Refused } from '../imported-entry.ts';
import type { ImportLimits, Used } from '../zip-files.ts';
import { type PassedAttachment, PassingAttachment } from './evernote-attachment.ts';
import { type EvernoteNote, type EvernoteResource, parseNote } from './evernote-note.ts';

/** Whether a text begins as an export does. */
export const isEvernote = (start: string): boolean =>
  /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(<!DOCTYPE\s+en-export[^>[]*(\[[\s\S]*?\])?\s*>\s*)?<en-export\b/i.test(
    start,
  );

interface ReadingOf {
  leftOut: LeftOutList;
  used: Used;
  limits: ImportLimits;
  /** Where what is attached can be found afterwards. */
  beside: FilesBeside;
}

/** @throws Refused when there is more text in it than an import can read, or it is no export */
export async function readEvernote(file: Blob, reading: ReadingOf): Promise<ParsedEntry[]> {
  const notes = new NoteReader(file, reading);
  const parser = new Parser(notes, { xmlMode: true, decodeEntities: true });
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    notes.expect(value.length);
    const text = decoder.decode(value, { stream: true });
    notes.readOn(text);
    parser.write(text);
  }
  parser.end(decoder.decode());
  if (!notes.found) throw new Refused('unknown');
  return notes.entries;
}

/** Collects one note at a time. Only elements that are known where they stand have an effect. */
class NoteReader {
  readonly entries: ParsedEntry[] = [];
  found = false;
  private readonly reading: ReadingOf;
  private readonly path: string[] = [];
  private note: EvernoteNote | null = null;
  private resource: EvernoteResource | null = null;
  private task: Record<string, string> | null = null;
  private text: string[] = [];
  private attachment: PassingAttachment | null = null;
  private passed: PassedAttachment | null = null;
  private attachments = 0;
  private readonly file: Blob;
  private parser: Pick<Parser, 'endIndex'> = { endIndex: 0 };
  /** What is parsed just now, and how many characters came before it, as the parser counts. */
  private piece = { text: '', characters: 0 };
  /** To where bytes are counted: each character is counted once, however many places are asked for. */
  private counted = { characters: 0, bytes: 0 };
  /** Bytes that have come since the parser last said something. */
  private silent = 0;

  constructor(file: Blob, reading: ReadingOf) {
    this.file = file;
    this.reading = reading;
  }

  onparserinit(parser: Parser): void {
    this.parser = parser;
  }

  readOn(text: string): void {
    const { piece } = this;
    const characters = piece.characters + piece.text.length;
    this.countTo(characters);
    this.piece = { text, characters };
  }

  /** @param characters from the beginning of the file, not before those that were counted @returns how many bytes they are */
  private countTo(characters: number): number {
    const { piece, counted } = this;
    const text = piece.text.slice(counted.characters - piece.characters, characters - piece.characters);
    this.counted = { characters, bytes: counted.bytes + utf8(text).length };
    return this.counted.bytes;
  }

  /** At which byte of the file stands what follows the tag that was just read. */
  private placeBehindTag(): number {
    return this.countTo(this.parser.endIndex + 1);
  }

  /** @throws Refused where one text never ends */
  expect(bytes: number): void {
    this.silent += bytes;
    if (this.silent > this.reading.limits.fileBytes) throw new Refused('too-large');
  }

  onopentag(name: string): void {
    this.silent = 0;
    this.path.push(name);
    if (this.path.length > 1000) throw new Refused('damaged');
    this.text = [];
    if (name === 'en-export') this.found = true;
    if (name === 'note') this.note = { fields: {}, tags: [], content: '', resources: [], tasks: [] };
    if (name === 'resource') this.resource = { name: '', type: '', hash: '', path: null };
    if (name === 'task') this.task = {};
    if (name === 'data' && this.note && this.parent() === 'resource')
      this.attachment = new PassingAttachment(this.file, this.placeBehindTag());
  }

  ontext(text: string): void {
    this.silent = 0;
    if (this.attachment) this.attachment.take(text);
    // What a picture was recognised to say is no word of the note, and is long.
    else if (this.note && !this.path.includes('recognition') && !this.path.includes('alternate-data'))
      this.take(text);
  }

  private take(text: string): void {
    const { used, limits } = this.reading;
    used.textBytes += text.length;
    if (used.textBytes > limits.textBytes) throw new Refused('too-large');
    this.text.push(text);
  }

  /** @param cut where the export ends before the element does */
  onclosetag(name: string, cut: boolean): void {
    this.silent = 0;
    this.path.pop();
    const text = this.text.join('');
    this.text = [];
    const { note, resource } = this;
    if (!note) return;
    if (name === 'note' && cut) this.reading.leftOut.add('damaged', note.fields.title);
    else if (name === 'note') {
      const { leftOut } = this.reading;
      this.entries.push(...leftOut.attempt(note.fields.title ?? '', () => parseNote(note, leftOut)));
      this.note = null;
    } else if (name === 'resource' && resource) {
      this.keep(resource);
      note.resources.push(resource);
      this.resource = null;
    } else if (name === 'task') {
      note.tasks.push(this.task ?? {});
      this.task = null;
    } else if (this.task) this.task[name] = text.trim();
    else if (resource) this.ofResource(resource, name, text.trim());
    else if (name === 'content') note.content = text;
    else if (name === 'tag') note.tags.push(text.trim());
    else if (name !== 'note-attributes' && !(name in note.fields)) note.fields[name] = text.trim();
  }

  private ofResource(resource: EvernoteResource, name: string, text: string): void {
    if (name === 'mime') resource.type = text;
    if (name === 'file-name') resource.name = text;
    if (name !== 'data' || !this.attachment) return;
    this.passed = this.attachment.end();
    this.attachment = null;
    // A note names what is attached to it by the MD5 of its bytes.
    resource.hash = this.passed.hash;
  }

  private keep(resource: EvernoteResource): void {
    const { passed } = this;
    this.passed = null;
    this.attachments += 1;
    if (this.attachments > this.reading.limits.files) throw new Refused('too-large');
    const file = passed?.as(resource.type || mediaTypeOf(resource.name));
    if (file) resource.path = this.reading.beside.addWithin(file);
  }

  private parent(): string | undefined {
    return this.path.at(-2);
  }
}
