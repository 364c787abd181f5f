// What this browser remembers of a vault's book between visits.
import type { BookMemory } from '../../../vault/book/book-memory.ts';
import { loadBook, storeBook } from '../device/book-cache.ts';
import { loadPin } from '../device/key-pin.ts';
import { loadKey } from '../device/key-slot.ts';
import { loadBookPin, loadRows, NOTED, saveBookPin, saveRows, TRIED } from '../device/pin-slot.ts';

export const memoryOf = (uid: string): BookMemory => ({
  loadKeyPin: () => loadPin(uid),
  loadPin: () => loadBookPin(uid),
  // What is on its way while an account is forgotten must not be kept behind it.
  savePin: (pin) => void (loadKey(uid) && saveBookPin(uid, pin)),
  loadNoted: () => loadRows(NOTED, uid),
  saveNoted: (rows) => void (loadKey(uid) && saveRows(NOTED, uid, rows)),
  loadTried: () => loadRows(TRIED, uid),
  saveTried: (rows) => void (loadKey(uid) && saveRows(TRIED, uid, rows)),
  load: () => loadBook(uid),
  store: async (book) => {
    if (loadKey(uid)) await storeBook(uid, book);
  },
});
