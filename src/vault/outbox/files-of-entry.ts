// The files of an entry or a letter that is written: given to it before it is sent, and erased once nothing names them.
import { FileNotWhole } from '../files/problems.ts';
import type { EntryDraft, EntryType } from '../kinds/entry-kind.ts';
import type { Vault } from '../vault.ts';

type FilesLine = Pick<Vault, 'api'>;

/** The calls of files, which are fetched once there is one. */
const fileCalls = () => import('../files/file-calls.ts');
type WithFiles = Pick<EntryDraft<EntryType>, 'files'>;

/** Has the files that a draft names anew belong to its entry. @throws FileNotWhole, ApiError, TypeError */
export async function complete({ files }: WithFiles, vault: FilesLine, sealId: string): Promise<void> {
  if (files && files.added.length > 0) await (await fileCalls()).completeFiles(vault, files.added, sealId);
}

/** Has the files that details name belong to their entry, and not to one that does not open. What is not here is let be. */
export async function takeOver(
  details: string | null | undefined,
  vault: FilesLine,
  sealId: string,
): Promise<void> {
  if (typeof details !== 'string') return;
  const { readFiles } = await import('../files/file-ref.ts');
  for (const { id } of readFiles(details).files) {
    await complete({ files: { added: [id], removed: [] } }, vault, sealId).catch((error: unknown) => {
      if (!(error instanceof FileNotWhole)) throw error;
    });
  }
}

/** Erases files that a draft brought and the entry in its place does not name. @param details of that entry, as they were opened */
export async function eraseUnnamed(
  { files }: WithFiles,
  vault: FilesLine,
  details: string | null | undefined,
): Promise<void> {
  if (!files || files.added.length === 0) return;
  const { readFiles } = await import('../files/file-ref.ts');
  const named = new Set(readFiles(details).files.map(({ id }) => id));
  await (await fileCalls()).eraseFiles(
    vault,
    files.added.filter((id) => !named.has(id)),
  );
}

/** Erases what nothing names any more. */
export async function erase({ files }: WithFiles, vault: FilesLine): Promise<void> {
  if (files && files.removed.length > 0) await (await fileCalls()).eraseFiles(vault, files.removed);
}
