// The images of a text: things that can be seen or held, in the writer's words (“torn blue coat”). Rather none than a
// wrong one: a noun must be known as concrete, or stand beside a word of the senses.
import nlp from 'compromise/two';
import {
  ABSTRACT,
  GRAVE,
  GRIEF,
  HARM,
  isAbstract,
  OCCASIONS,
  PLACES_AND_PARTS,
  SENSORY,
  singularsOf,
  THINGS,
  VESSELS,
} from './concrete-nouns.ts';
import type { Sentence } from './sentences.ts';

export interface Image {
  /** Without an article, as the writer has it: “cold honey”. */
  phrase: string;
  /** Its noun in the singular: two images of one text never share it. */
  noun: string;
  /** Where it stands first and last: numbers of sentences. */
  first: number;
  last: number;
  /** How much it can carry: what recurs, and what is described, carries more. */
  weight: number;
}

interface Term {
  text: string;
  pre: string;
  post: string;
  tags: string[];
}

/** Evaluations and counts: they say something of the thing that a frame must not repeat. */
const PLAIN_LETTERS = /^[a-z]+(?:-[a-z]+)*$/;
const NO_THING =
  /^(?:no|not|without|any|never|nor|neither|every|each|another|what|which|whatever|like|as|fake|imaginary)$/;
/** Taggers take some of them for nouns. */
const FUNCTION_WORD =
  /^(?:that|this|these|those|it|one|ones|and|but|or|so|as|then|than|when|where|who|which|what|how|why|out|in|on|off|up|down|over|there|here|now|more|most|all|both|much|many|too|very|just|only|still|even|again|always|never|not|anyone|anything|enough|half|at|by|to|of|with|from|into|through|behind|under|above|across|along|among|around|beside|between|beyond|during|for|inside|near|onto|outside|past|toward|towards|upon|within|without|against|like|about|after|before|until|since|if|because|although|though|while)$/;

function termsOf(text: string): Term[] {
  const sentences = nlp(text).json({ offset: false }) as { terms: Term[] }[];
  return sentences.flatMap(({ terms }) => terms);
}

const inList = (list: ReadonlySet<string>, word: string): string | undefined =>
  singularsOf(word).find((form) => list.has(form));

const isPlain = (term: Term | undefined): term is Term => term !== undefined && PLAIN_LETTERS.test(term.text);
const isJoined = (left: Term, right: Term) => left.post.trim() === '' && right.pre.trim() === '';
const COLOUR = /^(?:silver|gold|orange|rose|violet|lilac|amber|copper|plum|peach|cherry|olive|lavender)$/;
const NO_PARTICIPLE =
  /^(?:need|seed|bed|seven|ten|eleven|often|even|open|then|when|men|women|children|kitchen|loved|beloved|hated)$/;

/** “A torn coat” describes a coat; in “we mended nets” nothing is described. */
function isDescribing(term: Term, before: Term | undefined): boolean {
  const isHeld = before !== undefined && /Determiner|Possessive|Adjective/.test(before.tags.join());
  if (SENSORY.has(term.text)) {
    return isHeld || !term.tags.includes('Verb') || before?.tags.includes('Preposition') === true;
  }
  return (
    isHeld && /(?:ed|en)$/.test(term.text) && !NO_PARTICIPLE.test(term.text) && !term.tags.includes('Pronoun')
  );
}

/** Whether a term is a noun here, as far as the tagger and the words around it can tell. */
function isNoun(term: Term, before: Term | undefined): boolean {
  if (term.tags.includes('ProperNoun') || term.tags.includes('Pronoun')) return false;
  if (term.tags.includes('Noun')) return true;
  return (
    before !== undefined &&
    (before.tags.includes('Determiner') ||
      before.tags.includes('Possessive') ||
      before.tags.includes('Adjective'))
  );
}

/** Whether a noun can be the first half of a compound: “plum cake”, “index cards”, “birthday cake”. */
const isFirstHalf = (term: Term): boolean =>
  !FUNCTION_WORD.test(term.text) &&
  !term.tags.includes('Plural') &&
  ((term.tags.includes('Singular') || term.tags.includes('Uncountable')) && !ABSTRACT.has(term.text)
    ? !term.tags.includes('Pronoun') && !term.tags.includes('Possessive')
    : OCCASIONS.has(term.text) || inList(THINGS, term.text) !== undefined);

interface Found {
  phrase: string;
  noun: string;
  weight: number;
}

/** The image whose noun is the term at `at`, if it is one. */
function imageAt(terms: readonly Term[], at: number): Found | undefined {
  const head = terms[at];
  const before = terms[at - 1];
  const after = terms[at + 1];
  if (!isPlain(head) || FUNCTION_WORD.test(head.text) || !isNoun(head, before)) return undefined;
  const thing = inList(THINGS, head.text);
  const part = inList(PLACES_AND_PARTS, head.text);
  const noun = thing ?? part ?? singularsOf(head.text).at(-1) ?? head.text;
  // “Painted the pier silver.”
  const isColour =
    COLOUR.test(head.text) && (head.tags.includes('Adjective') || !before?.tags.includes('Determiner'));
  if (isColour || inList(GRAVE, head.text)) return undefined;
  // The first half of a compound is no image by itself.
  if (
    isPlain(after) &&
    isJoined(head, after) &&
    after.tags.includes('Noun') &&
    !after.tags.includes('Pronoun')
  ) {
    if (
      inList(THINGS, after.text) ||
      inList(PLACES_AND_PARTS, after.text) ||
      /Singular|Plural|Uncountable/.test(after.tags.join())
    )
      return undefined;
  }
  const modifiers: string[] = [];
  let sensory = false;
  let left = at - 1;
  for (; left >= 0 && modifiers.length < 2; left -= 1) {
    const term = terms[left];
    const next = terms[left + 1];
    if (!isPlain(term) || !next || !isJoined(term, next) || inList(GRAVE, term.text)) break;
    const describes = isDescribing(term, terms[left - 1]);
    const compound = modifiers.length === 0 && isFirstHalf(term);
    if (!describes && !compound) break;
    sensory ||= describes || (compound && term.tags.includes('Noun'));
    modifiers.unshift(term.text);
  }
  // “like a brick”: it was never there.
  if (/^(?:a|an|the)$/i.test(terms[left]?.text ?? '') && /^(?:like|as)$/i.test(terms[left - 1]?.text ?? ''))
    return undefined;
  const outside = terms[left];
  if (outside && isJoined(outside, terms[left + 1] ?? head)) {
    if (NO_THING.test(outside.text.toLowerCase())) return undefined;
    // What the loop did not understand belongs to the noun: “my so-called red coat”, “his dead bird”.
    if (
      outside.tags.includes('Adjective') &&
      !/^(?:own|very|same|first|last|next|behind|under|old|new|beautiful|favourite|favorite|good|lovely|other|all|like)$/.test(
        outside.text,
      )
    )
      return undefined;
  }
  const of = contentsOf(terms, at);
  if (thing === undefined && part === undefined && of === undefined) {
    if (!sensory || isAbstract(noun) || !SENSORY.has(modifiers[0] ?? '') || head.text.length < 4)
      return undefined;
  }
  if (thing === undefined && !sensory && of === undefined) return undefined;
  if (thing === undefined && part !== undefined && !sensory && of === undefined) return undefined;
  const phrase = [...modifiers, head.text, ...(of ? ['of', ...of] : [])].join(' ');
  return {
    phrase,
    noun,
    weight:
      (modifiers.length > 0 || of ? 2 : 1) +
      modifiers.length * 1.5 +
      (of ? 1.5 : 0) +
      (thing === undefined && !of ? -1 : 0),
  };
}

/** “… of bread”, “… of green glass”: what a vessel holds. */
function contentsOf(terms: readonly Term[], at: number): string[] | undefined {
  const [head, of, first, second] = [terms[at], terms[at + 1], terms[at + 2], terms[at + 3]];
  if (!head || inList(VESSELS, head.text) === undefined || of?.text !== 'of' || !isJoined(head, of))
    return undefined;
  const isThing = (term: Term | undefined): term is Term =>
    isPlain(term) && inList(THINGS, term.text) !== undefined && inList(GRAVE, term.text) === undefined;
  if (!first || !isJoined(of, first)) return undefined;
  if (isPlain(first) && SENSORY.has(first.text) && isThing(second) && isJoined(first, second))
    return [first.text, second.text];
  const compound = isThing(first) && isThing(second) && isJoined(first, second);
  if (compound) return [first.text, second.text];
  return isThing(first) ? [first.text] : undefined;
}

/**
 * @param isCheerful whether the frame is: then nothing that stands in a sentence of grief becomes an image
 * @returns the images of these sentences, the strongest first; equals stand in the order of the text
 */
export function findImages(sentences: readonly Sentence[], isCheerful = false): Image[] {
  const byNoun = new Map<string, Image>();
  // What hurts is spoken of for a while.
  const isNear = (pattern: RegExp, index: number) =>
    [-3, -2, -1, 0, 1].some((away) => pattern.test(sentences[index + away]?.text ?? ''));
  sentences.forEach(({ text }, index) => {
    if (isNear(HARM, index) || (isCheerful && GRIEF.test(text))) return;
    const terms = termsOf(text);
    const inContents = new Set<number>();
    terms.forEach((_, at) => {
      const found = inContents.has(at) ? undefined : imageAt(terms, at);
      if (!found) return;
      if (found.phrase.includes(' of '))
        for (let ahead = at + 1; ahead <= at + 3; ahead += 1) inContents.add(ahead);
      const known = byNoun.get(found.noun);
      if (!known) {
        byNoun.set(found.noun, { ...found, first: index, last: index });
        return;
      }
      // The fuller phrase is the image; to come back is worth more than to be described.
      if (found.phrase.length > known.phrase.length) known.phrase = found.phrase;
      known.weight = Math.max(known.weight, found.weight) + (known.last === index ? 0.25 : 1);
      known.last = index;
    });
  });
  const span = Math.max(1, sentences.length);
  const used = new Set<string>();
  return [...byNoun.values()]
    .map((image) => ({ ...image, weight: image.weight + 2 * ((image.last - image.first) / span) }))
    .sort((a, b) => b.weight - a.weight || a.first - b.first)
    .filter(({ phrase }) => {
      // “cupboard doors” and “cupboard” are one image to a reader.
      const words = phrase.split(' ').filter((word) => word !== 'of');
      const isNew = !words.some((word) => used.has(word));
      if (isNew) for (const word of words) used.add(word);
      return isNew;
    });
}
