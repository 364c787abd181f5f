// The envelope that the server keeps of a vault key: public keys, a signature, a check and wraps. Heavy: load lazily.
// It must never hold anything that opens the vault without a secret the server does not have.
import { fromBase64, toBase64 } from './base64.ts';
import { OpenError } from './errors.ts';
import { deriveIdentity, identityMessage, verifySignature } from './identity.ts';
import { keyCheckOpens, sealKeyCheck } from './key-check.ts';
import { deriveContentKey, fingerprintOf } from './vault-key.ts';
import type { Wrap } from './wrap.ts';

export type ClientKey = {
  v: 1;
  /** First 16 hexadecimal characters of SHA-256 over the vault key. */
  fingerprint: string;
  /** `age1pq1…`, where others seal to this vault. */
  recipient: string;
  /** ML-DSA-44 public key, base64. */
  verifyingKey: string;
  /** ML-DSA-44 over `identityMessage`, context `latebra/v1/identity`, base64. */
  signature: string;
  /** A constant sealed under the content key and bound to both public keys (key-check.ts). */
  keyCheck: string;
  /** Ways back to the vault key; each vouches for itself when it is unwrapped. */
  wraps: Wrap[];
};

/** The envelope of a 32-byte vault key, with no wraps yet. Throws a TypeError on another length. */
export async function createClientKey(key: Uint8Array): Promise<ClientKey> {
  const [fingerprint, contentKey, { recipient, verifyingKey, sign }] = await Promise.all([
    fingerprintOf(key),
    deriveContentKey(key),
    deriveIdentity(key),
  ]);
  const signature = sign('latebra/v1/identity', identityMessage(recipient, verifyingKey));
  return {
    v: 1,
    fingerprint,
    recipient,
    verifyingKey,
    signature: toBase64(signature),
    keyCheck: await sealKeyCheck(contentKey, recipient, verifyingKey),
    wraps: [],
  };
}

/**
 * Recomputes everything in `clientKey` but its wraps from the vault key: some 40 ms at first, then 15.
 * `clientKey` may be anything a server answered. Throws an OpenError, which tells nothing, on any mismatch.
 */
export async function verifyClientKey(key: Uint8Array, clientKey: unknown): Promise<void> {
  try {
    const envelope = clientKey as ClientKey;
    const { v, recipient, verifyingKey, signature } = envelope;
    const cheap = await keyCheckOpens(key, await deriveContentKey(key), envelope);
    if (v !== 1 || !cheap) throw new OpenError();
    const identity = await deriveIdentity(key);
    if (identity.recipient !== recipient || identity.verifyingKey !== verifyingKey) throw new OpenError();
    const message = identityMessage(recipient, verifyingKey);
    if (!verifySignature(verifyingKey, 'latebra/v1/identity', message, fromBase64(signature))) {
      throw new OpenError();
    }
  } catch {
    throw new OpenError();
  }
}
