// A list of the vault. That nothing is in it is said only where the book has nothing against it: a server could leave out everything.
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { BookState } from '../../../vault/book/book-state.ts';
import { APP_STATE, type AppState } from '../../api/app-state.ts';
import { Listed } from '../../api/listed.tsx';
import { later } from '../../ui/later.tsx';
import { bookKey } from '../session/book-key.ts';
import { useVault } from '../session/vault-context.ts';

const NothingShown = later(async () => ({ default: (await import('./notice-words.tsx')).NothingShown }));

/** As `Listed`, of what the vault's book knows. */
export const VaultList = <Items extends readonly unknown[]>({
  empty,
  ...props
}: ComponentProps<typeof Listed<Items>>) => <Listed {...props} empty={<NothingHere>{empty}</NothingHere>} />;

/** Shows its children, which say that nothing is here, unless something may be missing: then that is said in their place. */
export function NothingHere({ children }: { children: ReactNode }) {
  // Others put it there: whoever watches, and every list that is compared.
  const { data: book } = useQuery<BookState>({ queryKey: bookKey(useVault()), enabled: false });
  const { data: app } = useQuery<AppState>({ queryKey: APP_STATE, enabled: false });
  const isOffline = Object.keys(app?.asOf ?? {}).length > 0;
  if (book?.isInDoubt) return <NothingShown book={book} />;
  return isOffline ? <NothingShown book={null} /> : children;
}
