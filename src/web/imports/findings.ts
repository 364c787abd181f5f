// What is found in one chosen file or folder while it is read, and what is left out of it and why.
import type { Chat } from './chats.ts';
import { decodeText } from './decode-text.ts';
import type { Evidence } from './file-evidence.ts';
import { FilesBeside } from './files-beside.ts';
import { foreignKind } from './foreign-files.ts';
import type { Found } from './formats/known-json.ts';
import {
  type ImportFormat,
  type LeftOutList,
  Locked,
  leftOutReasonOf,
  type ParsedEntry,
  type RefusalReason,
  Refused,
} from './imported-entry.ts';
import type { ImportLimits, Used, ZipFile } from './zip-files.ts';

/** What one chosen file holds. */
export interface SourceFile {
  name: string;
  formats: ImportFormat[];
  entries: ParsedEntry[];
  chats: Chat[];
  /** Where what its entries name may lie. */
  beside: FilesBeside;
}

export interface ReadingOf {
  leftOut: LeftOutList;
  used: Used;
  limits: ImportLimits;
  /** What opens it, if it is a backup that needs that. */
  key: Uint8Array | null;
}

/** What has been found so far. */
export class Findings {
  protected readonly entries: ParsedEntry[] = [];
  protected readonly chats: Chat[] = [];
  protected readonly beside = new FilesBeside();
  protected readonly leftOut: LeftOutList;
  protected readonly used: Used;
  protected readonly limits: ImportLimits;
  protected readonly key: Uint8Array | null;
  protected isArchive = false;
  /** Why one of its files was left out, where that tells more than that nothing was found. */
  protected refusal: Refused | null = null;
  /** Whether an application was recognised that says all it has in its own files: texts beside them are copies. */
  protected strong = false;

  constructor({ leftOut, used, limits, key }: ReadingOf) {
    this.key = key;
    this.leftOut = leftOut;
    this.used = used;
    this.limits = limits;
  }

  /** @throws Refused where there is nothing, with what it seems to be */
  protected found(evidence: Evidence): SourceFile {
    if (this.entries.length === 0 && this.chats.length === 0) {
      if (this.refusal) throw this.refusal;
      const seems = foreignKind(evidence);
      throw seems ? new Refused('foreign', seems) : new Refused('nothing-inside');
    }
    const formats = [...new Set([...this.entries, ...this.chats].map(({ format }) => format))];
    return { name: evidence.name, formats, entries: this.entries, chats: this.chats, beside: this.beside };
  }

  protected take({ entries = [], chats = [], isArchive = false, isOneOfMany = false }: Found): void {
    for (const entry of entries) this.entries.push(entry);
    for (const chat of chats) this.chats.push(chat);
    this.isArchive ||= isArchive;
    this.strong ||= !isOneOfMany;
  }

  /** One text of a zip. */
  protected inside(file: ZipFile, take: (text: string) => Promise<void>): Promise<void> {
    return this.attempt(file.path, async () => {
      const text = decodeText(await file.read());
      if (text === null) this.leftOut.add('not-text', file.path);
      else await take(text);
    });
  }

  /** What is wrong with one file leaves it out. A zip that deceives is refused as a whole. */
  protected async attempt(path: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (error instanceof Locked) throw error;
      if (error instanceof Refused) {
        if (error.reason === 'crafted') throw error;
        if (TELLING.has(error.reason)) this.refusal ??= error;
      }
      // Whatever one file does to its reader, the others are read.
      this.leftOut.add(leftOutReasonOf(error), path);
    }
  }
}

/** Reasons of one file that say what to do about all of them, where nothing else was found. */
const TELLING: ReadonlySet<RefusalReason> = new Set(['foreign', 'encrypted-backup', 'encrypted-export']);
