// The name that an author may give the people they write to. It stands in mails of this server, so it can carry nothing
// that a mail program would make a link of, nor anything that changes the lines around it.

/** The most characters of such a name. */
export const AUTHOR_NAME_MAX = 60;
/** A year of birth may stand in it, and no telephone number. */
const DIGITS_MAX = 4;

/** Letters of every script with their marks, digits, spaces and what stands within names. No sign of an address. */
const NAME = "[\\p{L}\\p{M}\\p{N} .,'’()-]*$";
/** Letters that nobody sees, marks that enclose others, and more marks on one letter than any language writes. */
const ODD = /[\u115f\u1160\u3164\uffa0]|\p{Me}|\p{M}{6}/u;
/** What programs take for the address of a site: a full stop with two letters or more right behind it. */
const SITE = /\.[^\s.,)]{2}/u;

/** A name as it is kept: composed, its white space single. A line break stays one, so that it is refused. */
export const normaliseAuthorName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[ \u00a0]+/g, ' ')
    .trim();

/** What is wrong with a name, as a sentence, or null. None at all is no problem. */
export const authorNameProblem = (name: string): string | null =>
  lineProblem(normaliseAuthorName(name), { noun: 'name', max: AUTHOR_NAME_MAX, first: '\\p{L}' });

/**
 * What is wrong with a line that mails are to carry, as a sentence, or null.
 * @param kept as `normaliseAuthorName` has it
 * @param as what it is called, how many characters it may have, and which it may begin with: the inside of a class
 */
export function lineProblem(
  kept: string,
  { noun, max, first }: { noun: string; max: number; first: string },
): string | null {
  if (kept === '') return null;
  if (kept.length > max) return `A ${noun} of ${max} characters at most.`;
  if (!new RegExp(`^[${first}]${NAME}`, 'u').test(kept) || ODD.test(kept))
    return `A ${noun} has letters, spaces and . , ’ - ( ) only, in one line.`;
  if (SITE.test(kept))
    return 'Put a space after the full stop: this could be taken for the address of a site.';
  if ((kept.match(/\p{N}/gu) ?? []).length > DIGITS_MAX) return `A ${noun} has ${DIGITS_MAX} digits at most.`;
  return null;
}
