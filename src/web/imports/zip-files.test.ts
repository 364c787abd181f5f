// Zips from anywhere: honest ones are read one file at a time, and those that are made to deceive are refused.
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { LeftOutList, Refused } from './imported-entry.ts';
import { IMPORT_LIMITS, openZip, type Used } from './zip-files.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const blobOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]);
const unused = (): Used => ({ textBytes: 0, nestedBytes: 0 });

async function open(zip: Uint8Array | Blob, limits = IMPORT_LIMITS, used = unused()) {
  const leftOut = new LeftOutList();
  const files = await openZip(zip instanceof Blob ? zip : blobOf(zip), leftOut, used, limits);
  return { files, leftOut: leftOut.toArray(), used };
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof Refused ? error.reason : `another error: ${error}`),
  );
const textOf = async (file: { read(): Promise<Uint8Array> } | undefined) =>
  new TextDecoder().decode(await file?.read());

/** Where the directory's record of the first file begins. */
function directoryAt(zip: Uint8Array): number {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  return view.getUint32(zip.length - 22 + 16, true);
}
/** A copy in which a number is another one. */
function changed(zip: Uint8Array, at: number, value: number, bytes: 2 | 4 = 4): Uint8Array {
  const copy = zip.slice();
  const view = new DataView(copy.buffer);
  if (bytes === 4) view.setUint32(at, value, true);
  else view.setUint16(at, value, true);
  return copy;
}

test('files are read where they lie, in any order, stored or deflated', async () => {
  const zip = zipSync({
    'a/one.txt': [utf8('one'), { level: 0 }],
    'two.txt': utf8('two '.repeat(50_000)),
    'b/': new Uint8Array(),
  });
  const { files, used } = await open(zip);
  expect(files.map(({ path, size }) => [path, size])).toEqual([
    ['a/one.txt', 3],
    ['two.txt', 200_000],
  ]);
  expect(await textOf(files[1])).toBe('two '.repeat(50_000));
  expect(await textOf(files[0])).toBe('one');
  expect(used.textBytes).toBe(200_003);
  const blob = await files[1]?.readBlob();
  expect(await blob?.text()).toBe('two '.repeat(50_000));
});

describe('names', () => {
  test.each([
    '/etc/passwd',
    '../up.txt',
    'a/../../b.txt',
    'C:/x.txt',
    'a\\b.txt',
    'a//b.txt',
    './a.txt',
    'a\u0000b.txt',
  ])('%j is left out, and the others are not', async (name) => {
    const { files, leftOut } = await open(zipSync({ [name]: utf8('x'), 'fine.txt': utf8('y') }));
    expect(files.map(({ path }) => path)).toEqual(['fine.txt']);
    expect(leftOut).toMatchObject([{ reason: 'unsafe-name', count: 1 }]);
  });

  test('a link is no file', async () => {
    const { files, leftOut } = await open(
      zipSync({ 'link.txt': [utf8('/etc/passwd'), { os: 3, attrs: 0xa1ff << 16 }] }),
    );
    expect(files).toEqual([]);
    expect(leftOut).toMatchObject([{ reason: 'unsafe-name' }]);
  });

  test('of two files of one name the first counts', async () => {
    const zip = zipSync({ 'aa.txt': utf8('first'), 'bb.txt': utf8('other') });
    const [a = 0, b] = utf8('ab');
    const renamed = zip.map((byte, at) => (byte === b && [zip[at - 1], zip[at + 1]].includes(b) ? a : byte));
    const { files, leftOut } = await open(renamed);
    expect(files).toHaveLength(1);
    expect(await textOf(files[0])).toBe('first');
    expect(leftOut).toMatchObject([{ reason: 'damaged', count: 1 }]);
  });
});

describe('what deceives', () => {
  const bomb = zipSync({ 'bomb.txt': new Uint8Array(40 * 1024 * 1024) });
  const at = directoryAt(bomb);

  test('a bomb that declares its size is too large', async () => {
    const { files } = await open(bomb, { ...IMPORT_LIMITS, fileBytes: 1024 * 1024 });
    expect(await refusal(files[0]?.read() ?? Promise.resolve())).toBe('too-large');
  });

  test('one that lies about it is stopped at what it declares', async () => {
    // Both the directory and the file's own header say 1,000 bytes.
    const lying = changed(changed(bomb, at + 24, 1000), 22, 1000);
    const used = unused();
    const { files } = await open(lying, IMPORT_LIMITS, used);
    expect(files[0]?.size).toBe(1000);
    expect(await refusal(files[0]?.read() ?? Promise.resolve())).toBe('crafted');
    expect(used.textBytes).toBeLessThan(1024 * 1024);
  });

  test('one that declares more than it has is refused as well', async () => {
    const zip = zipSync({ 'a.txt': utf8('short text '.repeat(20)) });
    const { files } = await open(changed(changed(zip, directoryAt(zip) + 24, 5000), 22, 5000));
    expect(await refusal(files[0]?.read() ?? Promise.resolve())).toBe('damaged');
  });

  test('many files together have a limit, and what is beyond it is not inflated', async () => {
    const zip = zipSync(
      Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${i}.txt`, new Uint8Array(100_000)])),
    );
    const used = unused();
    const { files } = await open(zip, { ...IMPORT_LIMITS, textBytes: 250_000 }, used);
    const outcomes = [];
    for (const file of files) outcomes.push(await refusal(file.read()));
    expect(outcomes).toEqual(['none', 'none', 'too-large', 'too-large', 'too-large']);
    expect(used.textBytes).toBe(200_000);
  });

  test('so have names', async () => {
    const zip = zipSync(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}.txt`, utf8('x')])));
    expect(await refusal(open(zip, { ...IMPORT_LIMITS, files: 49 }))).toBe('too-large');
  });

  test('files that overlap are refused', async () => {
    const zip = zipSync({
      'a.txt': [utf8('a'.repeat(1000)), { level: 0 }],
      'b.txt': [utf8('b'.repeat(1000)), { level: 0 }],
    });
    const second = directoryAt(zip) + 46 + 'a.txt'.length;
    // The second record points at the first file.
    const overlapping = changed(zip, second + 42, 0);
    const outcome = await refusal(
      open(overlapping).then(async ({ files }) => {
        for (const file of files) await file.read();
      }),
    );
    expect(['crafted', 'damaged']).toContain(outcome);
  });

  test('a directory that claims to be larger than the zip, and numbers of 64 bits that lie', async () => {
    const zip = zipSync({ 'a.txt': utf8('aaaa') });
    const end = zip.length - 22;
    for (const lie of [
      changed(zip, end + 12, 0x7fffffff),
      changed(zip, end + 16, 0x7fffffff),
      changed(zip, end + 10, 0xffff, 2),
      changed(zip, end + 16, 0xffffffff),
    ])
      expect(['crafted', 'damaged', 'none']).toContain(
        await refusal(open(lie).then(({ files }) => Promise.all(files.map((file) => file.read())))),
      );
    // Sizes that say "look at the 64-bit field", which is not there.
    const wide = changed(changed(zip, directoryAt(zip) + 24, 0xffffffff), directoryAt(zip) + 20, 0xffffffff);
    expect(['crafted', 'damaged', 'too-large']).toContain(
      await refusal(open(wide).then(({ files }) => files[0]?.read())),
    );
  });

  test('a changed byte shows in the sum', async () => {
    const zip = zipSync({ 'a.txt': [utf8('What nobody may change.'), { level: 0 }] });
    zip[30 + 5 + 3] = 0x21;
    const { files } = await open(zip);
    expect(await refusal(files[0]?.read() ?? Promise.resolve())).toBe('damaged');
  });

  test('encrypted files are left out, and a zip of nothing else is refused', async () => {
    const zip = zipSync({ 'a.txt': utf8('a'), 'b.txt': utf8('b') });
    const at = directoryAt(zip);
    const one = changed(zip, at + 8, 1, 2);
    expect(await open(one)).toMatchObject({
      files: [{ path: 'b.txt' }],
      leftOut: [{ reason: 'encrypted', count: 1 }],
    });
    expect(await refusal(open(changed(one, at + 46 + 5 + 8, 1, 2)))).toBe('encrypted-zip');
  });

  test('another way of compressing is refused', async () => {
    const zip = zipSync({ 'a.txt': utf8('a'.repeat(100)) });
    const other = changed(changed(zip, directoryAt(zip) + 10, 14, 2), 8, 14, 2);
    const { files } = await open(other);
    expect(await refusal(files[0]?.read() ?? Promise.resolve())).toBe('unsupported');
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['two letters', utf8('PK')],
    ['half a zip', zipSync({ 'a.txt': utf8('aaaa') }).subarray(0, 60)],
    ['no zip', utf8('PK and then a letter to somebody, which is long enough to be looked at as a zip')],
  ])('%s', async (_, bytes) => expect(await refusal(open(bytes))).toBe('damaged'));
});

test('the media of a large zip are neither read nor inflated', async () => {
  const zip = zipSync({
    'photo.jpg': [new Uint8Array(8 * 1024 * 1024).fill(7), { level: 0 }],
    'a.txt': utf8('text'),
  });
  const blob = blobOf(zip);
  const { read, counted } = countingBlob(blob);
  const { files } = await open(counted);
  expect(await textOf(files.find(({ path }) => path === 'a.txt'))).toBe('text');
  expect(read()).toBeLessThan(512 * 1024);
});

/** A blob that counts the bytes that are read of it. */
function countingBlob(blob: Blob): { counted: Blob; read: () => number } {
  let bytes = 0;
  const slice = blob.slice.bind(blob);
  Object.defineProperty(blob, 'slice', {
    value: (from?: number, to?: number) => {
      const part = slice(from, to);
      bytes += part.size;
      return part;
    },
  });
  return { counted: blob, read: () => bytes };
}
