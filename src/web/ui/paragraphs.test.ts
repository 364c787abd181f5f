import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitParagraphs, takesDropCapital } from './paragraphs.ts';

test('blank lines part paragraphs, whatever system typed them', () => {
  expect(splitParagraphs('one\n\ntwo\r\n\r\nthree\n \t \n\n\nfour')).toEqual(['one', 'two', 'three', 'four']);
});

test('line breaks and indents inside a paragraph stay', () => {
  expect(splitParagraphs('  a\n    b\nc')).toEqual(['  a\n    b\nc']);
});

test('blank edges go, and nothing is left of nothing', () => {
  expect(splitParagraphs('\n\n  one \n\n')).toEqual(['  one']);
  expect(splitParagraphs(' \n\t\n ')).toEqual([]);
});

test('no visible character is lost, and no paragraph holds a blank line', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'é', '—', ' ', '\t', '\n', '\r', '\r\n', '字'),
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, (written) => {
      const paragraphs = splitParagraphs(written);
      expect(paragraphs.join('').replace(/\s/g, '')).toBe(written.replace(/\s/g, ''));
      for (const paragraph of paragraphs) expect(paragraph).not.toMatch(/\n\s*\n/);
    }),
  );
});

const long =
  ' grandmother kept bees behind the old rectory, and spoke to the hives before she spoke to anyone else.';

test.each([
  ['My', true],
  ['Éma', true],
  ['Моя', true],
  ['“My', false],
  ['3 bees', false],
  ['我', false],
  ['جدتي', false],
  [' My', false],
])('a long paragraph that begins with %j takes a drop capital: %s', (start, expected) => {
  expect(takesDropCapital(start + long)).toBe(expected);
});

test('a paragraph too short to stand beside a capital takes none; three lines of verse do', () => {
  expect(takesDropCapital('Yes.')).toBe(false);
  expect(takesDropCapital('Ash\nand\nember')).toBe(true);
});
