// Accounts: the signed-in user, the gate with its three ways, sessions, passkeys, fresh proofs, the set-up token.

import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import {
  authenticationResponse,
  creationOptions,
  registrationResponse,
  requestOptions,
} from '../http/ceremony.ts';
import { clear, credential, message, open } from '../http/field-classes.ts';
import { base64, base64url, createdAt, sealFields, sealReply, timestamp } from '../http/wire.ts';
import { sealedKinds } from '../sealed-kinds.ts';
import { invitationInput, invitationText } from './sign-up.ts';
import { currentUser, logout, userSchema } from './user.ts';

export * from './user.ts';

export const NAME_MAX = 64;

/** Before it is normalised: one character can become eighteen, and combining marks or unseen ones can become none. */
const TYPED_NAME_MAX = 256;

/** Two spellings of a name that look the same are the same name: NFKC, lower case, single spaces, nothing unseen. */
export function normaliseName(name: string): string {
  const seen = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // Lower-casing can leave characters that compose again.
  return seen.toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

export const signInName = clear(
  'the name you sign in with',
  z.string('Please give a name.').check(
    // Nothing longer is normalised at all.
    z.maxLength(TYPED_NAME_MAX, { error: `A name has 1 to ${NAME_MAX} characters.`, abort: true }),
    z.refine((value) => {
      const name = normaliseName(value);
      return name.length >= 1 && name.length <= NAME_MAX && !/[\p{Cc}\p{Cs}]/u.test(name);
    }, `A name has 1 to ${NAME_MAX} characters.`),
  ),
);

/** Where a browser goes once somebody has signed in: a page of this server, by its path. */
const returnPath = z.optional(
  clear('the page to go to after signing in', z.string().check(z.maxLength(2000))),
);

const returnQuery = z.object({ return: returnPath });

export const authKey = credential('a key made from your passphrase, kept as a hash', base64url(32));

const stretching = {
  salt: open('the server’s part of your passphrase’s salt', base64url(16)),
  memory: open('how your passphrase is stretched', z.int()),
  iterations: open('how your passphrase is stretched', z.int()),
  parallelism: open('how your passphrase is stretched', z.int()),
};

const QUESTION = 'a question for your authenticator';

export const newPasskeyOptions = open(QUESTION, creationOptions);

const knownPasskeyOptions = open(QUESTION, requestOptions);

const ANSWER = 'your authenticator’s answer';

export const newPasskey = credential(ANSWER, registrationResponse);

const knownPasskey = credential(ANSWER, authenticationResponse);

const nonce = open('a number used once', base64url(32));

const wordsSignature = credential('a signature made with your key', base64(4096));

const answers = sealedKinds.onboarding.fields;

export const answersSchema = z.object({ ...answers, createdAt, ...sealReply });

export type Answers = z.output<typeof answersSchema>;

export const account = {
  login: call({
    method: 'GET',
    path: '/api/login',
    access: 'anyone',
    navigation: true,
    query: returnQuery,
  }),
  /** As `login`, for whoever has an invitation: it is sent in a body, and stands in no address. */
  loginInvited: call({
    method: 'POST',
    path: '/api/login',
    access: 'anyone',
    body: z.object({
      invitation: credential('an invitation', invitationText),
      return: returnPath,
    }),
    reply: z.object({ url: message('where your sign-in provider asks who you are', z.string()) }),
  }),
  /** Its query is the sign-in provider's: no schema of ours, and no longer than HTTP lets an address be. */
  loginCallback: call({ method: 'GET', path: '/api/login/callback', access: 'anyone', navigation: true }),
  logout,
  user: currentUser,
  onboarding: call({
    method: 'POST',
    path: '/api/onboarding',
    access: 'signed-in',
    inBook: true,
    status: 201,
    bodyLimit: 512 * 1024,
    body: z.object({ ...answers, ...sealFields }),
    reply: z.object({
      onboardingComplete: clear('whether the three questions were answered', z.literal(true)),
    }),
  }),
  /** The sealed answers, to be reread. Null before they were given. */
  answers: call({
    method: 'GET',
    path: '/api/onboarding',
    access: 'signed-in',
    reply: z.nullable(answersSchema),
  }),
};

export const gate = {
  passphraseSalt: call({
    method: 'POST',
    path: '/api/gate/passphrase/salt',
    access: 'anyone',
    body: z.object({ name: signInName }),
    reply: z.object(stretching),
  }),
  passphraseBegin: call({
    method: 'POST',
    path: '/api/gate/passphrase/begin',
    access: 'anyone',
    embeddedAuth: true,
    limited: 'address',
    status: 201,
    body: z.object({
      name: signInName,
      authKey,
      /** The part of the passphrase's salt that this server gave; kept with the account. */
      salt: z.optional(stretching.salt),
      invitation: invitationInput,
    }),
    reply: userSchema,
  }),
  passphraseEnter: call({
    method: 'POST',
    path: '/api/gate/passphrase/enter',
    access: 'anyone',
    embeddedAuth: true,
    limited: 'guesses',
    body: z.object({ name: signInName, authKey }),
    reply: userSchema,
  }),
  passkeyBeginOptions: call({
    method: 'POST',
    path: '/api/gate/passkey/begin/options',
    access: 'anyone',
    embeddedAuth: true,
    limited: 'address',
    body: z.object({ invitation: invitationInput }),
    optionalBody: true,
    reply: z.object({ options: newPasskeyOptions }),
  }),
  passkeyBegin: call({
    method: 'POST',
    path: '/api/gate/passkey/begin',
    access: 'anyone',
    embeddedAuth: true,
    limited: 'address',
    status: 201,
    body: z.object({ response: newPasskey }),
    reply: userSchema,
  }),
  passkeyEnterOptions: call({
    method: 'POST',
    path: '/api/gate/passkey/enter/options',
    access: 'anyone',
    embeddedAuth: true,
    limited: 'address',
    reply: z.object({ options: knownPasskeyOptions }),
  }),
  passkeyEnter: call({
    method: 'POST',
    path: '/api/gate/passkey/enter',
    access: 'anyone',
    embeddedAuth: true,
    limited: 'address',
    body: z.object({ response: knownPasskey }),
    reply: userSchema,
  }),
  wordsNonce: call({
    method: 'POST',
    path: '/api/gate/words/nonce',
    access: 'anyone',
    limited: 'address',
    reply: z.object({ nonce }),
  }),
  wordsEnter: call({
    method: 'POST',
    path: '/api/gate/words/enter',
    access: 'anyone',
    embeddedAuth: true,
    limited: 'address',
    body: z.object({
      verifyingKey: open('your vault’s public verifying key', base64(4096)),
      nonce,
      signature: wordsSignature,
    }),
    reply: userSchema,
  }),
};

const proved = z.object({ provedUntil: clear('until when your last proof counts', timestamp) });

export const proof = {
  passphrase: call({
    method: 'POST',
    path: '/api/proof/passphrase',
    access: 'signed-in',
    limited: 'guesses',
    body: z.object({ authKey }),
    reply: proved,
  }),
  passkeyOptions: call({
    method: 'POST',
    path: '/api/proof/passkey/options',
    access: 'signed-in',
    limited: 'session',
    reply: z.object({ options: knownPasskeyOptions }),
  }),
  passkey: call({
    method: 'POST',
    path: '/api/proof/passkey',
    access: 'signed-in',
    limited: 'session',
    body: z.object({ response: knownPasskey }),
    reply: proved,
  }),
  wordsNonce: call({
    method: 'POST',
    path: '/api/proof/words/nonce',
    access: 'signed-in',
    limited: 'session',
    reply: z.object({ nonce }),
  }),
  words: call({
    method: 'POST',
    path: '/api/proof/words',
    access: 'signed-in',
    limited: 'session',
    body: z.object({ nonce, signature: wordsSignature }),
    reply: proved,
  }),
  oidc: call({
    method: 'GET',
    path: '/api/proof/oidc',
    access: 'signed-in',
    navigation: true,
    query: returnQuery,
  }),
};

export const admin = {
  claim: call({
    method: 'POST',
    path: '/api/admin/claim',
    access: 'signed-in',
    limited: 'session',
    body: z.object({
      token: credential('the set-up token', z.string().check(z.minLength(1), z.maxLength(200))),
    }),
    reply: userSchema,
  }),
};
