// The newest entries of every kind, for a page that shows no whole list: one short page of each is fetched and opened. A list
// that stands open in this page already is taken instead, and nothing is fetched for it.
import { useQueries } from '@tanstack/react-query';
import { holdEntriesAgainstBook } from '../../../vault/book/hold-against.ts';
import { openRows } from '../../../vault/entries/opening.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { useVault } from '../session/vault-context.ts';
import { useEveryList } from './collection.ts';
import { type KnownEntry, onThisDay, writtenLast } from './days.ts';

/** How many of each kind are fetched. */
export const NEWEST = 50;

/** @param everything whether every list is wanted whole, which fetches all of them */
export function useNewest(everything: boolean) {
  const vault = useVault();
  const lists = useEveryList(everything);
  const pages = useQueries({
    queries: everyEntryKind.map((kind, i) => ({
      queryKey: ['opened', 'newest', kind.path, vault.user.id, vault.fingerprint],
      async queryFn() {
        const { reply, hasNext } = await kind.fetchPage(vault.api, undefined, NEWEST);
        const entries = await openRows(kind, reply, vault);
        holdEntriesAgainstBook(vault, kind.noun, entries, { isPart: hasNext });
        return { entries, hasNext };
      },
      enabled: lists[i]?.data === undefined,
      structuralSharing: false,
      // What was written since is not in it.
      refetchOnMount: 'always' as const,
    })),
  });
  const wanted = pages.map((page, i) => (lists[i]?.data === undefined ? page : lists[i]));
  const known = everyEntryKind.flatMap((kind, i): KnownEntry[] =>
    (lists[i]?.data ?? pages[i]?.data?.entries ?? []).map((entry) => ({ kind, entry })),
  );
  const failed = wanted.find((query) => query?.isError);
  return {
    isPending: wanted.some((query) => query?.isPending),
    isError: failed !== undefined,
    isFetching: wanted.some((query) => query?.isFetching),
    error: failed?.error,
    refetch: () => Promise.all(wanted.filter((query) => query?.isError).map((query) => query?.refetch())),
    /** Whether there are no others than these. */
    isWhole: everyEntryKind.every((_, i) =>
      lists[i]?.data ? !lists[i].isFetching : pages[i]?.data?.hasNext === false,
    ),
    latest: (most: number) => writtenLast(known, most),
    onThisDay: (now: number) => onThisDay(known, now),
  };
}
