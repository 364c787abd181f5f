// What does not stay on the device: files of entries that were deleted, whose lock is ahead, or that name them no more.
import { DAY } from '../../../shared/time.ts';
import { bookKind } from '../../../vault/book/book-rows.ts';
import { fetchCompared } from '../../../vault/book/compare-with-book.ts';
import { lockLiesAhead } from '../../../vault/book/lock-ahead.ts';
import { readFiles } from '../../../vault/files/file-ref.ts';
import type { EntryKind, EntryType } from '../../../vault/kinds/entry-kind.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { isEntryHere } from '../../../vault/outbox/here-already.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import type { OpenVault } from '../session/vault-context.ts';
import type { Keeping } from './keeping.ts';
import { keepingOf } from './keeping-of-vault.ts';

/** Whether a lock lies ahead, so that the files of an entry go, whether or not this page still has its words. */
const isLocked = <N extends EntryType>(kind: EntryKind<N>, entry: N['entry']): boolean =>
  entry.withheld || lockLiesAhead(kind.lockedUntil(entry), Date.now());

/**
 * Erases kept files that no entry names, or only one whose lock is ahead, unless something is wrong with the book: a server that leaves
 * an entry out must not have its files erased here as well. Nor has one that shows a browser without a memory an older book, which is why
 * nothing is erased until its owner has said that this is the newest.
 * @throws ApiError, TypeError where the lists cannot be fetched, or the book cannot be read; nothing is erased then
 */
export async function dropGoneFiles(
  vault: OpenVault,
  kept: Pick<Keeping, 'ids' | 'drop'> = keepingOf(vault),
): Promise<void> {
  const here = await kept.ids();
  if (here.length === 0) return;
  const lists = await fetchCompared(() =>
    Promise.all(
      everyEntryKind.map(async (kind) => {
        const entries = await vault.lists.load(entryListOf(kind), DAY);
        return entries.map((entry) => ({ entry, isLocked: isLocked(kind, entry) }));
      }),
    ),
  );
  const all = lists.flat();
  const named = new Set(
    all.flatMap(({ entry, isLocked }) =>
      isLocked ? [] : readFiles(entry.detailsText).files.map(({ id }) => id),
    ),
  );
  // What an entry names that does not open is not known.
  if (!all.every(({ entry }) => isEntryHere(entry))) return;
  const gone = here.filter((id) => !named.has(id));
  if (gone.length === 0) return;
  const book = await vault.loadBook();
  // A list may have been compared with nothing, as where the line was cut behind it: then nothing was found either.
  const { rows, isInDoubt } = await book.look();
  if (isInDoubt || rows.length > 0) return;
  const shown = new Set(all.map(({ entry }) => entry.sealId));
  const kinds = new Set(everyEntryKind.map(({ noun }) => bookKind(noun)));
  const known = (await book.known())?.rows;
  if (known && [...known.values()].every(({ sealId, kind }) => !kinds.has(kind) || shown.has(sealId)))
    await kept.drop(gone.map((id) => ({ id })));
}
