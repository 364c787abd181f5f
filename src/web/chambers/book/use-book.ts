// The book as its screen shows it: what is known of it, its past, and what can be done about what was found.

import { useQuery } from '@tanstack/react-query';
import type { PastEntry } from '../../../crypto/book-history.ts';
import type { BookState, RowFound } from '../../../vault/book/book-state.ts';
import { everyList } from '../../../vault/book/shown-lists.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { bookOfVault } from '../../vault/book/book-of-vault.ts';
import { bookKey } from '../../vault/session/book-key.ts';
import { type OpenVault, useVault } from '../../vault/session/vault-context.ts';

/** Why not everything could be compared. */
export class NotCompared extends Error {}

/** The rows are shown otherwise by now than their owner has seen them. */
export class ShownOtherwise extends Error {}

export function useBook() {
  const vault = useVault();
  const { api, queryClient } = vault;
  const bookSync = () => bookOfVault(vault);
  const state = useQuery<BookState>({
    queryKey: bookKey(vault),
    queryFn: () => bookSync().look(),
    refetchOnMount: 'always',
  });
  const { head, chain } = state.data ?? {};
  const past = useQuery<PastEntry[]>({
    queryKey: [...bookKey(vault), 'past', head?.hash],
    queryFn: () => bookSync().history(),
    enabled: chain === null && head !== undefined && head.n > 0,
  });
  const checkedKey = [...bookKey(vault), 'checked'];
  const checked = useQuery<number>({ queryKey: checkedKey, enabled: false });

  return {
    state,
    /** The newest change first; absent while it is on its way, or cannot be had. */
    past: past.data,
    pastFailed: past.isError ? past.error : null,
    /** When every list was compared last, in milliseconds since 1970. */
    checkedAt: checked.data ?? null,

    /** Fetches every list and compares it with the book. @throws ApiError, TypeError, NotCompared */
    async checkEverything(): Promise<void> {
      if ((await bookSync().look()).chain) return;
      for (const list of everyList(api)) {
        const comparison = await bookSync().compare(list, await list.fetch());
        if (comparison === 'not compared') throw new NotCompared();
        if (bookSync().state().chain) return;
      }
      queryClient.setQueryData(checkedKey, Date.now());
    },

    confirm: () => bookSync().confirm(),

    /** Takes what is shown for what there is. @throws ApiError, TypeError, ShownOtherwise */
    async adopt(rows: readonly RowFound[]): Promise<void> {
      await bookSync().adopt(rows);
      const taken = new Set(rows.map(({ sealId }) => sealId));
      if (
        bookSync()
          .state()
          .rows.some(({ sealId }) => taken.has(sealId))
      )
        throw new ShownOtherwise();
    },

    /** @throws ApiError, TypeError */
    acceptAsShown: () => bookSync().acceptAsShown(),
  };
}

export type Book = ReturnType<typeof useBook>;

/** What the entries of the lists that stand open in this page are called, by their seal numbers. */
export function openedNames(vault: OpenVault): Map<string, string> {
  const opened = everyEntryKind.flatMap((kind) => vault.lists.rows(entryListOf(kind)) ?? []);
  return new Map(
    opened.flatMap(({ sealId, name }) => (sealId !== null && name !== null ? [[sealId, name]] : [])),
  );
}
