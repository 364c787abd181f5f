import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { stretch } from './argon2.ts';
import { fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex } from './base64.ts';
import { proofHash } from './claim.ts';
import { OpenError, SealError } from './errors.ts';
import { PASSPHRASE_PARAMS } from './passphrase.ts';
import {
  deriveCard,
  deriveCardKey,
  deriveContentKey,
  deriveLetterKey,
  deriveScrollPassphrase,
  newCardNumber,
  newScrollKey,
  scrollKeyFromText,
  scrollKeyToText,
  unwrapLetterKey,
  wrapLetterKey,
} from './scroll.ts';
import { newSealId, open, seal } from './seal.ts';
import { anyText } from './testing/any-text.ts';
import { flip } from './testing/flip.ts';
import {
  cardAs,
  openScrollAs,
  scrollAs,
  scrollPassphraseAs,
  sealScrollAs,
  shareAs,
} from './testing/reference.ts';
import vectors from './vectors/scroll.json';

// Stretching takes its time, and more of it on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const iv = fc.uint8Array({ minLength: 12, maxLength: 12 });
const contextOf = (sealId: string) => ({ kind: 'legacy-scroll', field: 'encryptedContent', sealId });
/** A letter's key, by way of its scroll's. */
const contentKeyOf = async (scrollKey: Uint8Array) => deriveContentKey(await deriveLetterKey(scrollKey));

test.each(vectors)('the frozen scroll’s author opens its letter', async (vector) => {
  const scrollKey = fromHex(vector.scrollKey);
  expect(scrollKeyFromText(vector.text)).toEqual(scrollKey);
  expect(await deriveLetterKey(scrollKey)).toEqual(fromHex(vector.letterKey));
  const contentKey = await contentKeyOf(scrollKey);
  expect(await open(vector.encryptedContent, contentKey, contextOf(vector.sealId))).toBe(vector.content);
});

test.each(vectors)(
  'each card of the frozen scroll proves its own claim and opens the letter',
  async (vector) => {
    for (const frozen of vector.byCard) {
      const cardKey = scrollKeyFromText(frozen.text);
      expect(cardKey).toEqual(fromHex(frozen.cardKey));
      expect(await deriveCardKey(fromHex(vector.scrollKey), frozen.cardNumber)).toEqual(cardKey);
      const { claim, wrapKey } = await deriveCard(cardKey);
      expect([claim, await proofHash(claim)]).toEqual([frozen.claim, frozen.claimHash]);
      const letterKey = await unwrapLetterKey(frozen.wrappedKey, wrapKey, vector.sealId);
      expect(letterKey).toEqual(fromHex(vector.letterKey));
      const contentKey = await deriveContentKey(letterKey);
      expect(await open(vector.encryptedContent, contentKey, contextOf(vector.sealId))).toBe(vector.content);
    }
  },
);

test.each(vectors)('the frozen scroll opens by its passphrase as well', { tags: 'long' }, async (vector) => {
  const { passphrase, stretching, ...frozen } = vector.byPassphrase;
  const { salt, ...params } = stretching;
  expect(params).toEqual(PASSPHRASE_PARAMS);
  const stretched = await stretch(passphrase, fromBase64Url(salt), params);
  expect(toHex(stretched)).toBe(frozen.stretched);
  const { claim, wrapKey } = await deriveScrollPassphrase(stretched);
  expect(claim).toBe(frozen.claim);
  expect(await proofHash(claim)).toBe(frozen.claimHash);
  expect(await unwrapLetterKey(frozen.wrappedKey, wrapKey, vector.sealId)).toEqual(fromHex(vector.letterKey));
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

test.each([0, 16, 31, 33, 64])('%i bytes are no key anywhere, nor a stretched passphrase', async (length) => {
  const wrong = new Uint8Array(length);
  const { wrapKey } = await deriveScrollPassphrase(newScrollKey());
  expect(() => scrollKeyToText(wrong)).toThrow(TypeError);
  await expect(deriveLetterKey(wrong)).rejects.toThrow(TypeError);
  await expect(deriveContentKey(wrong)).rejects.toThrow(TypeError);
  await expect(deriveCardKey(wrong, newCardNumber())).rejects.toThrow(TypeError);
  await expect(deriveCard(wrong)).rejects.toThrow(TypeError);
  await expect(deriveScrollPassphrase(wrong)).rejects.toThrow(TypeError);
  await expect(wrapLetterKey(wrong, wrapKey, newSealId())).rejects.toThrow(SealError);
});

test.each(['', 'AAAA', toBase64Url(new Uint8Array(15)), toBase64Url(new Uint8Array(17)), 'not base64url'])(
  '“%s” is no number of a card',
  async (number) => {
    await expect(deriveCardKey(newScrollKey(), number)).rejects.toThrow(TypeError);
  },
);

test('a second implementation derives the same', async () => {
  const bytes16 = fc.uint8Array({ minLength: 16, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(bytes32, bytes32, bytes16, async (scrollKey, stretched, number) => {
      const cardNumber = toBase64Url(number);
      const [scroll, words] = [scrollAs(scrollKey), scrollPassphraseAs(stretched)];
      expect(scrollKeyToText(scrollKey)).toBe(scroll.text);
      expect(await deriveLetterKey(scrollKey)).toEqual(scroll.letterKey);
      const theirs = cardAs(scrollKey, cardNumber);
      const cardKey = await deriveCardKey(scrollKey, cardNumber);
      expect(scrollKeyToText(cardKey)).toBe(theirs.cardText);
      const { claim } = await deriveCard(cardKey);
      expect([claim, await proofHash(claim)]).toEqual([theirs.claim, theirs.claimHash]);
      const byWords = await deriveScrollPassphrase(stretched);
      expect([byWords.claim, await proofHash(byWords.claim)]).toEqual([words.claim, words.claimHash]);
    }),
    { numRuns: 50 },
  );
});

test('each implementation opens what the other sealed and wrapped', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, bytes32, anyText(300), iv, async (scrollKey, stretched, text, nonce) => {
      const [sealId, cardNumber] = [newSealId(), newCardNumber()];
      const contentKey = await contentKeyOf(scrollKey);
      const theirs = scrollAs(scrollKey);
      const sealed = await seal(text, contentKey, contextOf(sealId));
      expect(openScrollAs(sealed, theirs.contentKey, 'encryptedContent', sealId)).toBe(text);
      const foreign = sealScrollAs(text, theirs.contentKey, 'encryptedContent', sealId, nonce);
      expect(await open(foreign, contentKey, contextOf(sealId))).toBe(text);

      const letterKey = await deriveLetterKey(scrollKey);
      const ours = [
        await deriveCard(await deriveCardKey(scrollKey, cardNumber)),
        await deriveScrollPassphrase(stretched),
      ];
      const strangers = [cardAs(scrollKey, cardNumber), scrollPassphraseAs(stretched)];
      for (const [i, { wrapKey }] of ours.entries()) {
        const { wrapKey: other } = strangers[i] as { wrapKey: Uint8Array };
        const wrapped = await wrapLetterKey(letterKey, wrapKey, sealId);
        expect(openScrollAs(wrapped, other, 'wrappedKey', sealId)).toBe(theirs.letterText);
        const foreignWrap = sealScrollAs(theirs.letterText, other, 'wrappedKey', sealId, nonce);
        expect(await unwrapLetterKey(foreignWrap, wrapKey, sealId)).toEqual(letterKey);
      }
    }),
    { numRuns: 30 },
  );
});

test('every byte of the scroll key, of a card’s number and of the stretched passphrase counts', async () => {
  const [scrollKey, stretched] = [newScrollKey(), newScrollKey()];
  const [sealId, cardNumber] = [newSealId(), newCardNumber()];
  const letterKey = await deriveLetterKey(scrollKey);
  const sealed = await seal('words', await deriveContentKey(letterKey), contextOf(sealId));
  const cardKey = await deriveCardKey(scrollKey, cardNumber);
  const card = await deriveCard(cardKey);
  const byWords = await deriveScrollPassphrase(stretched);
  const wrappedForCard = await wrapLetterKey(letterKey, card.wrapKey, sealId);
  const wrappedForWords = await wrapLetterKey(letterKey, byWords.wrapKey, sealId);
  for (let i = 0; i < 32; i++) {
    const other = flip(scrollKey, i);
    await expect(open(sealed, await contentKeyOf(other), contextOf(sealId))).rejects.toThrow(OpenError);
    expect(await deriveCardKey(other, cardNumber)).not.toEqual(cardKey);
    for (const [derive, secret, wrapped, claim] of [
      [deriveCard, cardKey, wrappedForCard, card.claim],
      [deriveScrollPassphrase, stretched, wrappedForWords, byWords.claim],
    ] as const) {
      const flipped = await derive(flip(secret, i));
      expect(flipped.claim).not.toBe(claim);
      await expect(unwrapLetterKey(wrapped, flipped.wrapKey, sealId)).rejects.toThrow(OpenError);
    }
  }
  for (let i = 0; i < 16; i++) {
    const number = toBase64Url(flip(fromBase64Url(cardNumber), i));
    expect(await deriveCardKey(scrollKey, number)).not.toEqual(cardKey);
  }
});

test('one card opens for one recipient: neither proves nor unwraps what is another’s', async () => {
  const [scrollKey, sealId] = [newScrollKey(), newSealId()];
  const letterKey = await deriveLetterKey(scrollKey);
  const cards = await Promise.all(
    [newCardNumber(), newCardNumber()].map(async (number) =>
      deriveCard(await deriveCardKey(scrollKey, number)),
    ),
  );
  const [one, two] = cards as [(typeof cards)[0], (typeof cards)[0]];
  expect(one.claim).not.toBe(two.claim);
  const wrapped = await wrapLetterKey(letterKey, one.wrapKey, sealId);
  expect(await unwrapLetterKey(wrapped, one.wrapKey, sealId)).toEqual(letterKey);
  await expect(unwrapLetterKey(wrapped, two.wrapKey, sealId)).rejects.toThrow(OpenError);
});

test('no byte of a wrapped key can be changed, and it opens in its own row alone', async () => {
  const { wrapKey } = await deriveScrollPassphrase(newScrollKey());
  const sealId = newSealId();
  const wrapped = await wrapLetterKey(newScrollKey(), wrapKey, sealId);
  await expect(unwrapLetterKey(wrapped, wrapKey, newSealId())).rejects.toThrow(OpenError);
  await expect(unwrapLetterKey(wrapped, wrapKey, '')).rejects.toThrow(OpenError);
  const bytes = fromBase64(wrapped);
  for (const i of bytes.keys()) {
    await expect(unwrapLetterKey(toBase64(flip(bytes, i)), wrapKey, sealId)).rejects.toThrow(OpenError);
  }
  for (const wrong of ['', 'AAAA', 'not base64', toBase64(bytes.subarray(1)), `${wrapped}AAAA`]) {
    await expect(unwrapLetterKey(wrong, wrapKey, sealId)).rejects.toThrow(OpenError);
  }
});

test('no byte of a letter can be changed, and it opens in its own row alone', async () => {
  const contentKey = await contentKeyOf(newScrollKey());
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
    await expect(unwrapLetterKey(wrapped, wrapKey, sealId)).rejects.toThrow(OpenError);
  }
});

test('nothing is wrapped for a row without a seal number', async () => {
  const { wrapKey } = await deriveScrollPassphrase(newScrollKey());
  await expect(wrapLetterKey(newScrollKey(), wrapKey, '')).rejects.toThrow(SealError);
});

test('no two derived values are one another: a card proves nothing elsewhere', async () => {
  const [secret, number] = [newScrollKey(), newCardNumber()];
  const letterKey = await deriveLetterKey(secret);
  const cardKey = await deriveCardKey(secret, number);
  const card = await deriveCard(secret);
  const words = await deriveScrollPassphrase(secret);
  const link = shareAs(secret, null);
  const keys = [secret, letterKey, cardKey].map(scrollKeyToText);
  const values = [...keys, card.claim, words.claim, link.door, link.claim];
  expect(new Set([...values, ...(await Promise.all(values.map(proofHash)))]).size).toBe(14);
  const sealId = newSealId();
  const sealed = await seal('words', await deriveContentKey(secret), contextOf(sealId));
  for (const { wrapKey } of [card, words]) {
    await expect(open(sealed, wrapKey, contextOf(sealId))).rejects.toThrow(OpenError);
  }
});

test('no key that opens can be taken out', async () => {
  const contentKey = await contentKeyOf(newScrollKey());
  const { wrapKey } = await deriveScrollPassphrase(newScrollKey());
  const card = await deriveCard(newScrollKey());
  for (const key of [contentKey, wrapKey, card.wrapKey]) {
    expect(key.extractable).toBe(false);
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
  }
});

test('a key seen through a window on other bytes gives the same', async () => {
  const secret = newScrollKey();
  const window = new Uint8Array([1, 2, ...secret, 3]).subarray(2, 34);
  expect(await deriveLetterKey(window)).toEqual(await deriveLetterKey(secret));
  expect((await deriveCard(window)).claim).toBe((await deriveCard(secret)).claim);
  expect(scrollKeyToText(window)).toBe(scrollKeyToText(secret));
});
