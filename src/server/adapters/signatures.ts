// Verifies what a vault's browser has signed, and another instance. It verifies only: no code on this side can sign for a vault.
import { createHash } from 'node:crypto';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import {
  identityFields,
  PUBLIC_KEY_BYTES,
  SIGNATURE_BYTES,
  type SignatureContext,
  signInFields,
  sisterAddressesFields,
  sisterCallFields,
  sisterLetterFields,
  sisterSignFields,
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

/** The message by which an author vouches for what one sister is given ("Sisters"). */
export const sisterLetterMessage = (...of: Parameters<typeof sisterLetterFields>) =>
  lengthPrefixed(sisterLetterFields(...of));

/** The message by which an author says to one sister that they live, or that it shall erase a letter. */
export const sisterSignMessage = (...of: Parameters<typeof sisterSignFields>) =>
  lengthPrefixed(sisterSignFields(...of));

/**
 * The message by which one instance says that a box is its own, and for whom: a hash, because anybody may have one of four
 * megabytes checked, and the hash of the signature itself is many times as slow.
 */
export const sisterCallMessage = (...of: Parameters<typeof sisterCallFields>): Uint8Array =>
  createHash('sha256')
    .update(lengthPrefixed(sisterCallFields(...of)))
    .digest();

/** What sealed addresses are bound to: additional data. */
export const sisterAddressesBound = (...of: Parameters<typeof sisterAddressesFields>) =>
  lengthPrefixed(sisterAddressesFields(...of));

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
