import { hkdf as nobleHkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromHex, toHex } from './base64.ts';
import { hkdf } from './hkdf.ts';
import published from './vectors/published.json';

test.each(published.hkdf)('$source is reproduced', async ({ secret, salt, info, output }) => {
  const derived = await hkdf(fromHex(secret), fromHex(salt), fromHex(info), output.length / 2);
  expect(toHex(derived)).toBe(output);
});

test('a second implementation derives the same', async () => {
  const bytes = fc.uint8Array({ maxLength: 80 }).map((value) => new Uint8Array(value));
  await fc.assert(
    fc.asyncProperty(bytes, bytes, bytes, fc.integer({ min: 1, max: 100 }), async (secret, salt, info, n) => {
      expect(await hkdf(secret, salt, info, n)).toEqual(nobleHkdf(sha256, secret, salt, info, n));
    }),
    { numRuns: 50 },
  );
});
