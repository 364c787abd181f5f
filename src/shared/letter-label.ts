// The label that an author may give a letter, so that mails about it can name it. The server reads it, and it stands in
// mails to the author alone. It obeys the rules of an author's name: one line, and nothing that a mail program would make a
// link of.
import { lineProblem, normaliseAuthorName } from './author-name.ts';

/** The most characters of a label. */
export const LABEL_MAX = 60;

/** A label as it is kept. */
export const normaliseLabel = normaliseAuthorName;

/** What is wrong with a label, as a sentence, or null. None at all is no problem. */
export const labelProblem = (label: string): string | null =>
  lineProblem(normaliseLabel(label), { noun: 'label', max: LABEL_MAX, first: '\\p{L}\\p{N}' });
