// Guardians' sheets: what is wrong with one that was typed, and the secret that enough of them give. Each is 27 words: where it was
// taken, 32 bytes, how many are needed, the number of their kit, and two words by which a wrong one is noticed.
import { listed, translate } from './language.js';
import { sha256 } from './sha256.js';
import { completed, notInList, splitWords } from './words.js';

/**
 * @typedef {{x: number, share: Uint8Array, needed: number, kit: number}} Sheet
 * @typedef {{sheet: Sheet | null, isWrong: boolean, says: string}} ReadSheet what is said of it in a sentence; empty for no words
 * @typedef {{secret: Uint8Array | null, missing: number, doubled: number[], otherKits: number[], wrong: number[], isWhole: boolean}} Together
 */

const SHEET_WORDS = 27;
const LINK_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Twice a number of 11 bits, and its half: in GF(2^11), modulo x^11 + x^2 + 1. @param {number} number */
const twiceWord = (number) => (number << 1) ^ (number & 0x400 ? 0x805 : 0);
/** @param {number} number */
const halfWord = (number) => (number & 1 ? number ^ 0x805 : number) >> 1;

/**
 * The numbers of a sheet, the first with the highest power, are a polynomial that is 0 at 2 and at 4. One number alone that is
 * wrong by e at the power d makes that e·2^d and e·4^d: their quotient, 2^d, says where it is.
 * @param {readonly number[]} numbers 27 of them @param {readonly string[]} list
 * @returns {string | null} what is wrong
 */
function problemOfSheet(numbers, list) {
  let [atTwo, atFour] = [0, 0];
  for (const number of numbers) {
    atTwo = twiceWord(atTwo) ^ number;
    atFour = twiceWord(twiceWord(atFour)) ^ number;
  }
  if (atTwo === 0 && atFour === 0) return null;
  let [moved, error] = [atTwo, atTwo];
  for (let place = SHEET_WORDS; place > 0 && atTwo !== 0; place--) {
    if (moved === atFour)
      return translate(
        'These words do not belong together. If only one is wrong, it is word {0}, which would have to be “{1}”. Compare it with the sheet.',
        ...[place, list[numbers[place - 1] ^ error]],
      );
    moved = twiceWord(moved);
    error = halfWord(error);
  }
  return severalWrong();
}

const severalWrong = () =>
  translate(
    'These words do not belong together: two or more are wrong, or stand in each other’s places. Compare them with the sheet, one by one.',
  );

/** What stands in the code of a sheet, behind its #: 297 bits, and zeros. @param {string} text @returns {number[] | null} */
function numbersOfLink(text) {
  if (!/^[\w-]{51}$/.test(text)) return null;
  const bits = [...text].map((one) => LINK_ALPHABET.indexOf(one).toString(2).padStart(6, '0')).join('');
  if (!/^0*$/.test(bits.slice(297))) return null;
  return (bits.slice(0, 297).match(/.{11}/g) ?? []).map((word) => Number.parseInt(word, 2));
}

/** @param {readonly number[]} numbers 27 of them @param {readonly string[]} list @returns {ReadSheet} */
function sheetOfNumbers(numbers, list) {
  const problem = problemOfSheet(numbers, list);
  const bits = numbers.map((number) => number.toString(2).padStart(11, '0')).join('');
  /** @param {number} from @param {number} to */
  const numberAt = (from, to) => Number.parseInt(bits.slice(from, to), 2);
  const share = Uint8Array.from({ length: 32 }, (_, i) => numberAt(8 + 8 * i, 16 + 8 * i));
  const sheet = { x: numberAt(0, 8), share, needed: numberAt(264, 268), kit: numberAt(268, 275) };
  // Nobody writes these: 27 times the first word of the list would be whole otherwise.
  const isNone = sheet.x === 0 || sheet.needed < 2;
  if (problem || isNone) return { sheet: null, isWrong: true, says: problem ?? severalWrong() };
  const says = translate(
    'This sheet is whole. It is one of kit {0}, of which {1} are needed.',
    ...[sheet.kit, sheet.needed],
  );
  return { sheet, isWrong: false, says };
}

/** What somebody has typed of one sheet, or the link of its code. @param {string} text @param {readonly string[]} list @returns {ReadSheet} */
export function readSheet(text, list) {
  const trimmed = text.trim();
  /** @param {string} says */
  const wrong = (says) => ({ sheet: null, isWrong: true, says });
  if (/^(?:\S*#\S*|[\w-]{51})$/.test(trimmed)) {
    const numbers = numbersOfLink(trimmed.slice(trimmed.indexOf('#') + 1));
    return numbers
      ? sheetOfNumbers(numbers, list)
      : wrong(translate('This is not the whole link of a sheet.'));
  }
  const typed = splitWords(text);
  const numbers = typed.map((word) => list.indexOf(completed(word, list) ?? ''));
  const unknown = numbers.indexOf(-1);
  // A last word that may still become one of the list is not wrong yet.
  const isBegun = unknown === typed.length - 1 && !/\s$/.test(text) && unknown < SHEET_WORDS;
  const mayBecome = isBegun && list.some((word) => word.startsWith(typed[unknown]));
  if (unknown >= 0 && !mayBecome) return wrong(notInList(typed, unknown, list));
  const count = typed.length - (mayBecome ? 1 : 0);
  if (count > SHEET_WORDS)
    return wrong(translate('There are {0} words here; a sheet has {1}.', count, SHEET_WORDS));
  if (count < SHEET_WORDS)
    return {
      ...{ sheet: null, isWrong: false },
      says: typed.length ? translate('{0} of {1} words.', count, SHEET_WORDS) : '',
    };
  return sheetOfNumbers(numbers, list);
}

/** A product in GF(2^8), modulo x^8 + x^4 + x^3 + x + 1. @param {number} a @param {number} b */
function timesByte(a, b) {
  let product = 0;
  for (let [left, right] = [a, b]; right > 0; right >>= 1) {
    if (right & 1) product ^= left;
    left = (left << 1) ^ (left & 0x80 ? 0x11b : 0);
  }
  return product;
}

/** The 254th power: times the number itself it is 1. @param {number} number */
function inverseByte(number) {
  let [power, product] = [number, 1];
  for (let i = 0; i < 7; i++) {
    power = timesByte(power, power);
    product = timesByte(product, power);
  }
  return product;
}

/** Shamir's scheme: byte by byte, the value at 0 of the polynomial through the sheets. @param {readonly Sheet[]} sheets */
function secretOfSheets(sheets) {
  const secret = new Uint8Array(32);
  for (const { x, share } of sheets) {
    let weight = 1;
    for (const other of sheets)
      if (other.x !== x) weight = timesByte(weight, timesByte(other.x, inverseByte(other.x ^ x)));
    for (let i = 0; i < 32; i++) secret[i] ^= timesByte(share[i], weight);
  }
  return secret;
}

/** What sheets give if it belongs to the number of their kit, which has 7 bits; else null. @param {readonly Sheet[]} sheets */
function numberedSecret(sheets) {
  if (new Set(sheets.map(({ x }) => x)).size < sheets.length) return null;
  const secret = secretOfSheets(sheets);
  const sum = sha256(new Uint8Array([...new TextEncoder().encode('latebra/v1/kit-number'), ...secret]));
  return sum[0] >> 1 === sheets[0].kit ? secret : null;
}

/** Every `size` of `places`, in order. @param {readonly number[]} places @param {number} size @returns {Generator<number[]>} */
function* choicesOf(places, size) {
  if (size === 0) yield [];
  for (let i = 0; i + size <= places.length && size > 0; i++)
    for (const rest of choicesOf(places.slice(i + 1), size - 1)) yield [places[i], ...rest];
}

/**
 * Sheets of one kit. `isWhole` where some of them give what belongs to its number.
 * @param {readonly Sheet[]} given @param {readonly number[]} own places of them @param {(secret: Uint8Array) => boolean} opens
 */
function tryKit(given, own, opens) {
  const { needed } = given[own[0]];
  const missing = Math.max(0, needed - new Set(own.map((place) => given[place].x)).size);
  let isWhole = false;
  for (const some of missing > 0 ? [] : choicesOf(own, needed)) {
    const sheets = some.map((place) => given[place]);
    const secret = numberedSecret(sheets);
    isWhole ||= secret !== null;
    if (!secret || !opens(secret)) continue;
    // One that belongs to them gives the same in the place of the first.
    const wrong = own.filter((place) => {
      if (some.includes(place)) return false;
      const other = numberedSecret([given[place], ...sheets.slice(1)]);
      return !other?.every((byte, i) => byte === secret[i]);
    });
    return { secret, missing, wrong, isWhole };
  }
  return { secret: null, missing, wrong: missing > 0 ? [] : [...own], isWhole };
}

/**
 * Puts sheets together. Places count from 0. Where no kit opens, what is said is of the one with most sheets.
 * @param {readonly Sheet[]} given one at least @param {(secret: Uint8Array) => boolean} opens
 * @returns {Together}
 */
export function combineSheets(given, opens) {
  const texts = given.map(({ x, share, needed, kit }) => [x, needed, kit, ...share].join());
  /** @type {Map<string, number[]>} */
  const kits = new Map();
  /** @type {number[]} */
  const doubled = [];
  given.forEach(({ kit, needed }, place) => {
    const name = `${kit}/${needed}`;
    if (texts.indexOf(texts[place]) < place) doubled.push(place);
    else kits.set(name, [...(kits.get(name) ?? []), place]);
  });
  const most = [...kits.values()].sort((a, b) => b.length - a.length);
  const tried = most.map((own) => tryKit(given, own, opens));
  const at = Math.max(
    0,
    tried.findIndex(({ secret }) => secret),
  );
  const otherKits = most
    .filter((_, i) => i !== at)
    .flat()
    .sort((a, b) => a - b);
  return { ...tried[at], doubled, otherKits };
}

/** How many places there are, and their numbers. @param {readonly number[]} places from 0 @returns {[number, string]} */
const named = (places) => [
  places.length,
  listed(
    places.map((place) => `${place + 1}`),
    'conjunction',
  ),
];

/** What comes of sheets together, in sentences, of which the first says whether they are enough. @param {Together} together */
export function togetherSays({ secret, missing, doubled, otherKits, wrong, isWhole }) {
  const says = [];
  if (secret) says.push(translate('These sheets are enough.'));
  else if (missing > 0) says.push(translate('{0} more sheets are needed.', missing));
  else if (isWhole)
    says.push(
      translate('These sheets do not open this Ark: it was made with another kit, or one of them is wrong.'),
    );
  else
    says.push(
      translate(
        'One of sheets {1} is wrong, though its words are whole: it was made for something else, or made up. With one more right sheet it can be told which.',
        ...named(wrong),
      ),
    );
  if (doubled.length > 0)
    says.push(translate('Sheets {1} are there already, and do not count again.', ...named(doubled)));
  if (otherKits.length > 0)
    says.push(translate('Sheets {1} are of another kit, and do not count.', ...named(otherKits)));
  if (secret && wrong.length > 0)
    says.push(translate('Sheets {1} do not fit the others, and are left out.', ...named(wrong)));
  return says;
}
