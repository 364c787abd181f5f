import { expect, test } from 'vitest';
import { fromBase64, fromHex, toBase64, toHex } from './base64.ts';
import { type ClientKey, createClientKey, verifyClientKey, verifySuccession } from './client-key.ts';
import { OpenError } from './errors.ts';
import { keyCheckOpens, sealKeyCheck } from './key-check.ts';
import { flip } from './testing/flip.ts';
import { clientKeyAs, succeedsAs } from './testing/reference.ts';
import { deriveContentKey, generateVaultKey } from './vault-key.ts';
import vectors from './vectors/client-key.json';

const key = generateVaultKey();
const contentKey = await deriveContentKey(key);
const clientKey = await createClientKey(key);
const other = await createClientKey(generateVaultKey());
const nextKey = generateVaultKey();
const next = await createClientKey(nextKey, { generation: 2, before: key });

test.each(vectors)('the frozen envelope is verified', async (vector) => {
  const frozen = vector.clientKey;
  const frozenKey = fromHex(vector.key);
  await verifyClientKey(frozenKey, frozen);
  expect(await keyCheckOpens(frozenKey, await deriveContentKey(frozenKey), frozen)).toBe(true);
  const before = vector.before === null ? null : fromHex(vector.before);
  // The check has a random IV, and the succession signs the check.
  const {
    keyCheck: _,
    succession,
    ...again
  } = await createClientKey(frozenKey, { generation: frozen.generation, before });
  expect(frozen).toMatchObject(again);
  expect(succession === null).toBe(frozen.succession === null);
});

test('the frozen second key is vouched for by the first, and by nothing else', async () => {
  const [first, second] = vectors.map(({ clientKey }) => clientKey as ClientKey);
  if (!first || !second) expect.fail('there are two envelopes');
  expect(await verifySuccession(second, first.verifyingKey)).toBe(true);
  expect(await verifySuccession(second, second.verifyingKey)).toBe(false);
  expect(await verifySuccession(first, first.verifyingKey)).toBe(false);
  const changes: ClientKey[] = [
    { ...second, generation: 3 },
    { ...second, fingerprint: first.fingerprint },
    { ...second, recipient: first.recipient },
    { ...second, verifyingKey: first.verifyingKey },
    { ...second, signature: first.signature },
    { ...second, keyCheck: first.keyCheck },
    { ...second, v: 2 as never },
  ];
  for (const changed of changes) expect(await verifySuccession(changed, first.verifyingKey)).toBe(false);
});

// Each trial costs a verification: `every-byte.test.ts` tries every place.
test('no hundredth byte of a succession can be changed, and no length', async () => {
  const bytes = fromBase64(next.succession ?? '');
  const trials = [...bytes.keys()].filter((i) => i % 100 === 0).map((i) => flip(bytes, i));
  trials.push(bytes.slice(0, -1), new Uint8Array([...bytes, 0]), new Uint8Array());
  for (const changed of trials) {
    const forged = { ...next, succession: toBase64(changed) };
    expect(await verifySuccession(forged, clientKey.verifyingKey)).toBe(false);
  }
});

test('each implementation verifies the other’s successions', async () => {
  expect(succeedsAs(next, clientKey.verifyingKey)).toBe(true);
  expect(succeedsAs(next, other.verifyingKey)).toBe(false);
  const strangers = clientKeyAs(nextKey, new Uint8Array(12), 2, key);
  await verifyClientKey(nextKey, strangers);
  expect(await verifySuccession(strangers, clientKey.verifyingKey)).toBe(true);
  expect(await verifySuccession(strangers, other.verifyingKey)).toBe(false);
});

test.each([undefined, null, 7, '', 'AAAA', {}])(
  '%j is no succession, and no verifying key',
  async (wrong) => {
    expect(await verifySuccession({ ...next, succession: wrong as never }, clientKey.verifyingKey)).toBe(
      false,
    );
    expect(await verifySuccession(next, wrong as never)).toBe(false);
  },
);

test('another generation than the key signed is refused: an old envelope cannot pass for a new one', async () => {
  await verifyClientKey(nextKey, next);
  for (const generation of [1, 3, 0, -2, 2.5, Number.MAX_SAFE_INTEGER + 1, '2', null, undefined]) {
    const forged = { ...next, generation };
    await expect(verifyClientKey(nextKey, forged)).rejects.toThrow(OpenError);
  }
  for (const generation of [0, -1, 1.5]) {
    const made = await createClientKey(key, { generation, before: null });
    await expect(verifyClientKey(key, made)).rejects.toThrow(OpenError);
  }
});

test('an envelope is verified, also after a journey as JSON', async () => {
  await verifyClientKey(key, clientKey);
  await verifyClientKey(key, JSON.parse(JSON.stringify(clientKey)));
  expect(clientKey.wraps).toEqual([]);
});

test('an envelope made by a second implementation is verified', async () => {
  await verifyClientKey(key, clientKeyAs(key, new Uint8Array(12)));
});

test('nothing in an envelope is the vault key', () => {
  expect(Object.keys(clientKey).sort()).toEqual(
    [
      'fingerprint',
      'generation',
      'keyCheck',
      'recipient',
      'signature',
      'succession',
      'v',
      'verifyingKey',
      'wraps',
    ].sort(),
  );
  expect(next.succession).not.toBeNull();
  const wire = JSON.stringify(clientKey);
  for (const spelling of [toHex(key), toBase64(key).slice(0, 40)]) {
    expect(wire).not.toContain(spelling);
  }
});

const parts = ['fingerprint', 'recipient', 'verifyingKey', 'keyCheck'] as const;

test.each(parts)('the cheap check notices any changed character of %s', { tags: 'long' }, async (part) => {
  for (const changed of changesOf(clientKey[part])) {
    const opens = await keyCheckOpens(key, contentKey, { ...clientKey, [part]: changed });
    if (opens) expect.fail(`${part} changed to ${changed}`);
  }
});

test.each(['v', 'signature', ...parts] as const)('another %s is refused', async (part) => {
  const strangers = { ...clientKey, [part]: part === 'v' ? 2 : other[part] };
  await expect(verifyClientKey(key, strangers)).rejects.toThrow(OpenError);
});

test.each(['v', 'signature', ...parts] as const)('a %s of another type is refused', async (part) => {
  for (const wrong of [undefined, null, 7, '', []]) {
    const malformed = { ...clientKey, [part]: wrong };
    await expect(verifyClientKey(key, malformed)).rejects.toThrow(OpenError);
  }
});

test.each([null, undefined, 'envelope', []])('%j is no envelope', async (wrong) => {
  await expect(verifyClientKey(key, wrong)).rejects.toThrow(OpenError);
  expect(await keyCheckOpens(key, contentKey, wrong as unknown as ClientKey)).toBe(false);
});

test('a signature of the same key over something else is refused', async () => {
  const [last = ''] = clientKey.signature.slice(-8, -7);
  const at = clientKey.signature.length - 8;
  const signature =
    clientKey.signature.slice(0, at) + (last === 'A' ? 'B' : 'A') + clientKey.signature.slice(at + 1);
  await expect(verifyClientKey(key, { ...clientKey, signature })).rejects.toThrow(OpenError);
});

test('another vault’s envelope is not mine, whole or with my fingerprint', async () => {
  await expect(verifyClientKey(key, other)).rejects.toThrow(OpenError);
  expect(await keyCheckOpens(key, contentKey, other)).toBe(false);
  expect(await keyCheckOpens(key, contentKey, { ...other, fingerprint: clientKey.fingerprint })).toBe(false);
});

test('public keys that the owner never had pass the check only if the owner’s key sealed it', async () => {
  const { recipient, verifyingKey } = other;
  const exchanged = { ...clientKey, recipient, verifyingKey };
  expect(await keyCheckOpens(key, contentKey, exchanged)).toBe(false);
  const resealed = { ...exchanged, keyCheck: await sealKeyCheck(contentKey, recipient, verifyingKey) };
  expect(await keyCheckOpens(key, contentKey, resealed)).toBe(true);
  await expect(verifyClientKey(key, resealed)).rejects.toThrow(OpenError);
});

/** `text` with each character in turn replaced by another of every alphabet in use. */
function changesOf(text: string): string[] {
  return [...text].map((old, i) => text.slice(0, i) + (old === 'a' ? 'c' : 'a') + text.slice(i + 1));
}
