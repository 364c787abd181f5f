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
