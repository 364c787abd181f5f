// One sheet of a guardians' kit, as 27 words and as the text of a QR code (docs/formats.md, "Guardians' sheets"). It must never
// take a mistyped sheet for another one, nor put a word into an error message, because messages reach logs.
import { fromBase64Url, toBase64Url } from './base64.ts';
import { type Bytes, exactly } from './encoding.ts';
import { splitWords, wordList } from './words.ts';

/** One of the n sheets of a kit, of which k together give its secret. */
export interface GuardianSheet {
  /** By which sheets of one kit are told from those of another: 0 to 127. */
  kit: number;
  /** k: 2 to 15. */
  needed: number;
  /** Where the polynomials were taken: 1 to 255, another for each sheet of a kit. */
  x: number;
  /** Their values there: 32 bytes. */
  share: Bytes;
}

/** How many words a sheet has. */
export const SHEET_WORDS = 27;
/** The most sheets that a kit has. */
export const SHEETS_MAX = 15;
/** The fewest sheets that may be needed. */
export const NEEDED_MIN = 2;

const SHARE_LENGTH = 32;
const WORD_BITS = 11n;
const DATA_WORDS = 25;
const NEEDED_BITS = 4n;
const KIT_BITS = 7n;
/** 27 numbers of 11 bits, and 7 zero bits behind them. */
const TEXT_LENGTH = 38;
const TEXT_SPARE = 7n;
/** x^11 + x^2 + 1: in GF(2^11) modulo it, every number but 0 is a power of 2. */
const FIELD = 0b1000_0000_0101;

const NUMBERS: ReadonlyMap<string, number> = new Map(wordList.map((word, number) => [word, number]));

/**
 * Why some text is no sheet. Places count from 1.
 * - `unknown`: a word is not on the list
 * - `count`: not 27 words
 * - `one-wrong`: they do not belong together, and would if the one at this place were `word`
 * - `check`: they do not belong together, and more than one of them is wrong
 * - `link`: not what stands in a QR code
 */
export type SheetProblem =
  | { kind: 'unknown'; word: string; position: number }
  | { kind: 'count'; count: number }
  | { kind: 'one-wrong'; position: number; word: string }
  | { kind: 'check' }
  | { kind: 'link' };

/** Carries its reason in `problem`, for the screen alone. */
export class SheetError extends Error {
  override readonly name = 'SheetError';
  readonly problem: SheetProblem;
  constructor(problem: SheetProblem) {
    super('This is not a sheet');
    this.problem = problem;
  }
}

/** The 27 words of a sheet. Throws a RangeError where a number of it is out of bounds, a TypeError for another length. */
export function wordsFromSheet(sheet: GuardianSheet): string[] {
  return numbersFromSheet(sheet).map((number) => wordList[number] as string);
}

/**
 * The sheet of 27 words, however they are typed; the first four letters of each are enough.
 * Throws a SheetError with the first problem found: unknown words, then the count, then whether they belong together.
 */
export function sheetFromWords(text: string): GuardianSheet {
  const words = splitWords(text);
  const numbers = words.map((word, index) => {
    const number = numberOfWord(word);
    if (number < 0) throw new SheetError({ kind: 'unknown', word, position: index + 1 });
    return number;
  });
  if (numbers.length !== SHEET_WORDS) throw new SheetError({ kind: 'count', count: numbers.length });
  return sheetFromNumbers(numbers);
}

/** A sheet as 51 characters of base64url, as they stand in its QR code behind `#`. Throws as `wordsFromSheet` does. */
export function sheetToText(sheet: GuardianSheet): string {
  const bits = joined(numbersFromSheet(sheet)) << TEXT_SPARE;
  return toBase64Url(bytesOf(bits, TEXT_LENGTH));
}

/** The sheet of exactly those 51 characters. Throws a SheetError. */
export function sheetFromText(text: string): GuardianSheet {
  let bits: bigint;
  try {
    bits = bitsOf(exactly(TEXT_LENGTH, fromBase64Url(text)));
  } catch {
    throw new SheetError({ kind: 'link' });
  }
  if (bits & ((1n << TEXT_SPARE) - 1n)) throw new SheetError({ kind: 'link' });
  return sheetFromNumbers(split(bits >> TEXT_SPARE, SHEET_WORDS));
}

/** The sheet of whatever somebody has typed or pasted: 27 words, a QR code's link, or what stands behind its `#`. */
export function readSheet(typed: string): GuardianSheet {
  const text = typed.trim();
  if (/^[\w-]{51}$/.test(text)) return sheetFromText(text);
  return /^\S*#\S*$/.test(text) ? sheetFromText(text.slice(text.indexOf('#') + 1)) : sheetFromWords(text);
}

function numbersFromSheet({ kit, needed, x, share }: GuardianSheet): number[] {
  within(kit, 0, 2 ** Number(KIT_BITS) - 1);
  within(needed, NEEDED_MIN, SHEETS_MAX);
  within(x, 1, 255);
  const shareBits = bitsOf(exactly(SHARE_LENGTH, share));
  const start = (BigInt(x) << BigInt(SHARE_LENGTH * 8)) | shareBits;
  const data = split((((start << NEEDED_BITS) | BigInt(needed)) << KIT_BITS) | BigInt(kit), DATA_WORDS);
  return [...data, ...remainder([...data, 0, 0])];
}

function sheetFromNumbers(numbers: readonly number[]): GuardianSheet {
  const rest = remainder(numbers);
  if (rest[0] !== 0 || rest[1] !== 0) throw new SheetError(problemOf(numbers, rest));
  const bits = joined(numbers.slice(0, DATA_WORDS));
  const share = bytesOf((bits >> (NEEDED_BITS + KIT_BITS)) & ((1n << 256n) - 1n), SHARE_LENGTH);
  const sheet = {
    kit: Number(bits & ((1n << KIT_BITS) - 1n)),
    needed: Number((bits >> KIT_BITS) & ((1n << NEEDED_BITS) - 1n)),
    x: Number(bits >> (NEEDED_BITS + KIT_BITS + 256n)),
    share,
  };
  // No writer makes these: 27 times the first word of the list would be whole otherwise.
  if (sheet.x === 0 || sheet.needed < NEEDED_MIN) throw new SheetError({ kind: 'check' });
  return sheet;
}

/**
 * What 27 numbers leave when they, the first with the highest power, are divided by (z − 2)(z − 4) = z² + 6z + 8 over
 * GF(2^11): nothing, for a sheet. It is a Reed–Solomon code of distance 3, so one or two wrong words always leave something.
 */
function remainder(numbers: readonly number[]): [number, number] {
  let [high, low] = [0, 0];
  for (const number of numbers) {
    const [twice, four] = [doubled(high), doubled(doubled(high))];
    [high, low] = [low ^ four ^ twice, number ^ doubled(four)];
  }
  return [high, low];
}

/** One number that is wrong by e at the power z^d leaves e·2^d at 2 and e·4^d at 4: their quotient, 2^d, tells where it is. */
function problemOf(numbers: readonly number[], [high, low]: [number, number]): SheetProblem {
  const atTwo = doubled(high) ^ low;
  const atFour = doubled(doubled(high)) ^ low;
  let [moved, error] = [atTwo, atTwo];
  for (let power = 0; power < SHEET_WORDS && atTwo !== 0; power++) {
    const position = SHEET_WORDS - power;
    if (moved === atFour) {
      const word = wordList[(numbers[position - 1] as number) ^ error] as string;
      return { kind: 'one-wrong', position, word };
    }
    moved = doubled(moved);
    error = halved(error);
  }
  return { kind: 'check' };
}

const doubled = (number: number): number => (number << 1) ^ (number & 0x400 ? FIELD : 0);
const halved = (number: number): number => (number & 1 ? number ^ FIELD : number) >> 1;

/** No two words of the list begin with the same four letters. */
function numberOfWord(word: string): number {
  const whole = NUMBERS.get(word);
  if (whole !== undefined) return whole;
  return word.length < 4 ? -1 : wordList.findIndex((one) => one.startsWith(word));
}

function within(number: number, least: number, most: number): void {
  if (!Number.isInteger(number) || number < least || number > most) throw new RangeError('Not of a sheet');
}

/** The lowest `count` times 11 bits, the highest first. */
function split(bits: bigint, count: number): number[] {
  return Array.from({ length: count }, (_, i) =>
    Number((bits >> (WORD_BITS * BigInt(count - 1 - i))) & ((1n << WORD_BITS) - 1n)),
  );
}

const joined = (numbers: readonly number[]): bigint =>
  numbers.reduce((bits, number) => (bits << WORD_BITS) | BigInt(number), 0n);

const bitsOf = (bytes: Bytes): bigint => bytes.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);

function bytesOf(bits: bigint, length: number): Bytes {
  return Uint8Array.from({ length }, (_, i) => Number((bits >> BigInt(8 * (length - 1 - i))) & 0xffn));
}
