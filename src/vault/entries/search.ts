// Searching what this browser has opened, and where in it something was found. Pure: no word of it goes anywhere.
import { withoutSigns } from './without-signs.ts';

/** Lower case, without accents, so that "cafe" finds "Café". */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** The words of a query, folded; none for a blank one. */
export const wordsOf = (query: string): string[] => fold(query).split(/\s+/).filter(Boolean);

/** The entries in which every word of the query stands, in their order. A blank query keeps all. */
export function search<T extends { folded: string }>(entries: readonly T[], query: string): readonly T[] {
  const words = wordsOf(query);
  if (words.length === 0) return entries;
  return entries.filter(({ folded }) => words.every((word) => folded.includes(word)));
}

/** A text in pieces that follow each other. */
export interface Piece {
  text: string;
  isMarked: boolean;
}

/** The folded text, and for each of its characters where the one begins and ends that it was made of. */
function foldPlaced(text: string): { folded: string; begins: number[]; ends: number[] } {
  const begins: number[] = [];
  const ends: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const made = fold(character);
    const end = at + character.length;
    // A mark belongs to the letter before it.
    if (made === '' && ends.length > 0) ends[ends.length - 1] = end;
    for (let i = 0; i < made.length; i += 1) {
      begins.push(at);
      ends.push(end);
    }
    folded += made;
    at = end;
  }
  return { folded, begins, ends };
}

/** A text with every place marked at which one of these words stands. It looks at every character: for short texts. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  const { folded, begins, ends } = foldPlaced(text);
  const marked = new Uint8Array(text.length);
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      marked.fill(1, begins[at], ends[at + word.length - 1]);
    }
  }
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 1; at <= text.length; at += 1) {
    if (at < text.length && marked[at] === marked[from]) continue;
    pieces.push({ text: text.slice(from, at), isMarked: marked[from] === 1 });
    from = at;
  }
  return pieces;
}

/** How much of a text is searched at once, and how much of it is looked at twice, so that no word falls between. */
const WINDOW = 4_000;
const OVERLAP = 200;
/** How much stands before and after what was found, in characters. */
const BEFORE = 60;
const AFTER = 120;
/** How much around it is read as Markdown, of which the signs are left out. */
const AROUND = 600;

/**
 * The first place of a text at which one of these words stands, with a little of what stands around it, without the signs of
 * Markdown. It reads as far as that place.
 * @returns null where none of them stands
 */
export function excerptOf(text: string, words: readonly string[]): Piece[] | null {
  if (words.length === 0) return null;
  for (let from = 0; from < text.length; from += WINDOW - OVERLAP) {
    const part = text.slice(from, from + WINDOW);
    const folded = fold(part);
    if (!words.some((word) => folded.includes(word))) continue;
    const first = firstMark(part, words);
    if (first !== null) return cutOut(text, from + first, words);
  }
  return null;
}

function cutOut(text: string, found: number, words: readonly string[]): Piece[] {
  const from = Math.max(0, found - AROUND);
  const to = Math.min(text.length, found + AROUND);
  const written = text.slice(from, to);
  const plain = withoutSigns(written);
  const at = firstMark(plain, words);
  // A sign may be what was searched for.
  const [around, place] = at === null ? [written, found - from] : [plain, at];
  const begin = Math.max(0, place - BEFORE);
  const end = Math.min(around.length, place + AFTER);
  // Not within a word, as far as there are spaces near.
  const before = around.slice(begin, place);
  const after = around.slice(place, end);
  const head = from + begin === 0 ? before : `… ${before.replace(/^\S*\s+/, '')}`;
  const tail = end === around.length && to === text.length ? after : `${after.replace(/\s+\S*$/, '')} …`;
  return markWords((head + tail).replace(/\s+/g, ' ').trim(), words);
}

/** Where the first of the words stands; null where none does. */
function firstMark(text: string, words: readonly string[]): number | null {
  const pieces = markWords(text, words);
  const first = pieces.findIndex(({ isMarked }) => isMarked);
  if (first < 0) return null;
  return pieces.slice(0, first).reduce((length, piece) => length + piece.text.length, 0);
}
