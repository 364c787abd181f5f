// The files of a letter in its form, kept with the draft: also while somebody writes, as uploads go on meanwhile.

import type { Draft } from '../../vault/entries/use-draft.ts';
import { type DraftFiles, type FormFiles, NO_FILES, settled } from '../../vault/files/draft-files.ts';

interface WithFiles {
  files?: DraftFiles;
}

/** @param details what the letter says of its files now, as `detailsOfLetter` gives it; null for none */
export function letterFiles<T extends WithFiles>(
  draft: Pick<Draft<T>, 'value' | 'update' | 'keep'>,
  details: string | null,
): FormFiles & { sendAgain: (id: string) => void } {
  const left = ({ files = NO_FILES }: WithFiles) => settled(details, files);
  const update = (change: (files: DraftFiles) => DraftFiles) =>
    draft.update((kept) => ({ ...kept, files: change(left(kept)) }));
  return {
    value: left(draft.value),
    details,
    update,
    keep: draft.keep,
    /** The server has lost a part of it. */
    sendAgain: (id) =>
      update(({ added, removed }) => ({
        added: added.map((file) => (file.id === id ? { ...file, isWhole: false } : file)),
        removed,
      })),
  };
}

/** What a form says now, and of its files what is kept by then. */
export const keepingFiles = <T extends WithFiles>(kept: WithFiles, { files: _, ...form }: T) => ({
  ...form,
  ...(kept.files && { files: kept.files }),
});
