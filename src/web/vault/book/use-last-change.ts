// The change that a book ends with: who wrote it, and when.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { PastEntry } from '../../../crypto/book-history.ts';
import { useVault } from '../session/vault-context.ts';
import type { BookState } from './book-state.ts';
import { keeperOf } from './keeper.ts';
import { bookKey } from './written.ts';

/** `data` is null where the server does not show it. */
export function useLastChange({ head }: BookState): UseQueryResult<PastEntry | null> {
  const vault = useVault();
  return useQuery({
    queryKey: [...bookKey(vault), 'last', head.hash],
    queryFn: async () => (await keeperOf(vault).history(head.n))[0] ?? null,
  });
}
