import type { RowList } from '../../../vault/replica/row-list.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { draftNames, dropDrafts, formOf } from './drafts.ts';

/**
 * Drops the drafts of changes to rows that are neither there nor deleted any more. Nothing is fetched unless there is such a
 * draft.
 * @param living every row of the list that is there
 */
export async function forgetDrafts(
  { draftOf, fetchDeleted }: NonNullable<RowList<never>['edited']>,
  living: readonly { id: number }[],
  vault: OpenVault,
): Promise<void> {
  const uid = vault.user.id;
  const known = new Set(living.map(({ id }) => id));
  // A newer entry may have come from another tab since the list was fetched.
  const newest = Math.max(0, ...known);
  const prefix = draftOf(0).slice(0, -1);
  const orphans = draftNames(uid).flatMap((name) => {
    const form = formOf(name);
    const id = form.startsWith(prefix) ? Number(form.slice(prefix.length)) : Number.NaN;
    return id < newest && !known.has(id) ? [id] : [];
  });
  if (orphans.length === 0) return;
  const deleted = new Set((await fetchDeleted(vault)).map(({ id }) => id));
  for (const id of orphans) if (!deleted.has(id)) dropDrafts(uid, draftOf(id));
}
