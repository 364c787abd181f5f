// What an import finds here already. A server can show rows for as long as an import looks, and drop them afterwards: what
// does not open is not here, and what is counts as written from then on.

import type { KindName } from '../../shared/sealed-kinds.ts';
import { isWhole, type OpenedEntry } from '../kinds/entry-kind.ts';
import type { Vault } from '../vault.ts';

/** Whether an entry can be read here, or once its lock has ended. */
export const isEntryHere = (entry: OpenedEntry): boolean =>
  entry.changed === null && (isWhole(entry) || (entry.withheld && entry.name !== null));

/**
 * Notes what an import leaves out because it is here, as far as no book has it: its owner has the words elsewhere, and may throw
 * them away after this. Where the book cannot be read just now, or is found wrong, it is noted all the same: the book takes it in, or misses
 * it, once it is right again.
 */
export async function noteHere(
  vault: Vault,
  kind: KindName,
  rows: readonly { sealId: string | null; leaf: string; outside: boolean }[],
): Promise<void> {
  const own = rows.filter(({ outside }) => !outside);
  if (own.length === 0) return;
  const book = await vault.loadBook();
  await book.look().catch(() => {});
  book.noteHere(own.map(({ sealId, leaf }) => ({ kind, sealId, leaf })));
}
