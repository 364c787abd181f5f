// The 24 words (BIP39, English list): what is wrong with those that were typed, and the key that the right ones are.
import { listed, translate } from './language.js';
import { sha256 } from './sha256.js';

const WORD_COUNT = 24;

/** The words of a text, however it is written: with numbers, commas, bullets, capitals. @param {string} text */
export function splitWords(text) {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .split(/[\s,;]+/)
    .map((token) => token.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
    .filter(Boolean);
}

/** The word of the list that this is, or the only one that begins so; null for neither. @param {string} typed @param {readonly string[]} list */
export function completed(typed, list) {
  if (list.includes(typed)) return typed;
  const found = typed.length < 4 ? [] : list.filter((word) => word.startsWith(typed));
  return found.length === 1 ? found[0] : null;
}

/** In how many letters two words differ, a missing or an exchanged one counted once. @param {string} a @param {string} b */
function distance(a, b) {
  let before = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j++)
      row.push(Math.min(row[j] + 1, before[j + 1] + 1, before[j] + (a[i] === b[j] ? 0 : 1)));
    before = row;
  }
  return before[b.length];
}

/** That a word is not in the list, and what was perhaps meant. @param {readonly string[]} typed @param {number} place from 0 @param {readonly string[]} list */
export function notInList(typed, place, list) {
  const wrong = typed[place];
  const near = list.filter(
    (word) => distance(word, wrong) < 2 || (wrong.length > 2 && word.startsWith(wrong)),
  );
  const said = translate('Word {0}, “{1}”, is not in the list.', place + 1, wrong);
  if (near.length === 0 || near.length > 5) return said;
  return `${said} ${translate('Perhaps {0}?', listed(near, 'disjunction'))}`;
}

/**
 * @param {string} text @param {readonly string[]} list
 * @returns {{words: (string | null)[], typed: string[], key: Uint8Array | null, problem: string | null}} the problem in a sentence
 */
export function readWords(text, list) {
  const typed = splitWords(text);
  const words = typed.map((word) => completed(word, list));
  const wrong = words.indexOf(null);
  /** @param {string | null} problem @param {Uint8Array | null} [key] */
  const said = (problem, key = null) => ({ words, typed, key, problem });
  if (wrong >= 0) return said(notInList(typed, wrong, list));
  if (typed.length !== WORD_COUNT) return said(translate('That is {0} of 24 words.', typed.length));
  // 24 words are 264 bits: the key, and the first eight bits of its sum.
  const bits = words
    .map((word) =>
      list
        .indexOf(word ?? '')
        .toString(2)
        .padStart(11, '0'),
    )
    .join('');
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  const key = bytes.slice(0, 32);
  if (sha256(key)[0] !== bytes[32])
    return said(
      translate('These words are in the list, but they do not belong together. Is one in another place?'),
    );
  return said(null, key);
}
