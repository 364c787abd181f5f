import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from './base64.ts';
import published from './vectors/published.json';
import { keyFromWords, WordsError, type WordsProblem, wordList, wordsFromKey } from './words.ts';

const [abandon, , , , hamster] = published.bip39;
const words = (hamster?.words ?? '').split(' ');
const key = fromHex(hamster?.entropy ?? '');

test.each(published.bip39)('$source: $entropy', ({ entropy, words: expected }) => {
  expect(wordsFromKey(fromHex(entropy)).join(' ')).toBe(expected);
  expect(toHex(keyFromWords(expected))).toBe(entropy);
});

test('any key comes back from its words', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (value) => {
      const spelt = wordsFromKey(value);
      expect(spelt).toHaveLength(24);
      expect(keyFromWords(spelt.join(' '))).toEqual(value);
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['in capitals', words.join(' ').toUpperCase()],
  ['as a sentence', words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(' ')],
  ['with commas', words.join(', ')],
  ['with commas alone', words.join(',')],
  ['on lines', words.join('\r\n')],
  ['with space everywhere', `\n\t ${words.join('  \u00a0\u3000 ')} \n`],
  ['numbered with dots', words.map((word, i) => `${i + 1}. ${word}`).join('\n')],
  ['numbered tightly', words.map((word, i) => `${i + 1}.${word}`).join(' ')],
  ['numbered with brackets', words.map((word, i) => `(${i + 1}) ${word}`).join(' ')],
  ['numbered by number alone', words.map((word, i) => `${i + 1} ${word}`).join('\n')],
  ['with bullets', words.map((word) => `• ${word};`).join('\n')],
  ['in quotes', `“${words.join(' ')}”.`],
  ['with zero-width characters', words.join('\u200b ')],
  [
    'in full-width letters',
    words.join(' ').replace(/[a-z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  ],
])('words typed %s are understood', (_, typed) => {
  expect(keyFromWords(typed)).toEqual(key);
});

describe('what is wrong is told', () => {
  test.each<[string, string, WordsProblem]>([
    ['nothing at all', ' \n 1. 2. ', { kind: 'count', count: 0 }],
    ['a word missing', words.slice(1).join(' '), { kind: 'count', count: 23 }],
    ['a word too many', [...words, 'zoo'].join(' '), { kind: 'count', count: 25 }],
    ['twelve words', 'abandon '.repeat(12), { kind: 'count', count: 12 }],
    [
      'a misspelt word',
      ['Hamstre', ...words.slice(1)].join(' '),
      { kind: 'unknown', word: 'hamstre', position: 1 },
    ],
    [
      'a word of another language',
      [...words.slice(0, 23), 'żaba'].join(' '),
      { kind: 'unknown', word: 'żaba', position: 24 },
    ],
    ['two words exchanged', [words[1], words[0], ...words.slice(2)].join(' '), { kind: 'checksum' }],
    ['another last word', `${(abandon?.words ?? '').replace(/art$/, 'abandon')}`, { kind: 'checksum' }],
  ])('%s', (_, typed, problem) => {
    let error: unknown;
    try {
      keyFromWords(typed);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(WordsError);
    expect((error as WordsError).problem).toEqual(problem);
  });

  test('but never in the message', () => {
    expect(() => keyFromWords(['secretword', ...words.slice(1)].join(' '))).toThrow(
      /^These are not the words of a key$/,
    );
  });
});

test.each([16, 31, 33])('%i bytes have no words', (length) => {
  expect(() => wordsFromKey(new Uint8Array(length))).toThrow(TypeError);
});

test('the list has 2,048 words', () => {
  expect(wordList).toHaveLength(2048);
});
