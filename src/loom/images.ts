// The images of a text: things that can be seen or held, in the writer's words (“torn blue coat”). Rather none than a
// wrong one: a noun must be known as concrete, or stand beside a word of the senses.
import {
  GRAVE,
  GRIEF,
  HARM,
  isAbstract,
  PLACES_AND_PARTS,
  SENSORY,
  singularsOf,
  THINGS,
  VESSELS,
} from './concrete-nouns.ts';
import type { Sentence } from './sentences.ts';
import {
  inList,
  isDescribing,
  isFirstHalf,
  isHalved,
  isJoined,
  isNoun,
  isPlain,
  type Term,
  termsOf,
} from './terms.ts';

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

type Found = Pick<Image, 'phrase' | 'noun' | 'weight'>;

/** Before a noun they say that it was not there, or not one. */
const NO_THING =
  /^(?:no|not|without|any|never|nor|neither|every|each|another|what|which|whatever|like|as|fake|imaginary)$/i;
/** Adjectives that an image can leave out and stay true. */
const LEFT_OUT =
  /^(?:own|very|same|first|last|next|old|new|beautiful|favourite|favorite|good|lovely|other|all|behind|under)$/;

/** The words before a noun that belong to its image, at most two, and where they begin. */
function modifiersOf(terms: readonly Term[], at: number): { words: string[]; from: number } {
  const words: string[] = [];
  let from = at;
  while (from > 0 && words.length < 2) {
    const [term, next] = [terms[from - 1], terms[from]];
    if (!isPlain(term) || !next || !isJoined(term, next) || inList(GRAVE, term.text)) break;
    const isCompound = words.length === 0 && isFirstHalf(term);
    if (!isDescribing(term, terms[from - 2]) && !isCompound) break;
    words.unshift(term.text);
    from -= 1;
  }
  return { words, from };
}

/** Whether what stands before an image denies it, or says something of it that the image would lose. */
function isDenied(terms: readonly Term[], from: number): boolean {
  const [before, outside, inside] = [terms[from - 2], terms[from - 1], terms[from]];
  if (!outside || !inside || !isJoined(outside, inside)) return false;
  if (NO_THING.test(outside.text)) return true;
  // “Like a brick”: it was never there.
  if (/^(?:a|an|the)$/i.test(outside.text)) return /^(?:like|as)$/i.test(before?.text ?? '');
  return outside.tags.includes('Adjective') && !LEFT_OUT.test(outside.text);
}

const isThing = (term: Term | undefined): boolean =>
  isPlain(term) && inList(THINGS, term.text) !== undefined && inList(GRAVE, term.text) === undefined;

/** “… of bread”, “… of green glass”: what a vessel holds. */
function contentsOf(terms: readonly Term[], at: number): string[] {
  const [head, of, first, second] = terms.slice(at, at + 4);
  if (!head || !first || of?.text !== 'of' || inList(VESSELS, head.text) === undefined) return [];
  if (!isJoined(head, of) || !isJoined(of, first)) return [];
  const isPair = second !== undefined && isThing(second) && isJoined(first, second);
  if (isPair && (isThing(first) || (isPlain(first) && SENSORY.has(first.text))))
    return [first.text, second.text];
  return isThing(first) ? [first.text] : [];
}

/** The image whose noun is the term at `at`, if it is one. */
function imageAt(terms: readonly Term[], at: number): Found | undefined {
  const head = terms[at];
  if (!isPlain(head) || !isNoun(head, terms[at - 1]) || inList(GRAVE, head.text)) return undefined;
  if (isHalved(head, terms[at + 1])) return undefined;
  const { words, from } = modifiersOf(terms, at);
  if (isDenied(terms, from)) return undefined;
  const thing = inList(THINGS, head.text);
  const part = inList(PLACES_AND_PARTS, head.text);
  const noun = thing ?? part ?? singularsOf(head.text).at(-1) ?? head.text;
  const contents = contentsOf(terms, at);
  const isFull = contents.length > 0;
  if (thing === undefined && !isFull) {
    if (words.length === 0) return undefined;
    // A noun that no list has needs a word of the senses.
    const isSensory = SENSORY.has(words[0] ?? '') && head.text.length >= 4 && !isAbstract(noun);
    if (part === undefined && !isSensory) return undefined;
  }
  const phrase = [...words, head.text, ...(isFull ? ['of', ...contents] : [])].join(' ');
  const described = words.length > 0 || isFull ? 2 : 1;
  const isKnown = thing !== undefined || isFull;
  return { phrase, noun, weight: described + words.length * 1.5 + (isFull ? 1.5 : 0) - (isKnown ? 0 : 1) };
}

/** The images of one sentence. What a vessel holds is no image besides. */
function imagesOf(text: string): Found[] {
  const terms = termsOf(text);
  const images: Found[] = [];
  for (let at = 0; at < terms.length; at += 1) {
    const found = imageAt(terms, at);
    if (!found) continue;
    images.push(found);
    at += contentsOf(terms, at).length > 0 ? contentsOf(terms, at).length + 1 : 0;
  }
  return images;
}

/** “Cupboard doors” and “cupboard” are one image to a reader. */
function withoutEchoes(images: readonly Image[]): Image[] {
  const used = new Set<string>();
  return images.filter(({ phrase }) => {
    const words = phrase.split(' ').filter((word) => word !== 'of');
    const isNew = !words.some((word) => used.has(word));
    if (isNew) for (const word of words) used.add(word);
    return isNew;
  });
}

/**
 * @param isCheerful whether the frame is: then nothing that stands in a sentence of grief becomes an image
 * @returns the images of these sentences, the strongest first; equals stand in the order of the text
 */
export function findImages(sentences: readonly Sentence[], isCheerful = false): Image[] {
  const byNoun = new Map<string, Image>();
  // What hurts is spoken of for a while.
  const isNearHarm = (index: number) =>
    [-3, -2, -1, 0, 1].some((away) => HARM.test(sentences[index + away]?.text ?? ''));
  sentences.forEach(({ text }, index) => {
    if (isNearHarm(index) || (isCheerful && GRIEF.test(text))) return;
    for (const found of imagesOf(text)) {
      const known = byNoun.get(found.noun);
      if (!known) {
        byNoun.set(found.noun, { ...found, first: index, last: index });
        continue;
      }
      // The fuller phrase is the image; to come back is worth more than to be described.
      if (found.phrase.length > known.phrase.length) known.phrase = found.phrase;
      known.weight = Math.max(known.weight, found.weight) + (known.last === index ? 0.25 : 1);
      known.last = index;
    }
  });
  const span = Math.max(1, sentences.length);
  const images = [...byNoun.values()]
    .map((image) => ({ ...image, weight: image.weight + 2 * ((image.last - image.first) / span) }))
    .sort((a, b) => b.weight - a.weight || a.first - b.first);
  return withoutEchoes(images);
}
