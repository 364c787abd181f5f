// The four words of an entry of the book, for screens. The list that they come from is loaded when it is first wanted.
import { useQuery } from '@tanstack/react-query';
import type { Pin } from '../../../crypto/book-entry.ts';
import { bookKey } from '../session/book-key.ts';
import { useVault } from '../session/vault-context.ts';

/** Null for no entry, and while they are on their way. */
export function usePinWords(pin: Pin | null): readonly string[] | null {
  const vault = useVault();
  const words = useQuery({
    queryKey: [...bookKey(vault), 'words', pin?.n, pin?.hash],
    queryFn: async () => {
      const { wordsOfPin } = await import('../../../crypto/book-words.ts');
      return pin && wordsOfPin(pin);
    },
    enabled: pin !== null,
  });
  return words.data ?? null;
}
