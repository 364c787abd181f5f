// What one browser remembers of a vault's book between visits.
import type { Book } from '../../../crypto/book.ts';
import type { BookRow } from '../../../crypto/book-entry.ts';
import { loadKey } from '../key/key-slot.ts';
import { loadBook, storeBook } from './book-cache.ts';
import { type BookPin, loadBookPin, loadNoted, saveBookPin, saveNoted } from './pin-slot.ts';

export interface BookMemory {
  loadPin(): BookPin | null;
  savePin(pin: BookPin): void;
  /** Rows that this browser has written without an entry, many at once: they are taken in afterwards. */
  loadNoted(): BookRow[];
  saveNoted(rows: readonly BookRow[]): void;
  load(): Promise<Book | null>;
  store(book: Book): Promise<void>;
}

/** The memory of the browser that this runs in. */
export const memoryOf = (uid: string): BookMemory => ({
  loadPin: () => loadBookPin(uid),
  // What is on its way while an account is forgotten must not be kept behind it.
  savePin: (pin) => void (loadKey(uid) && saveBookPin(uid, pin)),
  loadNoted: () => loadNoted(uid),
  saveNoted: (rows) => void (loadKey(uid) && saveNoted(uid, rows)),
  load: () => loadBook(uid),
  store: async (book) => {
    if (loadKey(uid)) await storeBook(uid, book);
  },
});
