// Where the words of a query stand in a text. Pure: no word of either goes anywhere.
import { fold } from '../../entries/search.ts';

/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  text: string;
  hit: boolean;
}

/** How much of a text is shown around the first word that was found in it, in UTF-16 units. */
const AROUND = { before: 40, after: 130 };

/** The words of a query, folded. */
export const wordsOf = (query: string): string[] => fold(query).split(/\s+/).filter(Boolean);

/** The folded text, and for each of its units where it stands in the text. */
function foldedWithPlaces(text: string): { folded: string; placeOf: (at: number) => number } {
  const folded = fold(text);
  // Of what has no accents nothing is moved.
  if (folded.length === text.length) return { folded, placeOf: (at) => at };
  let whole = '';
  const places: number[] = [];
  let at = 0;
  for (const letter of text) {
    const own = fold(letter);
    for (let i = 0; i < own.length; i += 1) places.push(at);
    whole += own;
    at += letter.length;
  }
  return { folded: whole, placeOf: (unit) => places[unit] ?? text.length };
}

/** Every place at which a word stands in the text, in order, overlapping ones joined. */
function hitsIn(text: string, words: readonly string[]): [from: number, to: number][] {
  const { folded, placeOf } = foldedWithPlaces(text);
  const found: [number, number][] = [];
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      found.push([placeOf(at), placeOf(at + word.length)]);
      if (found.length > 200) break;
    }
  }
  found.sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [from, to] of found) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

function cut(text: string, hits: readonly [number, number][], from: number, to: number): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  for (const [begin, end] of hits) {
    if (begin < from || end > to) continue;
    if (begin > at) pieces.push({ text: text.slice(at, begin), hit: false });
    pieces.push({ text: text.slice(begin, end), hit: true });
    at = end;
  }
  if (at < to) pieces.push({ text: text.slice(at, to), hit: false });
  return pieces;
}

/** The whole text, with what was searched for told apart. */
export function marked(text: string, words: readonly string[]): Piece[] {
  return cut(text, hitsIn(text, words), 0, text.length);
}

/** The part of a text in which the first of the words stands, or null when none does. Line breaks become spaces. */
export function excerpt(text: string, words: readonly string[]): Piece[] | null {
  const hits = hitsIn(text, words);
  const [first] = hits;
  if (!first) return null;
  let from = Math.max(0, first[0] - AROUND.before);
  // From the beginning of a word on, if one begins there.
  const space = text.slice(from, first[0]).search(/\s/);
  if (from > 0 && space >= 0) from += space + 1;
  // Never through the middle of a letter of two units.
  if (/[\uDC00-\uDFFF]/.test(text[from] ?? '')) from += 1;
  let to = Math.min(text.length, Math.max(first[1], first[0] + AROUND.after));
  if (/[\uD800-\uDBFF]/.test(text[to - 1] ?? '')) to -= 1;
  const pieces = cut(text, hits, from, to).map(({ text, hit }) => ({ text: text.replace(/\s+/g, ' '), hit }));
  return [
    ...(from > 0 ? [{ text: '… ', hit: false }] : []),
    ...pieces,
    ...(to < text.length ? [{ text: ' …', hit: false }] : []),
  ];
}
