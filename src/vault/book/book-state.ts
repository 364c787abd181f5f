// What a page knows of a vault's book, and says of it.
import type { ChainFinding } from '../../crypto/book.ts';
import type { BookEntry, Pin } from '../../crypto/book-entry.ts';
import type { ShownBookRow } from './book-rows.ts';

/** One row of which the server shows something else than the book has. */
export interface RowFound {
  /** `unknown` is no reproach: webhooks and programs without a book write such rows. */
  what: 'missing' | 'changed' | 'returned' | 'unknown';
  sealId: string;
  /** As in the book (`bookKind`). */
  kind: string;
  /** The row as it is shown; null for one that is not. */
  shown: ShownBookRow | null;
}

/** An owner has accepted, in some browser, that the server went back. */
export type Acceptance = Pick<BookEntry, 'device' | 'at' | 'n'> & { lost: Pin };

/** What is known of a vault's book in this page. */
export interface BookState {
  head: Pin;
  /** What is wrong with the book itself; nothing else is compared then. */
  chain: ChainFinding | null;
  rows: readonly RowFound[];
  /** This browser sees the book for the first time, and its owner has not been asked yet. */
  isNew: boolean;
  /** It has seen a book before, of which nothing is left that leads to this one, so that nobody can say whether it goes on. */
  isCutOff: boolean;
  acceptances: readonly Acceptance[];
  /** When this page has read the book last, in milliseconds since 1970; null before that. */
  readAt: number | null;
  /** The server answers, but not with the book: what it showed last could not be compared. */
  isWithheld: boolean;
  /** The same, because it says that nobody is signed in any more. */
  isSignedOut: boolean;
  /**
   * Something is found wrong, or what the server shows could not be compared with all that was written: it may have left something
   * out.
   */
  isInDoubt: boolean;
  /** How many rows that this browser has written could not be written into the book yet. */
  unwritten: number;
}
