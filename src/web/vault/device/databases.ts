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

/**
 * Whether a database of this name is here. Where the browser does not list them, as Firefox before 126, it is opened to see.
 * @throws where this browser does not show its storage
 */
export async function hasDatabase(name: string): Promise<boolean> {
  const all = await globalThis.indexedDB?.databases?.();
  return all?.some((one) => one.name === name) ?? (await import('./forgetting.ts')).isThere(name);
}
