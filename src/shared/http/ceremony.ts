// WebAuthn's JSON as the contract knows it: the options that a browser is asked with, and its two kinds of answer. Every
// field is bounded, and what is not named here is dropped before a handler sees it. No answer ever carries a PRF output.

import * as z from 'zod/mini';
import { DAY } from '../time.ts';
import { CREDENTIAL_ID_MAX } from './call.ts';
import { BASE64URL } from './wire.ts';

export { CREDENTIAL_ID_MAX };

/** How many passkeys an account has at most. */
export const PASSKEYS_MAX = 19;

const bytes = (max: number) =>
  z
    .string()
    .check(z.minLength(1), z.maxLength(max, { abort: true }), z.regex(BASE64URL, 'This is not base64url.'));
const text = (max: number) => z.string().check(z.maxLength(max));

const credentialId = bytes(CREDENTIAL_ID_MAX);
const challenge = bytes(128);
/** Milliseconds. */
const timeout = z.int().check(z.minimum(0), z.maximum(DAY));
const userVerification = z.enum(['discouraged', 'preferred', 'required']);
const hints = z.array(z.enum(['hybrid', 'security-key', 'client-device'])).check(z.maxLength(3));
/** How a passkey is connected. Browsers may name ways that are not known here. */
const transports = z.array(text(32)).check(z.maxLength(16));
/** As many as an account has passkeys. */
const descriptors = z
  .array(z.object({ id: credentialId, type: z.literal('public-key'), transports: z.optional(transports) }))
  .check(z.maxLength(PASSKEYS_MAX));

/** `PublicKeyCredentialCreationOptionsJSON`. */
export const creationOptions = z.object({
  rp: z.object({ id: text(255), name: text(64) }),
  user: z.object({ id: bytes(128), name: text(128), displayName: text(128) }),
  challenge,
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })).check(z.maxLength(16)),
  timeout: z.optional(timeout),
  attestation: z.literal('none'),
  excludeCredentials: descriptors,
  authenticatorSelection: z.object({
    residentKey: z.enum(['discouraged', 'preferred', 'required']),
    requireResidentKey: z.optional(z.boolean()),
    userVerification,
  }),
  extensions: z.object({ credProps: z.optional(z.boolean()) }),
  hints,
});
export type CreationOptions = z.output<typeof creationOptions>;

/** `PublicKeyCredentialRequestOptionsJSON`. */
export const requestOptions = z.object({
  rpId: text(255),
  challenge,
  allowCredentials: z.optional(descriptors),
  timeout: z.optional(timeout),
  userVerification,
});
export type RequestOptions = z.output<typeof requestOptions>;

const STAYS = 'this must never leave the browser.';

/**
 * What a browser says of the extensions. The PRF output opens the vault: a client that posts it by mistake is refused,
 * so that the mistake is noticed before a proxy or a log has seen it twice.
 */
const clientExtensionResults = z.object({
  credProps: z.exactOptional(z.object({ rk: z.exactOptional(z.boolean()) })),
  prf: z.exactOptional(
    z.object({ enabled: z.exactOptional(z.boolean()), results: z.exactOptional(z.never(STAYS)) }),
  ),
  /** The same secret under its older name. */
  hmacGetSecret: z.exactOptional(z.never(STAYS)),
});

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.exactOptional(z.enum(['cross-platform', 'platform'])),
  clientExtensionResults,
};

const clientDataJSON = bytes(4096);
const authenticatorData = bytes(8192);

/** `RegistrationResponseJSON`. */
export const registrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    attestationObject: bytes(16 * 1024),
    authenticatorData: z.exactOptional(authenticatorData),
    transports: z.exactOptional(transports),
    publicKey: z.exactOptional(bytes(8192)),
    publicKeyAlgorithm: z.exactOptional(z.int()),
  }),
});
export type RegistrationResponse = z.output<typeof registrationResponse>;

/** `AuthenticationResponseJSON`. */
export const authenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    authenticatorData,
    signature: bytes(8192),
    userHandle: z.exactOptional(bytes(128)),
  }),
});
export type AuthenticationResponse = z.output<typeof authenticationResponse>;
