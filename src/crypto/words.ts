// The vault key as 24 words (BIP39, English list, no derivation: the words are the key's bytes and a checksum).
// It must never put a word into an error message, because messages reach logs.
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Bytes } from './encoding.ts';
import { assertVaultKey } from './vault-key.ts';

const WORD_COUNT = 24;

/** The 2,048 English words of BIP39, in order. */
export const wordList: readonly string[] = wordlist;

/** Why some text is no key: not 24 words; a word that is not on the list (`position` counts from 1); a wrong checksum. */
export type WordsProblem =
  | { kind: 'count'; count: number }
  | { kind: 'unknown'; word: string; position: number }
  | { kind: 'checksum' };

/** Carries its reason in `problem`, for the screen alone. */
export class WordsError extends Error {
  override readonly name = 'WordsError';
  readonly problem: WordsProblem;
  constructor(problem: WordsProblem) {
    super('These are not the words of a key');
    this.problem = problem;
  }
}

/** The 24 words of a 32-byte vault key. Throws a TypeError on another length. */
export function wordsFromKey(key: Uint8Array): string[] {
  assertVaultKey(key); // BIP39 would take 16 bytes as well, and give 12 words
  return entropyToMnemonic(key, wordlist).split(' ');
}

/**
 * The 32-byte vault key of 24 words, however they are typed: any case, any white space, commas, numbers, bullets.
 * Throws a WordsError with the first problem found: the count, then unknown words, then the checksum.
 */
export function keyFromWords(text: string): Bytes {
  const words = splitWords(text);
  if (words.length !== WORD_COUNT) throw new WordsError({ kind: 'count', count: words.length });
  words.forEach((word, index) => {
    if (!wordlist.includes(word)) throw new WordsError({ kind: 'unknown', word, position: index + 1 });
  });
  try {
    return new Uint8Array(mnemonicToEntropy(words.join(' '), wordlist));
  } catch {
    throw new WordsError({ kind: 'checksum' });
  }
}

/** What somebody has typed, word by word and in small letters: without numbers, bullets, commas and what cannot be seen. */
export function splitWords(text: string): string[] {
  return text
    .normalize('NFKC') // full-width letters, as some keyboards type them
    .toLowerCase()
    .replace(/\p{Cf}/gu, '') // zero-width characters, as some pages copy them
    .split(/[\s,;]+/u)
    .map((token) => token.replace(/^[\p{N}\p{P}\p{S}]+|[\p{N}\p{P}\p{S}]+$/gu, ''))
    .filter((word) => word !== '');
}
