// How the book knows a row: by the tags of its seals (docs/formats.md, "Book"). Nobody without the key makes two seals of one
// tag, and whoever has it is not whom the book is for. Nothing is hashed: a list of ten thousand rows is compared at once.
import { fromBase64Url, toBase64Url } from './base64.ts';

const TAG_LENGTH = 16;
/** The last characters of a base64 that hold a tag, whatever its padding. */
const TAIL = 24;

/**
 * The leaf of a row: 43 characters of base64url. A second half of zeros says nothing of the second seal.
 * @param seals one or two seals, as base64; null for one that the row does not have, undefined for one that stays
 * @param before the leaf of what stays
 */
export function leafOf(seals: readonly (string | null | undefined)[], before?: string): string {
  const leaf = new Uint8Array(2 * TAG_LENGTH);
  const kept = before === undefined ? leaf : fromBase64Url(before);
  for (const [i, sealed] of seals.entries()) {
    const at = i * TAG_LENGTH;
    if (sealed === undefined) leaf.set(kept.subarray(at, at + TAG_LENGTH), at);
    else if (sealed !== null) writeTag(sealed, leaf, at);
  }
  return toBase64Url(leaf);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NO_DIGIT = 64;
const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
for (let i = 0; i < ALPHABET.length; i += 1) DIGITS[ALPHABET.charCodeAt(i)] = i;

/**
 * Writes the last 16 bytes of a base64 to `leaf`, or nothing where it is none: what no browser has sealed, nothing is known
 * of. Digit by digit, because a decoder for each of ten thousand rows takes ten times as long.
 */
function writeTag(sealed: string, leaf: Uint8Array, at: number): void {
  const padding = sealed.endsWith('==') ? 2 : sealed.endsWith('=') ? 1 : 0;
  const first = sealed.length - TAIL;
  let bits = 0;
  for (let i = 0; i < TAIL - padding; i += 1) {
    const digit = DIGITS[sealed.charCodeAt(first + i)] ?? NO_DIGIT;
    if (digit === NO_DIGIT) return void leaf.fill(0, at, at + TAG_LENGTH);
    bits = ((bits << 6) | digit) & 0xffffff;
    // After digits 2, 3 and 4 of each group a byte is whole.
    const place = i & 3;
    const byte = (i >> 2) * 3 + place - 1 - (2 - padding);
    if (place > 0 && byte >= 0) leaf[at + byte] = (bits >> (6 - 2 * place)) & 0xff;
  }
}

const saysSecond = (leaf: Uint8Array): boolean => leaf.subarray(TAG_LENGTH).some((byte) => byte !== 0);

/** Whether a leaf says anything of a second seal. @throws where it is no base64url */
export const hasSecondSeal = (leaf: string): boolean => saysSecond(fromBase64Url(leaf));

/**
 * Whether a row is the one that the book knows.
 * @param shown its leaf as it is shown
 * @param isWithheld whether the second seal is withheld, so that nothing is said of it
 */
export function isSameLeaf(known: string, shown: string, isWithheld = false): boolean {
  if (known === shown) return true;
  const [mine, theirs] = [fromBase64Url(known), fromBase64Url(shown)];
  const end = isWithheld || !saysSecond(mine) ? TAG_LENGTH : mine.length;
  return mine.subarray(0, end).every((byte, i) => byte === theirs[i]);
}
