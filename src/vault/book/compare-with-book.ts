// Compares a list that was just fetched with the vault's book, beside everything else: nobody waits for it.
import type { RowOf } from '../../shared/nouns/sealed-rows.ts';
import type { KindName } from '../../shared/sealed-kinds.ts';
import type { Vault } from '../vault.ts';
import type { Comparison } from './book-sync.ts';

const underWay = new Set<Promise<void>>();
/** How many lists came wrong, and right when they were fetched again. */
let anew = 0;

/** Where a part of the app cannot be loaded, nothing is compared: the next visit does it. */
function quietly(work: () => Promise<Comparison | null>): void {
  const comparing = work().then(
    (comparison) => {
      if (comparison === 'anew') anew += 1;
    },
    () => {},
  );
  underWay.add(comparing);
  void comparing.then(() => underWay.delete(comparing));
}

/**
 * Fetches lists and waits until they are compared, for what takes along what it has found and looks no more. What came wrong
 * and right afterwards is fetched again.
 * @throws what `fetch` throws
 */
export async function fetchCompared<T>(fetch: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = anew;
    const fetched = await fetch();
    while (underWay.size > 0) await Promise.all(underWay);
    if (anew === before) return fetched;
  }
}

const loadLists = () => import('./shown-lists.ts');

/** @param rows every row of a kind, as it was fetched */
export function compareWithBook<K extends KindName>(vault: Vault, kind: K, rows: readonly RowOf[K][]): void {
  quietly(async () => {
    const { listOf, shownRows } = await loadLists();
    return (await vault.loadBook()).compare(listOf(kind, vault.api), shownRows(kind, rows));
  });
}

/** An entry of a list as far as the book is concerned. */
type Held = { sealId: string | null; leaf: string; withheld: boolean };

interface HeldAs {
  /** The list is that of what can be restored. */
  isDeleted?: boolean;
  /** The list has more entries than these. */
  isPart?: boolean;
}

/** @param entries every entry of a list, or a part of them, as it was opened */
export function compareEntriesWithBook(
  vault: Vault,
  kind: KindName,
  entries: readonly Held[],
  { isDeleted = false, isPart = false }: HeldAs = {},
): void {
  quietly(async () => {
    const { deletedListOf, listOf, shownEntry } = await loadLists();
    const list = isDeleted ? deletedListOf(kind, vault.api) : listOf(kind, vault.api);
    if (!list) return null;
    const rows = entries.flatMap((entry) => shownEntry(kind, entry, isDeleted));
    return (await vault.loadBook()).compare(list, rows, isPart);
  });
}
