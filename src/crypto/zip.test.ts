import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js';
import fc from 'fast-check';
import { deflateSync, Inflate } from 'fflate';
import { describe, expect, test, vi } from 'vitest';
import { toHex } from './base64.ts';
import { utf8 } from './encoding.ts';
import { openPacked } from './packed-file.ts';
import { anyText } from './testing/any-text.ts';
import { blobOf, bytesOf, collecting, zipOf } from './testing/archives.ts';
import { type ReferenceFile, unzipAs, zipAs } from './testing/reference-zip.ts';
import {
  ARCHIVE_LIMITS,
  ArchiveError,
  type ArchiveProblem,
  type TellUnpacked,
  unzip as unzipBlob,
} from './zip.ts';
import { ZipWriter } from './zip-writer.ts';

// Many small zips take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const unzip = async (
  zip: Uint8Array,
  limits: { bytes: number; files: number } = ARCHIVE_LIMITS,
  tell: TellUnpacked = () => {},
) => (await unzipBlob(blobOf(zip), { limits, tell })).files;

const segment = fc
  .array(fc.constantFrom('a', 'Z', '0', ' ', '.', '-', 'ž', '記', '🕯'), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''))
  .filter((name) => name !== '.' && name !== '..');
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
const content = fc.oneof(fc.uint8Array({ maxLength: 400 }), anyText(200).map(utf8));
const anyFiles = fc.dictionary(path, content, { maxKeys: 8 }).map((files) => ({ ...files }));

const file = (name: string, text = 'words'): ReferenceFile => ({ name, content: utf8(text) });

async function problemOf(zip: Uint8Array, limits = ARCHIVE_LIMITS as { bytes: number; files: number }) {
  try {
    await unzip(zip, limits);
  } catch (error) {
    expect(error).toBeInstanceOf(ArchiveError);
    return (error as ArchiveError).problem;
  }
  return null;
}

describe('any files', () => {
  test('come back', async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, async (files) => {
        expect(await unzip(await zipOf(files))).toEqual(files);
      }),
    );
  });

  test('are found by a second implementation, with true checksums', async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, async (files) => {
        expect(await unzipAs(await zipOf(files))).toEqual(files);
      }),
      { numRuns: 40 },
    );
  });

  test('come back from a second implementation', async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, async (files) => {
        const zip = zipAs(Object.entries(files).map(([name, bytes]) => ({ name, content: bytes })));
        expect(await unzip(zip)).toEqual(files);
      }),
    );
  });
});

test('how far the unpacking has come is told, up to all of it', async () => {
  const told: [number, number][] = [];
  const noise = Uint8Array.from({ length: 60_000 }, (_, i) => (i * 7919) ^ (i >> 3));
  const zip = await zipOf({ a: noise, b: new Uint8Array(200_000), c: new Uint8Array() });
  await unzip(zip, ARCHIVE_LIMITS, (done, total) => told.push([done, total]));
  expect(new Set(told.map(([, total]) => total))).toEqual(new Set([260_000]));
  const steps = told.map(([done]) => done);
  expect(steps).toEqual([...steps].sort((one, other) => one - other));
  expect(steps.at(-1)).toBe(260_000);
});

test('a zip with 64-bit numbers opens as any other', async () => {
  const zip = zipAs([file('a/b'), file('c', 'more')], { wide: true });
  expect(await unzip(zip)).toEqual({ 'a/b': utf8('words'), c: utf8('more') });
});

describe('the same files', () => {
  const files = { b: utf8('second'), a: utf8('first'), 'a/c': utf8('third') };

  test('give the same bytes, in whatever order they are handed over', async () => {
    const reversed = Object.fromEntries(Object.entries(files).reverse());
    expect(await zipOf(reversed)).toEqual(await zipOf(files));
  });

  test('carry the time they are given, as UTC writes it, in every time zone', async () => {
    const zip = await zipOf({ a: utf8('first') }, '2026-01-13T09:30:42.123Z');
    const view = new DataView(zip.buffer);
    const [time, date] = [view.getUint16(10, true), view.getUint16(12, true)];
    expect([(date >> 9) + 1980, (date >> 5) & 15, date & 31]).toEqual([2026, 1, 13]);
    expect([time >> 11, (time >> 5) & 63, (time & 31) * 2]).toEqual([9, 30, 42]);
  });

  test.each(['1979-12-31T00:00:00Z', '2100-01-01T00:00:00Z', '2026-01-13', '2026-01-13T09:30:00', ''])(
    'take no time like %j',
    async (time) => {
      await expect(zipOf(files, time)).rejects.toThrow(TypeError);
    },
  );
});

const LEADING_OUT = [
  '',
  '/etc/passwd',
  '../up',
  'a/../../up',
  'a//b',
  './a',
  'a/.',
  'a\\b',
  '..\\up',
  'C:/windows',
  'a\nb',
  'a\0b',
  '__proto__',
];

test.each(LEADING_OUT)('the path %j is neither written nor read', async (name) => {
  await expect(zipOf(Object.fromEntries([[name, utf8('words')]]))).rejects.toThrow(TypeError);
  expect(await problemOf(zipAs([file('fine'), file(name)]))).toBe('damaged');
});

test('folders that another tool wrote are left out', async () => {
  expect(await unzip(zipAs([file('a/', ''), file('a/b')]))).toEqual({ 'a/b': utf8('words') });
});

test('two files of one name are none', async () => {
  expect(await problemOf(zipAs([file('a', 'one'), file('a', 'two')]))).toBe('damaged');
});

describe('a zip that means harm', () => {
  const limits = { bytes: 4096, files: 10 };

  test('is refused for the sizes it declares, before anything is unpacked', async () => {
    const bomb = zipAs([{ ...file('a'), method: 8, size: 2 ** 32 - 1 }]);
    expect(await problemOf(bomb)).toBe('too-large');
  });

  test('is refused when its files are too large together', async () => {
    expect(await problemOf(zipAs([file('a', 'x'.repeat(1900)), file('b', 'x'.repeat(1900))]), limits)).toBe(
      null,
    );
    const parts = ['a', 'b', 'c'].map((name) => ({ ...file(name), method: 8, size: 1500 }));
    expect(await problemOf(zipAs(parts), limits)).toBe('too-large');
  });

  test('is refused when there are too many of them', async () => {
    const some = (count: number) => zipAs(Array.from({ length: count }, (_, i) => file(`${i}`, '')));
    expect(await problemOf(some(10), limits)).toBe(null);
    expect(await problemOf(some(11), limits)).toBe('too-large');
  });

  test('is refused when it is too large itself', async () => {
    expect(await problemOf(zipAs([file('a', 'x'.repeat(5000))]), limits)).toBe('too-large');
  });

  /** A zip of one deflated file that declares another size than it has. */
  async function lying(content: Uint8Array, declared: number): Promise<Uint8Array> {
    const zip = await zipOf({ a: content });
    const view = new DataView(zip.buffer);
    view.setUint32(view.getUint32(zip.length - 6, true) + 24, declared, true);
    return zip;
  }

  test.each([0, 7, 99_999, 100_001, 5_000_000])(
    'is refused when 100,000 bytes are declared as %d',
    async (declared) => {
      expect(await problemOf(await lying(new Uint8Array(100_000), declared))).toBe('damaged');
    },
  );

  test('is given up at its declared size, whatever it would unpack to', { tags: 'long' }, async () => {
    // 20 KB that would become 20 MB; a size of a kilobyte is declared.
    const bomb = await lying(new Uint8Array(20 * 2 ** 20), 1024);
    expect(bomb.length).toBeGreaterThan(18 * 1024);
    const pushes = vi.spyOn(Inflate.prototype, 'push');
    try {
      expect(await problemOf(bomb)).toBe('damaged');
      // Each byte becomes 1,032 at most, so that 8 KiB are 8 MiB.
      const inflated = pushes.mock.calls.reduce((sum, [chunk]) => sum + chunk.length, 0) * 1032;
      expect(inflated).toBeGreaterThan(0);
      expect(inflated).toBeLessThan(9 * 2 ** 20);
    } finally {
      pushes.mockRestore();
    }
  });

  test('is refused for what stands behind the end of a stream, without reading all of it', async () => {
    const stream = deflateSync(new Uint8Array(10));
    const content = new Uint8Array(3 * 2 ** 20);
    content.set(stream);
    const asked: number[] = [];
    const zip = zipAs([{ name: 'a', content, method: 8, size: 11 }]);
    await expect(unzip(zip, ARCHIVE_LIMITS, (done) => asked.push(done))).rejects.toThrow(ArchiveError);
    expect(asked.length).toBeLessThan(50);
  });

  test('is refused when its files share their bytes', async () => {
    const kernel = { ...file('kernel', 'x'.repeat(1000)) };
    const copies = Array.from({ length: 8 }, (_, i) => ({ ...kernel, name: `copy ${i}`, offset: 0 }));
    expect(await problemOf(zipAs([kernel, ...copies]))).toBe('damaged');
  });
});

test.each<[string, Uint8Array, ArchiveProblem]>([
  ['nothing', new Uint8Array(), 'not-an-archive'],
  ['a text', utf8('What nobody may read.'), 'not-an-archive'],
  ['two letters', utf8('PK'), 'damaged'],
  ['half a zip', zipAs([file('a'), file('b')]).subarray(0, 60), 'damaged'],
  ['a compression nobody knows', zipAs([{ ...file('a'), method: 99 }]), 'damaged'],
  ['a deflated file that is none', zipAs([{ ...file('a'), method: 8, size: 5 }]), 'damaged'],
])('%s is no archive', async (_, bytes, problem) => {
  expect(await problemOf(bytes)).toBe(problem);
});

test('no prefix of a zip, and no changed byte of it, throws anything else', async () => {
  const zip = await zipOf({ 'a/b': utf8('words '.repeat(40)), c: utf8('more') });
  for (let i = 0; i < zip.length; i++) {
    await problemOf(zip.subarray(0, i));
    for (const flip of [1, 0x80, 0xff])
      await problemOf(zip.map((byte, at) => (at === i ? byte ^ flip : byte)));
  }
});

describe('what is written piece by piece', () => {
  const pieces = [utf8('The '), utf8('photo'), utf8('graph')];

  /** A zip of a text, a file in pieces, one that is dropped, and a text. */
  async function streamed(wideFrom?: number) {
    const { write, bytes } = collecting();
    const zip = new ZipWriter(write, '2026-01-13T09:30:42.123Z', wideFrom);
    await zip.add('a.md', utf8('words '.repeat(40)));
    await zip.begin('files/b.jpg', 14);
    for (const piece of pieces) await zip.piece(piece);
    await zip.end();
    await zip.begin('files/c.jpg', 9);
    await zip.piece(utf8('half'));
    zip.drop();
    await zip.add('z.md', utf8('more'));
    await zip.finish();
    return bytes();
  }
  const whole = {
    'a.md': utf8('words '.repeat(40)),
    'files/b.jpg': utf8('The photograph'),
    'z.md': utf8('more'),
  };

  test.each([
    ['with 32-bit numbers', undefined],
    ['with 64-bit numbers for what is large', 100],
    ['with 64-bit numbers alone', 0],
  ])('is read %s, also by others, and what was dropped is not there', async (_, wideFrom) => {
    const zip = await streamed(wideFrom);
    expect(await unzip(zip)).toEqual(whole);
    const reader = new ZipReader(new Uint8ArrayReader(zip), { checkCrc32: true });
    const found: Record<string, Uint8Array> = {};
    for (const entry of await reader.getEntries())
      if (!entry.directory) found[entry.filename] = await entry.getData(new Uint8ArrayWriter());
    expect(found).toEqual(whole);
  });

  test('stays packed where it is wanted so, whatever its size', async () => {
    const { files, beside } = await unzipBlob(blobOf(await streamed()), {
      limits: { bytes: 300, files: 10 },
      isBeside: (path) => path.startsWith('files/'),
    });
    expect(Object.keys(files)).toEqual(['a.md', 'z.md']);
    const file = beside.get('files/b.jpg') ?? expect.fail();
    const sum = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8('The photograph'))));
    expect(await bytesOf(await openPacked(file, sum))).toEqual(utf8('The photograph'));
    await expect(openPacked(file, sum.replace(/^./, 'x'))).rejects.toThrow(ArchiveError);
    const deflated = { method: 8, size: 14, packed: blobOf(deflateSync(utf8('The photograph'))) };
    expect(await bytesOf(await openPacked(deflated, sum))).toEqual(utf8('The photograph'));
    for (const size of [0, 13, 15])
      await expect(openPacked({ ...deflated, size }, sum)).rejects.toThrow(ArchiveError);
  });

  test('has the length that was said, and a path of its own', async () => {
    const zip = new ZipWriter(async () => {}, '2026-01-13T09:30:42Z');
    await zip.begin('a', 3);
    await expect(zip.add('b', utf8('two at once'))).rejects.toThrow(TypeError);
    await zip.piece(utf8('four'));
    await expect(zip.end()).rejects.toThrow(TypeError);
    zip.drop();
    await zip.add('a', utf8('once'));
    await expect(zip.add('a', utf8('twice'))).rejects.toThrow(TypeError);
  });
});
