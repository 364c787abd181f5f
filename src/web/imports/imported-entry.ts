// What every importer makes of a file: entries, and what of it stays behind. Pure.

/** The forms that files come in, by the application that writes them. */
export const formatNames = {
  'day-one': 'Day One',
  notion: 'Notion',
  markdown: 'Markdown',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  'google-keep': 'Google Keep',
  'standard-notes': 'Standard Notes',
  'plain-text': 'Plain text',
} as const;
export type ImportFormat = keyof typeof formatNames;

/** One entry as a parser gives it. */
export interface ParsedEntry {
  format: ImportFormat;
  /** Empty where there is none: the first words take its place. */
  title: string;
  content: string;
  /** A day, `2019-05-17`, or a minute, `2019-05-17T14:30`, by the clock where it happened. */
  happenedOn: string | null;
  tags: readonly string[];
  /** What the application knows it by; null where it has no such thing, and the text itself says which one it is. */
  sourceId: string | null;
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
  | 'unsafe-name'
  | 'nested'
  | 'too-large'
  | 'damaged'
  | 'not-text'
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

  addAll(others: readonly LeftOut[]): void {
    for (const { reason, count, names } of others) {
      this.add(reason, undefined, count);
      const found = this.byReason.get(reason);
      found?.names.push(...names.slice(0, NAMES_MAX - found.names.length));
    }
  }

  toArray(): LeftOut[] {
    return [...this.byReason.values()].map((one) => ({ ...one, names: [...one.names] }));
  }
}

const fileName = (path: string) => path.split('/').at(-1) ?? path;

const shortName = (name: string) => (name.length > 120 ? `…${name.slice(-119)}` : name);

/** Why a whole file is refused. */
export type RefusalReason =
  | 'empty'
  | 'unknown'
  | 'not-text'
  | 'too-large'
  | 'damaged'
  | 'crafted'
  | 'split-zip'
  | 'unsupported'
  | 'encrypted-zip'
  | 'encrypted-backup'
  | 'nothing-inside'
  | 'failed';

/** A file that cannot be imported at all. Carries its reason alone, never a word of the file. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason) {
    super(`This file cannot be imported: ${reason}`);
    this.reason = reason;
  }
}

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member that is a string; empty where it is anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The members of an array that are objects; none of what is no array. */
export const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
