// Details that the vault's book knows an entry to have, and the server shows it without: they must not be sealed over.
import { hasSecondSeal } from '../../crypto/book-leaf.ts';
import type { Vault } from '../vault.ts';

/** An entry as the server has shown it. */
interface Shown {
  sealId: string | null;
  /** Absent where it is not known how it was shown. */
  leaf?: string;
}

/** It cannot be sealed, because that would destroy what the server does not show. */
export class DetailsHidden extends Error {}

/**
 * Which of these entries have details that the server does not show. It reads the book, if that is not known yet.
 * @throws DetailsHidden where the book cannot be read; ApiError, TypeError
 */
export async function whoseDetailsAreHidden<E extends Shown>(
  vault: Vault,
  entries: readonly E[],
): Promise<Set<E>> {
  const without = entries.filter(({ leaf }) => leaf !== undefined && !hasSecondSeal(leaf));
  if (without.length === 0) return new Set();
  const rows = (await (await vault.loadBook()).known())?.rows;
  // Nothing may be sealed over what a book may have that cannot be read.
  if (!rows) throw new DetailsHidden();
  return new Set(
    without.filter(({ sealId }) => {
      const known = rows.get(sealId ?? '');
      return known !== undefined && hasSecondSeal(known.leaf);
    }),
  );
}
