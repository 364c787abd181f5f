// Files as they were chosen, which a page has for as long as it stands open.
import type { FilesVault } from '../../../vault/files/file-calls.ts';

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
