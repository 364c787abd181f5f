// What does not stay on the device: files of entries that were deleted, whose lock is ahead, or that name them no more.
import { DAY } from '../../../shared/time.ts';
import { bookKind } from '../../../vault/book/book-rows.ts';
import { fetchCompared } from '../../../vault/book/compare-with-book.ts';
import { readFiles } from '../../../vault/files/file-ref.ts';
import type { KeptFiles } from '../../../vault/files/kept-files.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import { isEntryHere } from '../../../vault/outbox/here-already.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { keptFilesOf } from '../device/kept-files.ts';
import type { OpenVault } from '../session/vault-context.ts';

/**
 * Erases kept files that no entry names, unless something is wrong with the book: a server that leaves an entry out must not have
 * its files erased here as well.
 * @throws ApiError, TypeError where the lists cannot be fetched, or the book cannot be read; nothing is erased then
 */
export async function dropGoneFiles(
  vault: OpenVault,
  kept: KeptFiles = keptFilesOf(vault.user.id, vault.keepsLists),
): Promise<void> {
  const here = await kept.list();
  if (here.size === 0) return;
  const lists = await fetchCompared(() =>
    Promise.all(everyEntryKind.map((kind) => vault.lists.load(entryListOf(kind), DAY))),
  );
  const named = new Set(
    lists.flat().flatMap(({ detailsText }) => readFiles(detailsText).files.map(({ id }) => id)),
  );
  // What an entry names that does not open is not known.
  if (!lists.flat().every(isEntryHere)) return;
  const gone = [...here.keys()].filter((id) => !named.has(id));
  if (gone.length === 0) return;
  const book = await vault.loadBook();
  // A list may have been compared with nothing, as where the line was cut behind it: then nothing was found either.
  const { chain, rows, isWithheld, isSignedOut, isCutOff } = await book.look();
  if (chain || rows.length > 0 || isWithheld || isSignedOut || isCutOff) return;
  const shown = new Set(lists.flat().map(({ sealId }) => sealId));
  const kinds = new Set(everyEntryKind.map(({ noun }) => bookKind(noun)));
  const known = (await book.known())?.rows;
  if (known && [...known.values()].every(({ sealId, kind }) => !kinds.has(kind) || shown.has(sealId)))
    await kept.drop(gone);
}
