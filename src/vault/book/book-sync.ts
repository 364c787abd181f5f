// What keeps a vault's book does for everybody else, and what it is handed (create-book-sync.ts).
import type { Book, Draft } from '../../crypto/book.ts';
import type { PastEntry } from '../../crypto/book-history.ts';
import type { SealedBookEntry } from '../../shared/nouns/book.ts';
import type { Timers } from '../api/in-background.ts';
import type { BookMemory } from './book-memory.ts';
import type { ShownBookRow, ShownList } from './book-rows.ts';
import type { BookState, RowFound } from './book-state.ts';
import type { KnownRow, Written, WrittenRow } from './written.ts';

/** `anew`: it was wrong as it came and right when it was fetched again, so that whoever has it has to fetch it again. */
export type Comparison = 'compared' | 'anew' | 'not compared';

export interface BookSync {
  state(): BookState;
  /** Reads what was written since. @throws ApiError, TypeError */
  look(): Promise<BookState>;
  /**
   * Sends a change with its entry, one after the other.
   * @param send is called again with another entry where another device was faster; null where no entry can be written
   * @throws Overtaken before anything is sent, also where the server has not said so
   */
  write<T>(written: Written, send: (entry: SealedBookEntry | null) => Promise<T>): Promise<T>;
  /**
   * Notes rows that the server has kept without an entry: of an import, which would wait for each of its entries. They come
   * into the book together, soon, or at the next visit.
   */
  note(rows: readonly WrittenRow[]): void;
  /** Notes rows that their owner has found where they wanted to bring them, as far as the book has none of their numbers. */
  noteHere(rows: readonly KnownRow[]): void;
  /**
   * Says that rows were sent without an entry and not acknowledged. One that a list shows all the same counts as written, so
   * that it is missed if it vanishes: `write` says so by itself.
   */
  tried(rows: readonly WrittenRow[]): void;
  /** Whether this browser has sent a row as it is shown, and nothing has acknowledged it. */
  hasTried(row: KnownRow): boolean;
  /** Says that a row is shown beside what its author is writing, who may let go of that: one that was sent from here counts as written. */
  shownBeside(row: KnownRow): void;
  /** Takes in now what was noted. Returns how many rows are still in no entry. */
  settle(): Promise<number>;
  /**
   * The rows as the book has them, by their seal numbers, and the numbers of what was removed; null for a book that cannot be read.
   * @throws ApiError, TypeError
   */
  known(): Promise<Pick<Book, 'rows' | 'removed'> | null>;
  /**
   * Compares a list with the book. What seems wrong is fetched again before anything is said. Offline nothing is found.
   * @param isPart whether the list may have more rows than these: then only what is shown of them can be wrong
   */
  compare(list: ShownList, rows: readonly ShownBookRow[], isPart?: boolean): Promise<Comparison>;
  /**
   * What the book says of its past, as far as it is known to be right: the newest entry first.
   * @param from the number of the oldest entry that is wanted; what the server keeps where it is absent
   * @throws ApiError, TypeError
   */
  history(from?: number): Promise<PastEntry[]>;
  /** Takes what is shown for what there is, as far as it is still shown so. @throws ApiError, TypeError */
  adopt(found: readonly RowFound[]): Promise<void>;
  /**
   * Begins again with what the server has now, and writes down that its owner accepts that.
   * @throws ApiError, TypeError
   */
  acceptAsShown(): Promise<void>;
  /** Its owner says that the book which this new browser is shown is the newest. */
  confirm(): void;
  /**
   * A checkpoint under the vault's next key.
   * @param resealed what is sealed anew under it
   * @throws Overtaken, ApiError, TypeError
   */
  draftUnder(next: Uint8Array, resealed: Written['resealed']): Promise<Draft | null>;
  /** The draft of `draftUnder` was kept. */
  adoptDraft(draft: Draft): void;
  /** What it finds from now on stands nowhere any more: the vault was locked. */
  close(): void;
}

/** Where what was found is shown. */
export interface BookScreen {
  show(state: BookState): void;
  /** Has the lists fetched anew, as a whole, that are shown by this path. */
  refresh(path: string): Promise<void>;
}

/** What the book of a vault is kept with. */
export interface BookPorts {
  memory: BookMemory;
  screen: BookScreen;
  /** How an entry names this device. */
  deviceName: string;
  timers?: Timers;
}
