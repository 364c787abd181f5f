// The words of a sentence as the tagger sees them, and what can be told of one from its neighbours.
import nlp from 'compromise/two';
import { ABSTRACT, OCCASIONS, PLACES_AND_PARTS, SENSORY, singularsOf, THINGS } from './concrete-nouns.ts';

/** As `compromise` gives it: `pre` and `post` are the marks around the word. */
export interface Term {
  text: string;
  pre: string;
  post: string;
  tags: string[];
}

/** Taggers take some of them for nouns. */
const FUNCTION_WORD =
  /^(?:that|this|these|those|it|one|ones|and|but|or|so|as|then|than|when|where|who|which|what|how|why|out|in|on|off|up|down|over|there|here|now|more|most|all|both|much|many|too|very|just|only|still|even|again|always|never|not|anyone|anything|enough|half|at|by|to|of|with|from|into|through|behind|under|above|across|along|among|around|beside|between|beyond|during|for|inside|near|onto|outside|past|toward|towards|upon|within|without|against|like|about|after|before|until|since|if|because|although|though|while)$/;
const COLOUR = /^(?:silver|gold|orange|rose|violet|lilac|amber|copper)$/;
const NO_PARTICIPLE =
  /^(?:need|seed|bed|seven|ten|eleven|often|even|open|then|when|men|women|children|kitchen|loved|beloved|hated)$/;

export function termsOf(text: string): Term[] {
  const sentences = nlp(text).json({ offset: false }) as { terms: Term[] }[];
  return sentences.flatMap(({ terms }) => terms);
}

/** @returns the form of a word that a list has */
export const inList = (list: ReadonlySet<string>, word: string): string | undefined =>
  singularsOf(word).find((form) => list.has(form));

const isTagged = (term: Term | undefined, ...tags: readonly string[]): boolean =>
  term?.tags.some((tag) => tags.includes(tag)) === true;

/** Small letters alone: no name, no number, no contraction. */
export const isPlain = (term: Term | undefined): term is Term =>
  term !== undefined && /^[a-z]+(?:-[a-z]+)*$/.test(term.text);

/** Whether nothing but a space stands between them. */
export const isJoined = (left: Term, right: Term): boolean =>
  left.post.trim() === '' && right.pre.trim() === '';

/** “A torn coat” describes a coat; in “we mended nets” nothing is described. */
export function isDescribing(term: Term, before: Term | undefined): boolean {
  const isHeld = isTagged(before, 'Determiner', 'Possessive', 'Adjective');
  if (SENSORY.has(term.text)) return isHeld || !isTagged(term, 'Verb') || isTagged(before, 'Preposition');
  return (
    isHeld && /(?:ed|en)$/.test(term.text) && !NO_PARTICIPLE.test(term.text) && !isTagged(term, 'Pronoun')
  );
}

/** Whether a term is a noun here, as far as the tagger and the words around it can tell. */
export function isNoun(term: Term, before: Term | undefined): boolean {
  if (FUNCTION_WORD.test(term.text) || isTagged(term, 'ProperNoun', 'Pronoun')) return false;
  // “Painted the pier silver.”
  if (COLOUR.test(term.text) && (isTagged(term, 'Adjective') || isTagged(before, 'Noun'))) return false;
  return isTagged(term, 'Noun') || isTagged(before, 'Determiner', 'Possessive', 'Adjective');
}

/** Whether a noun can be the first half of a compound: “plum cake”, “index cards”, “birthday cake”. */
export function isFirstHalf(term: Term): boolean {
  if (FUNCTION_WORD.test(term.text) || isTagged(term, 'Plural', 'Pronoun', 'Possessive')) return false;
  if (OCCASIONS.has(term.text) || inList(THINGS, term.text) !== undefined) return true;
  return isTagged(term, 'Singular', 'Uncountable') && !ABSTRACT.has(term.text);
}

/** Whether the noun that follows `head` makes it the first half of a compound. */
export function isHalved(head: Term, after: Term | undefined): boolean {
  if (!isPlain(after) || !isJoined(head, after) || !isTagged(after, 'Noun') || isTagged(after, 'Pronoun'))
    return false;
  const isThing = (inList(THINGS, after.text) ?? inList(PLACES_AND_PARTS, after.text)) !== undefined;
  return isThing || isTagged(after, 'Singular', 'Plural', 'Uncountable');
}
