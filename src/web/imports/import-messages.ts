// What a page asks of an import in its worker (import-session.ts), and what it is answered.
import type { DateOrder, Grouping } from './chats.ts';
import type { ImportFormat, LeftOut, Standing } from './imported-entry.ts';
import type { FileKeys, LockedFile, NamedBlob, RefusedFile } from './read-files.ts';

/** What one file turned out to be. */
export interface SourceSummary {
  /** Its place among those that were read. */
  index: number;
  name: string;
  formats: ImportFormat[];
  /** How many entries it has, conversations aside. */
  entries: number;
  chats: ChatSummary[];
}

export interface ChatSummary {
  name: string;
  messages: number;
  /** More than one: which number of its dates is the day cannot be known for certain. The likeliest is the first. */
  orders: readonly DateOrder[];
}

export interface ReadReply {
  sources: SourceSummary[];
  refused: RefusedFile[];
  archives: number[];
  locked: LockedFile[];
}

/** How the preview wants it. */
export interface Arrangement {
  grouping: Grouping;
  /** The order of dates that was chosen for a file's chats, by the file's index. */
  orders: Record<number, DateOrder>;
  /** Makes the numbers by which a vault knows what it has; it cannot be exported. */
  numbering: CryptoKey;
}

/** What becomes one memory, without its words. */
export interface PreviewRow {
  id: number;
  format: ImportFormat;
  title: string;
  happenedOn: string | null;
  tags: readonly string[];
  /** The first words. */
  start: string;
  /** How long all of them are, in bytes of UTF-8. */
  textBytes: number;
  /** What it is known by where it comes from, and its seal number in this vault. */
  sourceId: string;
  sealId: string;
  /** What comes along with it besides words. */
  files: readonly RowFile[];
}

/** A picture, a recording or a document of a row. */
export interface RowFile {
  /** What the text calls it. */
  name: string;
  type: string;
  /** As the zip declares it. */
  bytes: number;
  takenAt?: string;
  /** What stands for it in the text, where that has not its name. */
  standsAs?: Standing;
}

export type ImportRequest =
  | { ask: 'read'; files: readonly NamedBlob[]; keys?: FileKeys | undefined }
  | { ask: 'arrange'; arrangement: Arrangement }
  | { ask: 'rows'; from: number }
  | { ask: 'words'; id: number }
  | { ask: 'file'; id: number; at: number };

export type ImportReply =
  | { ok: true; read: ReadReply }
  | { ok: true; arranged: { total: number; leftOut: LeftOut[] } }
  | { ok: true; rows: PreviewRow[] }
  | { ok: true; words: string }
  /** Null where it cannot be read. */
  | { ok: true; file: Blob | null }
  | { ok: false };

export interface ImportProgress {
  name: string;
  done: number;
  total: number;
}
