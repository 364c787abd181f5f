// What is said of guardians' sheets that somebody types or has brought together. Pure; no word of a sheet is said but one that is
// wrong, and the one that would be right.
import type { Combined } from '../../../crypto/guardian-kit.ts';
import {
  type GuardianSheet,
  readSheet,
  SHEET_WORDS,
  SheetError,
  type SheetProblem,
} from '../../../crypto/guardian-sheet.ts';
import { splitWords, wordList } from '../../../crypto/words.ts';

/** What stands in one field. */
export type ReadField =
  | { at: 'empty' }
  /** So many words, with nothing wrong in them. */
  | { at: 'begun'; words: number }
  | { at: 'wrong'; problem: SheetProblem }
  | { at: 'whole'; sheet: GuardianSheet };

/** Reads a field as somebody types into it: a last word that may still become one of the list is not wrong yet. */
export function readField(typed: string): ReadField {
  const words = splitWords(typed);
  if (words.length === 0) return { at: 'empty' };
  try {
    return { at: 'whole', sheet: readSheet(typed) };
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    const { problem } = error;
    if (problem.kind === 'count' && problem.count < SHEET_WORDS) return { at: 'begun', words: problem.count };
    if (problem.kind === 'unknown' && problem.position === words.length && mayBecomeWord(typed, problem.word))
      return { at: 'begun', words: words.length - 1 };
    return { at: 'wrong', problem };
  }
}

const mayBecomeWord = (typed: string, last: string): boolean =>
  !/\s$/.test(typed) && wordList.some((word) => word.startsWith(last));

/** What is wrong with one sheet, as a sentence. */
export function problemWords(problem: SheetProblem): string {
  switch (problem.kind) {
    case 'unknown':
      return `Word ${problem.position}, “${problem.word}”, is not on the list. Is it misspelt?`;
    case 'count':
      return `There are ${problem.count} words here; a sheet has ${SHEET_WORDS}.`;
    case 'one-wrong':
      return `These words do not belong together. If only one is wrong, it is word ${problem.position}, which would have to be “${problem.word}”. Compare it with the sheet.`;
    case 'check':
      return 'These words do not belong together: two or more are wrong, or stand in each other’s places. Compare them with the sheet, one by one.';
    case 'link':
      return 'This is not the whole link of a sheet.';
  }
}

/** What is true of one sheet by itself. */
export const wholeWords = ({ kit, needed }: GuardianSheet): string =>
  `This sheet is whole. It is one of kit ${kit}, of which ${needed} are needed.`;

const listed = (places: readonly number[]): string => {
  const numbers = places.map((place) => place + 1);
  const last = numbers.pop();
  return numbers.length === 0 ? `${last}` : `${numbers.join(', ')} and ${last}`;
};

const sheets = (places: readonly number[], one: string, several: string): string =>
  `${places.length === 1 ? `Sheet ${listed(places)} ${one}` : `Sheets ${listed(places)} ${several}`}`;

/**
 * What comes of sheets together: sentences, of which the first says whether they are enough.
 * @param combined its places as the fields have them
 */
export function togetherWords({ secret, missing, doubled, otherKits, wrong }: Combined): string[] {
  const said: string[] = [];
  if (secret) said.push('These sheets are enough.');
  else if (missing > 0)
    said.push(missing === 1 ? 'One more sheet is needed.' : `${missing} more sheets are needed.`);
  else
    said.push(
      `One of sheets ${listed(wrong)} is wrong, though its words are whole: it was made for something else, or made up. With one more right sheet it can be told which.`,
    );
  if (doubled.length > 0) said.push(`${sheets(doubled, 'is', 'are')} there already, and counts once.`);
  if (otherKits.length > 0)
    said.push(`${sheets(otherKits, 'is of another kit', 'are of another kit')}, and does not count.`);
  if (secret && wrong.length > 0)
    said.push(`${sheets(wrong, 'does not fit the others', 'do not fit the others')}, and is left out.`);
  return said;
}
