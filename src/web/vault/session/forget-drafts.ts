// Drafts of changes to entries that are gone. What was written into them is nowhere else: no server alone has them dropped.
import { mayHaveEnded } from '../../../crypto/book-comparison.ts';
import type { RowList } from '../../../vault/replica/row-list.ts';
import { changeOfForm, draftNames, dropDrafts, formOf } from './drafts.ts';
import type { OpenVault } from './vault-context.ts';

/**
 * Drops the drafts of changes to rows that are neither there nor deleted any more, and of which the vault's book says that
 * they were removed or may have ended. A row that it never named may only be left out. Nothing is fetched unless there is such
 * a draft.
 * @param living every row of the list that is there
 * @throws ApiError, TypeError where the book cannot be read: then they stay
 */
export async function forgetDrafts(
  { draftOf, fetchDeleted }: NonNullable<RowList<never>['edited']>,
  living: readonly { sealId: string | null }[],
  vault: OpenVault,
): Promise<void> {
  const uid = vault.user.id;
  const known = new Set(living.map(({ sealId }) => sealId));
  const orphans = draftNames(uid).flatMap((name) => {
    const form = formOf(name);
    const sealId = changeOfForm(form)?.sealId ?? null;
    return sealId !== null && draftOf(sealId) === form && !known.has(sealId) ? [sealId] : [];
  });
  if (orphans.length === 0) return;
  const deleted = new Set((await fetchDeleted(vault)).map(({ sealId }) => sealId));
  const book = await vault.loadBook();
  // Another tab may have written one since the list was fetched.
  await book.look();
  const inBook = await book.known();
  for (const sealId of orphans) {
    const row = inBook?.rows.get(sealId);
    const isGone = row ? mayHaveEnded(row, Date.now()) : inBook?.removed.has(sealId);
    if (isGone && !deleted.has(sealId)) dropDrafts(uid, draftOf(sealId));
  }
}
