// What a vault's book says of its past, for whoever asks who wrote what, and when. It must never tell of an entry that does
// not lead to the one that its reader has followed.
import { type BookEntry, hashOfEntry, openBookEntry, type Pin } from './book-entry.ts';

/** An entry with its hash, by which it can be compared. */
export interface PastEntry extends BookEntry {
  hash: string;
}

/**
 * The entries that lead to `head`, the newest first, as far back as each is shown, opens and has the hash that the one after
 * it names.
 * @param head the last entry that was followed
 * @param shown in order
 * @param keys the vault's keys, the present one first
 */
export async function historyOf(
  head: Pin,
  shown: readonly { n: number; sealed: string }[],
  keys: readonly Uint8Array[],
): Promise<PastEntry[]> {
  const past: PastEntry[] = [];
  let { n, hash } = head;
  for (let at = shown.findIndex((one) => one.n === n); at >= 0; at -= 1) {
    const one = shown[at];
    const entry = one?.n === n ? await openAs(one.sealed, { n, hash }, keys) : null;
    if (!entry) break;
    past.push(entry);
    n -= 1;
    hash = entry.previous;
  }
  return past;
}

/** The entry of this number and hash; null where it is another one. */
async function openAs(
  sealed: string,
  { n, hash }: Pin,
  keys: readonly Uint8Array[],
): Promise<PastEntry | null> {
  if ((await hashOfEntry(sealed).catch(() => null)) !== hash) return null;
  for (const key of keys) {
    const entry = await openBookEntry(sealed, n, key).catch(() => null);
    if (entry) return { ...entry, hash };
  }
  return null;
}
