// Forgetting what this browser keeps: of an account whose vault is gone, at leaving, and where a device is given to others.
import { KEPT_USER } from '../../api/kept-user-slot.ts';
import { forgetSlots } from './account-slot.ts';
import {
  BOOKS_DATABASE,
  FILES_DATABASE,
  LISTS_DATABASE,
  SEALED_FILES_DATABASE,
  WAITING_DATABASE,
} from './databases.ts';
import { endKeeping } from './erasable-store.ts';
import { forgetKey } from './key-slot.ts';

const DATABASES = [BOOKS_DATABASE, LISTS_DATABASE, FILES_DATABASE];

/** How long a database may take, in milliseconds: whoever leaves is not kept in an open vault. */
const PATIENCE = 2000;

/** A browser may forbid storage altogether. */
function storageOf(which: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[which];
  } catch {
    return null;
  }
}

function forgetNames(store: Storage | null, which: (name: string) => boolean): void {
  for (const name of Object.keys(store ?? {}).filter(which)) store?.removeItem(name);
}

/** Forgets everything that this browser keeps of an account whose vault is gone. Resolves once its databases are empty. */
export async function forgetAccount(uid: string): Promise<void> {
  forgetEntriesOf(uid);
  await eraseDatabases([...DATABASES, `${WAITING_DATABASE}:${uid}`, `${SEALED_FILES_DATABASE}:${uid}`]);
  // Another tab may have kept a draft before it heard of it.
  forgetEntriesOf(uid);
}

/** What of it stands in slots of the browser's storage, and in the memory of this page. */
export function forgetEntriesOf(uid: string): void {
  forgetKey(uid);
  forgetSlots(uid);
  forgetNames(storageOf('localStorage'), (name) => name.startsWith('latebra.') && name.split(':')[1] === uid);
  forgetNames(storageOf('sessionStorage'), (name) => name.startsWith('latebra.'));
}

/**
 * Forgets what this browser keeps of lists and files, and what it has read of books, of every account: those of others are fetched
 * and read anew. Resolves once they are empty.
 */
export const forgetDatabases = (): Promise<void> => eraseDatabases(DATABASES);

/** Forgets what a start without a network needs: who was signed in, the app itself, and the worker that keeps it. */
export async function forgetKeptApp(): Promise<void> {
  forgetNames(storageOf('localStorage'), (name) => name.startsWith(KEPT_USER));
  try {
    for (const name of await caches.keys()) await caches.delete(name);
    for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
  } catch {
    // A browser that has neither has kept nothing.
  }
}

async function eraseDatabases(names: readonly string[]): Promise<void> {
  endKeeping();
  if (!('indexedDB' in globalThis)) return;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([Promise.all(names.map((name) => eraseDatabase(name).catch(() => {}))), late]);
}

/**
 * Empties a database and deletes it. The emptying waits for no other tab; the deletion does where one has it open and does not close
 * it, as one that stands still in the background (erasable-store.ts). Which ones are here is not asked for: one that is being made just
 * now is in no list yet, and stands before this in the browser's queue.
 */
async function eraseDatabase(name: string): Promise<void> {
  // What cannot be opened, or emptied, is deleted all the same.
  await emptyDatabase(name).catch(() => {});
  const deleting = indexedDB.deleteDatabase(name);
  await new Promise<void>((resolve) => {
    for (const end of ['success', 'error', 'blocked']) deleting.addEventListener(end, () => resolve());
  });
}

async function emptyDatabase(name: string): Promise<void> {
  const database = await openIfThere(name);
  if (!database) return;
  const stores = [...database.objectStoreNames];
  if (stores.length > 0) await empty(database, stores);
  database.close();
}

/**
 * Opens a database only where it is here: none without stores is made in its place, which would be of no use to whoever comes next.
 * @returns null where it is not here, or cannot be opened
 */
function openIfThere(name: string): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    const opening = indexedDB.open(name);
    opening.addEventListener('upgradeneeded', () => opening.transaction?.abort());
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => resolve(null));
  });
}

/** Whether a database is here, and can be opened. */
export async function isThere(name: string): Promise<boolean> {
  const found = await openIfThere(name).catch(() => null);
  found?.close();
  return found !== null;
}

function empty(database: IDBDatabase, stores: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const change = database.transaction(stores, 'readwrite', { durability: 'strict' });
    for (const store of stores) change.objectStore(store).clear();
    change.oncomplete = () => resolve();
    change.onabort = () => reject(change.error);
  });
}
