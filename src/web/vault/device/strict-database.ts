// A database of this browser in which a write is over only once it is on the disk.
import { promisifyRequest } from 'idb-keyval';

/**
 * Opens the one store of a database for one piece of work, so that no tab stands in the way of its being deleted.
 * @throws a DOMException where this browser keeps nothing, or a ReferenceError where it knows no databases
 */
export async function inDatabase<T>(
  name: string,
  store: string,
  mode: IDBTransactionMode,
  work: (all: IDBObjectStore) => Promise<T>,
): Promise<T> {
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
  }
}
