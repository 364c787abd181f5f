// One suite for every driver of the store of files.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as disk from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PART_BYTES } from '../../shared/file-limits.ts';
import { namedStore, type ObjectStore, startSwift, whyNoSwift } from '../../testing/s3.ts';
import { createFileBucket } from './file-bucket.ts';
import { createFileFolder, type Disk } from './file-folder.ts';
import { type FileStore, type PartContent, PartMissing, type StoredPart } from './file-store.ts';
import { type Bucket, s3Patience } from './s3-requests.ts';

const aFile = () => randomBytes(16).toString('hex');
const aPart = (file = aFile()): StoredPart => ({ file, name: randomBytes(16).toString('base64url') });

const contentOf = (bytes: Uint8Array): PartContent => ({
  bytes: bytes.length,
  digest: createHash('sha256').update(bytes).digest('base64url'),
});

async function* inPieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function* brokenOff(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, bytes.length - 1);
  throw new Error('the sender has gone');
}
async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
async function listed(store: FileStore): Promise<StoredPart[]> {
  const all: StoredPart[] = [];
  for await (const { file, name } of store.list()) all.push({ file, name });
  return all;
}

const ten = randomBytes(10);

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'latebra-store-')), 'files');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

/** What holds for every driver. @param open a store that is empty before each test, whenever it is opened */
function describeStore(open: () => FileStore): void {
  it('gives back what it was given, whole or a range of it', async () => {
    const [store, part, bytes] = [open(), aPart(), randomBytes(100_000)];
    await store.put(part, inPieces(bytes), contentOf(bytes));
    expect(await joined(store.read(part, 0, bytes.length - 1))).toEqual(bytes);
    expect(await joined(store.read(part, 7, 7))).toEqual(bytes.subarray(7, 8));
    expect(await joined(store.read(part, 70_000, 99_999))).toEqual(bytes.subarray(70_000));
    expect(await joined(open().read(part, 0, 9))).toEqual(bytes.subarray(0, 10));
  });

  it('keeps nothing of what ends too soon, or has another size', async () => {
    const [store, bytes] = [open(), randomBytes(5000)];
    const part = aPart();
    await expect(store.put(part, brokenOff(bytes), contentOf(bytes))).rejects.toThrow('the sender has gone');
    for (const wrong of [1, -1]) {
      const content = { ...contentOf(bytes), bytes: bytes.length + wrong };
      await expect(store.put(part, inPieces(bytes), content)).rejects.toThrow();
    }
    await expect(joined(store.read(part, 0, 9))).rejects.toThrow();
    expect(await listed(store)).toEqual([]);
  });

  it('erases a part, all parts of a file, and what is not there', async () => {
    const [store, bytes] = [open(), randomBytes(2000)];
    const file = aFile();
    const [one, two, other] = [aPart(file), aPart(file), aPart()];
    for (const part of [one, two, other]) await store.put(part, inPieces(bytes), contentOf(bytes));
    await store.remove(one);
    await store.remove(one);
    await expect(joined(store.read(one, 0, 9))).rejects.toThrow(PartMissing);
    expect((await listed(store)).map(({ name }) => name).sort()).toEqual([two.name, other.name].sort());
    await store.removeAll(file);
    await store.removeAll(file);
    await store.removeAll(aFile());
    expect(await listed(store)).toEqual([other]);
    expect(await joined(store.read(other, 0, bytes.length - 1))).toEqual(bytes);
  });

  it('lists what there is, with its time', async () => {
    const [store, part, bytes] = [open(), aPart(), randomBytes(100)];
    expect(await listed(store)).toEqual([]);
    await store.put(part, inPieces(bytes), contentOf(bytes));
    for await (const { at, ...found } of store.list()) {
      expect(found).toEqual(part);
      expect(at).toBeGreaterThan(Date.parse('2020-01-01'));
    }
  });

  it('takes parts of one file beside each other, of which some fail', async () => {
    const [store, file, bytes] = [open(), aFile(), randomBytes(3000)];
    const parts = Array.from({ length: 12 }, () => aPart(file));
    const outcomes = await Promise.allSettled(
      parts.map((part, i) => store.put(part, i % 2 ? inPieces(bytes) : brokenOff(bytes), contentOf(bytes))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      parts.map((_, i) => (i % 2 ? 'fulfilled' : 'rejected')),
    );
    const kept = parts.filter((_, i) => i % 2).map(({ name }) => name);
    expect((await listed(store)).map(({ name }) => name).sort()).toEqual(kept.sort());
  });

  it('leads out of itself by no name', async () => {
    const store = open();
    const [file, name] = [aFile(), 'AAAA'];
    for (const part of [
      { file: '..', name },
      { file: '', name },
      { file, name: '../x' },
      { file, name: '.' },
    ]) {
      await expect(store.put(part, inPieces(ten), contentOf(ten))).rejects.toThrow(/no (key|name)/);
      await expect(store.remove(part)).rejects.toThrow(/no (key|name)/);
    }
    await expect(store.removeAll('..')).rejects.toThrow('no key');
  });
}

describe('the store of files in a folder', () => {
  describeStore(() => createFileFolder(folder));

  const modeOf = (path: string) => statSync(path).mode & 0o777;

  it('is readable by its owner alone, and goes with its last part', async () => {
    const [store, part] = [createFileFolder(folder), aPart()];
    await store.put(part, inPieces(ten), contentOf(ten));
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(join(folder, part.file))).toBe(0o700);
    expect(modeOf(join(folder, part.file, part.name))).toBe(0o600);
    await store.remove(part);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing of a part under any name once it has failed', async () => {
    const part = aPart();
    await createFileFolder(folder)
      .put(part, brokenOff(ten), contentOf(ten))
      .catch(() => {});
    expect(existsSync(join(folder, part.file))).toBe(false);
  });

  it('lists and erases what a killed server had begun', async () => {
    const [store, part] = [createFileFolder(folder), aPart()];
    await store.put(part, inPieces(ten), contentOf(ten));
    writeFileSync(join(folder, part.file, 'AAAA.draft'), 'half of a part');
    expect(await listed(store)).toContainEqual({ file: part.file, name: 'AAAA' });
    await store.remove({ file: part.file, name: 'AAAA' });
    expect(await listed(store)).toEqual([part]);
  });

  it('follows no link, and opens no pipe, that somebody has put into it', async () => {
    const store = createFileFolder(folder);
    const elsewhere = join(folder, '..', 'elsewhere');
    await disk.mkdir(elsewhere, { recursive: true });
    await disk.writeFile(join(elsewhere, 'secrets'), 'not to be read');
    const linkedFolder = { file: aFile(), name: 'secrets' };
    const linkedPart = { file: aFile(), name: 'AAAA' };
    const pipe = { file: aFile(), name: 'AAAA' };
    await disk.mkdir(folder, { recursive: true });
    await disk.symlink(elsewhere, join(folder, linkedFolder.file));
    for (const { file } of [linkedPart, pipe]) await disk.mkdir(join(folder, file));
    await disk.symlink(join(elsewhere, 'secrets'), join(folder, linkedPart.file, 'AAAA'));
    execFileSync('mkfifo', [join(folder, pipe.file, 'AAAA')]);
    for (const part of [linkedFolder, linkedPart, pipe]) {
      await expect(joined(store.read(part, 0, 9))).rejects.toThrow();
    }
    expect(await listed(store)).toEqual([]);
    await store.remove(linkedFolder);
    await expect(
      store.put({ ...linkedFolder, name: 'BBBB' }, inPieces(ten), contentOf(ten)),
    ).rejects.toThrow();
    for (const { file } of [linkedFolder, linkedPart, pipe]) await store.removeAll(file);
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(elsewhere)).toEqual(['secrets']);
    expect(readFileSync(join(elsewhere, 'secrets'), 'utf8')).toBe('not to be read');
  });

  /** The calls by which a part is written, with the paths below the folder above the store. */
  function noted(): { calls: string[]; by: Disk } {
    const calls: string[] = [];
    const inside = (path: unknown) =>
      relative(join(folder, '..'), String(path)).replace(/[0-9a-f]{32}/, 'FILE') || '.';
    const by: Disk = {
      mkdir: ((path: string, options: { recursive: true }) => {
        calls.push(`mkdir ${inside(path)}`);
        return disk.mkdir(path, options);
      }) as Disk['mkdir'],
      async rename(from, to) {
        calls.push(`rename to ${inside(to)}`);
        await disk.rename(from, to);
      },
      async open(path, flags, mode) {
        const handle = await disk.open(path, flags, mode);
        for (const call of ['sync', 'datasync'] as const) {
          const [original, name] = [handle[call].bind(handle), inside(path)];
          handle[call] = async () => {
            await original();
            calls.push(`${call} ${name}`);
          };
        }
        return handle;
      },
    };
    return { calls, by };
  }

  it('has a part on the disk before it has its name, and all folders above it before it is kept', async () => {
    const { calls, by } = noted();
    await createFileFolder(folder, by).put({ file: aFile(), name: 'AAAA' }, inPieces(ten), contentOf(ten));
    expect(calls).toEqual([
      'mkdir files/FILE',
      'sync files',
      'sync .',
      'datasync files/FILE/AAAA.draft',
      'rename to files/FILE/AAAA',
      'sync files/FILE',
      'sync files',
    ]);
  });

  it('waits for the folder of a file also where another part has made it', async () => {
    const { calls, by } = noted();
    const file = aFile();
    // As another one leaves it that has not come so far as to wait for the disk.
    await disk.mkdir(join(folder, file), { recursive: true });
    await createFileFolder(folder, by).put({ file, name: 'AAAA' }, inPieces(ten), contentOf(ten));
    expect(calls.slice(-3)).toEqual(['rename to files/FILE/AAAA', 'sync files/FILE', 'sync files']);
  });
});

const missing = whyNoSwift();
if (missing !== null) process.stderr.write(`The store of files in a bucket is not tried: ${missing}.\n`);
const named = namedStore();
const stores = [
  ...(missing === null ? [{ of: 'OpenStack Swift', start: startSwift }] : []),
  ...(named ? [{ of: 'the store that the environment names', start: named }] : []),
];

describe.each(stores)('the store of files in a bucket of $of', ({ start }) => {
  let objects: ObjectStore;
  let bucket: Bucket;
  beforeAll(async () => {
    objects = await start();
  });
  afterAll(() => objects.stop());
  beforeEach(async () => {
    bucket = await objects.makeBucket();
  });

  describeStore(() => createFileBucket(bucket));

  it('keeps no bytes but those that the digest names, whatever was looked at before', async () => {
    const store = createFileBucket(bucket);
    const content = { ...contentOf(ten), digest: contentOf(randomBytes(10)).digest };
    await expect(store.put(aPart(), inPieces(ten), content)).rejects.toThrow(/answers 400/);
    expect(await listed(store)).toEqual([]);
  });

  it('takes a part as large as they become, and lists more than one page of them', async () => {
    const store = createFileBucket(bucket);
    const large = randomBytes(PART_BYTES);
    const part = aPart();
    await store.put(part, inPieces(large, 65_536), contentOf(large));
    expect((await joined(store.read(part, 0, large.length - 1))).equals(large)).toBe(true);
    const file = aFile();
    const others = Array.from({ length: 3 }, () => aPart(file));
    for (const other of others) await store.put(other, inPieces(ten), contentOf(ten));
    const names = (parts: StoredPart[]) => parts.map(({ name }) => name).sort();
    expect(names(await listed(createFileBucket(bucket, s3Patience, 2)))).toEqual(names([part, ...others]));
    await createFileBucket(bucket, s3Patience, 2).removeAll(file);
    expect(await listed(store)).toEqual([part]);
  });

  it('leaves no byte of what it has erased on the disk of the store', async ({ skip }) => {
    const { filesOnDisk } = objects;
    if (!filesOnDisk) return skip('its disk cannot be looked at from here');
    const store = createFileBucket(bucket);
    const part = aPart();
    const mark = randomBytes(5000);
    await store.put(part, inPieces(mark), contentOf(mark));
    const withMark = () => filesOnDisk().filter((file) => readFileSync(file).includes(mark.subarray(0, 64)));
    expect(withMark()).toHaveLength(1);
    await store.remove(part);
    expect(withMark()).toEqual([]);
  });

  it('says whether it may be used, and whether it keeps versions', async () => {
    expect(await createFileBucket(bucket).look()).toEqual({ keepsVersions: false });
    const stranger = { ...bucket, key: { ...bucket.key, secret: 'another' } };
    await expect(createFileBucket(stranger).look()).rejects.toMatchObject({
      status: 403,
      reason: 'SignatureDoesNotMatch',
    });
    const nowhere = { ...bucket, url: new URL('/no-such-bucket', bucket.url) };
    await expect(createFileBucket(nowhere).look()).rejects.toMatchObject({
      status: 404,
      reason: 'NoSuchBucket',
    });
  });
});
