import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReadableEntry } from '../../vault/archive/readable-entries.ts';
import { type Line, layOutWords, type Room, SHEETS_MAX } from './layout.ts';

const room: Room = { columns: 2, linesOfColumn: 6, width: 20, measure: (text) => text.length };
const entry = (title: string, text: string): ReadableEntry => ({
  ...{ kind: 'memory', title, text, writtenAt: '2026-01-01T00:00:00.000Z' },
  ...{ facts: [], tags: [], files: [] },
});
const linesOf = (sheets: Line[][][] | null) => (sheets ?? []).flat().flat();
const facts = () => 'Memory';

test('every word stands on a sheet, in its order, in lines that fit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme', maxLength: 300 })), { maxLength: 6 }),
      (pairs) => {
        const entries = pairs.map(([title, text]) => entry(title, text));
        const lines = linesOf(layOutWords(entries, facts, room));
        const said = (text: string) => text.replace(/[\s\u0085]+/g, '');
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
  const lines = linesOf(
    layOutWords([entry('Bees', 'She spoke to them before anybody.\n\n  - one')], facts, room),
  );
  expect(lines).toEqual([
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
  expect(sheets?.map((columns) => columns.map((column) => column.map(({ text }) => text).join(' ')))).toEqual(
    [
      ['One Memory a b c', 'Two Memory d'],
      ['Three Memory e f g h', 'i j'],
    ],
  );
});

test('every sign at which Unicode ends a line ends one here, so that no browser ends it a second time', () => {
  const ended = linesOf(layOutWords([entry('T', 'a\u2028b\u2029c\u0085d\ve\ff\r\ng')], facts, room));
  expect(ended.slice(2).map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
});

test('every line of a paragraph is read from the side from which its first letter is', () => {
  const written = 'שלום (Latebra) לכולם, Latebra לכולם\n1. Latebra שלום';
  const lines = linesOf(layOutWords([entry('T', written)], facts, room)).slice(2);
  expect(lines.map(({ text, isFromRight }) => [text, isFromRight === true])).toEqual([
    ['שלום (Latebra)', true],
    ['לכולם, Latebra לכולם', true],
    ['1. Latebra שלום', false],
  ]);
});

test('long words without spaces are measured a few times a line, not once a character', () => {
  let measured = 0;
  const measure = (text: string) => {
    measured++;
    return text.length;
  };
  const lines = linesOf(layOutWords([entry('T', '字'.repeat(400))], facts, { ...room, width: 40, measure }));
  expect(lines.slice(2).map(({ text }) => text.length)).toEqual(Array(10).fill(40));
  expect(measured).toBeLessThan(60);
});

test('of what is too much, no more is measured than fits', () => {
  let measured = 0;
  const measure = (text: string) => {
    measured++;
    return text.length;
  };
  const most = SHEETS_MAX * room.columns * room.linesOfColumn - 2;
  const lay = (lines: number) =>
    layOutWords([entry('T', 'a\n'.repeat(lines - 1))], facts, { ...room, measure });
  expect(lay(most)).toHaveLength(SHEETS_MAX);
  measured = 0;
  expect(lay(20 * most)).toBeNull();
  expect(measured).toBeLessThan(3 * most);
  // Columns that are left empty count as well.
  expect(layOutWords(Array(3 * SHEETS_MAX).fill(entry('T', 'a\nb')), facts, room)).toBeNull();
});
