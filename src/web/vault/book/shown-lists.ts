// Every list of the server that the book speaks of, as it is fetched and held against it.
import { PAGE_MAX } from '../../../shared/http/wire.ts';
import { account } from '../../../shared/nouns/account.ts';
import { finalBreath } from '../../../shared/nouns/final-breath.ts';
import { ghostState, ghosts } from '../../../shared/nouns/ghost.ts';
import { importWebhooks } from '../../../shared/nouns/import-webhooks.ts';
import { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import { deletedMemories, memories } from '../../../shared/nouns/memory.ts';
import { deletedMyths, myths } from '../../../shared/nouns/myth.ts';
import { deletedRelationships, relationships } from '../../../shared/nouns/relationship.ts';
import { shareableKeys } from '../../../shared/nouns/sacred-key.ts';
import type { RowOf } from '../../../shared/sealed-facts.ts';
import { type KindName, kindNames, sealedKinds } from '../../../shared/sealed-kinds.ts';
import type { ApiClient } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import { bookKind, type ShownBookRow, type ShownList, shownRow } from './book-rows.ts';

const page = (before: number | undefined) => ({ query: { limit: PAGE_MAX, before } });

/** How the rows of each kind are fetched: what lives, and what can be restored. */
type Lists = { [K in KindName]: (api: ApiClient) => Promise<RowOf[K][]> };
const living: Lists = {
  memory: ({ sendForPage }) => everyPage((before) => sendForPage(memories.list, page(before))),
  relationship: ({ sendForPage }) => everyPage((before) => sendForPage(relationships.list, page(before))),
  myth: ({ sendForPage }) => everyPage((before) => sendForPage(myths.list, page(before))),
  onboarding: async ({ send }) => [(await send(account.answers, {})) ?? []].flat(),
  'sacred-key': ({ sendForPage }) => everyPage((before) => sendForPage(shareableKeys.list, page(before))),
  webhook: ({ send }) => send(importWebhooks.list, {}),
  'legacy-scroll': ({ sendForPage }) => everyPage((before) => sendForPage(legacyScrolls.list, page(before))),
  ghost: ({ sendForPage }) => everyPage((before) => sendForPage(ghosts.list, page(before))),
  breath: async ({ send }) => [(await send(finalBreath.get, {})) ?? []].flat(),
};
const deleted: Partial<Lists> = {
  memory: ({ sendForPage }) => everyPage((before) => sendForPage(deletedMemories.list, page(before))),
  relationship: ({ sendForPage }) =>
    everyPage((before) => sendForPage(deletedRelationships.list, page(before))),
  myth: ({ sendForPage }) => everyPage((before) => sendForPage(deletedMyths.list, page(before))),
};

/** Whether the words of a row are gone, as the server says: the book knows by which rules they may be. */
const over: { [K in KindName]?: (row: RowOf[K]) => boolean } = {
  ghost: (row) => ghostState(row, Date.parse(row.expiresAt), Date.now()) !== 'waiting',
  breath: ({ releasedAt }) => releasedAt !== null,
};

/** Rows of one list, as the book would have them. */
export const shownRows = <K extends KindName>(
  kind: K,
  rows: readonly RowOf[K][],
  deleted = false,
): ShownBookRow[] =>
  rows.flatMap((row) => shownRow(kind, row, { deleted, isOver: over[kind]?.(row) ?? false }));

/** An entry that was opened, as the book would have it. What it says of endings is fetched when it is taken in. */
export const shownEntry = (
  kind: KindName,
  { sealId, leaf, withheld }: { sealId: string | null; leaf: string; withheld: boolean },
  deleted: boolean,
): ShownBookRow[] =>
  sealId === null ? [] : [{ sealId, leaf, kind: bookKind(kind, deleted), isWithheld: withheld, ends: [] }];

/** In the names of the queries that show what was deleted. */
const DELETED_LISTS = 'deleted';

/** The paths of the lists, which are in the names of the queries that show them. */
const paths: Record<KindName, string> = {
  memory: memories.list.path,
  relationship: relationships.list.path,
  myth: myths.list.path,
  onboarding: account.answers.path,
  'sacred-key': shareableKeys.list.path,
  webhook: importWebhooks.list.path,
  'legacy-scroll': legacyScrolls.list.path,
  ghost: ghosts.list.path,
  breath: finalBreath.get.path,
};

function shownList<K extends KindName>(
  kind: K,
  fetch: Lists[K],
  api: ApiClient,
  isDeleted = false,
): ShownList {
  return {
    kinds: [bookKind(kind, isDeleted)],
    path: isDeleted ? DELETED_LISTS : paths[kind],
    fetch: async () => shownRows(kind, await fetch(api), isDeleted),
  };
}

/** The list of a kind. */
export const listOf = (kind: KindName, api: ApiClient): ShownList =>
  shownList(kind, living[kind] as Lists[typeof kind], api);

/** The list of what was deleted of a kind and can be restored; null where nothing can be. */
export function deletedListOf(kind: KindName, api: ApiClient): ShownList | null {
  const fetch = deleted[kind];
  return fetch ? shownList(kind, fetch as Lists[typeof kind], api, true) : null;
}

/** Every list of a vault. */
export const everyList = (api: ApiClient): ShownList[] =>
  kindNames(sealedKinds).flatMap((kind) => [listOf(kind, api), deletedListOf(kind, api) ?? []].flat());

/** The rows of every kind, and of what was deleted. @throws ApiError or TypeError when one of the lists cannot be fetched */
export async function everyRow(api: ApiClient): Promise<RowOf[KindName][]> {
  const lists = [...Object.values(living), ...Object.values(deleted)] as Lists[KindName][];
  return (await Promise.all(lists.map((fetch) => fetch(api)))).flat();
}
