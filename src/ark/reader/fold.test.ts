import { expect, test } from 'vitest';
import { fold } from './fold.js';

test('every letter is found without its accents and in either case, also beside what has none', () => {
  const slowly = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase();
  const others: number[] = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    const letter = String.fromCharCode(code);
    if (fold(letter) !== slowly(letter)) others.push(code);
  }
  expect(others).toEqual([]);
  expect(fold('“CAFE\u0301”, Ǆ — ﬁn…')).toBe('“cafe”, dz — fin...');
});
