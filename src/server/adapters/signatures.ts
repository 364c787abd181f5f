// Verifies what a vault's browser has signed. It verifies only: no code on this side can sign for a vault.
import { createHash } from 'node:crypto';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import {
  identityFields,
  PUBLIC_KEY_BYTES,
  SIGNATURE_BYTES,
  type SignatureContext,
  signInFields,
  successionFields,
} from '../../shared/byte-formats.ts';

function lengthPrefixed(parts: readonly string[]): Uint8Array {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** The message that signs a nonce for one origin. */
export const signInMessage = (...of: Parameters<typeof signInFields>) => lengthPrefixed(signInFields(...of));

/** The message that binds a vault's public keys together and numbers them. */
export const identityMessage = (...of: Parameters<typeof identityFields>) =>
  lengthPrefixed(identityFields(...of));

/** The message by which a key vouches for the one that takes its place. */
export const successionMessage = (...of: Parameters<typeof successionFields>): Uint8Array =>
  createHash('sha256')
    .update(lengthPrefixed(successionFields(...of)))
    .digest();

/**
 * Verifies an ML-DSA-44 signature (FIPS 204).
 * @param verifyingKey base64
 * @param signature base64
 */
export function verifySignature(
  verifyingKey: string,
  context: SignatureContext,
  message: Uint8Array,
  signature: string,
): boolean {
  const publicKey = new Uint8Array(Buffer.from(verifyingKey, 'base64'));
  const bytes = new Uint8Array(Buffer.from(signature, 'base64'));
  if (publicKey.length !== PUBLIC_KEY_BYTES || bytes.length !== SIGNATURE_BYTES) return false;
  try {
    return ml_dsa44.verify(bytes, message, publicKey, { context: Buffer.from(context, 'utf8') });
  } catch {
    return false;
  }
}
