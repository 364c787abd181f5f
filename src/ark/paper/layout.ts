// The words of a paper as lines in columns, below the codes of each sheet. The lines are broken here and not by the browser: how many
// sheets there are is known before anything is printed, and every printer gives the same sheets. Pure: who calls it measures.
import type { ReadableEntry } from '../../vault/archive/readable-entries.ts';

/** How a line is set. */
export type LineStyle = 'title' | 'facts' | 'text';

export interface Line {
  style: LineStyle;
  /** Where its paragraph begins with letters that are read from the right: each line of it is, whatever it begins with itself. */
  isFromRight?: true;
  /** Empty for a line without words. */
  text: string;
}

/** How many sheets a paper has at most, beside the last one: six stripes of 256 codes, six on each (codes.ts). */
export const SHEETS_MAX = 256;

/** The room for words on each sheet. */
export interface Room {
  columns: number;
  linesOfColumn: number;
  /** How wide a column is, in the unit of `measure`. */
  width: number;
  /** How wide a word, or a part of one, is with the spaces behind it. */
  measure: (text: string, style: LineStyle) => number;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * How many characters fit into a line, one at least.
 * @param most how many there are
 * @param guess where it is sought first: to measure is what takes time, and lines are about as long as the one before
 */
function countFitting(most: number, guess: number, fits: (count: number) => boolean): number {
  let [fitting, tooMany] = [1, most + 1];
  for (let at = guess, step = 1; tooMany - fitting > 1; step *= 2) {
    const isBetween = fitting > 1 && tooMany <= most;
    const count = isBetween ? (fitting + tooMany) >> 1 : Math.min(Math.max(at, fitting + 1), tooMany - 1);
    if (fits(count)) [fitting, at] = [count, count + step];
    else [tooMany, at] = [count, count - step];
  }
  return fitting;
}

/** A text as the fewest pieces that fit into a line each, between any two characters. */
function cut(word: string, fits: (text: string) => boolean): string[] {
  const signs = Array.from(graphemes.segment(word), ({ segment }) => segment);
  const pieces: string[] = [];
  let count = 1;
  for (let from = 0; from < signs.length; from += count) {
    const piece = (length: number) => signs.slice(from, from + length).join('');
    count = countFitting(signs.length - from, count, (length) => fits(piece(length)));
    pieces.push(piece(count));
  }
  return pieces;
}

const LETTER = /\p{L}/u;
const FROM_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** One paragraph in lines, broken between words, and within a word that is wider than a line. */
function brokenLines(paragraph: string, style: LineStyle, { width, measure }: Room): Line[] {
  const widthOf = (text: string) => measure(text, style);
  const isFromRight = FROM_RIGHT.test(LETTER.exec(paragraph)?.[0] ?? '');
  const lines: string[] = [''];
  let used = 0;
  for (const word of paragraph.match(/\S+\s*|\s+/g) ?? []) {
    const own = widthOf(word.trimEnd());
    if (used + own <= width) lines[lines.length - 1] += word;
    else {
      lines.push(...(own <= width ? [word] : cut(word, (text) => widthOf(text.trimEnd()) <= width)));
      used = 0;
    }
    used += widthOf(used === 0 ? (lines.at(-1) ?? '') : word);
  }
  // A word that goes to a line of its own leaves the one before it as it was, and that may have nothing on it.
  return lines
    .filter((text, at) => text !== '' || at > 0 || lines.length === 1)
    .map((text) => ({ style, text: text.trimEnd(), ...(isFromRight && { isFromRight }) }));
}

const NONE: Line = { style: 'text', text: '' };

/** All signs at which Unicode ends a line (UAX 14). Within a line, some browsers would end it there a second time. */
const ENDS = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;

/** One entry: its title, what else is said of it, and its words as they were written. */
function* entryLines(entry: ReadableEntry, facts: string, room: Room): Generator<Line> {
  const parts = [
    ['title', entry.title],
    ['facts', facts],
    ['text', entry.text],
  ] as const;
  for (const [style, text] of parts)
    for (const paragraph of text.split(ENDS))
      yield* brokenLines(paragraph.replaceAll('\t', '    '), style, room);
}

/** Puts lines into columns. A title does not stand alone at the foot of one. */
function intoColumns(entries: readonly Line[][], { linesOfColumn }: Room): Line[][] {
  const columns: Line[][] = [[]];
  for (const lines of entries) {
    const column = columns[columns.length - 1];
    const heading = lines.findIndex(({ style }) => style === 'text') + 1;
    const isFresh = column.length === 0;
    if (!isFresh && column.length + 1 + heading > linesOfColumn) columns.push([]);
    else if (!isFresh) column.push(NONE);
    for (const line of lines) {
      if (columns[columns.length - 1].length >= linesOfColumn) columns.push([]);
      columns[columns.length - 1].push(line);
    }
  }
  return columns;
}

/**
 * The words of each sheet, in columns; null for more than 256 sheets.
 * @param factsOf what stands below the title of an entry
 */
export function layOutWords(
  entries: readonly ReadableEntry[],
  factsOf: (entry: ReadableEntry) => string,
  room: Room,
): Line[][][] | null {
  // A vault may have a hundred times as much: it is not all measured to say so.
  let left = SHEETS_MAX * room.columns * room.linesOfColumn;
  const broken: Line[][] = [];
  for (const entry of entries) {
    const lines: Line[] = [];
    for (const line of entryLines(entry, factsOf(entry), room)) {
      if (left-- === 0) return null;
      lines.push(line);
    }
    broken.push(lines);
  }
  const columns = intoColumns(broken, room);
  if (columns.length > SHEETS_MAX * room.columns) return null;
  const sheets: Line[][][] = [];
  for (let at = 0; at < columns.length; at += room.columns) sheets.push(columns.slice(at, at + room.columns));
  return sheets;
}
