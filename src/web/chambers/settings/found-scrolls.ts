// The letters that a vault would take along when it is destroyed: those that the server lists, and those that it does not show
// although the vault's book knows them.
import { useQuery } from '@tanstack/react-query';
import { legacyScrolls, type Scroll, scrollState } from '../../../shared/nouns/legacy.ts';
import { listOf, shownRows } from '../../../vault/book/shown-lists.ts';
import { legacyScrollKind } from '../../../vault/kinds/legacy-scroll.ts';
import { listWhispers } from '../../../vault/legacy/list-whispers.ts';
import type { Vault } from '../../../vault/vault.ts';
import { useVault } from '../../vault/session/vault-context.ts';

/** `unknown`: they could not be counted, so that the choice is asked for anyway. */
export type FoundScrolls =
  | 'asking'
  | 'unknown'
  | {
      watching: number;
      released: number;
      /** Neither of the two. */
      dormant: number;
      /** How many more the book knows; null where that could not be compared. */
      unseen: number | null;
      /** What other vaults have left for this one. */
      whispers: number;
    };

/** Whether something is to be chosen: also for letters that the server may have and does not show. */
export const hasScrollsToEnd = (found: FoundScrolls): found is Exclude<FoundScrolls, 'asking'> =>
  found === 'unknown' || (found !== 'asking' && (found.watching + found.released > 0 || found.unseen !== 0));

/** Every letter of the vault that the server lists, and how many more the book knows. @throws ApiError, TypeError */
async function fetchScrolls(vault: Vault): Promise<{ own: Scroll[]; unseen: number | null }> {
  const own = await legacyScrollKind.fetch(vault.api);
  const compared = await compare(vault, own).catch(() => null);
  // It came wrong, and was right when it was fetched again; a server that goes on so is found out (compare-lists.ts).
  return compared === 'anew' ? fetchScrolls(vault) : { own, unseen: compared };
}

/** @throws where a part of the app cannot be loaded */
async function compare(vault: Vault, own: readonly Scroll[]): Promise<number | 'anew' | null> {
  const book = await vault.loadBook();
  const comparison = await book.compare(listOf('legacy-scroll', vault.api), shownRows('legacy-scroll', own));
  if (comparison === 'anew') return comparison;
  const { chain, rows, isWithheld, isSignedOut } = book.state();
  if (comparison === 'not compared' || chain || isWithheld || isSignedOut) return null;
  return rows.filter(({ what, kind }) => what === 'missing' && kind === 'legacy-scroll').length;
}

/** Counts the letters that go with a vault, its own and those that were left for it. */
export function useFoundScrolls(wanted: boolean): FoundScrolls {
  const vault = useVault();
  const list = useQuery({
    queryKey: ['scrolls-to-end', legacyScrolls.list.path],
    queryFn: async () => {
      const [{ own, unseen }, left] = await Promise.all([fetchScrolls(vault), listWhispers(vault.api)]);
      const states = own.map(scrollState);
      const count = (wantedState: string) => states.filter((state) => state === wantedState).length;
      return {
        watching: count('watching'),
        released: count('released'),
        dormant: count('dormant'),
        unseen,
        whispers: left.length,
      };
    },
    enabled: wanted,
    refetchOnMount: 'always',
    gcTime: 0,
    staleTime: 0,
  });
  if (list.isError) return 'unknown';
  if (!list.data) return 'asking';
  return list.data;
}
