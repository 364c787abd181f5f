import { expect, test, vi } from 'vitest';
import { generatePassphrase } from '../../crypto/passphrase.ts';
import { wordList } from '../../crypto/words.ts';
import { judgePassphrase, sentences } from './judge.ts';

// Looking words up in long lists takes its time, and more of it on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const KNOWN = ['agnes of the lake', 'vault.example.org', 'latebra'];

test.each([
  'aaaaaaaaaaaa',
  'password1234',
  'qwertyuiopas',
  '123456789012',
  'abcabcabcabcabc',
  'Summer2024!!',
  'agnes of the lake',
  'Agnes Of The Lake 1',
  'latebra latebra',
  'Elisabeth Montgomery',
  'abandon abandon abandon abandon abandon abandon',
  ' ｐａｓｓｗｏｒｄ１２３４ ',
])('%j is refused, and the advice says why or what to do', (passphrase) => {
  const { strong, advice } = judgePassphrase(passphrase, KNOWN);
  expect(strong).toBe(false);
  expect(advice).toMatch(/^[A-Z].+\.$/);
});

test.each([
  'plum cake on a stone wall',
  'zyxwvut passphrase canary qponm',
  'kq7!vz0Rm#2x',
  'lantern under the old bridge',
  'six words for one archive alone',
])('%j is taken', (passphrase) => {
  expect(judgePassphrase(passphrase, KNOWN)).toEqual({ strong: true, advice: '' });
});

test('six generated words are always taken', () => {
  for (let i = 0; i < 10; i++) expect(judgePassphrase(generatePassphrase(wordList), KNOWN).strong).toBe(true);
});

test('a very long one is judged by its beginning, without a long wait', () => {
  expect(judgePassphrase('a'.repeat(100_000), KNOWN).strong).toBe(false);
});

test('every sentence of advice fits into the lines that the form leaves for one', () => {
  const { warnings, suggestions } = sentences;
  for (const sentence of [...Object.values(warnings), ...Object.values(suggestions)]) {
    expect(sentence).toMatch(/^[A-Z][^.]*\.$/);
    expect(sentence.length).toBeLessThanOrEqual(90);
  }
});
