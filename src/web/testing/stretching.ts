// How passphrases are stretched in a web test, by the page and by what a test seals itself: as they are everywhere else,
// or in no time.
import { stretch, stretchUnchecked } from '../../crypto/argon2.ts';

const LIGHT = { memory: 64, iterations: 1, parallelism: 1 };
let light = false;

export function setLight(isLight: boolean): void {
  light = isLight;
}

/** As `stretch`, but for its cost where a file says so. */
export const stretchHere: typeof stretch = (passphrase, salt, params) =>
  light ? stretchUnchecked(passphrase, salt, LIGHT) : stretch(passphrase, salt, params);
