// Verifies what a vault's browser has signed. It verifies only: no code on this side can sign for a vault.
import { createHash } from 'node:crypto';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';

const PUBLIC_KEY_BYTES = 1312;
const SIGNATURE_BYTES = 2420;

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

/** The message that signs a nonce for one origin (docs/formats.md, "Sign-in by words"). */
export function signInMessage(origin: string, nonce: string): Uint8Array {
  return lengthPrefixed([origin, nonce]);
}

interface SignedKeys {
  v: number;
  generation: number;
  recipient: string;
  verifyingKey: string;
}

/** The message that binds a vault's public keys together and numbers them (docs/formats.md, "Client key"). */
export function identityMessage({ v, generation, recipient, verifyingKey }: SignedKeys): Uint8Array {
  return lengthPrefixed([String(v), String(generation), recipient, verifyingKey]);
}

/** The message by which a key vouches for the one that takes its place (docs/formats.md, "Client key"). */
export function successionMessage(
  key: SignedKeys & { fingerprint: string; signature: string; keyCheck: string },
): Uint8Array {
  const { v, generation, fingerprint, recipient, verifyingKey, signature, keyCheck } = key;
  const fields = [String(v), String(generation), fingerprint, recipient, verifyingKey, signature, keyCheck];
  return createHash('sha256').update(lengthPrefixed(fields)).digest();
}

/**
 * Verifies an ML-DSA-44 signature (FIPS 204).
 * @param verifyingKey base64, 1312 bytes
 * @param context the use it was made for; a signature for one use is void for another
 * @param signature base64, 2420 bytes
 */
export function verifySignature(
  verifyingKey: string,
  context: 'latebra/v1/identity' | 'latebra/v1/succession' | 'latebra/v1/sign-in',
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
