// Entries of a vault's book as a server sees them: numbers, and bytes that say nothing.
import { BOOK_HEADER } from '../shared/http/call.ts';
import type { SealedBookEntry } from '../shared/nouns/book.ts';
import { ciphertext } from './planting.ts';

/** An entry of some size. */
export const anEntry = (n: number, size = 300): SealedBookEntry => ({ n, sealed: ciphertext(size) });

/** The headers with which a change brings its entry along. */
export const withEntry = ({ n, sealed }: SealedBookEntry): Record<string, string> => ({
  [BOOK_HEADER]: `${n}.${sealed}`,
});
