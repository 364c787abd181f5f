// Four words for one entry of a vault's book, by which people compare what two of their devices have seen
// (docs/formats.md, "Book"). They are no secret, and say nothing of what the entry holds.
import type { Pin } from './book-entry.ts';
import { lengthPrefixed } from './encoding.ts';
import { LABELS } from './labels.ts';
import { wordList } from './words.ts';

const WORD_COUNT = 4;
/** A word of the list stands for as many bits. */
const WORD_BITS = 11;

/**
 * The words of an entry: 44 bits, which nobody can choose without the vault's key, because the entry's hash depends on it.
 * @returns four words of BIP39
 */
export async function wordsOfPin({ n, hash }: Pin): Promise<string[]> {
  const bytes = lengthPrefixed(LABELS.bookWords, String(n), hash);
  const digest = new DataView(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from({ length: WORD_COUNT }, (_, i) => {
    const bit = i * WORD_BITS;
    // Eleven bits lie within three bytes, wherever they begin.
    const three = (digest.getUint16(bit >> 3) << 8) | digest.getUint8((bit >> 3) + 2);
    return wordList[(three >> (24 - WORD_BITS - (bit & 7))) & (2 ** WORD_BITS - 1)] as string;
  });
}
