// The newest entries of every kind, for a page that shows no whole list. Where a list stands open in this page already, or is
// kept on this device, it is taken whole; of the others one short page is fetched.
import { useQueries } from '@tanstack/react-query';
import { isUnanswered } from '../../../vault/api/api-error.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { NEWEST, newestListOf } from '../../../vault/replica/entry-list.ts';
import { rowsQuery } from '../session/list-store.ts';
import { useVault } from '../session/vault-context.ts';
import { useEveryList } from './collection.ts';
import { type KnownEntry, onThisDay, writtenLast } from './days.ts';

/** @param everything whether every list is wanted whole, which fetches all of them */
export function useNewest(everything: boolean) {
  const vault = useVault();
  const lists = useEveryList(everything || vault.keepsLists());
  const pages = useQueries({
    queries: everyEntryKind.map((kind, i) => ({
      ...rowsQuery(newestListOf(kind), vault),
      enabled: lists[i]?.data === undefined,
      // What was written since is not in it.
      refetchOnMount: 'always' as const,
    })),
  });
  const wanted = pages.map((page, i) => (lists[i]?.data === undefined ? page : lists[i]));
  const known = everyEntryKind.flatMap((kind, i): KnownEntry[] =>
    (lists[i]?.data ?? pages[i]?.data ?? []).map((entry) => ({ kind, entry })),
  );
  // Where nobody answers, what this device keeps is shown, and a line beneath the head says so.
  const failed = wanted.find(
    (query, i) => query?.isError && !(lists[i]?.data !== undefined && isUnanswered(query.error)),
  );
  return {
    isPending: wanted.some((query) => query?.isPending),
    isError: failed !== undefined,
    isFetching: wanted.some((query) => query?.isFetching),
    error: failed?.error,
    refetch: () => Promise.all(wanted.filter((query) => query?.isError).map((query) => query?.refetch())),
    /** Whether there are no others than these. */
    isWhole: everyEntryKind.every((_, i) =>
      lists[i]?.data ? !lists[i].isFetching : (pages[i]?.data?.length ?? NEWEST) < NEWEST,
    ),
    latest: (most: number) => writtenLast(known, most),
    onThisDay: (now: number) => onThisDay(known, now),
  };
}
