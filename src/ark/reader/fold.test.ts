import { expect, test } from 'vitest';
import { finderOf, fold } from './fold.js';

const slowly = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
const finds = (word: string, text: string) => finderOf(fold(word)).test(fold(text));

test('every letter is found without its accents and in either case, also beside what has none', {
  tags: 'long',
}, () => {
  const missed: number[] = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    const letter = String.fromCharCode(code);
    const finder = finderOf(fold(letter));
    for (const written of new Set([letter, letter.toUpperCase(), letter.toLowerCase()]))
      if (slowly(written).includes(slowly(letter)) && !finder.test(fold(`a “${written}” b`)))
        missed.push(code);
  }
  expect(missed).toEqual([]);
  expect(finds('cafe', '“CAFE\u0301”, Ǆ — ﬁn…')).toBe(true);
  expect(finds('CAFÉ', 'in the cafe')).toBe(true);
  expect(finds('𞤀', 'the letter 𞤢')).toBe(true);
});

test('no sign of a word is taken for another one', () => {
  for (const sign of '\\^$.*+?()[]{}|/-') {
    expect(finds(`a${sign}b`, `the A${sign}B`)).toBe(true);
    expect(finds(`a${sign}b`, 'the ab, axb, aab')).toBe(false);
  }
});
