// What a person is told before they leave, where a sign-in provider let them in. Pure.
import type { User } from '../../shared/nouns/user.ts';

/** What leaving ends beside the session here, as a sentence with a space after it; empty for nothing. */
export const endsElsewhere = ({ signedInBy }: Pick<User, 'signedInBy'>): string =>
  signedInBy === 'oidc'
    ? 'Your sign-in provider is asked to end its session too, if it offers that; other applications may then ask you to sign in again. '
    : '';
