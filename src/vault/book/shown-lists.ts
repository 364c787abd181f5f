// Every list of the server that the book speaks of, as it is fetched and compared with it.
import type { RowOf } from '../../shared/nouns/sealed-rows.ts';
import { type KindName, kindNames, sealedKinds } from '../../shared/sealed-kinds.ts';
import type { ApiClient } from '../api/api-client.ts';
import type { VaultKind } from '../kinds/vault-kind.ts';
import { vaultKinds } from '../kinds/vault-kinds.ts';
import { bookKind, type ShownBookRow, type ShownList, shownRow, versionOf } from './book-rows.ts';

const kindOf = <K extends KindName>(kind: K) => vaultKinds[kind] as VaultKind<K>;

/** Rows of one list, as the book would have them. */
export function shownRows<K extends KindName>(
  kind: K,
  rows: readonly RowOf[K][],
  deleted = false,
): ShownBookRow[] {
  const { isOver } = kindOf(kind);
  return rows.flatMap((row) => shownRow(kind, row, { deleted, isOver: isOver(row, Date.now()) }));
}

/** An entry that was opened, as the book would have it. What it says of endings is fetched when it is taken in. */
export const shownEntry = (
  kind: KindName,
  entry: { sealId: string | null; leaf: string; withheld: boolean },
  deleted: boolean,
): ShownBookRow[] => {
  const { sealId, leaf, withheld } = entry;
  if (sealId === null) return [];
  const shown = { sealId, leaf, kind: bookKind(kind, deleted), isWithheld: withheld, ends: [] };
  return [{ ...shown, version: versionOf(entry) }];
};

/** What stands for a path in the list of all that was deleted. */
export const DELETED_LISTS = 'deleted';

/** The list of a kind. */
export function listOf<K extends KindName>(kind: K, api: ApiClient): ShownList {
  const { path, fetch } = kindOf(kind);
  return { kinds: [bookKind(kind)], path, fetch: async () => shownRows(kind, await fetch(api)) };
}

/** The list of what was deleted of a kind and can be restored; null where nothing can be. */
export function deletedListOf<K extends KindName>(kind: K, api: ApiClient): ShownList | null {
  const { fetchDeleted } = kindOf(kind);
  if (!fetchDeleted) return null;
  return {
    kinds: [bookKind(kind, true)],
    path: DELETED_LISTS,
    fetch: async () => shownRows(kind, await fetchDeleted(api), true),
  };
}

/** Every list of a vault. */
export const everyList = (api: ApiClient): ShownList[] =>
  kindNames(sealedKinds).flatMap((kind) => [listOf(kind, api), deletedListOf(kind, api) ?? []].flat());

/** The rows of every kind, and of what was deleted. @throws ApiError or TypeError when one of the lists cannot be fetched */
export async function everyRow(api: ApiClient): Promise<RowOf[KindName][]> {
  const lists = kindNames(sealedKinds).flatMap((name): ((api: ApiClient) => Promise<RowOf[KindName][]>)[] => {
    const { fetch, fetchDeleted } = kindOf(name);
    return fetchDeleted ? [fetch, fetchDeleted] : [fetch];
  });
  return (await Promise.all(lists.map((fetch) => fetch(api)))).flat();
}
