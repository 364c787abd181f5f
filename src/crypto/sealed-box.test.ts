import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { fromBase64, fromHex, toBase64 } from './base64.ts';
import { OpenError } from './errors.ts';
import { deriveIdentity } from './identity.ts';
import { newSealId, seal } from './seal.ts';
import { isSealedBox, openSealedBox } from './sealed-box.ts';
import { anyText } from './testing/any-text.ts';
import { openSealedBoxAs, sealedBoxAs } from './testing/reference.ts';
import { ageAs } from './testing/reference-age.ts';
import { deriveContentKey, generateVaultKey } from './vault-key.ts';
import vectors from './vectors/sealed-box.json';
import byServer from './vectors/sealed-box-by-server.json';

// Each trial costs a decapsulation.
vi.setConfig({ testTimeout: 60_000 });

const key = generateVaultKey();
const { recipient, ageIdentity } = await deriveIdentity(key);
const context = { kind: 'myth', field: 'title', sealId: newSealId() };
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const randomness = () => ({ fileKey: random(16), seed: random(64), nonce: random(16) });
const boxOf = (text: string, its = context) => sealedBoxAs(text, its, recipient, randomness());

/** A box whose inside is whatever it is. */
const withInside = (inside: string | Uint8Array) => toBase64(ageAs(inside, recipient, randomness()));
const padded = (json: unknown) => {
  const bytes = new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json));
  const block = new Uint8Array(Math.ceil((bytes.length + 1) / 256) * 256);
  block.set(bytes);
  block[bytes.length] = 0x80;
  return block;
};
const right = { v: 1, ...context, text: 'The well' };

test.each([...vectors, ...byServer])('the frozen box opens: $text', async (vector) => {
  const own = await deriveIdentity(fromHex(vector.key));
  expect(own.recipient).toBe(vector.recipient);
  expect(isSealedBox(vector.sealed)).toBe(true);
  expect(await openSealedBox(own.ageIdentity, vector.sealed, vector.context)).toBe(vector.text);
  expect(openSealedBoxAs(vector.sealed, vector.context, own.ageIdentity)).toBe(vector.text);
});

test('any text comes back', async () => {
  await fc.assert(
    fc.asyncProperty(anyText(300), async (text) => {
      expect(await openSealedBox(ageIdentity, boxOf(text), context)).toBe(text);
    }),
    { numRuns: 8 },
  );
});

test('a short text and a shorter one have boxes of one length', () => {
  expect(boxOf('a').length).toBe(boxOf('a somewhat longer title').length);
});

test('a box opens in its own place alone', async () => {
  const sealed = boxOf('The well');
  expect(await openSealedBox(ageIdentity, sealed, context)).toBe('The well');
  for (const other of [{ kind: 'memory' }, { field: 'encryptedContent' }, { sealId: newSealId() }]) {
    await expect(openSealedBox(ageIdentity, sealed, { ...context, ...other })).rejects.toThrow(OpenError);
  }
});

test('another vault does not open it', async () => {
  const other = await deriveIdentity(generateVaultKey());
  await expect(openSealedBox(other.ageIdentity, boxOf('x'), context)).rejects.toThrow(OpenError);
});

test('a changed box does not open', { tags: 'long' }, async () => {
  const bytes = fromBase64(boxOf('The well'));
  const trials = [...bytes.keys()].filter((i) => i % 31 === 0 || i >= bytes.length - 20);
  for (const i of trials) {
    const changed = bytes.map((byte, at) => (at === i ? byte ^ 1 : byte));
    await expect(openSealedBox(ageIdentity, toBase64(changed), context)).rejects.toThrow(OpenError);
  }
  for (const changed of [bytes.subarray(0, -1), new Uint8Array([...bytes, 0]), new Uint8Array()]) {
    await expect(openSealedBox(ageIdentity, toBase64(changed), context)).rejects.toThrow(OpenError);
  }
});

test.each<[string, string | Uint8Array]>([
  ['is not padded', JSON.stringify(right)],
  ['is padded too much', new Uint8Array([...padded(right), ...new Uint8Array(256)])],
  ['has another version', padded({ ...right, v: 2 })],
  ['has no text', padded({ ...right, text: undefined })],
  ['has a text that is none', padded({ ...right, text: ['The well'] })],
  ['has no place', padded({ v: 1, text: 'The well' })],
  ['is null', padded('null')],
  ['is a text', padded('"The well"')],
  ['is no JSON', padded('The well')],
  ['is no UTF-8', new Uint8Array([0xff, 0xfe, ...padded('').subarray(2)])],
  ['is empty', new Uint8Array()],
])('a box whose inside %s does not open, and the error tells nothing', async (_, inside) => {
  await expect(openSealedBox(ageIdentity, withInside(padded(right)), context)).resolves.toBe('The well');
  await expect(openSealedBox(ageIdentity, withInside(inside), context)).rejects.toThrow(OpenError);
});

test('a seal is no sealed box, nor is any other text', async () => {
  const sealed = await seal('The well', await deriveContentKey(key), context);
  for (const other of [sealed, '', 'YWdl', 'AAAA', 'age-encryption.org/v1']) {
    expect(isSealedBox(other)).toBe(false);
    await expect(openSealedBox(ageIdentity, other, context)).rejects.toThrow(OpenError);
  }
  expect(isSealedBox(boxOf('x'))).toBe(true);
});
