// The signed-in user, and leaving. Apart from the rest of the account (account.ts), as few screens need that.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, open } from '../http/field-classes.ts';
import { fingerprint, timestamp } from '../http/wire.ts';

export const userSchema = z.object({
  id: clear('a random account number', z.string()),
  email: z.nullable(clear('e-mail, if a sign-in provider gave one', z.string())),
  firstName: z.nullable(clear('first name, if a sign-in provider gave one', z.string())),
  lastName: z.nullable(clear('last name, if a sign-in provider gave one', z.string())),
  stripeSubscriptionId: z.nullable(clear('subscription number', z.string())),
  onboardingComplete: clear('whether the three questions were answered', z.boolean()),
  name: z.nullable(clear('the name you sign in with', z.string())),
  isAdmin: clear('whether you are an administrator', z.boolean()),
  signedInBy: clear('how you signed in', z.enum(['passkey', 'passphrase', 'words', 'oidc'])),
  provedUntil: clear('until when your last proof counts', timestamp),
  keyFingerprint: z.nullable(open('which key your vault has', fingerprint)),
  wordsKeptAt: z.nullable(clear('when you proved that you keep the twenty-four words', timestamp)),
  passkeyCount: clear('how many passkeys sign you in', z.int()),
  recoveryPasskeys: clear('how many passkeys open your vault', z.int()),
  recoveryPassphrase: clear('whether a passphrase opens your vault', z.boolean()),
  /** With none, a page need not say that somebody is there. */
  watchingScrolls: clear('how many of your letters watch', z.int()),
});
export type User = z.output<typeof userSchema>;

/** `account.user` of the contract. */
export const currentUser = call({
  method: 'GET',
  path: '/api/auth/user',
  access: 'signed-in',
  reply: userSchema,
});

/** `account.logout` of the contract. */
export const logout = call({ method: 'GET', path: '/api/logout', access: 'anyone', navigation: true });
