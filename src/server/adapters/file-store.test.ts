// One suite for every driver of the store of files.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileFolder } from './file-folder.ts';
import type { FileStore, StoredPart } from './file-store.ts';

const aFile = () => randomBytes(16).toString('hex');
const aPart = (file = aFile()): StoredPart => ({ file, name: randomBytes(16).toString('base64url') });

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

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'latebra-store-')), 'files');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const drivers: Record<string, () => FileStore> = { folder: () => createFileFolder(folder) };

describe.each(Object.entries(drivers))('the store of files in a %s', (_, open) => {
  it('gives back what it was given, whole or a range of it', async () => {
    const [store, part, bytes] = [open(), aPart(), randomBytes(100_000)];
    await store.put(part, inPieces(bytes), bytes.length);
    expect(await joined(store.read(part, 0, bytes.length - 1))).toEqual(bytes);
    expect(await joined(store.read(part, 7, 7))).toEqual(bytes.subarray(7, 8));
    expect(await joined(store.read(part, 70_000, 99_999))).toEqual(bytes.subarray(70_000));
    expect(await joined(open().read(part, 0, 9))).toEqual(bytes.subarray(0, 10));
  });

  it('keeps nothing of what ends too soon, or has another size', async () => {
    const [store, bytes] = [open(), randomBytes(5000)];
    const part = aPart();
    await expect(store.put(part, brokenOff(bytes), bytes.length)).rejects.toThrow('the sender has gone');
    await expect(store.put(part, inPieces(bytes), bytes.length + 1)).rejects.toThrow();
    await expect(joined(store.read(part, 0, 9))).rejects.toThrow();
    expect(await listed(store)).toEqual([]);
  });

  it('erases a part, all parts of a file, and what is not there', async () => {
    const [store, bytes] = [open(), randomBytes(2000)];
    const file = aFile();
    const [one, two, other] = [aPart(file), aPart(file), aPart()];
    for (const part of [one, two, other]) await store.put(part, inPieces(bytes), bytes.length);
    await store.remove(one);
    await store.remove(one);
    await expect(joined(store.read(one, 0, 9))).rejects.toThrow();
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
    await store.put(part, inPieces(bytes), bytes.length);
    for await (const { at, ...found } of store.list()) {
      expect(found).toEqual(part);
      expect(at).toBeGreaterThan(Date.parse('2020-01-01'));
    }
  });

  it('takes parts of one file beside each other, of which some fail', async () => {
    const [store, file, bytes] = [open(), aFile(), randomBytes(3000)];
    const parts = Array.from({ length: 12 }, () => aPart(file));
    const outcomes = await Promise.allSettled(
      parts.map((part, i) => store.put(part, i % 2 ? inPieces(bytes) : brokenOff(bytes), bytes.length)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      parts.map((_, i) => (i % 2 ? 'fulfilled' : 'rejected')),
    );
    const kept = parts.filter((_, i) => i % 2).map(({ name }) => name);
    expect((await listed(store)).map(({ name }) => name).sort()).toEqual(kept.sort());
  });
});

describe('the folder of files', () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  it('is readable by its owner alone, and goes with its last part', async () => {
    const [store, part] = [createFileFolder(folder), aPart()];
    await store.put(part, inPieces(randomBytes(10)), 10);
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(join(folder, part.file))).toBe(0o700);
    expect(modeOf(join(folder, part.file, part.name))).toBe(0o600);
    await store.remove(part);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing of a part under any name once it has failed', async () => {
    const part = aPart();
    await createFileFolder(folder)
      .put(part, brokenOff(randomBytes(100)), 100)
      .catch(() => {});
    expect(existsSync(join(folder, part.file))).toBe(false);
  });

  it('lists and erases what a killed server had begun', async () => {
    const [store, part] = [createFileFolder(folder), aPart()];
    await store.put(part, inPieces(randomBytes(10)), 10);
    writeFileSync(join(folder, part.file, 'AAAA.draft'), 'half of a part');
    expect(await listed(store)).toContainEqual({ file: part.file, name: 'AAAA' });
    await store.remove({ file: part.file, name: 'AAAA' });
    expect(await listed(store)).toEqual([part]);
  });

  it('leads out of itself by no name', async () => {
    const store = createFileFolder(folder);
    const [file, name] = [aFile(), 'AAAA'];
    for (const part of [
      { file: '..', name },
      { file: '', name },
      { file, name: '../x' },
      { file, name: '.' },
    ]) {
      await expect(store.put(part, inPieces(randomBytes(1)), 1)).rejects.toThrow(/no (key|name)/);
      await expect(store.remove(part)).rejects.toThrow(/no (key|name)/);
    }
    await expect(store.removeAll('..')).rejects.toThrow('no key');
  });
});
