// Sheets as the Ark's reader takes them: what it computes by itself is compared with what the app does (src/crypto), which has
// its own vectors and a second implementation beside it.
import { beforeAll, describe, expect, test } from 'vitest';
import { fromHex } from '../../crypto/base64.ts';
import { kitNumber, splitSecret } from '../../crypto/guardian-kit.ts';
import {
  type GuardianSheet,
  readSheet as readAsApp,
  SheetError,
  sheetToText,
} from '../../crypto/guardian-sheet.ts';
import { dice } from '../../crypto/testing/dice.ts';
import { flip } from '../../crypto/testing/flip.ts';
import vectors from '../../crypto/vectors/guardian-kit.json';
import { wordList } from '../../crypto/words.ts';
import english from '../languages/english.json';
import { speak } from './language.js';
import { combineSheets, readSheet, togetherSays } from './sheets.js';

beforeAll(() => speak('en', english));

const read = (text: string) => readSheet(text, wordList);
const frozen = vectors.flatMap(({ kit, needed, sheets }) =>
  sheets.map(({ x, share, words, text }) => ({
    sheet: { kit, needed, x, share: fromHex(share) },
    words,
    text,
  })),
);
const [first] = frozen as [(typeof frozen)[0]];
const words = first.words.split(' ');
const changed = (place: number, word: string) => words.with(place, word).join(' ');

/** Every set of `size` of these, in order. */
function subsetsOf<T>(all: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return all.flatMap((one, i) => subsetsOf(all.slice(i + 1), size - 1).map((rest) => [one, ...rest]));
}

const opensWith = (secret: Uint8Array) => (tried: Uint8Array) =>
  Buffer.from(tried).equals(Buffer.from(secret));
const none = { doubled: [], otherKits: [], wrong: [] };

test.each(frozen)('the frozen sheet at $sheet.x is read however it is typed, pasted or scanned', (one) => {
  const typed = one.words.split(' ');
  for (const text of [
    one.words,
    typed.map((word) => word.slice(0, 4)).join(' '),
    typed.map((word, i) => `${i + 1}. ${word.toUpperCase()}`).join('\n'),
    one.text,
    ` https://vault.example/sheets#${one.text}\n`,
  ])
    expect(read(text)).toMatchObject({ sheet: one.sheet, isWrong: false });
});

test.each([
  ['', false, /^$/],
  ['abuse maze slush', false, /^3 of 27 words\.$/],
  ['abuse maze slus', false, /^3 of 27 words\.$/],
  ['abuse maze slu', false, /^2 of 27 words\.$/],
  ['abuse maze slu ', true, /^Word 3, “slu”, is not in the list\. Perhaps .*slush/],
  [changed(4, 'hamstre'), true, /^Word 5, “hamstre”, is not in the list\.$/],
  [`${first.words} zoo`, true, /^There are 28 words here; a sheet has 27\.$/],
  [changed(0, 'zoo'), true, /If only one is wrong, it is word 1, which would have to be “abuse”/],
  [changed(26, 'zoo'), true, /If only one is wrong, it is word 27, which would have to be “album”/],
  [Array(27).fill('abandon').join(' '), true, /two or more are wrong/],
  [`x#${first.text.slice(1)}`, true, /^This is not the whole link of a sheet\.$/],
  [`${first.text.slice(0, -1)}B`, true, /^This is not the whole link of a sheet\.$/],
])('“%s” is no sheet, and it is said why', (text, isWrong, says) => {
  const found = read(text);
  expect(found).toMatchObject({ sheet: null, isWrong });
  expect(found.says).toMatch(says);
});

test('any one wrong word is found, with what it should be', () => {
  for (const [place, right] of words.entries())
    for (let step = 1; step < wordList.length; step += 97) {
      const wrong = wordList[(wordList.indexOf(right) + step) % wordList.length] ?? '';
      expect(read(changed(place, wrong)).says).toContain(
        `it is word ${place + 1}, which would have to be “${right}”`,
      );
    }
});

/** What the app says of the same words: a sheet, or what kind of problem it has. */
function asTheApp(text: string): GuardianSheet | string {
  try {
    return readAsApp(text);
  } catch (error) {
    if (error instanceof SheetError) return error.problem.kind;
    throw error;
  }
}

test('of 5,000 mistyped sheets none is taken for another one, and all are judged as the app does', {
  tags: 'long',
}, () => {
  const below = dice(30);
  let several = 0;
  for (let turn = 0; turn < 5000; turn++) {
    const typed = (frozen[turn % frozen.length]?.words ?? '').split(' ');
    for (let slips = 1 + (turn % 4); slips > 0; slips--) {
      if (turn % 3 === 0) typed[below(27)] = wordList[below(2048)] ?? '';
      else typed.splice(below(27), 0, typed.splice(below(27), 1)[0] ?? '');
    }
    const text = typed.join(' ');
    const expected = asTheApp(text);
    const { sheet, says } = read(text);
    if (typeof expected !== 'string') {
      expect(frozen.map((one) => one.words)).toContain(text);
      expect(sheet).toEqual(expected);
      continue;
    }
    if (sheet !== null) expect.fail(`taken for a sheet: ${text}`);
    if (expected === 'check') several++;
    expect(says).toMatch(expected === 'check' ? /two or more are wrong/ : /If only one is wrong/);
  }
  expect(several).toBeGreaterThan(1000);
});

test.each(vectors)('any of the frozen kit of which $needed are needed give its secret', (vector) => {
  const sheets = frozen.map(({ sheet }) => sheet).filter(({ kit }) => kit === vector.kit);
  const secret = fromHex(vector.secret);
  for (const some of subsetsOf(sheets, vector.needed))
    expect(combineSheets(some, opensWith(secret))).toEqual({ ...none, secret, missing: 0, isWhole: true });
});

test.each([
  [3, 2],
  [5, 3],
  [9, 5],
  [15, 15],
])('of %i sheets any %i open, and fewer say how many are missing', async (count, needed) => {
  const secret = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + count);
  const sheets = (await splitSecret(secret, count, needed)).map((sheet) => read(sheetToText(sheet)).sheet);
  const whole = sheets.flatMap((sheet) => (sheet ? [sheet] : []));
  for (const some of subsetsOf(whole, needed))
    expect(combineSheets(some, opensWith(secret)).secret).toEqual(secret);
  for (let size = 1; size < needed; size++)
    for (const some of subsetsOf(whole, size).slice(0, 50)) {
      const found = combineSheets(some, opensWith(secret));
      const missing = needed - size;
      expect(found).toEqual({ ...none, secret: null, missing, isWhole: false });
      expect(togetherSays(found)).toEqual([
        missing === 1 ? 'One more sheet is needed.' : `${missing} more sheets are needed.`,
      ]);
    }
});

describe('what is wrong with sheets together', () => {
  const [two, three] = vectors as [(typeof vectors)[0], (typeof vectors)[0]];
  const sheetsOf = ({ kit }: { kit: number }) =>
    frozen.map(({ sheet }) => sheet).filter((sheet) => sheet.kit === kit);
  const ofTwo = sheetsOf(two) as [GuardianSheet, GuardianSheet, GuardianSheet];
  const ofThree = sheetsOf(three) as [GuardianSheet, GuardianSheet, GuardianSheet];
  const opens = opensWith(fromHex(two.secret));
  const damaged = { ...ofTwo[1], share: flip(ofTwo[1].share, 0) };

  test.each([
    ['the same twice', [ofTwo[0], ofTwo[0]], ['One more sheet', 'Sheet 2 is there already']],
    ['one of another kit', [ofTwo[0], ofThree[0], ofTwo[1]], ['enough', 'Sheet 2 is of another kit']],
    [
      'more of another kit',
      [...ofThree, ofTwo[0], ofTwo[2]],
      ['enough', 'Sheets 1, 2, 3, 4 and 5 are of an'],
    ],
    ['one made up, and one to spare', [ofTwo[0], damaged, ofTwo[2]], ['enough', 'Sheet 2 does not fit']],
    ['one made up, and none to spare', [ofTwo[0], damaged], ['One of sheets 1 and 2 is wrong']],
    ['two of one place', [ofTwo[1], damaged], ['One more sheet']],
    ['enough of a kit that does not open this Ark', ofThree, ['These sheets do not open this Ark']],
  ])('%s', (_, given, sentences) => {
    const found = combineSheets(given, opens);
    expect(found.secret !== null).toBe(sentences[0] === 'enough');
    expect(togetherSays(found)).toEqual(sentences.map((part) => expect.stringContaining(part)));
  });

  test('a wrong secret whose number is the kit’s opens nothing, and the right one is still found', async () => {
    // One of 128 changes leaves the number of the kit: which the app cannot tell, and an Ark can.
    let forged = damaged;
    for (let byte = 0; ; byte++) {
      forged = { ...damaged, share: damaged.share.with(31, byte).with(30, byte >> 8) };
      let given: Uint8Array | null = null;
      combineSheets([ofTwo[0], forged], (secret) => {
        given = secret;
        return false;
      });
      if (given && (await kitNumber(given)) === two.kit && !opens(given)) break;
    }
    const found = combineSheets([ofTwo[0], forged, ofTwo[2]], opens);
    expect(found).toMatchObject({ secret: fromHex(two.secret), wrong: [1] });
    expect(togetherSays(combineSheets([ofTwo[0], forged], opens))).toEqual([
      'These sheets do not open this Ark: it was made with another kit, or one of them is wrong.',
    ]);
  });
});
