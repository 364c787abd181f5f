// A database of this browser, one an account, in which a write is over only once it is on the disk.
import { promisifyRequest } from 'idb-keyval';
import { isLeftForGood } from './left-for-good.ts';

/**
 * Opens the one store of an account's database of a kind for one piece of work, so that no tab stands in the way of its being deleted.
 * @throws a DOMException where this browser keeps nothing, or the vault was destroyed; a ReferenceError where it knows no databases
 */
export async function inDatabase<T>(
  uid: string,
  kind: string,
  store: string,
  mode: IDBTransactionMode,
  work: (all: IDBObjectStore) => Promise<T>,
): Promise<T> {
  if (isLeftForGood(uid)) throw new DOMException();
  const name = `${kind}:${uid}`;
  const opening = indexedDB.open(name);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  const database = await promisifyRequest(opening);
  try {
    const change = database.transaction(store, mode, { durability: 'strict' });
    const answer = await work(change.objectStore(store));
    if (mode === 'readwrite') await promisifyRequest(change);
    return answer;
  } finally {
    database.close();
    // What is on its way while a vault is destroyed, here or in another tab, must not be kept behind it.
    if (isLeftForGood(uid)) indexedDB.deleteDatabase(name);
  }
}
