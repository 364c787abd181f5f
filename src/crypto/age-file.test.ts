import {
  Decrypter,
  Encrypter,
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openFrom, sealTo } from './age-file.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { OpenError, SealError } from './errors.ts';
import { deriveIdentity } from './identity.ts';
import { anyText } from './testing/any-text.ts';
import { generateVaultKey } from './vault-key.ts';
import vectors from './vectors/age-file.json';

const { recipient, ageIdentity } = await deriveIdentity(generateVaultKey());

test.each(vectors)('the frozen file opens', async (vector) => {
  expect(await openFrom(vector.ageIdentity, vector.sealed)).toBe(vector.text);
});

test('any text comes back', async () => {
  await fc.assert(
    fc.asyncProperty(anyText(40), async (text) => {
      expect(await openFrom(ageIdentity, await sealTo(recipient, text))).toBe(text);
    }),
    { numRuns: 5 },
  );
});

test('a long text, over several of age’s chunks, comes back', async () => {
  const text = 'a memory, '.repeat(20_000);
  expect(await openFrom(ageIdentity, await sealTo(recipient, text))).toBe(text);
});

test('age itself opens what is sealed here, and what it seals opens here', async () => {
  const decrypter = new Decrypter();
  decrypter.addIdentity(ageIdentity);
  expect(await decrypter.decrypt(fromBase64(await sealTo(recipient, 'out')), 'text')).toBe('out');
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  expect(await openFrom(ageIdentity, toBase64(await encrypter.encrypt('in')))).toBe('in');
});

test('another vault does not open it', async () => {
  const other = await generateHybridIdentity();
  await expect(openFrom(other, await sealTo(recipient, 'text'))).rejects.toThrow(OpenError);
});

test('nothing is sealed to a recipient that is not post-quantum, or none at all', async () => {
  const classical = await identityToRecipient(await generateX25519Identity());
  for (const wrong of [classical, '', 'age1pq1', recipient.slice(0, -1), `${recipient}q`, ageIdentity]) {
    await expect(sealTo(wrong, 'text')).rejects.toThrow(SealError);
  }
});

test('a changed file does not open', { tags: 'long' }, async () => {
  const bytes = fromBase64(await sealTo(recipient, 'text'));
  // Each trial costs a decapsulation: every thirty-first byte of the header, every byte of the sealed text.
  const trials = [...bytes.keys()].filter((i) => i % 31 === 0 || i >= bytes.length - 20);
  for (const i of trials) {
    const changed = bytes.map((byte, at) => (at === i ? byte ^ 1 : byte));
    await expect(openFrom(ageIdentity, toBase64(changed))).rejects.toThrow(OpenError);
  }
  for (const changed of [bytes.subarray(0, -1), new Uint8Array([...bytes, 0]), new Uint8Array()]) {
    await expect(openFrom(ageIdentity, toBase64(changed))).rejects.toThrow(OpenError);
  }
});

test('what is no such file does not open, and the error tells nothing', async () => {
  const binary = new Encrypter();
  binary.addRecipient(recipient);
  const notText = toBase64(await binary.encrypt(new Uint8Array([0xff, 0xfe])));
  for (const wrong of ['', 'not base64', 'AAAA', notText]) {
    await expect(openFrom(ageIdentity, wrong)).rejects.toThrow(OpenError);
  }
  await expect(openFrom('AGE-SECRET-KEY-PQ-1', notText)).rejects.toThrow(OpenError);
});
