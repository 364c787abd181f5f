import { argon2id } from '@noble/hashes/argon2.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stretch, stretchUnchecked } from './argon2.ts';
import { fromHex, toHex } from './base64.ts';
import { utf8 } from './encoding.ts';
import { PASSPHRASE_PARAMS } from './passphrase.ts';
import vectors from './vectors/passphrase.json';
import published from './vectors/published.json';

// The RFC's vector uses a secret and associated data, which hash-wasm does not take both of. It therefore proves the
// second implementation, against which ours is then compared.
test('the second implementation reproduces RFC 9106', () => {
  const { password, salt, secret, associatedData, memory, iterations, parallelism, tag } = published.argon2id;
  const options = {
    m: memory,
    t: iterations,
    p: parallelism,
    dkLen: 32,
    key: fromHex(secret),
    personalization: fromHex(associatedData),
  };
  expect(toHex(argon2id(fromHex(password), fromHex(salt), options))).toBe(tag);
});

test('the second implementation stretches the same', async () => {
  const passphrase = fc.string({ minLength: 1, maxLength: 40 }).filter((value) => value.trim() !== '');
  const salt = fc.uint8Array({ minLength: 16, maxLength: 32 });
  const params = fc.record({
    memory: fc.integer({ min: 32, max: 64 }),
    iterations: fc.integer({ min: 1, max: 3 }),
    parallelism: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(passphrase, salt, params, async (value, bytes, { memory, iterations, parallelism }) => {
      const options = { m: memory, t: iterations, p: parallelism, dkLen: 32 };
      const expected = argon2id(utf8(value.normalize('NFKC').trim()), bytes, options);
      const stretched = await stretchUnchecked(value, bytes, { memory, iterations, parallelism });
      expect(stretched).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});

test.each(vectors)(
  'the frozen vector, with the parameters of every new passphrase',
  { tags: 'long' },
  async (vector) => {
    expect(vector.params).toEqual(PASSPHRASE_PARAMS);
    const stretched = await stretch(vector.passphrase, fromHex(vector.salt), vector.params);
    expect(toHex(stretched)).toBe(vector.stretched);
  },
);

test('weak parameters are refused before any work', async () => {
  const weak = { ...PASSPHRASE_PARAMS, memory: 1024 };
  await expect(stretch('correct horse battery', new Uint8Array(16), weak)).rejects.toThrow(RangeError);
});

test('a short salt is refused', async () => {
  await expect(stretch('correct horse battery', new Uint8Array(15), PASSPHRASE_PARAMS)).rejects.toThrow(
    TypeError,
  );
});
