import { expect, test } from 'vitest';
import { fromHex, toBase64, toHex } from './base64.ts';
import { type ClientKey, createClientKey, verifyClientKey } from './client-key.ts';
import { OpenError } from './errors.ts';
import { keyCheckOpens, sealKeyCheck } from './key-check.ts';
import { clientKeyAs } from './testing/stranger.ts';
import { deriveContentKey, generateVaultKey } from './vault-key.ts';
import vectors from './vectors/client-key.json';

const key = generateVaultKey();
const contentKey = await deriveContentKey(key);
const clientKey = await createClientKey(key);
const other = await createClientKey(generateVaultKey());

test.each(vectors)('the frozen envelope is verified', async (vector) => {
  const frozen = vector.clientKey;
  const frozenKey = fromHex(vector.key);
  await verifyClientKey(frozenKey, frozen);
  expect(await keyCheckOpens(frozenKey, await deriveContentKey(frozenKey), frozen)).toBe(true);
  const { keyCheck: _, ...again } = await createClientKey(frozenKey);
  expect(frozen).toMatchObject(again);
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
    ['fingerprint', 'keyCheck', 'recipient', 'signature', 'v', 'verifyingKey', 'wraps'].sort(),
  );
  const wire = JSON.stringify(clientKey);
  for (const spelling of [toHex(key), toBase64(key).slice(0, 40)]) {
    expect(wire).not.toContain(spelling);
  }
});

const parts = ['fingerprint', 'recipient', 'verifyingKey', 'keyCheck'] as const;

test.each(parts)('the cheap check notices any changed character of %s', async (part) => {
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
