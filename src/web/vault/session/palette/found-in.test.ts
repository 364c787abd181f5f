import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerpt, marked, type Piece, wordsOf } from './found-in.ts';

const shown = (pieces: Piece[] | null) =>
  pieces?.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('') ?? null;

test('what was searched for is marked as it was written, whatever its case and accents', () => {
  expect(shown(marked('Café, CAFE and café', wordsOf('cafe')))).toBe('[Café], [CAFE] and [café]');
  expect(shown(marked('Straße', wordsOf('stra')))).toBe('[Stra]ße');
  expect(shown(marked('e\u0301t\u00e9', wordsOf('ete')))).toBe('[e\u0301t\u00e9]');
});

test('words that touch or overlap are marked once', () => {
  expect(shown(marked('bellbell bells', wordsOf('bell be')))).toBe('[bellbell] [bell]s');
});

test('an excerpt begins at a word shortly before the first that was found', () => {
  const text = `${'Long before. '.repeat(30)}The bell under the lake.\n\n${'Long after. '.repeat(30)}`;
  const piece = shown(excerpt(text, wordsOf('lake bell'))) ?? '';
  expect(piece).toMatch(/^… before\. .*The \[bell\] under the \[lake\]\. Long after/);
  expect(piece).toMatch(/ …$/);
  expect(piece.length).toBeLessThan(220);
});

test('a text that has none of the words has no excerpt', () => {
  expect(excerpt('Nothing of the kind', wordsOf('bell'))).toBeNull();
  expect(excerpt('', wordsOf('bell'))).toBeNull();
});

test('marking changes no letter of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, query) => {
      const words = wordsOf(query);
      expect(
        marked(text, words)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
      excerpt(text, words);
    }),
  );
});
