// Tokens and signing secrets of webhooks. The database has a hash of the one, and a salt of the other: a secret is made
// anew from the salt and the instance secret whenever it is needed, and stands nowhere.
import { randomBytes } from 'node:crypto';
import type { Digests } from '../../digests.ts';
import { randomToken, sha256 } from '../../digests.ts';

export const newToken = randomToken;
export const tokenHash = (token: string): string => sha256(token);

export const newSalt = (): string => randomBytes(16).toString('base64url');

/** The 32 bytes of a signing secret. */
export const secretBytes = (digests: Digests, salt: string): Buffer =>
  Buffer.from(digests.keyed('import-webhook-secret', salt), 'hex');

/** The secret as Standard Webhooks writes it: `whsec_` and base64. */
export const secretText = (digests: Digests, salt: string): string =>
  `whsec_${secretBytes(digests, salt).toString('base64')}`;
