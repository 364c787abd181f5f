import { expect, test } from 'vitest';

declare global {
  interface ImportMeta {
    glob(pattern: string[], options: object): Record<string, string>;
  }
}

const sources = import.meta.glob(['./*.ts', '!./*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** What the web side may load before anyone has signed in. */
const FIRST_LOAD = [
  './aes-gcm.ts',
  './base64.ts',
  './claim.ts',
  './encoding.ts',
  './errors.ts',
  './hkdf.ts',
  './key-check.ts',
  './key-ring.ts',
  './labels.ts',
  './padding.ts',
  './passphrase.ts',
  './scroll.ts',
  './seal.ts',
  './sealed-box.ts',
  './vault-address.ts',
  './vault-key.ts',
  './wrap.ts',
];

const importsOf = (file: string) =>
  [...(sources[file] ?? '').matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)'/gm)].map(
    (match) => match[1],
  );

test.each(FIRST_LOAD)('%s needs WebCrypto alone, so it is light enough for the first load', (file) => {
  expect(sources[file]).toBeDefined();
  for (const imported of importsOf(file)) expect(FIRST_LOAD).toContain(imported);
});

test('the heavy modules are the other ones', () => {
  const others = Object.keys(sources).filter((file) => !FIRST_LOAD.includes(file));
  expect(others).toEqual([
    './age-file.ts',
    './archive-writer.ts',
    './archive.ts',
    './argon2.ts',
    './book-comparison.ts',
    './book-entry.ts',
    './book-history.ts',
    './book-leaf.ts',
    './book-words.ts',
    './book.ts',
    './client-key.ts',
    './crc32.ts',
    './file-layout.ts',
    './file-root.ts',
    './file.ts',
    './guardian-kit.ts',
    './guardian-sheet.ts',
    './identity.ts',
    './import-number.ts',
    './kept-block.ts',
    './manifest.ts',
    './number-beside.ts',
    './packed-file.ts',
    './sister-letter.ts',
    './sister-shares.ts',
    './whisper.ts',
    './words.ts',
    './zip-directory.ts',
    './zip-path.ts',
    './zip-records.ts',
    './zip-writer.ts',
    './zip.ts',
  ]);
});

test.each(Object.keys(sources))('%s imports only its neighbours and its libraries, never tests', (file) => {
  const allowed =
    /^(\.\/[a-z0-9-]+\.ts|@noble\/(?:hashes|post-quantum)\/.*|@scure\/.*|age-encryption|fflate|hash-wasm|shamir-secret-sharing)$/;
  for (const imported of importsOf(file)) expect(imported).toMatch(allowed);
});
