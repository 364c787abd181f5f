// What this browser has seen last of a vault's book: a number and a hash, which say nothing of what the vault holds. Like the
// pin of its key, it stays when the key leaves: a server that goes back is noticed by whoever comes again.
import type { BookPin, NotedRow } from '../../../vault/book/book-memory.ts';

const PIN = 'latebra.book-pin';

const inMemory = new Map<string, string>();
const slotOf = (uid: string) => `${PIN}:${uid}`;

/** What this browser has seen last of an account's book; null when it has seen nothing. */
export function loadBookPin(uid: string): BookPin | null {
  try {
    const text = inMemory.get(uid) ?? window.localStorage.getItem(slotOf(uid));
    const pin = JSON.parse(text ?? 'null') as BookPin | null;
    return pin && Number.isSafeInteger(pin.n) && typeof pin.hash === 'string' ? pin : null;
  } catch {
    return null;
  }
}

/** Another tab may have seen more: only who follows a book, or accepts another one, puts an older pin in its place. */
export function saveBookPin(uid: string, { n, hash, isNew, isCutOff, accepted, since }: BookPin): void {
  const text = JSON.stringify({
    ...{ n, hash, ...(isNew && { isNew }), ...(isCutOff && { isCutOff }) },
    ...{ ...(accepted && { accepted }), ...(since !== undefined && { since }) },
  });
  try {
    window.localStorage.setItem(slotOf(uid), text);
    inMemory.delete(uid);
  } catch {
    // A browser that keeps nothing notices only what happens while the page is open.
    inMemory.set(uid, text);
  }
}

/** Rows that this browser has written, and that are in no entry yet. */
export const NOTED = 'latebra.book-noted';
/** New rows that it has sent, and that were not acknowledged. */
export const TRIED = 'latebra.book-tried';

export function loadRows(which: string, uid: string): NotedRow[] {
  const slot = `${which}:${uid}`;
  try {
    return JSON.parse(inMemory.get(slot) ?? window.localStorage.getItem(slot) ?? '[]') as NotedRow[];
  } catch {
    return [];
  }
}

export function saveRows(which: string, uid: string, rows: readonly NotedRow[]): void {
  const slot = `${which}:${uid}`;
  const text = JSON.stringify(rows);
  try {
    if (rows.length === 0) window.localStorage.removeItem(slot);
    else window.localStorage.setItem(slot, text);
    inMemory.delete(slot);
  } catch {
    inMemory.set(slot, text);
  }
}
