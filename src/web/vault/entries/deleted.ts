// Entries that were deleted and can be restored: fetched and opened as those that live. What was opened lives in memory
// alone.
import type { Deletion } from '../../../shared/nouns/entry-calls.ts';
import { everyPage } from '../../../vault/api/every-page.ts';
import { openRows } from '../../../vault/entries/opening.ts';
import { draftOf, type EntryKind, type EntryType } from '../../../vault/kinds/entry-kind.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { draftNames, dropDraft } from './drafts.ts';

/** A deleted entry as it was opened, with the days of its deletion and of its erasure. */
export type DeletedEntry<N extends EntryType> = N['entry'] & Deletion;

/** The rows of every deleted entry of a noun. @throws ApiError, TypeError */
export const fetchDeleted = <N extends EntryType>(kind: EntryKind<N>, vault: OpenVault) =>
  everyPage((before) => kind.deleted.fetchPage(vault.api, before));

/** Every deleted entry of a noun, fetched and opened anew. @throws ApiError, TypeError */
export async function loadDeleted<N extends EntryType>(
  kind: EntryKind<N>,
  vault: OpenVault,
): Promise<DeletedEntry<N>[]> {
  const rows = await fetchDeleted(kind, vault);
  const entries = await openRows(kind, rows, vault);
  return entries.map((entry, i) => {
    const { deletedAt = '', erasedAt = '' } = rows[i] ?? {};
    return { ...entry, deletedAt, erasedAt };
  });
}

/** For how long a list of deleted entries counts as fresh while many are looked for in it, in milliseconds. */
const FRESH = 10_000;

/** The deleted entry with this seal number; undefined where there is none. @throws ApiError, TypeError */
export async function findDeleted<N extends EntryType>(
  kind: EntryKind<N>,
  vault: OpenVault,
  sealId: string,
): Promise<N['row'] | undefined> {
  const rows = await vault.queryClient.fetchQuery({
    queryKey: ['deleted', kind.path, vault.user.id],
    queryFn: () => fetchDeleted(kind, vault),
    structuralSharing: false,
    staleTime: FRESH,
    gcTime: FRESH,
  });
  return rows.find((row) => row.sealId === sealId);
}

/**
 * Drops the drafts of changes to entries that are neither there nor deleted any more. Nothing is fetched unless there is
 * such a draft.
 * @param living every entry of the noun that is there
 */
export async function forgetDrafts<N extends EntryType>(
  kind: EntryKind<N>,
  living: readonly N['entry'][],
  vault: OpenVault,
): Promise<void> {
  const uid = vault.user.id;
  const known = new Set(living.map(({ id }) => id));
  // A newer entry may have come from another tab since the list was fetched.
  const newest = Math.max(0, ...known);
  const prefix = draftOf(kind, 0).slice(0, -1);
  const orphans = draftNames(uid).flatMap((name) => {
    const id = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    return id < newest && !known.has(id) ? [id] : [];
  });
  if (orphans.length === 0) return;
  const deleted = new Set((await fetchDeleted(kind, vault)).map(({ id }) => id));
  for (const id of orphans) if (!deleted.has(id)) dropDraft(uid, draftOf(kind, id));
}
