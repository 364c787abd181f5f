import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveImportKey, importNumber } from './import-number.ts';
import { importNumberAs } from './testing/reference.ts';
import { generateVaultKey, vaultKeyFromHex } from './vault-key.ts';
import vectors from './vectors/import-number.json';

test.each(vectors)('the frozen number of $format $sourceId is reproduced', async (vector) => {
  const key = await deriveImportKey(vaultKeyFromHex(vector.key));
  expect(await importNumber(key, vector.format, vector.sourceId)).toBe(vector.sealId);
});

test('a second implementation makes the same numbers, which have the form of a seal number', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'grapheme' }),
      async (key, format, sourceId) => {
        const number = await importNumber(await deriveImportKey(key), format, sourceId);
        expect(number).toMatch(/^[A-Za-z0-9_-]{21}[AQgw]$/);
        expect(number).toBe(importNumberAs(key, format, sourceId));
      },
    ),
    { numRuns: 30 },
  );
});

test('another vault, another format and another split of the same letters have other numbers', async () => {
  const [a, b] = await Promise.all([generateVaultKey(), generateVaultKey()].map(deriveImportKey));
  if (!a || !b) throw new Error('two keys');
  const numbers = await Promise.all([
    importNumber(a, 'ab', 'c'),
    importNumber(a, 'a', 'bc'),
    importNumber(b, 'ab', 'c'),
  ]);
  expect(new Set(numbers).size).toBe(3);
});

test('the key cannot be exported, and needs 32 bytes', async () => {
  await expect(deriveImportKey(new Uint8Array(31))).rejects.toThrow(TypeError);
  const key = await deriveImportKey(generateVaultKey());
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
});
