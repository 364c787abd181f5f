// Entries that were deleted and can be restored, fetched and opened as those that live.
import type { Deletion } from '../../shared/nouns/entry-calls.ts';
import { everyPage } from '../api/every-page.ts';
import type { EntryKind, EntryType } from '../kinds/entry-kind.ts';
import { openRows } from '../opening/opening.ts';
import type { Vault } from '../vault.ts';
import { FRESH, type ListedVault } from './row-list.ts';

/** A deleted entry as it was opened, with the days of its deletion and of its erasure. */
export type DeletedEntry<N extends EntryType> = N['entry'] & Deletion;

/** The rows of every deleted entry of a kind. @throws ApiError, TypeError */
export const fetchDeleted = <N extends EntryType>(kind: EntryKind<N>, vault: Vault) =>
  everyPage((before) => kind.deleted.fetchPage(vault.api, before));

/** Every deleted entry of a kind, fetched and opened anew. @throws ApiError, TypeError */
export async function loadDeleted<N extends EntryType>(
  kind: EntryKind<N>,
  vault: Vault,
): Promise<DeletedEntry<N>[]> {
  const rows = await fetchDeleted(kind, vault);
  const entries = await openRows(kind, rows, vault);
  return entries.map((entry, i) => {
    const { deletedAt = '', erasedAt = '' } = rows[i] ?? {};
    return { ...entry, deletedAt, erasedAt };
  });
}

/** The deleted row with this seal number; undefined where there is none. @throws ApiError, TypeError */
export async function findDeleted<N extends EntryType>(
  kind: EntryKind<N>,
  vault: ListedVault,
  sealId: string,
): Promise<N['row'] | undefined> {
  const list = { path: `deleted ${kind.path}`, load: () => fetchDeleted(kind, vault) };
  const rows: readonly N['row'][] = await vault.lists.load(list, FRESH);
  return rows.find((row) => row.sealId === sealId);
}
