// What the kinds of entries are called.
import { translate } from './language.js';

/** @type {Record<string, [import('./sentences.d.ts').Sentence, import('./sentences.d.ts').Sentence]>} one, and many */
const KINDS = {
  memory: ['Memory', 'Memories'],
  moment: ['Moment', 'Moments'],
  myth: ['Story', 'Stories'],
  letter: ['Letter', 'Letters'],
  whisper: ['Whisper', 'Whispers'],
  answer: ['Answer', 'Answers'],
};

/** @param {string} kind @param {0 | 1} number one, or many */
export const kindNamed = (kind, number) => (KINDS[kind] ? translate(KINDS[kind][number]) : kind);
