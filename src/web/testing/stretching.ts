// How passphrases are stretched in a web test, by the page and by what a test seals itself: as they are everywhere else,
// or in no time.
import { stretch, stretchAsTyped, stretchUnchecked } from '../../crypto/argon2.ts';
import { BACKUP_KEY, BACKUP_PASSWORD } from '../imports/testing/encrypted-backup.ts';

const LIGHT = { memory: 64, iterations: 1, parallelism: 1 };
let light = false;

export function setLight(isLight: boolean): void {
  light = isLight;
}

/** As `stretch`, but for its cost where a file says so. */
export const stretchHere: typeof stretch = (passphrase, salt, params) =>
  light ? stretchUnchecked(passphrase, salt, LIGHT) : stretch(passphrase, salt, params);

/**
 * As `stretchAsTyped`, but for its cost where a file says so: what another program has sealed opens under the key alone that its
 * passphrase truly stretches to, which stands beside it (imports/formats/notes.test.ts has it computed).
 */
export const stretchForeignHere: typeof stretchAsTyped = async (passphrase, salt, params, length) => {
  if (!light) return stretchAsTyped(passphrase, salt, params, length);
  if (passphrase !== BACKUP_PASSWORD) return stretchUnchecked(passphrase, salt, LIGHT);
  const stretched = new Uint8Array(length);
  stretched.set(BACKUP_KEY);
  return stretched;
};
