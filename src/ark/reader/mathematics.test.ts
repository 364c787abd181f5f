// What the reader computes by itself where a browser does not: compared with Node's own cryptography and zlib, and with the
// Argon2id that the app stretches passphrases with.
import { createCipheriv, createHash, hkdfSync } from 'node:crypto';
import { constants, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { stretchUnchecked } from '../../crypto/argon2.ts';
import { utf8 } from '../../crypto/encoding.ts';
import { gcmOpen, gcmSeal } from './aes.js';
import { argon2id, blake2b } from './argon2.js';
import { inflate } from './inflate.js';
import { hkdf, hmac, sha256 } from './sha256.js';

/** Bytes that look random, and are always the same. */
const bytesOf = (length: number, seed = 1) => {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  });
};
const hex = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex');
const LENGTHS = [0, 1, 15, 16, 17, 55, 56, 63, 64, 65, 127, 128, 129, 1000];

test.each(LENGTHS)('sums of %i bytes', (length) => {
  const message = bytesOf(length);
  expect(hex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'));
  expect(hex(blake2b(message, 64))).toBe(createHash('blake2b512').update(message).digest('hex'));
});

test.each([0, 32, 64, 65, 200])('HMAC and HKDF with a salt of %i bytes', (length) => {
  const salt = bytesOf(length);
  const secret = bytesOf(32, 2);
  expect(hex(hmac(salt, secret))).toBe(createHmacHex(salt, secret));
  expect(hex(hkdf(secret, salt, 'a label', 48))).toBe(
    Buffer.from(hkdfSync('sha256', secret, salt, 'a label', 48)).toString('hex'),
  );
});

/** HMAC by its definition, over Node's SHA-256. */
function createHmacHex(key: Uint8Array, message: Uint8Array): string {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? createHash('sha256').update(key).digest() : key);
  const padded = (by: number) => block.map((byte) => byte ^ by);
  const inner = createHash('sha256').update(padded(0x36)).update(message).digest();
  return createHash('sha256').update(padded(0x5c)).update(inner).digest('hex');
}

test.each(LENGTHS)('AES-256-GCM of %i bytes, and no other tag', (length) => {
  const [key, nonce, additional] = [bytesOf(32, 3), bytesOf(12, 4), bytesOf(length % 40, 5)];
  const plain = bytesOf(length, 6);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(additional);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  expect(hex(gcmSeal(key, nonce, additional, plain))).toBe(sealed.toString('hex'));
  expect(hex(gcmOpen(key, nonce, additional, sealed))).toBe(hex(plain));
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Uint8Array.from(sealed);
    changed[at] ^= 1 << (at % 8);
    expect(gcmOpen(key, nonce, additional, changed)).toBeNull();
  }
  expect(gcmOpen(key, nonce, bytesOf(1, 9), sealed)).toBeNull();
  expect(gcmOpen(key, nonce, additional, sealed.subarray(0, 8))).toBeNull();
});

test.each([
  ['a passphrase', 64, 3],
  ['plüm cäke 🜏', 1000, 1],
  ['a', 513, 2],
])(
  'Argon2id of “%s” in %i KiB and %i passes, as the app stretches it',
  async (passphrase, memory, iterations) => {
    const salt = bytesOf(16, 7);
    const expected = await stretchUnchecked(passphrase, salt, { memory, iterations, parallelism: 1 });
    let rests = 0;
    const rest = async () => {
      rests += 1;
    };
    expect(hex(await argon2id(passphrase, salt, { memory, iterations }, rest))).toBe(hex(expected));
    expect(rests).toBeGreaterThan(0);
  },
);

const texts = {
  nothing: new Uint8Array(),
  'one letter': utf8('a'),
  'a text': utf8('She spoke to the hives before she spoke to anyone else. '.repeat(300)),
  'what repeats nothing': bytesOf(70_000),
};
test.each(Object.entries(texts))('inflates %s, however it was deflated', (_, text) => {
  for (const level of [0, 1, 9])
    for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY])
      expect(hex(inflate(deflateRawSync(text, { level, strategy }), text.length))).toBe(hex(text));
});

test('inflates nothing that has another length, or is no deflate', () => {
  const deflated = deflateRawSync(texts['a text']);
  expect(inflate(deflated, texts['a text'].length - 1)).toBeNull();
  expect(inflate(deflated, texts['a text'].length + 1)).toBeNull();
  expect(inflate(deflated.subarray(0, deflated.length / 2), texts['a text'].length)).toBeNull();
  expect(inflate(new Uint8Array([7, 255, 255]), 10)).toBeNull();
});
