// How far this browser has read a vault's book, kept between visits so that no visit reads a year anew. It holds seal numbers
// and tags, which the server has as well. What is lost here is read again.
import { get, set, type UseStore } from 'idb-keyval';
import type { Book } from '../../../crypto/book.ts';
import { BOOKS_DATABASE } from './databases.ts';
import { erasableStore } from './erasable-store.ts';

let opened: UseStore | undefined;

/** Some browsers have no such storage at all, and say so only when it is used. */
function store() {
  opened ??= erasableStore(BOOKS_DATABASE, 'books');
  return opened;
}

/** Null where nothing is kept, or cannot be. */
export async function loadBook(uid: string): Promise<Book | null> {
  try {
    return (await get<Book>(uid, store())) ?? null;
  } catch {
    return null;
  }
}

export async function storeBook(uid: string, book: Book): Promise<void> {
  try {
    await set(uid, book, store());
  } catch {
    // The next visit reads it again.
  }
}
