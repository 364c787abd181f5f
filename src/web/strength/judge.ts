// How hard a passphrase is to guess, by a library and its word lists (over a megabyte: only the worker beside this file
// loads it). The rule for accepting one stands here; the server never sees a passphrase and cannot check it.
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english, translations } from '@zxcvbn-ts/language-en';
import { normalisePassphrase } from '../../crypto/passphrase.ts';

export interface Judgement {
  strong: boolean;
  /** What makes it easy to guess and what to do about it, in whole sentences; empty when it is strong. */
  advice: string;
}

/**
 * As many guesses a passphrase must cost. A graphics card tries some 2,000 a second at Argon2id with 64 MiB and three
 * passes (decision 0072), so that it needs a year and a half for them.
 */
export const GUESSES_WANTED = 1e11;

/** Judging takes longer with each character; what comes after these can only make it harder to guess. */
const JUDGED_LENGTH = 100;

/** What is said of a passphrase, a sentence each. */
export const sentences = {
  ...translations,
  warnings: {
    ...translations.warnings,
    topTen: 'This is one of the most used passwords of all.',
    topHundred: 'This is one of the most used passwords.',
    userInputs: 'Your name here, and the name of this place, are the first things that somebody would try.',
  },
  suggestions: {
    ...translations.suggestions,
    anotherWord: 'Add a few more words that do not usually stand together.',
  },
};

const judge = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  maxLength: JUDGED_LENGTH,
  translations: sentences,
  // Advice is given for what the library scores 2 at most; these bounds make that the same as being refused.
  timeEstimationValues: {
    scoring: { 0: 1e3, 1: 1e6, 2: GUESSES_WANTED, 3: GUESSES_WANTED * 1e3 },
    attackTime: {
      onlineThrottlingXPerHour: 100,
      onlineNoThrottlingXPerSecond: 10,
      offlineSlowHashingXPerSecond: 1e4,
      offlineFastHashingXPerSecond: 1e10,
    },
  },
});

/**
 * @param passphrase in any spelling; it is judged as it would be stretched
 * @param known words that anybody would try for this person and place, such as their name
 */
export function judgePassphrase(passphrase: string, known: readonly string[]): Judgement {
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const { score, feedback } = judge.check(
    normalisePassphrase(passphrase),
    words.filter((word) => word.length > 2),
  );
  if (score > 2) return { strong: true, advice: '' };
  return { strong: false, advice: [feedback.warning, ...feedback.suggestions].filter(Boolean).join(' ') };
}
