// The change that a book ends with: who wrote it, and when.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { PastEntry } from '../../../crypto/book-history.ts';
import type { BookState } from '../../../vault/book/book-state.ts';
import { bookKey } from '../session/book-key.ts';
import { useVault } from '../session/vault-context.ts';
import { bookOfVault } from './book-of-vault.ts';

/** `data` is null where the server does not show it. */
export function useLastChange({ head }: BookState): UseQueryResult<PastEntry | null> {
  const vault = useVault();
  return useQuery({
    queryKey: [...bookKey(vault), 'last', head.hash],
    queryFn: async () => (await bookOfVault(vault).history(head.n))[0] ?? null,
  });
}
