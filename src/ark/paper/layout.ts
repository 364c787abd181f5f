// The words of a paper as lines in columns, below the codes of each sheet. The lines are broken here and not by the browser: how many
// sheets there are is known before anything is printed, and every printer gives the same sheets. Pure: who calls it measures.
import type { ReadableEntry } from '../../vault/archive/readable-entries.ts';

/** How a line is set. */
export type LineStyle = 'title' | 'facts' | 'text';

export interface Line {
  style: LineStyle;
  /** Empty for a line without words. */
  text: string;
}

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

/** A text as the fewest pieces that fit into a line each, between any two characters. */
function cut(word: string, fits: (text: string) => boolean): string[] {
  const pieces = [''];
  for (const { segment } of graphemes.segment(word)) {
    const last = pieces.length - 1;
    if (pieces[last] !== '' && !fits(pieces[last] + segment)) pieces.push(segment);
    else pieces[last] += segment;
  }
  return pieces;
}

/** One paragraph in lines, broken between words, and within a word that is wider than a line. */
function brokenLines(paragraph: string, style: LineStyle, { width, measure }: Room): Line[] {
  const widthOf = (text: string) => measure(text, style);
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
    .map((text) => ({ style, text: text.trimEnd() }));
}

const NONE: Line = { style: 'text', text: '' };

/** One entry: its title, what else is said of it, and its words as they were written. */
function entryLines(entry: ReadableEntry, factsOf: (entry: ReadableEntry) => string, room: Room): Line[] {
  const lines = (text: string, style: LineStyle) =>
    text
      .split(/\r\n?|\n/)
      .flatMap((paragraph) => brokenLines(paragraph.replaceAll('\t', '    '), style, room));
  return [...lines(entry.title, 'title'), ...lines(factsOf(entry), 'facts'), ...lines(entry.text, 'text')];
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
 * The words of each sheet, in columns.
 * @param factsOf what stands below the title of an entry
 */
export function layOutWords(
  entries: readonly ReadableEntry[],
  factsOf: (entry: ReadableEntry) => string,
  room: Room,
): Line[][][] {
  const columns = intoColumns(
    entries.map((entry) => entryLines(entry, factsOf, room)),
    room,
  );
  const sheets: Line[][][] = [];
  for (let at = 0; at < columns.length; at += room.columns) sheets.push(columns.slice(at, at + room.columns));
  return sheets;
}
