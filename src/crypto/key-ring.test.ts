import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64, fromHex, toBase64, toBase64Url, toHex } from './base64.ts';
import { OpenError, SealError } from './errors.ts';
import { openKeyRing, type RingKey, sealKeyRing } from './key-ring.ts';
import { newSealId, open, seal } from './seal.ts';
import { keyRingAs, openKeyRingAs } from './testing/reference.ts';
import { deriveContentKey, generateVaultKey } from './vault-key.ts';
import vectors from './vectors/key-ring.json';

const key = generateVaultKey();
const contentKey = await deriveContentKey(key);
const contextOf = (sealId: string) => ({ kind: 'vault', field: 'key-ring', sealId });
const aSealId = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(toBase64Url);
const keysOfAnyNumber = fc.array(
  fc.record({
    key: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    stayed: fc.uniqueArray(aSealId, { maxLength: 20 }),
  }),
  { maxLength: 12 },
);
/** As it was given to be sealed, in the order of its seal numbers. */
const listed = (keys: RingKey[]) => keys.map((one) => ({ key: one.key, stayed: [...one.stayed] }));
const bare = (key: Uint8Array) => ({ key, stayed: [] });

/** A ring around any text at all, sealed as a ring is. */
async function ringOf(text: string) {
  const sealId = newSealId();
  return { sealId, sealed: await seal(text, contentKey, contextOf(sealId)) };
}

test.each(vectors)('the frozen ring opens', async (vector) => {
  const keys = await openKeyRing(vector.keyRing, await deriveContentKey(fromHex(vector.key)));
  expect(listed(keys).map((one) => ({ ...one, key: toHex(one.key) }))).toEqual(vector.keys);
});

test('any keys come back in their order with their seal numbers, also after a journey as JSON', async () => {
  await fc.assert(
    fc.asyncProperty(keysOfAnyNumber, async (keys) => {
      const ring = JSON.parse(JSON.stringify(await sealKeyRing(keys, contentKey)));
      expect(Object.keys(ring).sort()).toEqual(['sealId', 'sealed']);
      expect(listed(await openKeyRing(ring, contentKey))).toEqual(keys);
    }),
    { numRuns: 50 },
  );
});

test('each implementation opens the other’s rings', async () => {
  const iv = fc.uint8Array({ minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(keysOfAnyNumber, iv, async (keys, nonce) => {
      expect(openKeyRingAs(await sealKeyRing(keys, contentKey), key)).toEqual(keys);
      const strangers = keyRingAs(keys, key, newSealId(), nonce);
      expect(listed(await openKeyRing(strangers, contentKey))).toEqual(keys);
    }),
    { numRuns: 30 },
  );
});

test('sealing twice gives another number and other bytes', async () => {
  const [a, b] = [await sealKeyRing([bare(key)], contentKey), await sealKeyRing([bare(key)], contentKey)];
  expect(a.sealId).not.toBe(b.sealId);
  expect(a.sealed).not.toBe(b.sealed);
});

test('no key stands in a ring in the clear', async () => {
  const { sealed } = await sealKeyRing([bare(key)], contentKey);
  expect(toHex(fromBase64(sealed))).not.toContain(toHex(key));
  expect(sealed).not.toContain(toBase64(key).slice(0, 40));
});

test('no byte can be changed, and no length', async () => {
  const ring = await sealKeyRing(
    [bare(generateVaultKey()), { key: generateVaultKey(), stayed: [newSealId()] }],
    contentKey,
  );
  const bytes = fromBase64(ring.sealed);
  const trials = [...bytes.keys()].map((i) => bytes.map((byte, at) => (at === i ? byte ^ 1 : byte)));
  trials.push(bytes.slice(0, -1), new Uint8Array([...bytes, 0]), new Uint8Array());
  for (const changed of trials) {
    await expect(openKeyRing({ ...ring, sealed: toBase64(changed) }, contentKey)).rejects.toThrow(OpenError);
  }
});

test('another key, another number or another place opens nothing', async () => {
  const ring = await sealKeyRing([bare(generateVaultKey())], contentKey);
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
  `["${'a'.repeat(64)}"]`,
  `[{"key":"${'a'.repeat(64)}"}]`,
  `[{"key":"${'a'.repeat(64)}","stayed":null}]`,
  `[{"key":"${'a'.repeat(64)}","stayed":["${'A'.repeat(22)}"]}]`,
  `[{"key":"${'a'.repeat(64)}","stayed":"${'A'.repeat(21)}"}]`,
  `[{"key":"${'a'.repeat(64)}","stayed":"${'A'.repeat(24)}"}]`,
  `[{"key":"${'a'.repeat(64)}","stayed":"${'A'.repeat(21)}B"}]`,
  `[{"key":"${'a'.repeat(64)}","stayed":""},{"key":"${'a'.repeat(63)}","stayed":""}]`,
  `[{"key":"${'g'.repeat(64)}","stayed":""}]`,
])('a ring around %j is none, even under the right key', async (text) => {
  await expect(openKeyRing(await ringOf(text), contentKey)).rejects.toThrow(OpenError);
});

test.each([null, undefined, 'ring', 7, [], {}, { sealId: 1, sealed: 2 }])('%j is no ring', async (wrong) => {
  const error = await openKeyRing(wrong, contentKey).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OpenError);
  expect((error as Error).cause).toBeUndefined();
});

test('what is no vault key, and what is no seal number, is not put on a ring', async () => {
  for (const length of [0, 31, 33]) {
    const wrong = bare(new Uint8Array(length));
    await expect(sealKeyRing([bare(key), wrong], contentKey)).rejects.toThrow(SealError);
  }
  for (const wrong of ['', 'A'.repeat(21), 'A'.repeat(23), `${'A'.repeat(21)}B`, `${'A'.repeat(21)}=`]) {
    const keys = [{ key, stayed: [newSealId(), wrong] }];
    await expect(sealKeyRing(keys, contentKey)).rejects.toThrow(SealError);
  }
});

test('a hundred thousand seal numbers go into one ring, twenty-nine characters for each', {
  tags: 'long',
}, async () => {
  const stayed = new Set(Array.from({ length: 100_000 }, newSealId));
  const ring = await sealKeyRing([{ key: generateVaultKey(), stayed }], contentKey);
  expect(ring.sealed.length / stayed.size).toBeLessThan(29);
  const [opened] = await openKeyRing(ring, contentKey);
  expect(opened?.stayed).toEqual(stayed);
});
