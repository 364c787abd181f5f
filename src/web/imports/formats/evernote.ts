// Evernote: notes as XML with a page of ENML each (https://xml.evernote.com/pub/evernote-export4.dtd). Read as a stream:
// what is attached to them may be gigabytes, of which only the names are kept.
import { md5 } from '@noble/hashes/legacy.js';
import { Parser } from 'htmlparser2';
import { toHex } from '../../../crypto/base64.ts';
import { type LeftOutList, type ParsedEntry, Refused } from '../imported-entry.ts';
import type { ImportLimits, Used } from '../zip-files.ts';
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
}

/** @throws Refused when there is more text in it than an import can read, or it is no export */
export async function readEvernote(file: Blob, reading: ReadingOf): Promise<ParsedEntry[]> {
  const notes = new NoteReader(reading);
  const parser = new Parser(notes, { xmlMode: true, decodeEntities: true });
  const decoder = new TextDecoder('utf-8');
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    notes.expect(value.length);
    parser.write(decoder.decode(value, { stream: true }));
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
  private hash: ReturnType<typeof md5.create> | null = null;
  private rest = '';
  /** Bytes that have come since the parser last said something. */
  private silent = 0;

  constructor(reading: ReadingOf) {
    this.reading = reading;
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
    if (name === 'resource') this.resource = { name: '', type: '', hash: '' };
    if (name === 'task') this.task = {};
    if (name === 'data' && this.parent() === 'resource') this.hash = md5.create();
  }

  ontext(text: string): void {
    this.silent = 0;
    if (this.hash) this.hashBase64(text);
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
    if (name !== 'data' || !this.hash) return;
    resource.hash = toHex(this.hash.digest());
    this.hash = null;
    this.rest = '';
  }

  /** A note names what is attached to it by the MD5 of its bytes. */
  private hashBase64(text: string): void {
    const all = this.rest + text.replace(/[^A-Za-z0-9+/=]/g, '');
    const whole = all.length - (all.length % 4);
    this.rest = all.slice(whole);
    try {
      this.hash?.update(Uint8Array.from(atob(all.slice(0, whole)), (c) => c.charCodeAt(0)));
    } catch {
      // No Base64: then it has no hash that a note could name.
    }
  }

  private parent(): string | undefined {
    return this.path.at(-2);
  }
}
