// Envelopes of vault keys as a browser would make them, with real ML-DSA signatures and made-up ciphertext.
// The messages are spelled out here a second time, so that the server's spelling is checked and not merely repeated.
import { createHash, randomBytes } from 'node:crypto';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import type { ClientKeyRecord, WrapRecord } from '../shared/nouns/vault-key.ts';

export interface Envelope {
  clientKey: ClientKeyRecord;
  /** The same key with another number, vouched for by the key before where one is given. */
  as(generation: number, before?: Envelope): ClientKeyRecord;
  /** Vouches for another key, base64. */
  vouchFor(next: ClientKeyRecord): string;
  /** Signs a nonce of the gate, base64. `context` is wrong only in tests that want it wrong. */
  signNonce(nonce: string, origin: string, context?: string): string;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

function framed(...parts: string[]): Uint8Array {
  return Buffer.concat(
    parts.flatMap((part) => {
      const size = Buffer.alloc(4);
      size.writeUInt32BE(Buffer.byteLength(part));
      return [size, Buffer.from(part)];
    }),
  );
}

/** How many were made: each is newer than those that were made before it, so that it may take their place. */
let made = 0;

/** @param recipient one that nothing can be sealed to, unless it is told */
export function anEnvelope(recipient = `age1pq1${randomBytes(40).toString('hex')}`): Envelope {
  made += 1;
  const { publicKey, secretKey } = ml_dsa44.keygen(randomBytes(32));
  const signBytes = (context: string, message: Uint8Array) =>
    base64(ml_dsa44.sign(message, secretKey, { context: Buffer.from(context) }));
  const sign = (context: string, ...parts: string[]) => signBytes(context, framed(...parts));
  const verifyingKey = base64(publicKey);
  const fingerprint = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
  const keyCheck = base64(randomBytes(96));
  function as(generation: number, before?: Envelope): ClientKeyRecord {
    const signature = sign('latebra/v1/identity', '1', String(generation), recipient, verifyingKey);
    const parts = { v: 1 as const, generation, fingerprint, recipient, verifyingKey, signature, keyCheck };
    const clientKey = { ...parts, succession: null, wraps: [] };
    return before ? { ...clientKey, succession: before.vouchFor(clientKey) } : clientKey;
  }
  return {
    clientKey: as(made),
    as,
    vouchFor(next) {
      const parts = [next.fingerprint, next.recipient, next.verifyingKey, next.signature, next.keyCheck];
      const message = framed('1', String(next.generation), ...parts);
      return signBytes('latebra/v1/succession', createHash('sha256').update(message).digest());
    },
    signNonce: (nonce, origin, context = 'latebra/v1/sign-in') => sign(context, origin, nonce),
  };
}

function wrapParts() {
  return {
    v: 1 as const,
    salt: base64(randomBytes(32)),
    commitment: base64(randomBytes(16)),
    sealed: base64(randomBytes(60)),
  };
}

export function aPassphraseWrap(salt = randomBytes(16).toString('base64url')): WrapRecord {
  return {
    ...wrapParts(),
    method: 'passphrase',
    params: { salt, memory: 64 * 1024, iterations: 3, parallelism: 1 },
  };
}

export function aPasskeyWrap(credentialId: string): WrapRecord {
  return { ...wrapParts(), method: 'passkey', params: { credentialId } };
}
