// Whether a key may leave this browser: only where a way back to it is known here. What the server says of recovery methods is
// not enough, as this browser's copy may be the only one (docs/decisions/0191).
import { countRecoveryMethods } from '../../../shared/nouns/recovery-methods.ts';
import type { User } from '../../../shared/nouns/user.ts';
import { loadPin } from './key-pin.ts';
import { type Methods, methodsProvedHere } from './methods-set-here.ts';

/** What the signed-in user's record says of recovery methods. */
type Counted = Pick<User, 'id' | 'wordsKeptAt' | 'recoveryPasskeys' | 'recoveryPassphrase'>;

/** The recovery methods that were set up or used here for the key that was seen last, whatever the server lists. */
export function provedMethods(uid: string): Methods | null {
  const pin = loadPin(uid);
  return pin && methodsProvedHere(uid, pin.fingerprint);
}

const hasSome = ({ passkeys, passphrase, words }: Methods) => passkeys.length > 0 || passphrase || words;

/** The recovery methods that were set up or used here for the key that was seen last, and that the server lists as well. */
export function waysBackHere(user: Counted): Methods {
  const proved = provedMethods(user.id);
  return {
    passkeys: user.recoveryPasskeys > 0 ? (proved?.passkeys ?? []) : [],
    passphrase: user.recoveryPassphrase && proved?.passphrase === true,
    words: user.wordsKeptAt !== null && proved?.words === true,
  };
}

/** Whether there is one. @param gone what is about to be taken away */
export function hasWayBack(user: Counted, gone: { passkey?: string; passphrase?: true } = {}): boolean {
  const { passkeys, passphrase, words } = waysBackHere(user);
  return hasSome({
    passkeys: passkeys.filter((id) => id !== gone.passkey),
    passphrase: passphrase && !gone.passphrase,
    words,
  });
}

/**
 * `only-copy`: the server lists no recovery method. `unproved`: it lists some, and none of them was set up or has ever opened
 * the vault in this browser.
 */
export type WhyStays = 'only-copy' | 'unproved';

/** Why a key may not leave this browser without a word; null where it may. */
export function whyStays(user: Counted): WhyStays | null {
  if (hasWayBack(user)) return null;
  return countRecoveryMethods(user) > 0 ? 'unproved' : 'only-copy';
}

/** Why a key cannot be taken out of this browser, in the settings and where somebody leaves. */
export const WHY_STAYS: Record<WhyStays, string> = {
  'only-copy':
    'This browser holds the only copy of your key. Add a recovery method first; then the key can be removed.',
  unproved:
    'No recovery method was set up or used in this browser. Lock the vault and unlock it by one; then the key can be removed.',
};

/** Whether what the server lists and what is known here have nothing in common, so that its owner has to be told. */
export function listsDiffer(user: Counted): boolean {
  if (hasWayBack(user)) return false;
  const proved = provedMethods(user.id);
  return countRecoveryMethods(user) > 0 || (proved !== null && hasSome(proved));
}
