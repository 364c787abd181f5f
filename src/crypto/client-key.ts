// The envelope that the server keeps of a vault key: public keys, signatures, a check and wraps. Heavy: load lazily.
// It must never hold anything that opens the vault without a secret the server does not have.
import { fromBase64, toBase64 } from './base64.ts';
import { type Bytes, lengthPrefixed } from './encoding.ts';
import { OpenError } from './errors.ts';
import { deriveIdentity, identityMessage, verifySignature } from './identity.ts';
import { keyCheckOpens, sealKeyCheck } from './key-check.ts';
import { deriveContentKey, fingerprintOf } from './vault-key.ts';
import type { Wrap } from './wrap.ts';

export type ClientKey = {
  v: 1;
  /** How many keys the vault has had, this one included: a positive whole number. */
  generation: number;
  /** First 16 hexadecimal characters of SHA-256 over the vault key. */
  fingerprint: string;
  /** `age1pq1…`, where others seal to this vault. */
  recipient: string;
  /** ML-DSA-44 public key, base64. */
  verifyingKey: string;
  /** ML-DSA-44 over `identityMessage`, context `latebra/v1/identity`, base64. */
  signature: string;
  /**
   * ML-DSA-44 by the key before over `successionDigest`, context `latebra/v1/succession`, base64. Null for a first key,
   * and for one that was made without the key before.
   */
  succession: string | null;
  /** A constant sealed under the content key and bound to both public keys (key-check.ts). */
  keyCheck: string;
  /** Recovery methods to the vault key; each vouches for itself when it is unwrapped. */
  wraps: Wrap[];
};

/** Which of a vault's keys one is, and the 32 bytes of the key before where they are in hand. */
export type Place = { generation: number; before: Uint8Array | null };

const FIRST: Place = { generation: 1, before: null };

/** The envelope of a 32-byte vault key, with no wraps yet. Throws a TypeError on another length. */
export async function createClientKey(
  key: Uint8Array,
  { generation, before }: Place = FIRST,
): Promise<ClientKey> {
  const [fingerprint, contentKey, { recipient, verifyingKey, sign }] = await Promise.all([
    fingerprintOf(key),
    deriveContentKey(key),
    deriveIdentity(key),
  ]);
  const envelope = {
    v: 1 as const,
    generation,
    fingerprint,
    recipient,
    verifyingKey,
    signature: toBase64(
      sign('latebra/v1/identity', identityMessage({ generation, recipient, verifyingKey })),
    ),
    succession: null,
    keyCheck: await sealKeyCheck(contentKey, recipient, verifyingKey),
    wraps: [],
  };
  if (!before) return envelope;
  const predecessor = await deriveIdentity(before);
  const succession = predecessor.sign('latebra/v1/succession', await successionDigest(envelope));
  return { ...envelope, succession: toBase64(succession) };
}

/**
 * Recomputes everything in `clientKey` but its wraps and its succession from the vault key: some 40 ms at first, then
 * 15. `clientKey` may be anything a server answered. Throws an OpenError, which tells nothing, on any mismatch.
 */
export async function verifyClientKey(key: Uint8Array, clientKey: unknown): Promise<void> {
  try {
    const envelope = clientKey as ClientKey;
    const { v, generation, recipient, verifyingKey, signature } = envelope;
    const cheap = await keyCheckOpens(key, await deriveContentKey(key), envelope);
    if (v !== 1 || !cheap || !Number.isSafeInteger(generation) || generation < 1) throw new OpenError();
    const identity = await deriveIdentity(key);
    if (identity.recipient !== recipient || identity.verifyingKey !== verifyingKey) throw new OpenError();
    const message = identityMessage({ generation, recipient, verifyingKey });
    if (!verifySignature(verifyingKey, 'latebra/v1/identity', message, fromBase64(signature))) {
      throw new OpenError();
    }
  } catch {
    throw new OpenError();
  }
}

/**
 * Whether the key with `verifyingKey` (base64) signed that this envelope comes after its own. Anything malformed is
 * `false`. It says nothing of the envelope itself, which `verifyClientKey` recomputes.
 */
export async function verifySuccession(
  clientKey: Omit<ClientKey, 'wraps'>,
  verifyingKey: string,
): Promise<boolean> {
  try {
    if (clientKey.succession === null) return false;
    const digest = await successionDigest(clientKey);
    return verifySignature(verifyingKey, 'latebra/v1/succession', digest, fromBase64(clientKey.succession));
  } catch {
    return false;
  }
}

/** SHA-256 over all of an envelope that its successor's owner must not find exchanged (docs/formats.md, "Client key"). */
async function successionDigest(
  envelope: Pick<
    ClientKey,
    'v' | 'generation' | 'fingerprint' | 'recipient' | 'verifyingKey' | 'signature' | 'keyCheck'
  >,
): Promise<Bytes> {
  const { v, generation, fingerprint, recipient, verifyingKey, signature, keyCheck } = envelope;
  const fields = [String(v), String(generation), fingerprint, recipient, verifyingKey, signature, keyCheck];
  return new Uint8Array(await crypto.subtle.digest('SHA-256', lengthPrefixed(...fields)));
}
