import { describe, expect, test } from 'vitest';
import { fromHex } from '../../../crypto/base64.ts';
import { combineSheets } from '../../../crypto/guardian-kit.ts';
import { type GuardianSheet, wordsFromSheet } from '../../../crypto/guardian-sheet.ts';
import vectors from '../../../crypto/vectors/guardian-kit.json';
import { problemWords, readField, togetherWords, wholeWords } from './sheet-words.ts';

const [, vector] = vectors;
const { kit = 0, needed = 0, sheets: frozen = [] } = vector ?? {};
const sheets = frozen.map(({ x, share }) => ({ kit, needed, x, share: fromHex(share) }));
const [one, two, three, four] = sheets as [GuardianSheet, GuardianSheet, GuardianSheet, GuardianSheet];
const words = wordsFromSheet(one);
const typed = words.join(' ');

/** What is said of a field, or how far it has come. */
function said(text: string): string | number {
  const read = readField(text);
  if (read.at === 'wrong') return problemWords(read.problem);
  return read.at === 'whole' ? wholeWords(read.sheet) : read.at === 'begun' ? read.words : 0;
}

describe('a field', () => {
  test('counts words as they are typed, and finds nothing wrong with one that is half there', () => {
    expect([said(''), said(' 1. '), said('aba'), said('aband'), said('abandon zo')]).toEqual([0, 0, 0, 1, 1]);
    for (let length = 1; length < typed.length; length++) {
      expect(typeof said(typed.slice(0, length)), typed.slice(0, length)).toBe('number');
    }
    expect(said(typed)).toBe(`This sheet is whole. It is one of kit ${kit}, of which 3 are needed.`);
  });

  test.each([
    ['abandon xyz', 'Word 2, “xyz”, is not on the list. Is it misspelt?'],
    ['zo ', 'Word 1, “zo”, is not on the list. Is it misspelt?'],
    [`${typed} zoo`, 'There are 28 words here; a sheet has 27.'],
    [
      words.with(3, words[3] === 'zoo' ? 'abandon' : 'zoo').join(' '),
      `These words do not belong together. If only one is wrong, it is word 4, which would have to be “${words[3]}”. Compare it with the sheet.`,
    ],
    ['https://vault.example/sheets#abc', 'This is not the whole link of a sheet.'],
  ])('says what is wrong: %s', (text, sentence) => {
    expect(said(text)).toBe(sentence);
  });
});

describe('sheets together', () => {
  const together = async (...some: GuardianSheet[]) => togetherWords(await combineSheets(some));
  const stray = { ...two, kit: (kit + 1) % 128 };
  const forged = { ...four, share: fromHex('07'.repeat(32)) };

  test('say how many are missing, and that they are enough', async () => {
    expect(await together(one)).toEqual(['2 more sheets are needed.']);
    expect(await together(one, two)).toEqual(['One more sheet is needed.']);
    expect(await together(one, two, three)).toEqual(['These sheets are enough.']);
  });

  test('say which is doubled, of another kit, or does not fit', async () => {
    expect(await together(one, one)).toEqual([
      '2 more sheets are needed.',
      'Sheet 2 is there already, and counts once.',
    ]);
    expect(await together(one, stray, three)).toEqual([
      'One more sheet is needed.',
      'Sheet 2 is of another kit, and does not count.',
    ]);
    expect(await together(one, two, forged, three)).toEqual([
      'These sheets are enough.',
      'Sheet 3 does not fit the others, and is left out.',
    ]);
  });

  test('say that one of them is wrong where none is left to compare with', () => {
    const found = { secret: null, missing: 0, doubled: [], otherKits: [], wrong: [0, 1, 3] };
    expect(togetherWords(found)).toEqual([
      'One of sheets 1, 2 and 4 is wrong, though its words are whole: it was made for something else, or made up. With one more right sheet it can be told which.',
    ]);
  });
});
