// Envelopes of vault keys as a browser would make them, with real ML-DSA signatures and made-up ciphertext.
// The messages are spelled out here a second time, so that the server's spelling is checked and not merely repeated.
import { createHash, randomBytes } from 'node:crypto';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import type { ClientKeyRecord, WrapRecord } from '../../shared/vault-key.ts';

export interface Envelope {
  clientKey: ClientKeyRecord;
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

export function anEnvelope(): Envelope {
  const { publicKey, secretKey } = ml_dsa44.keygen(randomBytes(32));
  const sign = (context: string, ...parts: string[]) =>
    base64(ml_dsa44.sign(framed(...parts), secretKey, { context: Buffer.from(context) }));
  const recipient = `age1pq1${randomBytes(40).toString('hex')}`;
  const verifyingKey = base64(publicKey);
  return {
    clientKey: {
      v: 1,
      fingerprint: createHash('sha256').update(publicKey).digest('hex').slice(0, 16),
      recipient,
      verifyingKey,
      signature: sign('latebra/v1/identity', '1', recipient, verifyingKey),
      keyCheck: base64(randomBytes(96)),
      wraps: [],
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
