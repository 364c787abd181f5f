// How many recovery methods to its key an account has, and when it is asked for more. Apart from the signed-in user
// (user.ts), whose schema the app's first load does without.
import type { User } from './user.ts';

/** How many recovery methods to the key an account has; two are wanted. */
export function countRecoveryMethods(
  user: Pick<User, 'wordsKeptAt' | 'recoveryPasskeys' | 'recoveryPassphrase'>,
): number {
  return (user.wordsKeptAt ? 1 : 0) + user.recoveryPasskeys + (user.recoveryPassphrase ? 1 : 0);
}
export const WAYS_BACK_WANTED = 2;
/** From this many sealed entries on, a vault with too few recovery methods is not merely asked but urged. */
export const INSIST_FROM_ENTRIES = 3;
