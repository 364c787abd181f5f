// The book of a vault in this page, and where the page shows what it finds.
import { hashKey, type QueryClient } from '@tanstack/react-query';
import { deviceName } from '../../../shared/device-name.ts';
import type { BookScreen, BookSync } from '../../../vault/book/book-sync.ts';
import { createBookSync } from '../../../vault/book/create-book-sync.ts';
import { bookKey } from '../session/book-key.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { memoryOf } from './book-memory.ts';

const books = new WeakMap<QueryClient, Map<string, BookSync>>();

/** Shows what a book finds where the screens look for it. */
export const screenOf = (vault: OpenVault): BookScreen => ({
  show: (state) => void vault.queryClient.setQueryData(bookKey(vault), state),
  async refresh(path) {
    // What this device has kept of a list that is wrong is worth nothing.
    if (vault.keepsLists())
      await vault.loadBlocks().then(
        (blocks) => blocks.forget(path),
        () => {},
      );
    // Also a short page of it, as the desk has.
    const isOfList = (part: unknown) =>
      part === path || (typeof part === 'string' && part.startsWith(`${path}?`));
    await vault.queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey.some(isOfList) });
  },
});

/** The one book of a vault in this page. Locking the vault forgets it, and its key, with everything that was opened. */
export function bookOfVault(vault: OpenVault): BookSync {
  const { queryClient, user, fingerprint } = vault;
  const own = books.get(queryClient) ?? new Map<string, BookSync>();
  books.set(queryClient, own);
  const name = `${user.id} ${fingerprint}`;
  const known = own.get(name);
  if (known) return known;
  const book = createBookSync(vault, {
    memory: memoryOf(user.id),
    screen: screenOf(vault),
    deviceName: deviceName(navigator.userAgent),
  });
  own.set(name, book);
  const hash = hashKey(bookKey(vault));
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'removed' || query.queryHash !== hash) return;
    stop();
    own.delete(name);
    book.close();
  });
  return book;
}
