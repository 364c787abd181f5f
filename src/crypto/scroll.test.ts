import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { stretch } from './argon2.ts';
import { fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex } from './base64.ts';
import { proofHash } from './claim.ts';
import { OpenError, SealError } from './errors.ts';
import { PASSPHRASE_PARAMS } from './passphrase.ts';
import {
  deriveScroll,
  deriveScrollPassphrase,
  newScrollKey,
  scrollKeyFromText,
  scrollKeyToText,
  unwrapScrollKey,
  wrapScrollKey,
} from './scroll.ts';
import { newSealId, open, seal } from './seal.ts';
import { anyText } from './testing/any-text.ts';
import { openScrollAs, scrollAs, scrollPassphraseAs, sealScrollAs, shareAs } from './testing/reference.ts';
import vectors from './vectors/scroll.json';

// Stretching takes its time, and more of it on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const iv = fc.uint8Array({ minLength: 12, maxLength: 12 });
const contextOf = (sealId: string) => ({ kind: 'legacy-scroll', field: 'encryptedContent', sealId });
const flip = (bytes: Uint8Array, i: number) => bytes.map((byte, at) => (at === i ? byte ^ 1 : byte));

test.each(vectors)('the frozen scroll proves its claim and opens its letter', async (vector) => {
  const scrollKey = fromHex(vector.scrollKey);
  expect(scrollKeyFromText(vector.text)).toEqual(scrollKey);
  const { claim, contentKey } = await deriveScroll(scrollKey);
  expect(claim).toBe(vector.claim);
  expect(await proofHash(claim)).toBe(vector.claimHash);
  expect(await open(vector.encryptedContent, contentKey, contextOf(vector.sealId))).toBe(vector.content);
});

test.each(vectors)('the frozen scroll opens by its passphrase as well', async (vector) => {
  const { passphrase, stretching, ...frozen } = vector.byPassphrase;
  const { salt, ...params } = stretching;
  expect(params).toEqual(PASSPHRASE_PARAMS);
  const stretched = await stretch(passphrase, fromBase64Url(salt), params);
  expect(toHex(stretched)).toBe(frozen.stretched);
  const { claim, wrapKey } = await deriveScrollPassphrase(stretched);
  expect(claim).toBe(frozen.claim);
  expect(await proofHash(claim)).toBe(frozen.claimHash);
  expect(await unwrapScrollKey(frozen.wrappedKey, wrapKey, vector.sealId)).toEqual(fromHex(vector.scrollKey));
});

test('a scroll key has 32 bytes, is another one each time, and comes back from its 43 characters', () => {
  const [a, b] = [newScrollKey(), newScrollKey()];
  expect(a).toHaveLength(32);
  expect(a).not.toEqual(b);
  expect(scrollKeyToText(a)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(scrollKeyFromText(scrollKeyToText(a))).toEqual(a);
});

const spelt = scrollKeyToText(new Uint8Array(32).fill(0xff));

test.each([
  ['nothing', ''],
  ['a character too few', spelt.slice(0, -1)],
  ['a character too many', `${spelt}A`],
  ['padding', `${spelt}=`],
  ['its number sign', `#${spelt}`],
  ['a line break', `${spelt}\n`],
  ['the other alphabet', spelt.replaceAll('_', '/')],
  ['a stray bit', `${spelt.slice(0, -1)}9`],
  ['31 bytes', toBase64Url(new Uint8Array(31))],
])('%s is no scroll key, and the error does not repeat it', (_, text) => {
  expect(() => scrollKeyFromText(text)).toThrow(TypeError);
  expect(() => scrollKeyFromText(text)).toThrow(/^(Expected 32 bytes|Not base64(url)?)$/);
});

test.each([0, 16, 31, 33, 64])(
  '%i bytes are no scroll key anywhere, nor a stretched passphrase',
  async (length) => {
    const wrong = new Uint8Array(length);
    const { wrapKey } = await deriveScrollPassphrase(newScrollKey());
    expect(() => scrollKeyToText(wrong)).toThrow(TypeError);
    await expect(deriveScroll(wrong)).rejects.toThrow(TypeError);
    await expect(deriveScrollPassphrase(wrong)).rejects.toThrow(TypeError);
    await expect(wrapScrollKey(wrong, wrapKey, newSealId())).rejects.toThrow(SealError);
  },
);

test('a second implementation derives the same', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, bytes32, async (scrollKey, stretched) => {
      const [card, words] = [scrollAs(scrollKey), scrollPassphraseAs(stretched)];
      expect(scrollKeyToText(scrollKey)).toBe(card.text);
      const { claim } = await deriveScroll(scrollKey);
      expect([claim, await proofHash(claim)]).toEqual([card.claim, card.claimHash]);
      const byWords = await deriveScrollPassphrase(stretched);
      expect([byWords.claim, await proofHash(byWords.claim)]).toEqual([words.claim, words.claimHash]);
    }),
    { numRuns: 50 },
  );
});

test('each implementation opens what the other sealed and wrapped', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, bytes32, anyText(300), iv, async (scrollKey, stretched, text, nonce) => {
      const sealId = newSealId();
      const { contentKey } = await deriveScroll(scrollKey);
      const theirs = scrollAs(scrollKey);
      const sealed = await seal(text, contentKey, contextOf(sealId));
      expect(openScrollAs(sealed, theirs.contentKey, 'encryptedContent', sealId)).toBe(text);
      const foreign = sealScrollAs(text, theirs.contentKey, 'encryptedContent', sealId, nonce);
      expect(await open(foreign, contentKey, contextOf(sealId))).toBe(text);

      const { wrapKey } = await deriveScrollPassphrase(stretched);
      const strangers = scrollPassphraseAs(stretched).wrapKey;
      const wrapped = await wrapScrollKey(scrollKey, wrapKey, sealId);
      expect(openScrollAs(wrapped, strangers, 'wrappedKey', sealId)).toBe(theirs.text);
      const foreignWrap = sealScrollAs(theirs.text, strangers, 'wrappedKey', sealId, nonce);
      expect(await unwrapScrollKey(foreignWrap, wrapKey, sealId)).toEqual(scrollKey);
    }),
    { numRuns: 30 },
  );
});

test('every byte of the scroll key and of the stretched passphrase counts', async () => {
  const [scrollKey, stretched] = [newScrollKey(), newScrollKey()];
  const sealId = newSealId();
  const { claim, contentKey } = await deriveScroll(scrollKey);
  const sealed = await seal('words', contentKey, contextOf(sealId));
  const byWords = await deriveScrollPassphrase(stretched);
  const wrapped = await wrapScrollKey(scrollKey, byWords.wrapKey, sealId);
  for (let i = 0; i < 32; i++) {
    const other = await deriveScroll(flip(scrollKey, i));
    expect(other.claim).not.toBe(claim);
    await expect(open(sealed, other.contentKey, contextOf(sealId))).rejects.toThrow(OpenError);
    const otherWords = await deriveScrollPassphrase(flip(stretched, i));
    expect(otherWords.claim).not.toBe(byWords.claim);
    await expect(unwrapScrollKey(wrapped, otherWords.wrapKey, sealId)).rejects.toThrow(OpenError);
  }
});

test('no byte of a wrapped key can be changed, and it opens in its own row alone', async () => {
  const scrollKey = newScrollKey();
  const { wrapKey } = await deriveScrollPassphrase(newScrollKey());
  const sealId = newSealId();
  const wrapped = await wrapScrollKey(scrollKey, wrapKey, sealId);
  await expect(unwrapScrollKey(wrapped, wrapKey, newSealId())).rejects.toThrow(OpenError);
  await expect(unwrapScrollKey(wrapped, wrapKey, '')).rejects.toThrow(OpenError);
  const bytes = fromBase64(wrapped);
  for (const i of bytes.keys()) {
    await expect(unwrapScrollKey(toBase64(flip(bytes, i)), wrapKey, sealId)).rejects.toThrow(OpenError);
  }
  for (const wrong of ['', 'AAAA', 'not base64', toBase64(bytes.subarray(1)), `${wrapped}AAAA`]) {
    await expect(unwrapScrollKey(wrong, wrapKey, sealId)).rejects.toThrow(OpenError);
  }
});

test('no byte of a letter can be changed, and it opens in its own row alone', async () => {
  const { contentKey } = await deriveScroll(newScrollKey());
  const sealId = newSealId();
  const sealed = await seal('words', contentKey, contextOf(sealId));
  await expect(open(sealed, contentKey, contextOf(newSealId()))).rejects.toThrow(OpenError);
  await expect(open(sealed, contentKey, { ...contextOf(sealId), kind: 'memory' })).rejects.toThrow(OpenError);
  const bytes = fromBase64(sealed);
  for (const i of bytes.keys()) {
    const changed = toBase64(flip(bytes, i));
    await expect(open(changed, contentKey, contextOf(sealId))).rejects.toThrow(OpenError);
  }
});

test('what is wrapped must be a scroll key: a text that only looks sealed rightly is refused', async () => {
  const { wrapKey } = await deriveScrollPassphrase(newScrollKey());
  const sealId = newSealId();
  const context = { kind: 'legacy-scroll', field: 'wrappedKey', sealId };
  for (const text of ['', 'words', spelt.slice(1), `${spelt}=`]) {
    const wrapped = await seal(text, wrapKey, context);
    await expect(unwrapScrollKey(wrapped, wrapKey, sealId)).rejects.toThrow(OpenError);
  }
});

test('nothing is wrapped for a row without a seal number', async () => {
  const { wrapKey } = await deriveScrollPassphrase(newScrollKey());
  await expect(wrapScrollKey(newScrollKey(), wrapKey, '')).rejects.toThrow(SealError);
});

test('no two derived values are one another: a card proves nothing elsewhere', async () => {
  const secret = newScrollKey();
  const card = await deriveScroll(secret);
  const words = await deriveScrollPassphrase(secret);
  const link = shareAs(secret, null);
  const values = [scrollKeyToText(secret), card.claim, words.claim, link.door, link.claim];
  expect(new Set([...values, ...(await Promise.all(values.map(proofHash)))]).size).toBe(10);
  const sealId = newSealId();
  const sealed = await seal('words', card.contentKey, contextOf(sealId));
  await expect(open(sealed, words.wrapKey, contextOf(sealId))).rejects.toThrow(OpenError);
});

test('neither key can be taken out', async () => {
  const { contentKey } = await deriveScroll(newScrollKey());
  const { wrapKey } = await deriveScrollPassphrase(newScrollKey());
  for (const key of [contentKey, wrapKey]) {
    expect(key.extractable).toBe(false);
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
  }
});

test('a key seen through a window on other bytes gives the same', async () => {
  const secret = newScrollKey();
  const window = new Uint8Array([1, 2, ...secret, 3]).subarray(2, 34);
  expect((await deriveScroll(window)).claim).toBe((await deriveScroll(secret)).claim);
  expect(scrollKeyToText(window)).toBe(scrollKeyToText(secret));
});
