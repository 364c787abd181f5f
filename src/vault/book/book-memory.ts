// What a device remembers of a vault's book from one visit to the next.
import type { Book } from '../../crypto/book.ts';
import type { BookRow, Pin } from '../../crypto/book-entry.ts';
import type { KeyPin } from '../keys/succession.ts';
import type { RowVersion } from './written.ts';

/** A pin, and whether its owner has been asked about it: a new browser cannot know whether it is shown the newest book. */
export interface BookPin extends Pin {
  isNew?: true | undefined;
  /** What was seen before it cannot be followed up to it: it is under a key of which nothing is left, or was forgotten. */
  isCutOff?: true | undefined;
  /**
   * Hashes of the entries that its owner had accepted as lost, in any browser, before this one: a server that loses what was
   * written since has to be accepted anew.
   */
  accepted?: readonly string[];
  /**
   * When the entry was written from which its book was read, in milliseconds since 1970. It stays where what was read is forgotten, as at
   * leaving: a loss that was accepted before is none of what was seen here.
   */
  since?: number;
}

/** A row that was written, deleted or removed, and is in no entry yet. */
export interface NotedRow extends BookRow {
  isRemoved?: true;
  /** What the book had of it then (`standing`). */
  over: string;
  /**
   * What else this browser has sent or done of it before, as the book would have it: an entry of that, which a server first says not to
   * have, is older.
   */
  own?: readonly string[];
  /** Its version, where it has versions. */
  version?: RowVersion;
  /** What was acknowledged of it before and is in no entry either. */
  earlier?: readonly BookRow[];
  /** The book has something else of it by now, which may be older than this. */
  isOvertaken?: true;
  /** The book has another row of the same version: the server has dropped this one. */
  isDropped?: true;
}

export interface BookMemory {
  /** The key of the vault that this device has seen last. */
  loadKeyPin(): KeyPin | null;
  loadPin(): BookPin | null;
  savePin(pin: BookPin): void;
  /** What this browser has done without an entry, one of each row: it is taken in afterwards. */
  loadNoted(): NotedRow[];
  saveNoted(rows: readonly NotedRow[]): void;
  /** What this browser has sent, and what was not acknowledged: a list, or an entry of the book, may show it all the same. */
  loadTried(): NotedRow[];
  saveTried(rows: readonly NotedRow[]): void;
  load(): Promise<Book | null>;
  store(book: Book): Promise<void>;
}
