// What every importer makes of a file: entries, and what of it stays behind. Pure.
import type { ForeignKind } from './foreign-files.ts';

/** The forms that files come in, by the application that writes them. */
export const formatNames = {
  'day-one': 'Day One',
  notion: 'Notion',
  markdown: 'Markdown',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  'google-keep': 'Google Keep',
  'standard-notes': 'Standard Notes',
  simplenote: 'Simplenote',
  bear: 'Bear',
  tomboy: 'Tomboy',
  jrnl: 'jrnl',
  bitwarden: 'Bitwarden',
  evernote: 'Evernote',
  joplin: 'Joplin',
  journey: 'Journey',
  'apple-journal': 'Apple Journal',
  upnote: 'UpNote',
  onenote: 'OneNote',
  html: 'Web page',
  'plain-text': 'Plain text',
  paper: 'Latebra, from paper',
} as const;
export type ImportFormat = keyof typeof formatNames;

/** A picture, a recording or a document that an entry has, as its application names it. */
export interface NamedFile {
  /** What it is called in the text of the entry, and in the vault. */
  name: string;
  /** Where it may lie, likely places first: paths from the file that names it or from the top, or names alone. */
  sought: readonly string[];
  /** The path of the file that names it; empty at the top. */
  from: string;
  /** When it was made, by the clock there: `2019-05-17T14:30:05`. */
  takenAt?: string;
  /** What stands for it in the text, where that has not its name. */
  standsAs?: Standing;
}

/** Words that stand for a file without a name. Others of its like may stand in the same text. */
export interface Standing {
  /** `[Image left out]` */
  words: string;
  /** Which of the places where the text has these words are this file's, from 0. */
  nths: readonly number[];
}

/** One entry as a parser gives it. */
export interface ParsedEntry {
  format: ImportFormat;
  /** Empty where there is none: the first words take its place. */
  title: string;
  content: string;
  /** As exactly as it is known (shared/edtf.ts), by the clock where it happened. */
  happenedOn: string | null;
  tags: readonly string[];
  /**
   * The instant of the file that the date was made from, in milliseconds since 1970. What has no number is known by it:
   * by another clock, the date is another one.
   */
  instant?: number;
  /** What the application knows it by; null where it has no such thing, and the text itself says which one it is. */
  sourceId: string | null;
  /** What it has besides words. Each was counted as left out by its name: whatever is found takes that back. */
  files?: readonly NamedFile[];
  /** The same thing is longer in a later export: then it counts as another one. Needs a `sourceId`. */
  grows?: boolean;
}

/** Why something in a file is not imported. */
export type LeftOutReason =
  | 'media'
  | 'trashed'
  | 'empty'
  | 'database'
  | 'notice'
  | 'copy'
  | 'twice'
  | 'encrypted'
  | 'credential'
  | 'unsafe-name'
  | 'nested'
  | 'too-large'
  | 'damaged'
  | 'not-text'
  | 'too-many-files'
  | 'other-file';

export interface LeftOut {
  reason: LeftOutReason;
  count: number;
  /** Some of their names, the first ones. */
  names: string[];
}

const NAMES_MAX = 40;

/** Counts what is left out, and keeps some names. */
export class LeftOutList {
  private readonly byReason = new Map<LeftOutReason, LeftOut>();
  private readonly media = new Set<string>();

  add(reason: LeftOutReason, name?: string, count = 1): void {
    const found = this.byReason.get(reason) ?? { reason, count: 0, names: [] };
    found.count += count;
    if (name !== undefined && found.names.length < NAMES_MAX) found.names.push(shortName(name));
    this.byReason.set(reason, found);
    if (reason === 'media' && name !== undefined) this.media.add(fileName(name));
  }

  /** Counts a file of a zip, unless an entry has named it as its own already. */
  addMediaFile(path: string): void {
    if (!this.media.has(fileName(path))) this.add('media', path);
  }

  /** Counts a file that an entry names: also under its other names it is counted once. */
  addNamed({ name, sought }: NamedFile): void {
    this.add('media', name);
    for (const path of sought) this.media.add(fileName(path));
  }

  /** What was counted as left out comes along after all. */
  takeBack(reason: 'media' | 'other-file', name: string): void {
    const found = this.byReason.get(reason);
    if (!found) return;
    found.count -= 1;
    const at = found.names.indexOf(shortName(name));
    if (at >= 0) found.names.splice(at, 1);
    if (found.count === 0) this.byReason.delete(reason);
  }

  addAll(others: readonly LeftOut[]): void {
    for (const { reason, count, names } of others) {
      this.add(reason, undefined, count);
      const found = this.byReason.get(reason);
      found?.names.push(...names.slice(0, NAMES_MAX - found.names.length));
    }
  }

  /** What is said by one of many. One that cannot be read is left out, and takes none of the others with it. */
  attempt(name: string, read: () => ParsedEntry[]): ParsedEntry[] {
    try {
      return read();
    } catch (error) {
      this.add(leftOutReasonOf(error), name);
      return [];
    }
  }

  toArray(): LeftOut[] {
    return [...this.byReason.values()].map((one) => ({ ...one, names: [...one.names] }));
  }
}

/** An address that leads elsewhere than into the export. */
const ELSEWHERE = /^([a-z][a-z\d+.-]*:|\/\/|#|$)/i;

/**
 * Collects what an entry names while its text is made, and counts it.
 * @param from the path of the file that names it
 * @param within the path of what lies within that file under such an address
 */
export function collectFiles(
  leftOut: LeftOutList,
  from: string,
  within: (source: string) => string | undefined = () => undefined,
) {
  const files: NamedFile[] = [];
  return {
    files,
    onMedia(name: string, source = ''): void {
      const own = within(source);
      if (own === undefined && ELSEWHERE.test(source)) leftOut.add('media', name);
      else {
        const file = { name, sought: [own ?? source], from };
        files.push(file);
        leftOut.addNamed(file);
      }
    },
  };
}

const fileName = (path: string) => path.split('/').at(-1) ?? path;

const shortName = (name: string) => (name.length > 120 ? `…${name.slice(-119)}` : name);

/** Why a whole file is refused. */
export type RefusalReason =
  | 'empty'
  /** Known to be something that cannot be imported. */
  | 'foreign'
  | 'unknown'
  | 'not-text'
  | 'too-large'
  | 'damaged'
  | 'crafted'
  | 'split-zip'
  | 'unsupported'
  | 'encrypted-zip'
  | 'encrypted-backup'
  | 'encrypted-export'
  | 'nothing-inside'
  | 'failed';

/** A file that cannot be imported at all. Carries its reason alone, never a word of the file. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: RefusalReason;
  /** What it seems to be. */
  readonly seems: ForeignKind | null;
  constructor(reason: RefusalReason, seems: ForeignKind | null = null) {
    super(`This file cannot be imported: ${reason}`);
    this.reason = reason;
    this.seems = seems;
  }
}

/** What the reason is called where one file of many is left out. */
const leftOutReasons: Partial<Record<RefusalReason, LeftOutReason>> = {
  'too-large': 'too-large',
  foreign: 'other-file',
  unknown: 'other-file',
  'encrypted-backup': 'encrypted',
  'encrypted-export': 'encrypted',
};

/** What one of many counts as, whatever it does to its reader. */
export const leftOutReasonOf = (error: unknown): LeftOutReason =>
  (error instanceof Refused ? leftOutReasons[error.reason] : undefined) ?? 'damaged';

/** A backup that a passphrase opens. Carries what its passphrase is stretched with, and whether one was wrong. */
export class Locked extends Error {
  override readonly name = 'Locked';
  readonly salt: Uint8Array;
  readonly wrong: boolean;
  constructor(salt: Uint8Array, wrong: boolean) {
    super('This file is sealed under a passphrase');
    this.salt = salt;
    this.wrong = wrong;
  }
}

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member that is a string; empty where it is anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The members of an array that are objects; none of what is no array. */
export const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
