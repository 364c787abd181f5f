// What is said before the last recovery method is removed that the server lists, or that this browser knows.
import { countRecoveryMethods } from '../../../shared/nouns/recovery-methods.ts';
import type { User } from '../../../shared/nouns/user.ts';

const LOST =
  'only browsers that hold the key now can open the vault, and once they forget it everything is lost.';

/** Two sentences for a person. */
export const lastMethod = (user: User): string =>
  countRecoveryMethods(user) <= 1
    ? `It is your last recovery method. Without it, ${LOST}`
    : `No other recovery method was set up or used in this browser; that there are others is the server’s word alone. If you do not have them, ${LOST}`;
