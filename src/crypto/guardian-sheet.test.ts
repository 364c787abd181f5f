import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64Url, fromHex, toBase64Url } from './base64.ts';
import {
  type GuardianSheet,
  readSheet,
  SheetError,
  type SheetProblem,
  sheetFromText,
  sheetFromWords,
  sheetToText,
  wordsFromSheet,
} from './guardian-sheet.ts';
import { dice } from './testing/dice.ts';
import { sheetTextAs, sheetWordsAs } from './testing/reference-sheets.ts';
import vectors from './vectors/guardian-kit.json';
import { wordList } from './words.ts';

const frozen = vectors.flatMap(({ kit, needed, sheets }) =>
  sheets.map(({ x, share, words, text }) => ({
    sheet: { kit, needed, x, share: fromHex(share) },
    words,
    text,
  })),
);
const [first] = frozen as [(typeof frozen)[0]];
const words = first.words.split(' ');

const anySheet: fc.Arbitrary<GuardianSheet> = fc.record({
  kit: fc.integer({ min: 0, max: 127 }),
  needed: fc.integer({ min: 2, max: 15 }),
  x: fc.integer({ min: 1, max: 255 }),
  share: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => new Uint8Array(bytes)),
});

/** What is wrong with these words, or null. */
function problemOf(typed: readonly string[]): SheetProblem | null {
  try {
    sheetFromWords(typed.join(' '));
    return null;
  } catch (error) {
    if (error instanceof SheetError) return error.problem;
    throw error;
  }
}

const replaced = (place: number, word: string | undefined) => words.with(place, word ?? '');

test.each(frozen)('the frozen sheet at $sheet.x is read from its words and from its text', (one) => {
  expect(wordsFromSheet(one.sheet)).toEqual(one.words.split(' '));
  expect(sheetFromWords(one.words)).toEqual(one.sheet);
  expect(sheetToText(one.sheet)).toBe(one.text);
  expect(sheetFromText(one.text)).toEqual(one.sheet);
});

test('a second implementation writes any sheet in the same words and the same text', () => {
  fc.assert(
    fc.property(anySheet, (sheet) => {
      expect(wordsFromSheet(sheet)).toEqual(sheetWordsAs(sheet));
      expect(sheetToText(sheet)).toBe(sheetTextAs(sheet));
      expect(sheetFromWords(wordsFromSheet(sheet).join(' '))).toEqual(sheet);
      expect(sheetFromText(sheetToText(sheet))).toEqual(sheet);
    }),
    { numRuns: 50 },
  );
});

test('sheets are read as people type, paste and scan them', () => {
  const short = words.map((word) => word.slice(0, 4)).join(' ');
  const numbered = words.map((word, i) => `${i + 1}. ${word.toUpperCase()}`).join('\n');
  const link = `https://vault.example/sheets#${first.text}`;
  for (const typed of [first.words, short, numbered, ` ${link}\n`, first.text, `#${first.text}`]) {
    expect(readSheet(typed)).toEqual(first.sheet);
  }
});

describe('what is wrong is told', () => {
  test.each<[string, string[], SheetProblem]>([
    ['nothing', [], { kind: 'count', count: 0 }],
    ['a word missing', words.slice(1), { kind: 'count', count: 26 }],
    ['a word too many', [...words, 'zoo'], { kind: 'count', count: 28 }],
    ['a misspelt word', replaced(4, 'hamstre'), { kind: 'unknown', word: 'hamstre', position: 5 }],
    ['three letters of a word', replaced(0, 'abu'), { kind: 'unknown', word: 'abu', position: 1 }],
    ['another first word', replaced(0, 'zoo'), { kind: 'one-wrong', position: 1, word: 'abuse' }],
    ['another last word', replaced(26, 'zoo'), { kind: 'one-wrong', position: 27, word: 'album' }],
    ['the same word all over', words.map(() => 'abandon'), { kind: 'check' }],
  ])('%s', (_, typed, problem) => {
    expect(problemOf(typed)).toEqual(problem);
  });

  test('but never in the message', () => {
    expect(() => sheetFromWords(replaced(0, 'secretword').join(' '))).toThrow(/^This is not a sheet$/);
  });
});

// The remainder of one wrong word thus tells its place and its error, so no two such remainders are the same; the code is
// linear, so two wrong words never leave nothing: that none is taken for another sheet is a property, and not luck.
test('any one wrong word is found, and what it should be', { tags: 'long' }, () => {
  for (const [place, right] of words.entries()) {
    for (const wrong of wordList) {
      if (wrong === right) continue;
      const problem = problemOf(replaced(place, wrong));
      if (problem?.kind === 'one-wrong' && problem.position === place + 1 && problem.word === right) continue;
      expect.fail(`word ${place + 1}, ${wrong}: ${JSON.stringify(problem)}`);
    }
  }
});

test('100,000 mistyped sheets: none is taken for another one', { tags: 'long' }, () => {
  const below = dice(20_261_128);
  const slips: ((typed: string[]) => void)[] = [
    (typed) => typed.splice(below(27), 1, wordList[below(2048)] as string),
    (typed) => {
      for (let i = 0; i < 2; i++) typed.splice(below(27), 1, wordList[below(2048)] as string);
    },
    (typed) => {
      const place = below(26);
      typed.splice(place, 2, typed[place + 1] as string, typed[place] as string);
    },
    (typed) => {
      const [from, to] = [below(27), below(27)];
      const held = typed[from] as string;
      typed[from] = typed[to] as string;
      typed[to] = held;
    },
    // A word is read where the second next one stands: three words are in each other's places.
    (typed) => {
      const place = below(25);
      typed.splice(place + 2, 0, typed.splice(place, 1)[0] as string);
    },
    (typed) => typed.splice(below(typed.length), 1),
    (typed) => typed.splice(below(typed.length), 0, typed[below(typed.length)] as string),
  ];
  let told = 0;
  for (let turn = 0; turn < 100_000; turn++) {
    const one = frozen[turn % frozen.length] as (typeof frozen)[0];
    const typed = one.words.split(' ');
    slips[turn % slips.length]?.(typed);
    if (typed.join(' ') === one.words) continue; // the same word again is no slip
    if (problemOf(typed) === null) expect.fail(`taken for a sheet: ${typed.join(' ')}`);
    told++;
  }
  expect(told).toBeGreaterThan(95_000);
});

test('what is no text of a sheet is refused', () => {
  const bytes = fromBase64Url(first.text);
  const withSpareBit = bytes.with(37, (bytes[37] as number) | 1);
  for (const text of [
    '',
    first.text.slice(1),
    `${first.text}A`,
    `${first.text}=`,
    toBase64Url(withSpareBit),
  ]) {
    expect(() => sheetFromText(text)).toThrow(SheetError);
  }
  for (let bit = 0; bit < 297; bit++) {
    const at = bit >> 3;
    const changed = bytes.with(at, (bytes[at] as number) ^ (0x80 >> (bit & 7)));
    expect(() => sheetFromText(toBase64Url(changed))).toThrow(SheetError);
  }
});

test.each([
  { kit: -1 },
  { kit: 128 },
  { needed: 1 },
  { needed: 16 },
  { x: 0 },
  { x: 256 },
  { x: 1.5 },
  { share: new Uint8Array(31) },
])('a sheet with %o has no words', (part) => {
  expect(() => wordsFromSheet({ ...first.sheet, ...part })).toThrow(/./);
});
