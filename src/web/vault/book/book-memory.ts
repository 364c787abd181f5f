// What this browser remembers of a vault's book between visits.
import type { BookMemory } from '../../../vault/book/book-memory.ts';
import { loadBook, storeBook } from '../device/book-cache.ts';
import { loadPin, storesPin } from '../device/key-pin.ts';
import { loadKey } from '../device/key-slot.ts';
import { loadBookPin, loadRows, NOTED, saveBookPin, saveRows, TRIED } from '../device/pin-slot.ts';

export function memoryOf(uid: string): BookMemory {
  /**
   * What is on its way while an account is forgotten must not be kept behind it. A lock forgets no account: what a server
   * acknowledges only then has to be missed as well if it drops it.
   */
  const isKnown = () => loadKey(uid) !== null || storesPin(uid);
  return {
    loadKeyPin: () => loadPin(uid),
    loadPin: () => loadBookPin(uid),
    savePin: (pin) => void (isKnown() && saveBookPin(uid, pin)),
    loadNoted: () => loadRows(NOTED, uid),
    saveNoted: (rows) => void (isKnown() && saveRows(NOTED, uid, rows)),
    loadTried: () => loadRows(TRIED, uid),
    saveTried: (rows) => void (isKnown() && saveRows(TRIED, uid, rows)),
    load: () => loadBook(uid),
    store: async (book) => {
      if (loadKey(uid)) await storeBook(uid, book);
    },
  };
}
