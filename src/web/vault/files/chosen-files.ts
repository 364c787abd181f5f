// Files as they were chosen, which a page has for as long as it stands open. What sends them may still be on its way: a form has
// each in its draft at once, and waits for it.
import { toBase64Url } from '../../../crypto/base64.ts';
import { newFile } from '../../../crypto/file.ts';
import { sealedLength } from '../../../crypto/file-layout.ts';
import { FILE_BYTES_MAX, FILES_OF_ENTRY_MAX } from '../../../shared/file-limits.ts';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import type { FilesVault } from '../../../vault/files/file-calls.ts';
import { tidyName, tidyType } from '../../../vault/files/file-name.ts';
import type { AddedFile } from './draft-files.ts';

/** The files that were chosen since a page was opened, by its line to the server and their numbers. */
const chosenOnPages = new WeakMap<FilesVault['api'], Map<string, File>>();

export function chosenOn({ api }: FilesVault): Map<string, File> {
  const chosen = chosenOnPages.get(api) ?? new Map<string, File>();
  chosenOnPages.set(api, chosen);
  return chosen;
}

/** Recordings that are in this page alone, whatever form is open: they cannot be chosen once more. */
const onlyHere = new Set<string>();
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

/** @param isOnlyHere whether leaving the page would lose it */
export function noteOnlyHere(id: string, isOnlyHere: boolean): void {
  if (isOnlyHere) onlyHere.add(id);
  else onlyHere.delete(id);
  if (onlyHere.size > 0) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
}

/** A file that was chosen, as the draft keeps it from now on. @param known what is known of it besides, of a recording */
export function addChosen(
  vault: FilesVault,
  file: File,
  known: Pick<AddedFile, 'seconds' | 'takenAt' | 'recording'> = {},
): AddedFile {
  const { id, key } = newFile();
  chosenOn(vault).set(id, file);
  if (known.recording) noteOnlyHere(id, true);
  const name = tidyName(file.name);
  const type = tidyType(file.type);
  return { ...known, id, key: toBase64Url(key), name, type, bytes: file.size, root: null, isWhole: false };
}

/** It is taken out of its form. */
export function dropChosen(vault: FilesVault, id: string): void {
  chosenOn(vault).delete(id);
  noteOnlyHere(id, false);
}

/** Why a file is not taken; null where it is. @param there how many the entry has */
export function whyNotTaken({ name, size }: File, there: number): string | null {
  if (there >= FILES_OF_ENTRY_MAX)
    return `“${tidyName(name)}” was not added. An entry has ${FILES_OF_ENTRY_MAX} files at most.`;
  return sealedLength(size) > FILE_BYTES_MAX
    ? `“${tidyName(name)}” was not added. The largest file that is taken has ${formatBytes(FILE_BYTES_MAX)}.`
    : null;
}
