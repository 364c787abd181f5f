// The databases of this browser that are ours, by their names.

/** How far it has read the books of vaults (book-cache.ts). */
export const BOOKS_DATABASE = 'latebra';

/** Where lists are kept between visits (kept-blocks.ts), sealed under the vault's key. */
export const LISTS_DATABASE = 'latebra-lists';

/** Where files are kept to be opened without a connection (kept-files.ts), sealed as the server has them. */
export const FILES_DATABASE = 'latebra-files';

/** Where what was written without a connection waits (waiting-store.ts): one for each account. */
export const WAITING_DATABASE = 'latebra-waiting';

/** Where it is kept how far files were sealed that are on their way (sealed-files.ts): one for each account. */
export const SEALED_FILES_DATABASE = 'latebra-sealed';

/** Whether a database of this name is here. Where the browser does not list them, as Firefox before 126, it is opened to see. */
export async function hasDatabase(name: string): Promise<boolean> {
  const all = await globalThis.indexedDB?.databases?.().catch(() => undefined);
  if (all) return all.some((one) => one.name === name);
  const found = await openIfThere(name).catch(() => null);
  found?.close();
  return found !== null;
}

/**
 * Opens a database only where it is here: none without stores is made in its place, which would be of no use to whoever comes next.
 * @returns null where it is not, or cannot be opened
 */
export function openIfThere(name: string): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    const opening = indexedDB.open(name);
    opening.addEventListener('upgradeneeded', () => opening.transaction?.abort());
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => resolve(null));
  });
}
