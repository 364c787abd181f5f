import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64, fromHex, toBase64, toHex } from './base64.ts';
import { OpenError, SealError } from './errors.ts';
import { openKeyRing, sealKeyRing } from './key-ring.ts';
import { newSealId, open, seal } from './seal.ts';
import { keyRingAs, openAs } from './testing/stranger.ts';
import { deriveContentKey, generateVaultKey } from './vault-key.ts';
import vectors from './vectors/key-ring.json';

const key = generateVaultKey();
const contentKey = await deriveContentKey(key);
const contextOf = (sealId: string) => ({ kind: 'vault', field: 'key-ring', sealId });
const keysOfAnyNumber = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 12 });

/** A ring around any text at all, sealed as a ring is. */
async function ringOf(text: string) {
  const sealId = newSealId();
  return { sealId, sealed: await seal(text, contentKey, contextOf(sealId)) };
}

test.each(vectors)('the frozen ring opens', async (vector) => {
  const keys = await openKeyRing(vector.keyRing, await deriveContentKey(fromHex(vector.key)));
  expect(keys.map(toHex)).toEqual(vector.keys);
});

test('any keys come back in their order, also after a journey as JSON', async () => {
  await fc.assert(
    fc.asyncProperty(keysOfAnyNumber, async (keys) => {
      const ring = JSON.parse(JSON.stringify(await sealKeyRing(keys, contentKey)));
      expect(Object.keys(ring).sort()).toEqual(['sealId', 'sealed']);
      expect(await openKeyRing(ring, contentKey)).toEqual(keys);
    }),
    { numRuns: 50 },
  );
});

test('each implementation opens the other’s rings', async () => {
  const iv = fc.uint8Array({ minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(keysOfAnyNumber, iv, async (keys, nonce) => {
      const { sealId, sealed } = await sealKeyRing(keys, contentKey);
      expect(JSON.parse(openAs(sealed, key, contextOf(sealId)))).toEqual(keys.map(toHex));
      expect(await openKeyRing(keyRingAs(keys, key, newSealId(), nonce), contentKey)).toEqual(keys);
    }),
    { numRuns: 30 },
  );
});

test('sealing twice gives another number and other bytes', async () => {
  const [a, b] = [await sealKeyRing([key], contentKey), await sealKeyRing([key], contentKey)];
  expect(a.sealId).not.toBe(b.sealId);
  expect(a.sealed).not.toBe(b.sealed);
});

test('no key stands in a ring in the clear', async () => {
  const { sealed } = await sealKeyRing([key], contentKey);
  expect(toHex(fromBase64(sealed))).not.toContain(toHex(key));
  expect(sealed).not.toContain(toBase64(key).slice(0, 40));
});

test('no byte can be changed, and no length', async () => {
  const ring = await sealKeyRing([generateVaultKey(), generateVaultKey()], contentKey);
  const bytes = fromBase64(ring.sealed);
  const trials = [...bytes.keys()].map((i) => bytes.map((byte, at) => (at === i ? byte ^ 1 : byte)));
  trials.push(bytes.slice(0, -1), new Uint8Array([...bytes, 0]), new Uint8Array());
  for (const changed of trials) {
    await expect(openKeyRing({ ...ring, sealed: toBase64(changed) }, contentKey)).rejects.toThrow(OpenError);
  }
});

test('another key, another number or another place opens nothing', async () => {
  const ring = await sealKeyRing([generateVaultKey()], contentKey);
  const other = await deriveContentKey(generateVaultKey());
  await expect(openKeyRing(ring, other)).rejects.toThrow(OpenError);
  await expect(openKeyRing({ ...ring, sealId: newSealId() }, contentKey)).rejects.toThrow(OpenError);
  const elsewhere = { ...contextOf(ring.sealId), field: 'key-check' };
  await expect(open(ring.sealed, contentKey, elsewhere)).rejects.toThrow(OpenError);
});

test.each([
  'text',
  '{}',
  'null',
  '"a"',
  '[null]',
  '[1]',
  '[[]]',
  '[""]',
  `["${'a'.repeat(64)}","${'a'.repeat(63)}"]`,
  `["${'g'.repeat(64)}"]`,
])('a ring around %j is none, even under the right key', async (text) => {
  await expect(openKeyRing(await ringOf(text), contentKey)).rejects.toThrow(OpenError);
});

test.each([null, undefined, 'ring', 7, [], {}, { sealId: 1, sealed: 2 }])('%j is no ring', async (wrong) => {
  const error = await openKeyRing(wrong, contentKey).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OpenError);
  expect((error as Error).cause).toBeUndefined();
});

test('what is no vault key is not put on a ring', async () => {
  for (const length of [0, 31, 33]) {
    await expect(sealKeyRing([key, new Uint8Array(length)], contentKey)).rejects.toThrow(SealError);
  }
});
