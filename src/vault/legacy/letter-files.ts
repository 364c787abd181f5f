// What a letter says of its files, and what its author's form does with them. A letter describes them as the details of an entry
// do, so that what reads and writes those does it for letters as well. Pure.
import { detailsFromJson, detailsToJson } from '../entries/details.ts';
import { filesIn, writeFiles } from '../files/file-ref.ts';
import type { Letter } from './letter.ts';

/** What a form does with the files of its letter. */
export interface LetterFiles {
  /** What the letter is to say of them, as details. */
  details: string | null;
  /** The numbers of those that are to belong to it, and of those that are erased once it does not name them any more. */
  added: readonly string[];
  removed: readonly string[];
}

/**
 * What a letter says of its files, as details that say nothing else; null for none. Where it says more than details can keep, which
 * another account may have meant to, it is the files that are understood alone.
 */
export function detailsOfLetter({ files }: Pick<Letter, 'files'>): string | null {
  if (files === undefined) return null;
  const whole = detailsFromJson({ files, v: 1 });
  if (whole !== null) return whole;
  const understood = writeFiles(null, filesIn(files).files);
  return understood.ok ? understood.details : null;
}

/** The same as a letter says it. @param details as `detailsOfLetter` gives them */
export function filesOfDetails(details: string | null): Pick<Letter, 'files'> {
  const files = detailsToJson(details)?.files;
  return files === undefined ? {} : { files };
}
