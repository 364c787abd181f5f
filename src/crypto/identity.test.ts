import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64, fromHex, toBase64, toHex } from './base64.ts';
import { utf8 } from './encoding.ts';
import { deriveIdentity, identityMessage, signInMessage, vaultAddress, verifySignature } from './identity.ts';
import { SIGNATURE_CONTEXTS } from './labels.ts';
import { flip } from './testing/flip.ts';
import { addressAs, identityAs, tuple } from './testing/reference.ts';
import { generateVaultKey } from './vault-key.ts';
import vectors from './vectors/identity.json';
import published from './vectors/published.json';

const key = generateVaultKey();
const identity = await deriveIdentity(key);
const message = utf8('message');

test.each(vectors)('the frozen identity is derived again', async (vector) => {
  const derived = await deriveIdentity(fromHex(vector.key));
  expect(derived.ageIdentity).toBe(vector.ageIdentity);
  expect(derived.recipient).toBe(vector.recipient);
  expect(derived.verifyingKey).toBe(vector.verifyingKey);
  expect(await vaultAddress(vector.recipient, vector.verifyingKey)).toBe(vector.vaultAddress);
  const signIn = signInMessage(vector.signIn.origin, vector.signIn.nonce);
  expect(toHex(signIn)).toBe(vector.signIn.message);
  expect(toBase64(derived.sign('latebra/v1/sign-in', signIn))).toBe(vector.signIn.signature);
});

test('a second implementation derives the same identity and signs the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (value) => {
      const [ours, theirs] = [await deriveIdentity(value), identityAs(value)];
      expect([ours.ageIdentity, ours.recipient, ours.verifyingKey]).toEqual([
        theirs.ageIdentity,
        theirs.recipient,
        theirs.verifyingKey,
      ]);
      const context = 'latebra/v1/export';
      expect(ours.sign(context, message)).toEqual(theirs.sign(context, message));
      expect(await vaultAddress(ours.recipient, ours.verifyingKey)).toBe(
        addressAs(theirs.recipient, theirs.verifyingKey),
      );
    }),
    { numRuns: 5 },
  );
});

test('the library reproduces a published ML-DSA-44 signature', () => {
  const vector = published.mlDsa44;
  const { publicKey, secretKey } = ml_dsa44.keygen(fromHex(vector.seed));
  expect(toHex(publicKey).startsWith(vector.publicKeyStart)).toBe(true);
  expect(toHex(publicKey).endsWith(vector.publicKeyEnd)).toBe(true);
  const options = { context: utf8(vector.context), extraEntropy: false as const };
  const signature = toHex(ml_dsa44.sign(utf8(vector.message), secretKey, options));
  expect(signature.startsWith(vector.signatureStart)).toBe(true);
  expect(signature.endsWith(vector.signatureEnd)).toBe(true);
});

test('the public parts have the lengths of their standards', () => {
  expect(identity.recipient).toMatch(/^age1pq1[a-z0-9]{1952}$/);
  expect(identity.ageIdentity).toMatch(/^AGE-SECRET-KEY-PQ-1[A-Z0-9]{58}$/);
  expect(fromBase64(identity.verifyingKey)).toHaveLength(1312);
  expect(identity.sign('latebra/v1/sign-in', message)).toHaveLength(2420);
});

test('signing twice gives the same bytes', () => {
  expect(identity.sign('latebra/v1/export', message)).toEqual(identity.sign('latebra/v1/export', message));
});

test('a signature holds in its own context alone', () => {
  for (const made of SIGNATURE_CONTEXTS) {
    const signature = identity.sign(made, message);
    for (const read of SIGNATURE_CONTEXTS) {
      expect(verifySignature(identity.verifyingKey, read, message, signature)).toBe(made === read);
    }
  }
});

test('a signature holds for its own message and key alone', async () => {
  const other = await deriveIdentity(generateVaultKey());
  const signature = identity.sign('latebra/v1/whisper', message);
  expect(verifySignature(identity.verifyingKey, 'latebra/v1/whisper', utf8('massage'), signature)).toBe(
    false,
  );
  expect(verifySignature(other.verifyingKey, 'latebra/v1/whisper', message, signature)).toBe(false);
});

// Each trial costs a verification: `every-byte.test.ts` tries every place.
test('no hundredth byte of a signature can be changed', () => {
  const signature = identity.sign('latebra/v1/identity', message);
  for (const i of [...signature.keys()].filter((at) => at % 100 === 0)) {
    const changed = flip(signature, i);
    expect(verifySignature(identity.verifyingKey, 'latebra/v1/identity', message, changed)).toBe(false);
  }
});

test('what is malformed is false, not an error', () => {
  const signature = identity.sign('latebra/v1/identity', message);
  const verify = (verifyingKey: string, bytes: Uint8Array) =>
    verifySignature(verifyingKey, 'latebra/v1/identity', message, bytes);
  expect(verify(identity.verifyingKey, signature)).toBe(true);
  expect(verify(identity.verifyingKey, signature.subarray(1))).toBe(false);
  expect(verify(identity.verifyingKey, new Uint8Array())).toBe(false);
  expect(verify('', signature)).toBe(false);
  expect(verify('not base64', signature)).toBe(false);
  expect(verify(identity.verifyingKey.slice(4), signature)).toBe(false);
});

test('messages are length-prefixed, so that no two mean the same bytes', () => {
  expect(signInMessage('https://a.example', 'nonce')).toEqual(tuple('https://a.example', 'nonce'));
  expect(signInMessage('https://a.example', 'nonce')).not.toEqual(
    signInMessage('https://a.examplen', 'once'),
  );
  const keys = { generation: 12, recipient: 'age1pq1', verifyingKey: 'key' };
  expect(identityMessage(keys)).toEqual(tuple('1', '12', 'age1pq1', 'key'));
});

test('an address needs two whole public keys', async () => {
  const { recipient, verifyingKey } = identity;
  expect(await vaultAddress(recipient, verifyingKey)).toMatch(/^[0-9a-f]{32}$/);
  await expect(vaultAddress(recipient.slice(0, -1), verifyingKey)).rejects.toThrow(TypeError);
  await expect(vaultAddress(recipient.toUpperCase(), verifyingKey)).rejects.toThrow(TypeError);
  await expect(vaultAddress(recipient, verifyingKey.slice(0, -4))).rejects.toThrow(TypeError);
  await expect(vaultAddress('', recipient + verifyingKey)).rejects.toThrow(TypeError);
});
