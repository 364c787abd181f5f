// The server verifies what browsers sign. The frozen vectors belong to src/crypto, of which the server may import
// nothing; as plain files they tell whether both sides still write down the same messages.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { identityMessage, signInMessage, successionMessage, verifySignature } from './signatures.ts';

const vectors = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../crypto/vectors/${name}.json`, import.meta.url), 'utf8'));

const [signIn] =
  vectors<
    { verifyingKey: string; signIn: { origin: string; nonce: string; message: string; signature: string } }[]
  >('identity');
interface Signed {
  v: number;
  generation: number;
  fingerprint: string;
  recipient: string;
  verifyingKey: string;
  signature: string;
  succession: string | null;
  keyCheck: string;
}
const [envelope, next] = vectors<{ clientKey: Signed }[]>('client-key');
if (!signIn || !envelope || !next) throw new Error('There are no vectors.');

const flipped = (base64: string, at: number) => {
  const bytes = Buffer.from(base64, 'base64');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('base64');
};

const longer = (base64: string) =>
  Buffer.concat([Buffer.from(base64, 'base64'), Buffer.alloc(1)]).toString('base64');

describe('a signature over a nonce', () => {
  const { origin, nonce, message, signature } = signIn.signIn;
  const written = signInMessage(origin, nonce);

  it('is made over the message that browsers write', () => {
    expect(Buffer.from(written).toString('hex')).toBe(message);
  });

  it('holds for its key, its use and its message', () => {
    expect(verifySignature(signIn.verifyingKey, 'latebra/v1/sign-in', written, signature)).toBe(true);
  });

  it('holds for no other use, key or message, and no byte of it may change', () => {
    const holds = (key: string, message: Uint8Array, given: string) =>
      verifySignature(key, 'latebra/v1/sign-in', message, given);
    expect(verifySignature(signIn.verifyingKey, 'latebra/v1/identity', written, signature)).toBe(false);
    expect(holds(flipped(signIn.verifyingKey, 0), written, signature)).toBe(false);
    expect(holds(signIn.verifyingKey, signInMessage(nonce, origin), signature)).toBe(false);
    for (const at of [0, 1, 31, 32, 1000, 2000, 2419]) {
      expect(holds(signIn.verifyingKey, written, flipped(signature, at))).toBe(false);
    }
  });

  it('is no signature when it has another length', () => {
    const holds = (key: string, given: string) => verifySignature(key, 'latebra/v1/sign-in', written, given);
    expect(holds(signIn.verifyingKey, '')).toBe(false);
    expect(holds(signIn.verifyingKey, longer(signature))).toBe(false);
    expect(holds('', signature)).toBe(false);
    expect(holds(longer(signIn.verifyingKey), signature)).toBe(false);
  });
});

describe('a signature over a vault’s public keys', () => {
  const { clientKey } = envelope;
  const holds = (key: typeof clientKey) =>
    verifySignature(clientKey.verifyingKey, 'latebra/v1/identity', identityMessage(key), key.signature);

  it('holds for the envelope that browsers make', () => {
    expect(holds(clientKey)).toBe(true);
  });

  it('holds for no other version, recipient or key', () => {
    expect(holds({ ...clientKey, v: 2 })).toBe(false);
    expect(holds({ ...clientKey, generation: 2 })).toBe(false);
    expect(holds({ ...clientKey, recipient: `${clientKey.recipient}q` })).toBe(false);
    expect(holds({ ...clientKey, verifyingKey: flipped(clientKey.verifyingKey, 0) })).toBe(false);
  });

  it('cannot be moved across the border between two fields', () => {
    const shifted = {
      ...clientKey,
      recipient: clientKey.recipient.slice(0, -1),
      verifyingKey: `${clientKey.recipient.slice(-1)}${clientKey.verifyingKey}`,
    };
    expect(holds(shifted)).toBe(false);
  });
});

describe('a signature over the key that comes next', () => {
  const holds = (key: Signed, by = envelope.clientKey) =>
    verifySignature(
      by.verifyingKey,
      'latebra/v1/succession',
      successionMessage(key),
      next.clientKey.succession ?? '',
    );

  it('holds for the envelope that browsers make, by the key before and by no other', () => {
    expect(holds(next.clientKey)).toBe(true);
    expect(holds(next.clientKey, next.clientKey)).toBe(false);
  });

  it.each(['fingerprint', 'recipient', 'verifyingKey', 'signature', 'keyCheck'] as const)(
    'holds for no other %s',
    (part) => expect(holds({ ...next.clientKey, [part]: envelope.clientKey[part] })).toBe(false),
  );

  it('holds for no other version or generation', () => {
    expect(holds({ ...next.clientKey, v: 2 })).toBe(false);
    expect(holds({ ...next.clientKey, generation: 3 })).toBe(false);
  });
});
