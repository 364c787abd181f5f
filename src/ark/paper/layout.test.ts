import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReadableEntry } from '../../vault/archive/readable-entries.ts';
import { type Line, layOutWords, type Room } from './layout.ts';

const room: Room = { columns: 2, linesOfColumn: 6, width: 20, measure: (text) => text.length };
const entry = (title: string, text: string): ReadableEntry => ({
  ...{ kind: 'memory', title, text, writtenAt: '2026-01-01T00:00:00.000Z' },
  ...{ facts: [], tags: [], files: [] },
});
const linesOf = (sheets: Line[][][]) => sheets.flat().flat();
const facts = () => 'Memory';

test('every word stands on a sheet, in its order, in lines that fit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme', maxLength: 300 })), { maxLength: 6 }),
      (pairs) => {
        const entries = pairs.map(([title, text]) => entry(title, text));
        const lines = linesOf(layOutWords(entries, facts, room));
        const said = (text: string) => text.replace(/\s+/g, '');
        expect(said(lines.map(({ text }) => text).join(''))).toBe(
          said(entries.map(({ title, text }) => `${title}Memory${text}`).join('')),
        );
        for (const { text } of lines)
          expect(text.length <= 20 || [...new Intl.Segmenter().segment(text)].length === 1).toBe(true);
      },
    ),
  );
});

test('lines break between words, keep what indents them, and empty lines stay', () => {
  const [[column]] = layOutWords(
    [entry('Bees', 'She spoke to them before anybody.\n\n  - one')],
    facts,
    room,
  );
  expect(column).toEqual([
    { style: 'title', text: 'Bees' },
    { style: 'facts', text: 'Memory' },
    { style: 'text', text: 'She spoke to them' },
    { style: 'text', text: 'before anybody.' },
    { style: 'text', text: '' },
    { style: 'text', text: '  - one' },
  ]);
});

test('a title does not stand alone at the foot of a column, and columns fill sheets', () => {
  const sheets = layOutWords(
    [entry('One', 'a\nb\nc'), entry('Two', 'd'), entry('Three', 'e\nf\ng\nh\ni\nj')],
    facts,
    room,
  );
  expect(sheets.map((columns) => columns.map((column) => column.map(({ text }) => text).join(' ')))).toEqual([
    ['One Memory a b c', 'Two Memory d'],
    ['Three Memory e f g h', 'i j'],
  ]);
});
