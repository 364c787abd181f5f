import { Decrypter, Encrypter } from 'age-encryption';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ARCHIVE_WORK_FACTOR, isSealedArchive, sealArchive, signerOf } from './archive.ts';
import { fromBase64 } from './base64.ts';
import { fromUtf8, utf8 } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { deriveIdentity } from './identity.ts';
import { anyText } from './testing/any-text.ts';
import {
  blobOf,
  buildArchive,
  openBytes as openArchive,
  readBytes as readArchive,
  sealBytes as sealArchiveUnchecked,
  zipOf,
} from './testing/archives.ts';
import { generateVaultKey } from './vault-key.ts';
import vectors from './vectors/archive-age.json';

// Stretching takes its time, and more of it on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const PASSPHRASE = 'plum cake on a stone wall';
const QUICK = 2;

describe('the sealed file', () => {
  test.each(vectors)('that $tool made opens', { tags: 'long' }, async ({ passphrase, text, sealed }) => {
    expect(await isSealedArchive(blobOf(fromBase64(sealed)))).toBe(true);
    expect(fromUtf8(await openArchive(fromBase64(sealed), passphrase))).toBe(text);
  });

  test('costs a guess what the stock tool makes it cost', { tags: 'long' }, async () => {
    const stream = await sealArchive(blobOf(utf8('words')).stream(), PASSPHRASE);
    const sealed = new Uint8Array(await new Response(stream).arrayBuffer());
    const [, stanza = ''] = fromUtf8(sealed.subarray(0, 58)).split('\n');
    expect(stanza).toMatch(/^-> scrypt [A-Za-z0-9+/]{22} \d+$/);
    expect(stanza.split(' ').at(-1)).toBe(`${ARCHIVE_WORK_FACTOR}`);
  });

  test('gives back any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), anyText(20), async (bytes, passphrase) => {
        const sealed = await sealArchiveUnchecked(bytes, passphrase, QUICK);
        expect(await isSealedArchive(blobOf(sealed))).toBe(true);
        expect(await openArchive(sealed, passphrase)).toEqual(bytes);
      }),
      { numRuns: 30 },
    );
  });

  test('gives back a megabyte, over many of age’s chunks', async () => {
    const bytes = new Uint8Array(2 ** 20).map((_, i) => i * 31);
    const opened = await openArchive(await sealArchiveUnchecked(bytes, PASSPHRASE, QUICK), PASSPHRASE);
    expect(opened.every((byte, i) => byte === bytes[i])).toBe(true);
  });

  test('opens however its passphrase is spelt', async () => {
    const sealed = await sealArchiveUnchecked(utf8('words'), 'café au lait, sugar', QUICK);
    for (const spelling of ['cafe\u0301 au lait, sugar', ' ｃafé au lait, sugar\n']) {
      expect(fromUtf8(await openArchive(sealed, spelling))).toBe('words');
    }
  });

  test('opens under a passphrase that another tool did not normalise', async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(' cafe\u0301 ');
    encrypter.setScryptWorkFactor(QUICK);
    const sealed = await encrypter.encrypt('words');
    expect(fromUtf8(await openArchive(sealed, ' cafe\u0301 '))).toBe('words');
    await expect(openArchive(sealed, 'café')).rejects.toThrow(OpenError);
  });

  test('is made under no short passphrase', async () => {
    for (const short of ['', 'eleven char', '   padded    ']) {
      await expect(sealArchive(blobOf(utf8('words')).stream(), short)).rejects.toThrow(SealError);
    }
  });

  test('opens under no other passphrase, and no byte can be changed', async () => {
    const sealed = await sealArchiveUnchecked(utf8('words'), PASSPHRASE, QUICK);
    await expect(openArchive(sealed, `${PASSPHRASE}s`)).rejects.toThrow(OpenError);
    await expect(openArchive(sealed, '')).rejects.toThrow(OpenError);
    for (let i = 0; i < sealed.length; i++) {
      for (const flip of [1, 0x80]) {
        const trial = sealed.map((byte, at) => (at === i ? byte ^ flip : byte));
        await expect(openArchive(trial, PASSPHRASE), `byte ${i}`).rejects.toThrow(OpenError);
      }
    }
    for (let length = 0; length < sealed.length; length += 3) {
      await expect(openArchive(sealed.subarray(0, length), PASSPHRASE)).rejects.toThrow(OpenError);
    }
    await expect(openArchive(new Uint8Array([...sealed, 0]), PASSPHRASE)).rejects.toThrow(OpenError);
  });

  test.each([21, 22, 30, 63, 255, 999])(
    'that asks for 2^%i steps is refused before any work',
    async (factor) => {
      const sealed = fromUtf8(await sealHeader());
      const greedy = utf8(sealed.replace(/ 2\n/, ` ${factor}\n`));
      const scrypt = vi.spyOn(Decrypter.prototype, 'decrypt');
      await expect(openArchive(greedy, PASSPHRASE)).rejects.toThrow(OpenError);
      expect(scrypt).not.toHaveBeenCalled();
      scrypt.mockRestore();
    },
  );

  async function sealHeader() {
    const sealed = await sealArchiveUnchecked(new Uint8Array(), PASSPHRASE, QUICK);
    return sealed.subarray(0, fromUtf8(sealed.subarray(0, 140)).lastIndexOf('\n---') + 1);
  }

  test('for a recipient instead of a passphrase is none', async () => {
    const { recipient } = await deriveIdentity(generateVaultKey());
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    await expect(openArchive(await encrypter.encrypt('words'), PASSPHRASE)).rejects.toThrow(OpenError);
  });

  test('and what is none are told apart at a glance', async () => {
    const isSealed = (bytes: Uint8Array) => isSealedArchive(blobOf(bytes));
    expect(await isSealed(await zipOf({ a: utf8('words') }))).toBe(false);
    expect(await isSealed(new Uint8Array())).toBe(false);
    expect(await isSealed(utf8('age-encryption.org/v1'))).toBe(false);
  });
});

test('who signed an archive is said by one’s own keys, and by nothing that it or a server claims', async () => {
  const [present, earlier, stranger] = [generateVaultKey(), generateVaultKey(), generateVaultKey()];
  const meta = { createdAt: '2026-01-13T09:30:42.123Z', origin: 'https://vault.example' };
  const madeBy = async (key: Uint8Array) => {
    const zip = await buildArchive({ 'entries.json': utf8('{}') }, key, meta);
    return (await readArchive(zip)).vaultAddress;
  };
  const keys = { present, earlier: [generateVaultKey(), earlier] };
  expect(await signerOf(await madeBy(present), keys)).toBe('present');
  expect(await signerOf(await madeBy(earlier), keys)).toBe('earlier');
  expect(await signerOf(await madeBy(stranger), keys)).toBe('other');
});
