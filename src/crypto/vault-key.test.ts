import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromHex, toHex } from './base64.ts';
import { ARK_LABELS, FILE_LABELS, KIT_LABELS, LABELS } from './labels.ts';
import { seal } from './seal.ts';
import { SISTER_LABELS } from './sister-shares.ts';
import { openAs } from './testing/reference.ts';
import {
  deriveContentKey,
  deriveSeed,
  fingerprintOf,
  generateVaultKey,
  maskKey,
  vaultKeyFromHex,
  vaultKeyToHex,
} from './vault-key.ts';
import vectors from './vectors/vault-key.json';

test('a new key has 32 bytes and is another one each time', () => {
  const [a, b] = [generateVaultKey(), generateVaultKey()];
  expect(a).toHaveLength(32);
  expect(a).not.toEqual(b);
});

test('a key comes back from its hex', () => {
  const key = generateVaultKey();
  expect(vaultKeyToHex(key)).toMatch(/^[0-9a-f]{64}$/);
  expect(vaultKeyFromHex(vaultKeyToHex(key))).toEqual(key);
});

test.each([
  ['63 characters', 'a'.repeat(63)],
  ['65 characters', 'a'.repeat(65)],
  ['another alphabet', 'g'.repeat(64)],
  ['a prefix', `0x${'a'.repeat(62)}`],
  ['white space', ` ${'a'.repeat(63)}`],
  ['a line break at the end', `${'a'.repeat(64)}\n`],
  ['nothing', ''],
])('hex with %s is no key, and the error does not repeat it', (_, hex) => {
  expect(() => vaultKeyFromHex(hex)).toThrow('A vault key is 64 hexadecimal characters');
});

test.each([0, 16, 31, 33, 64])('%i bytes are no vault key anywhere', async (length) => {
  const key = new Uint8Array(length);
  expect(() => vaultKeyToHex(key)).toThrow(TypeError);
  expect(() => maskKey(key)).toThrow(TypeError);
  await expect(fingerprintOf(key)).rejects.toThrow(TypeError);
  await expect(deriveContentKey(key)).rejects.toThrow(TypeError);
  await expect(deriveSeed(key, LABELS.ageIdentity)).rejects.toThrow(TypeError);
});

test('a masked key shows its first eight characters only', () => {
  const hex = `0123456789abcdef${'0'.repeat(48)}`;
  expect(maskKey(hex)).toBe('01234567••••••••');
  expect(maskKey(hex.toUpperCase())).toBe(maskKey(hex));
  expect(maskKey(vaultKeyFromHex(hex))).toBe(maskKey(hex));
});

test.each(vectors)('the frozen vector of key $key is reproduced', async (vector) => {
  const key = vaultKeyFromHex(vector.key);
  expect(await fingerprintOf(key)).toBe(vector.fingerprint);
  expect(toHex(await deriveSeed(key, LABELS.ageIdentity))).toBe(vector.ageIdentitySeed);
  expect(toHex(await deriveSeed(key, LABELS.signingKey))).toBe(vector.signingKeySeed);
});

test.each(vectors)('the content key of $key is the frozen one', async (vector) => {
  const contentKey = await deriveContentKey(vaultKeyFromHex(vector.key));
  const raw = await crypto.subtle.importKey('raw', fromHex(vector.contentKey), 'AES-GCM', false, ['decrypt']);
  const iv = new Uint8Array(12);
  const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, contentKey, new Uint8Array(40));
  const plaintext = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, raw, ciphertext);
  expect(new Uint8Array(plaintext)).toEqual(new Uint8Array(40));
});

test('the content key cannot be exported', async () => {
  const contentKey = await deriveContentKey(generateVaultKey());
  expect(contentKey.extractable).toBe(false);
  expect(contentKey.algorithm).toMatchObject({ name: 'AES-GCM', length: 256 });
  await expect(crypto.subtle.exportKey('raw', contentKey)).rejects.toThrow();
});

test('a second implementation derives the same content key', async () => {
  const context = { kind: 'memory', field: 'content', sealId: 'A'.repeat(22) };
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (key) => {
      expect(openAs(await seal('same', await deriveContentKey(key), context), key, context)).toBe('same');
    }),
    { numRuns: 20 },
  );
});

test('no two labels share a value', () => {
  const labels = [LABELS, ARK_LABELS, FILE_LABELS, KIT_LABELS, SISTER_LABELS].flatMap((some) =>
    Object.values(some),
  );
  expect(new Set(labels).size).toBe(labels.length);
});
