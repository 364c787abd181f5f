import { expect, test } from 'vitest';
import { wordList, wordsFromKey } from '../../crypto/words.ts';
import { happened } from './dates.js';
import { readWords } from './words.js';

const key = Uint8Array.from({ length: 32 }, (_, i) => (i * 37) % 256);
const words = wordsFromKey(key);
const read = (text: string) => readWords(text, wordList);
const changed = (at: number, word: string) => words.with(at, word).join(' ');

test.each([
  ['as they are', words.join(' ')],
  ['by their first four letters', words.map((word) => word.slice(0, 4)).join(' ')],
  [
    'numbered, in capitals, a line each',
    words.map((word, i) => `${i + 1}. ${word.toUpperCase()}`).join('\n'),
  ],
  ['with commas', words.join(', ')],
])('the words are the key, %s', (_, text) => {
  expect(read(text)).toMatchObject({ words, problem: null, key });
});

test('four letters are enough for every word of the list', () => {
  expect(wordList.map((word) => read(word.slice(0, 4)).words[0])).toEqual(wordList);
});

test.each([
  [changed(6, 'aple'), /^Word 7, “aple”, is not in the list\. Perhaps able, apple or maple\?$/],
  [changed(0, 'xyzzy'), /^Word 1, “xyzzy”, is not in the list\.$/],
  [words.slice(1).join(' '), /^That is 23 of 24 words\.$/],
  [words.toReversed().join(' '), /do not belong together/],
])('says what is wrong, and gives no key: %s', (text, sentence) => {
  const { key, problem } = read(text);
  expect(problem).toMatch(sentence);
  expect(key).toBeNull();
});

test.each([
  ['2019-05-17T14:30', '17 May 2019, 14:30'],
  ['2019-05-17', '17 May 2019'],
  ['2019-05~', 'about May 2019'],
  ['1962-22~', 'about summer 1962'],
  ['1962', '1962'],
  ['long ago', 'long ago'],
])('a date as it is known, %s, is read as %s', (edtf, words) => {
  expect(happened(edtf)).toBe(words);
});
