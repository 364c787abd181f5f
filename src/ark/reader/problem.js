// What is wrong, said in the language of the page, and once more where that changes.
import { ArkError } from './ark.js';
import { by } from './elements.js';
import { translate } from './language.js';

/** @type {Record<ArkError['problem'], import('./sentences.d.ts').Sentence>} */
const PROBLEMS = {
  damaged: 'This Ark is damaged: its bytes are not those that were sealed. Try another copy of the file.',
  'another-secret': 'That does not open this Ark. It opens with what its vault had when it was made.',
  'too-new': 'This Ark is of a later kind than its reader.',
};

let saysProblem = () => '';

/** @param {() => string} sentence what is wrong, made anew in each language; empty for nothing */
export function say(sentence) {
  saysProblem = sentence;
  sayAgain();
}

export function sayAgain() {
  by('problem').textContent = saysProblem();
}

/** @param {unknown} error what went wrong: with the Ark, or with what its reader runs in */
export function sayWhy(error) {
  say(() =>
    error instanceof ArkError
      ? translate(PROBLEMS[error.problem])
      : translate('This browser could not open it ({0}). Try another one.', String(error)),
  );
}
