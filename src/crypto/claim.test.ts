import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { stretch } from './argon2.ts';
import { fromBase64, fromHex, toBase64, toBase64Url, toHex } from './base64.ts';
import {
  deriveShare,
  newShareSecret,
  proofHash,
  shareSalt,
  shareSecretFromText,
  shareSecretToText,
} from './claim.ts';
import { OpenError } from './errors.ts';
import { PASSPHRASE_PARAMS } from './passphrase.ts';
import { newSealId, open, seal } from './seal.ts';
import { anyText } from './testing/any-text.ts';
import { openShareAs, sealShareAs, shareAs } from './testing/reference.ts';
import vectors from './vectors/share.json';

// Stretching takes its time, and more of it on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const optional = fc.option(bytes32, { nil: null });
const contextOf = (keyId: string) => ({ kind: 'share', field: 'encryptedContent', sealId: keyId });

/** `deriveShare` without its key, which cannot be compared. */
async function proofsOf(secret: Uint8Array, stretched: Uint8Array | null) {
  const { door, claim } = await deriveShare(secret, stretched);
  return { door, claim };
}

describe.each(vectors)('the frozen link with the passphrase $passphrase', (vector) => {
  const secret = fromHex(vector.secret);
  const stretched = vector.stretched ? fromHex(vector.stretched) : null;

  test('gives its salt, its proofs and their hashes', async () => {
    expect(shareSecretFromText(vector.text)).toEqual(secret);
    expect(toHex(await shareSalt(secret))).toBe(vector.salt);
    expect(await proofsOf(secret, stretched)).toEqual({ door: vector.door, claim: vector.claim });
    expect(await proofHash(vector.door)).toBe(vector.doorHash);
    expect(await proofHash(vector.claim)).toBe(vector.claimHash);
  });

  test('opens its words', async () => {
    const { contentKey } = await deriveShare(secret, stretched);
    expect(await open(vector.encryptedContent, contentKey, contextOf(vector.keyId))).toBe(vector.content);
  });
});

test.each(vectors.filter(({ passphrase }) => passphrase))(
  'the frozen link’s passphrase, $passphrase, is stretched as it was',
  { tags: 'long' },
  async ({ secret, passphrase, params, stretched }) => {
    if (!passphrase || !params) throw new Error('A vector without its parameters');
    expect(params).toEqual(PASSPHRASE_PARAMS);
    expect(toHex(await stretch(passphrase, await shareSalt(fromHex(secret)), params))).toBe(stretched);
  },
);

test('a secret has 32 bytes, is another one each time, and comes back from its 43 characters', () => {
  const [a, b] = [newShareSecret(), newShareSecret()];
  expect(a).toHaveLength(32);
  expect(a).not.toEqual(b);
  expect(shareSecretToText(a)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(shareSecretFromText(shareSecretToText(a))).toEqual(a);
});

const spelt = shareSecretToText(new Uint8Array(32).fill(0xff));

test.each([
  ['nothing', ''],
  ['a character too few', spelt.slice(0, -1)],
  ['a character too many', `${spelt}A`],
  ['padding', `${spelt}=`],
  ['its number sign', `#${spelt}`],
  ['a number sign that a mail filter turned', `%23${spelt}`],
  ['a line break', `${spelt}\n`],
  ['the other alphabet', spelt.replaceAll('_', '/')],
  ['a stray bit', `${spelt.slice(0, -1)}9`],
  ['31 bytes', toBase64Url(new Uint8Array(31))],
  ['33 bytes', toBase64Url(new Uint8Array(33))],
])('%s is no secret, and the error does not repeat it', (_, text) => {
  expect(() => shareSecretFromText(text)).toThrow(TypeError);
  expect(() => shareSecretFromText(text)).toThrow(/^(Expected 32 bytes|Not base64(url)?)$/);
});

test.each([0, 16, 31, 33, 64])(
  '%i bytes are no secret anywhere, nor a stretched passphrase',
  async (length) => {
    const wrong = new Uint8Array(length);
    expect(() => shareSecretToText(wrong)).toThrow(TypeError);
    await expect(shareSalt(wrong)).rejects.toThrow(TypeError);
    await expect(deriveShare(wrong, null)).rejects.toThrow(TypeError);
    await expect(deriveShare(newShareSecret(), wrong)).rejects.toThrow(TypeError);
  },
);

test.each(['', 'AAAA', spelt.slice(1), `${spelt}AA`, `${spelt}=`])('%j is no proof', async (proof) => {
  await expect(proofHash(proof)).rejects.toThrow(TypeError);
});

test('a second implementation derives the same', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, optional, async (secret, stretched) => {
      const expected = shareAs(secret, stretched);
      expect(shareSecretToText(secret)).toBe(expected.text);
      expect(await shareSalt(secret)).toEqual(expected.salt);
      const { door, claim } = await proofsOf(secret, stretched);
      expect({ door, claim }).toEqual({ door: expected.door, claim: expected.claim });
      expect(await proofHash(door)).toBe(expected.doorHash);
      expect(await proofHash(claim)).toBe(expected.claimHash);
    }),
    { numRuns: 50 },
  );
});

test('each implementation opens what the other sealed', async () => {
  const iv = fc.uint8Array({ minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(bytes32, optional, anyText(300), iv, async (secret, stretched, text, nonce) => {
      const keyId = newSealId();
      const { contentKey } = await deriveShare(secret, stretched);
      const theirs = shareAs(secret, stretched).contentKey;
      expect(openShareAs(await seal(text, contentKey, contextOf(keyId)), theirs, keyId)).toBe(text);
      expect(await open(sealShareAs(text, theirs, keyId, nonce), contentKey, contextOf(keyId))).toBe(text);
    }),
    { numRuns: 30 },
  );
});

test('the door does not depend on the passphrase; the claim and the words do', async () => {
  const secret = newShareSecret();
  const [stretched, other] = [newShareSecret(), newShareSecret()];
  const shares = await Promise.all([null, stretched, other].map((value) => deriveShare(secret, value)));
  expect(new Set(shares.map(({ door }) => door)).size).toBe(1);
  expect(new Set(shares.map(({ claim }) => claim)).size).toBe(3);
  const keyId = newSealId();
  for (const [i, { contentKey }] of shares.entries()) {
    const sealed = await seal('words', contentKey, contextOf(keyId));
    for (const [j, reader] of shares.entries()) {
      const opening = open(sealed, reader.contentKey, contextOf(keyId));
      if (i === j) expect(await opening).toBe('words');
      else await expect(opening).rejects.toThrow(OpenError);
    }
  }
});

test('every byte of the secret and of the stretched passphrase counts', async () => {
  const [secret, stretched] = [newShareSecret(), newShareSecret()];
  const share = await deriveShare(secret, stretched);
  const keyId = newSealId();
  const sealed = await seal('words', share.contentKey, contextOf(keyId));
  for (let i = 0; i < 32; i++) {
    const flip = (bytes: Uint8Array) => bytes.map((byte, at) => (at === i ? byte ^ 1 : byte));
    const bySecret = await deriveShare(flip(secret), stretched);
    expect(bySecret.door).not.toBe(share.door);
    expect(bySecret.claim).not.toBe(share.claim);
    await expect(open(sealed, bySecret.contentKey, contextOf(keyId))).rejects.toThrow(OpenError);
    const byPassphrase = await deriveShare(secret, flip(stretched));
    expect(byPassphrase.door).toBe(share.door);
    expect(byPassphrase.claim).not.toBe(share.claim);
    await expect(open(sealed, byPassphrase.contentKey, contextOf(keyId))).rejects.toThrow(OpenError);
  }
});

test('no two derived values are one another, or the secret', async () => {
  const secret = newShareSecret();
  const { door, claim } = await deriveShare(secret, null);
  const salt = toBase64Url(await shareSalt(secret));
  const values = [
    shareSecretToText(secret),
    door,
    claim,
    await proofHash(door),
    await proofHash(claim),
    salt,
  ];
  expect(new Set(values).size).toBe(values.length);
});

test('words sealed for one link do not open for another, nor when any byte was changed', async () => {
  const { contentKey } = await deriveShare(newShareSecret(), null);
  const keyId = newSealId();
  const sealed = await seal('words', contentKey, contextOf(keyId));
  await expect(open(sealed, contentKey, contextOf(newSealId()))).rejects.toThrow(OpenError);
  await expect(open(sealed, contentKey, { ...contextOf(keyId), kind: 'memory' })).rejects.toThrow(OpenError);
  const bytes = fromBase64(sealed);
  for (let i = 0; i < bytes.length; i++) {
    const changed = bytes.map((byte, at) => (at === i ? byte ^ 1 : byte));
    await expect(open(toBase64(changed), contentKey, contextOf(keyId))).rejects.toThrow(OpenError);
  }
});

test('the content key cannot be taken out', async () => {
  const { contentKey } = await deriveShare(newShareSecret(), null);
  expect(contentKey.extractable).toBe(false);
  await expect(crypto.subtle.exportKey('raw', contentKey)).rejects.toThrow();
});

test('a secret seen through a window on other bytes gives the same', async () => {
  const secret = newShareSecret();
  const around = new Uint8Array([1, 2, ...secret, 3]);
  expect(await proofsOf(around.subarray(2, 34), null)).toEqual(await proofsOf(secret, null));
});
