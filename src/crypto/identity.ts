// The vault's post-quantum identity: where others seal to it, and how it signs. Heavy (age, ML-DSA): load it lazily.
// It must never sign without a context string, or one use's signature would serve another.
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { bech32 } from '@scure/base';
import { identityToRecipient } from 'age-encryption';
import { fromBase64, toBase64 } from './base64.ts';
import { type Bytes, lengthPrefixed, utf8 } from './encoding.ts';
import { LABELS, type SignatureContext } from './labels.ts';
import { deriveSeed } from './vault-key.ts';

export { vaultAddress } from './vault-address.ts';

/** What a vault key makes of itself in public, and the two secrets that answer to it. */
export type Identity = {
  /** Where anyone may seal to this vault: `age1pq1…`, hybrid ML-KEM-768 + X25519. Public. */
  recipient: string;
  /** ML-DSA-44 public key, 1,312 bytes in base64. Public. */
  verifyingKey: string;
  /** ML-DSA-44 signature, 2,420 bytes: deterministic, pure (not pre-hashed), bound to `context` (FIPS 204). */
  sign(context: SignatureContext, message: Uint8Array): Bytes;
  /** Opens what is sealed to `recipient`: `AGE-SECRET-KEY-PQ-1…`. Secret. */
  ageIdentity: string;
};

/** Derives the identity of a 32-byte vault key; always the same one. Throws a TypeError on another length. */
export async function deriveIdentity(key: Uint8Array): Promise<Identity> {
  const [ageSeed, signingSeed] = await Promise.all([
    deriveSeed(key, LABELS.ageIdentity),
    deriveSeed(key, LABELS.signingKey),
  ]);
  // C2SP age: the identity is the KEM's 32-byte seed in Bech32, in upper case.
  const ageIdentity = bech32.encodeFromBytes('AGE-SECRET-KEY-PQ-', ageSeed).toUpperCase();
  const { publicKey, secretKey } = ml_dsa44.keygen(signingSeed);
  return {
    recipient: await identityToRecipient(ageIdentity),
    verifyingKey: toBase64(publicKey),
    sign: (context, message) =>
      // Without extra entropy, so that a signature can be recomputed and compared.
      new Uint8Array(ml_dsa44.sign(message, secretKey, { context: utf8(context), extraEntropy: false })),
    ageIdentity,
  };
}

/** Whether `signature` is `verifyingKey`'s over `message` in `context`. Malformed input is `false`, never an error. */
export function verifySignature(
  verifyingKey: string,
  context: SignatureContext,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    return ml_dsa44.verify(signature, message, fromBase64(verifyingKey), { context: utf8(context) });
  } catch {
    return false;
  }
}

/** The public part of a vault key that its own signature covers. */
export type SignedKeys = { generation: number; recipient: string; verifyingKey: string };

/**
 * What a vault signs (context `latebra/v1/identity`) to say that both public keys are its own, and how many keys the
 * vault has had with this one.
 */
export function identityMessage({ generation, recipient, verifyingKey }: SignedKeys): Bytes {
  return lengthPrefixed('1', String(generation), recipient, verifyingKey);
}

/** What a vault signs (context `latebra/v1/sign-in`) to enter: it names the origin, so no other site can relay it. */
export function signInMessage(origin: string, nonce: string): Bytes {
  return lengthPrefixed(origin, nonce);
}
