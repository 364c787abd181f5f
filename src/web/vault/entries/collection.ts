// Entries of a kind as a screen handles them: their list, and what is done with them (vault/outbox/entry-writer.ts).
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EntryKind, EntryType } from '../../../vault/kinds/entry-kind.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { entryWriter } from '../../../vault/outbox/entry-writer.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { rowsQuery } from '../session/list-store.ts';
import { useRows } from '../session/use-rows.ts';
import { useVault } from '../session/vault-context.ts';

/**
 * The lists of all kinds of entries, in the order of `everyEntryKind`.
 * @param enabled false while nobody wants them: they are then not fetched
 */
export function useEveryList(enabled: boolean) {
  const vault = useVault();
  return useQueries({
    queries: everyEntryKind.map((kind) => ({ ...rowsQuery(entryListOf(kind), vault), enabled })),
  });
}

/** @param enabled false while nobody wants the list: it is then not fetched */
export function useCollection<N extends EntryType>(kind: EntryKind<N>, enabled = true) {
  const vault = useVault();
  const list = useRows(entryListOf(kind), { enabled });
  const writer = useMemo(() => entryWriter(kind, vault), [kind, vault]);
  return { kind, list, ...writer };
}

/** A noun's entries, as a screen handles them. */
export type Collection<N extends EntryType> = ReturnType<typeof useCollection<N>>;
