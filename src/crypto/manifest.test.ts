import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ArchiveError, type ArchiveProblem, signManifest, verifyManifest } from './archive.ts';
import { fromBase64, fromHex, toBase64, toHex } from './base64.ts';
import { fromUtf8, utf8 } from './encoding.ts';
import { deriveIdentity, vaultAddress } from './identity.ts';
import { anyText } from './testing/any-text.ts';
import { buildArchive, readBytes as readArchive } from './testing/archives.ts';
import { archiveAs, identityAs, readArchiveAs } from './testing/reference.ts';
import { type ReferenceFile, unzipAs, zipAs } from './testing/reference-zip.ts';
import { generateVaultKey } from './vault-key.ts';
import vectors from './vectors/archive.json';

// A verification takes some milliseconds, and more of them on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const key = generateVaultKey();
const meta = { createdAt: '2026-01-13T09:30:00.000Z', origin: 'https://vault.example' };
const files = { 'vault.json': utf8('{"v":1}'), 'memories/The well.md': utf8('It was never dry.') };

const anyFiles = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,8}(\/[A-Za-z ]{1,8}\.md)?$/), anyText(200).map(utf8), {
    maxKeys: 5,
  })
  .map((some) => ({ ...some }));

async function problemOf(zip: Uint8Array): Promise<ArchiveProblem | null> {
  try {
    await readArchive(zip);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(ArchiveError);
    return (error as ArchiveError).problem;
  }
}

/** The archive with some of its files exchanged, added or (null) taken away, and nothing signed again. */
async function changed(zip: Uint8Array, changes: Record<string, Uint8Array | null>): Promise<Uint8Array> {
  const all = { ...(await unzipAs(zip)), ...changes };
  return zipAs(
    Object.entries(all).flatMap(([name, content]): ReferenceFile[] => (content ? [{ name, content }] : [])),
  );
}

describe('the archive', () => {
  test.each(vectors)('that was frozen is read', async (vector) => {
    const { files: found, beside: _, ...rest } = await readArchive(fromBase64(vector.zip));
    expect(Object.fromEntries(Object.entries(found).map(([path, file]) => [path, fromUtf8(file)]))).toEqual(
      vector.files,
    );
    const { vaultAddress: address, createdAt, origin } = vector;
    expect(rest).toEqual({ vaultAddress: address, createdAt, origin });
  });

  test.each(vectors)('of the frozen files is signed the same again', async (vector) => {
    const all = await unzipAs(fromBase64(vector.zip));
    const [manifest, signature] = [all['manifest.json'], all['manifest.sig']];
    if (!manifest || !signature) throw new Error('A vector without its manifest');
    expect(toBase64(await signManifest(fromHex(vector.key), manifest))).toBe(fromUtf8(signature));
  });

  test('gives back any files, and whose they are', async () => {
    const { recipient, verifyingKey } = await deriveIdentity(key);
    const address = await vaultAddress(recipient, verifyingKey);
    await fc.assert(
      fc.asyncProperty(anyFiles, async (some) => {
        const zip = await buildArchive(some, key, meta);
        expect(await readArchive(zip)).toEqual({
          files: some,
          beside: new Map(),
          vaultAddress: address,
          ...meta,
        });
      }),
      { numRuns: 10 },
    );
  });

  test('names the entry of the book that it was made at, and is refused where that is none', async () => {
    const book = { n: 812, hash: 'b'.repeat(43) };
    expect(await readArchive(await buildArchive(files, key, { ...meta, book }))).toMatchObject({ book });
    expect(await readArchive(await archiveAs(files, key, { ...meta, book }))).toMatchObject({ book });
    for (const wrong of [null, 812, {}, { ...book, n: 0 }, { ...book, n: '812' }, { ...book, hash: 'b' }]) {
      const zip = await archiveAs(files, key, { ...meta, book: wrong as never });
      expect(await problemOf(zip), JSON.stringify(wrong)).toBe('altered');
    }
  });

  test('of each implementation is read by the other', async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, async (some) => {
        const ours = await buildArchive(some, key, meta);
        expect(await readArchiveAs(ours)).toMatchObject({
          files: some,
          ...meta,
          format: 'latebra/export',
          v: 1,
        });
        const theirs = archiveAs(some, key, meta);
        expect(await readArchive(theirs)).toMatchObject({ files: some, ...meta });
      }),
      { numRuns: 5 },
    );
  });

  test('is the same for the same files', async () => {
    expect(await buildArchive(files, key, meta)).toEqual(await buildArchive(files, key, meta));
  });

  test('holds no vault key', async () => {
    const all = Object.values(await unzipAs(await buildArchive(files, key, meta)))
      .map(toHex)
      .join('');
    const { ageIdentity } = identityAs(key);
    const spellings = [toHex(key), toBase64(key).slice(0, 40), ageIdentity].map(utf8);
    for (const secret of [key, ...spellings]) expect(all).not.toContain(toHex(secret));
  });

  test('survives being unpacked and packed by other tools', async () => {
    const all = await unzipAs(await buildArchive(files, key, meta));
    const again = zipAs([
      { name: 'memories/', content: new Uint8Array() },
      ...Object.entries(all)
        .reverse()
        .map(([name, content]) => ({ name, content })),
    ]);
    expect((await readArchive(again)).files).toEqual(files);
  });

  test.each(['manifest.json', 'manifest.sig'])('has its own %s', async (name) => {
    await expect(buildArchive({ [name]: utf8('mine') }, key, meta)).rejects.toThrow(TypeError);
  });

  test('is not made of paths that lead out, nor of a time that is none', async () => {
    await expect(buildArchive({ '../up': utf8('') }, key, meta)).rejects.toThrow(TypeError);
    await expect(buildArchive(files, key, { ...meta, createdAt: 'today' })).rejects.toThrow(TypeError);
  });
});

describe('an archive that somebody changed', async () => {
  const zip = await buildArchive(files, key, meta);
  const all = await unzipAs(zip);
  const manifest = fromUtf8(all['manifest.json'] ?? new Uint8Array());
  const other = generateVaultKey();

  test.each(Object.keys(files))('is noticed at every byte of %s', async (path) => {
    const file = all[path] ?? new Uint8Array();
    for (let i = 0; i < file.length; i++) {
      const trial = file.map((byte, at) => (at === i ? byte ^ 1 : byte));
      expect(await problemOf(await changed(zip, { [path]: trial }))).toBe('altered');
    }
  });

  test('is noticed in the manifest and in its signature', { tags: 'long' }, async () => {
    for (const name of ['manifest.json', 'manifest.sig']) {
      const file = all[name] ?? new Uint8Array();
      // Each trial costs a verification.
      for (let i = 0; i < file.length; i += 31) {
        const trial = file.map((byte, at) => (at === i ? byte ^ 1 : byte));
        const problem = await problemOf(await changed(zip, { [name]: trial }));
        expect(['altered', 'not-an-archive', 'too-new'], `byte ${i} of ${name}`).toContain(problem);
      }
    }
  });

  test('in any byte of the zip gives the same files, or none', { tags: 'long' }, async () => {
    for (let i = 0; i < zip.length; i += 29) {
      const trial = zip.map((byte, at) => (at === i ? byte ^ 0x10 : byte));
      const read = await readArchive(trial).catch((error: unknown) => error);
      if (read instanceof ArchiveError) continue;
      expect(read).toMatchObject({ files, ...meta });
    }
  });

  test.each<[string, Record<string, Uint8Array | null>, ArchiveProblem]>([
    ['a file more', { 'more.md': utf8('') }, 'altered'],
    ['a file less', { 'vault.json': null }, 'altered'],
    ['no signature', { 'manifest.sig': null }, 'altered'],
    ['a signature that is none', { 'manifest.sig': utf8('none') }, 'altered'],
    ['a signature that is no text', { 'manifest.sig': new Uint8Array([0xff]) }, 'altered'],
    ['no manifest', { 'manifest.json': null }, 'not-an-archive'],
    ['a manifest of something else', { 'manifest.json': utf8('{"format":"extension"}') }, 'not-an-archive'],
    ['a manifest that is no object', { 'manifest.json': utf8('null') }, 'not-an-archive'],
    ['a manifest that is no JSON', { 'manifest.json': utf8('{') }, 'not-an-archive'],
    ['a manifest that is no text', { 'manifest.json': new Uint8Array([0xff]) }, 'not-an-archive'],
    ['another time', { 'manifest.json': utf8(manifest.replace('2026', '2025')) }, 'altered'],
    ['a later version', { 'manifest.json': utf8(manifest.replace('"v": 1', '"v": 2')) }, 'too-new'],
  ])('%s is noticed', async (_, changes, problem) => {
    expect(await problemOf(await changed(zip, changes))).toBe(problem);
  });

  test('and signed as another vault says so itself', async () => {
    const { vaultAddress: mine } = await readArchive(zip);
    const { vaultAddress: theirs } = await readArchive(await buildArchive(files, other, meta));
    expect(theirs).not.toBe(mine);
  });

  test('and signed with another key, under this vault’s address, is noticed', async () => {
    const signature = utf8(toBase64(await signManifest(other, utf8(manifest))));
    expect(await problemOf(await changed(zip, { 'manifest.sig': signature }))).toBe('altered');
    const { verifyingKey } = await deriveIdentity(other);
    const claimed = utf8(manifest.replace(/"verifyingKey": "[^"]+"/, `"verifyingKey": "${verifyingKey}"`));
    const forged = await changed(zip, {
      'manifest.json': claimed,
      'manifest.sig': utf8(toBase64(await signManifest(other, claimed))),
    });
    expect((await readArchive(forged)).vaultAddress).not.toBe((await readArchive(zip)).vaultAddress);
  });

  test.each<[string, (value: Record<string, unknown>) => void]>([
    ['without files', (value) => delete value.files],
    ['whose files are no list', (value) => Object.assign(value, { files: {} })],
    ['with a file that is none', (value) => Object.assign(value, { files: [null] })],
    ['with a file twice', (value) => (value.files as unknown[]).push((value.files as unknown[])[0])],
    ['of another size', (value) => Object.assign((value.files as object[])[0] ?? {}, { size: 1 })],
    ['without an origin', (value) => delete value.origin],
    ['whose recipient is none', (value) => Object.assign(value, { recipient: 'age1' })],
    ['whose verifying key is a number', (value) => Object.assign(value, { verifyingKey: 7 })],
  ])('a manifest %s is refused, though it is signed', async (_, edit) => {
    const value = JSON.parse(manifest);
    edit(value);
    const bytes = utf8(JSON.stringify(value));
    const signature = utf8(toBase64(await signManifest(key, bytes)));
    const trial = await changed(zip, { 'manifest.json': bytes, 'manifest.sig': signature });
    expect(await problemOf(trial)).toBe('altered');
  });

  test('and is too large is refused before it is unpacked', async () => {
    const limits = { bytes: 100, files: 10 };
    await expect(readArchive(zip, { limits })).rejects.toMatchObject({ problem: 'too-large' });
  });
});

describe('a manifest’s signature', async () => {
  const { verifyingKey, sign } = await deriveIdentity(key);
  const bytes = utf8('{}');

  test('is this vault’s, over these bytes, for this use', async () => {
    const signature = await signManifest(key, bytes);
    expect(signature).toHaveLength(2420);
    expect(verifyManifest(verifyingKey, bytes, signature)).toBe(true);
    expect(verifyManifest(verifyingKey, utf8('{ }'), signature)).toBe(false);
    expect(verifyManifest(verifyingKey, bytes, sign('latebra/v1/whisper', bytes))).toBe(false);
    const { verifyingKey: other } = await deriveIdentity(generateVaultKey());
    expect(verifyManifest(other, bytes, signature)).toBe(false);
  });

  test('is verified by a second implementation, which signs the same', async () => {
    const signature = await signManifest(key, bytes);
    expect(identityAs(key).sign('latebra/v1/export', bytes)).toEqual(signature);
  });
});
