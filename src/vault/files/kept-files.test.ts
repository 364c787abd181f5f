// Files that a device keeps: read there, fetched where they are not, and proved in either case.
import { beforeEach, expect, test } from 'vitest';
import type { Bytes } from '../../crypto/encoding.ts';
import { fileCipher, isSame, newFile, sealRange } from '../../crypto/file.ts';
import { fileRoot } from '../../crypto/file-root.ts';
import { FileExchanged, type FileToOpen, openFile, openFileRange } from './download.ts';
import type { FileSource } from './file-source.ts';
import { keepFile } from './keep-file.ts';
import { KEPT_PIECE_BYTES, type KeptFile, type KeptFiles, keptOrFetched } from './kept-files.ts';

const MIB = 1024 ** 2;
const plain: Bytes = Uint8Array.from({ length: 2.5 * MIB }, (_, at) => (at * 7 + (at >> 9)) & 255);
const options = { signal: new AbortController().signal, pause: async () => {} };

async function sealed(bytes: Bytes): Promise<{ file: FileToOpen; ciphertext: Bytes }> {
  const { id, key } = newFile();
  const cipher = await fileCipher({ id, key, bytes: bytes.length });
  const marks = new Map<number, Bytes>();
  const all = { from: 0, to: cipher.layout.sealed };
  const read = async ({ from, to }: { from: number; to: number }) => bytes.slice(from, to);
  const { bytes: ciphertext } = await sealRange(cipher, all, read, marks);
  return { file: { id, key, bytes: bytes.length, root: await fileRoot(cipher, marks) }, ciphertext };
}

/** What a server has, in answers of a few hundred kilobytes, the first of which are cut after so many bytes. */
function serverOf(ciphertext: Bytes, cuts: number[] = []) {
  const asked: [number, number][] = [];
  const source: FileSource = {
    async read(_, { from, to }) {
      asked.push([from, to]);
      const cut = cuts.shift() ?? Number.POSITIVE_INFINITY;
      let at = from;
      return new ReadableStream({
        pull(controller) {
          if (at - from >= cut) return controller.error(new TypeError('network error'));
          if (at >= to) return controller.close();
          const end = Math.min(at + 300_000, to, from + cut);
          controller.enqueue(ciphertext.slice(at, end));
          at = end;
        },
      });
    },
  };
  return { source, asked };
}

const gone: FileSource = { read: () => Promise.reject(new TypeError('Failed to fetch')) };

function aDevice() {
  const pieces = new Map<string, Bytes>();
  const files = new Map<string, KeptFile>();
  const kept: KeptFiles = {
    list: async () => files,
    load: async (id, from) => pieces.get(`${id} ${from}`) ?? null,
    async save(id, from, piece) {
      pieces.set(`${id} ${from}`, piece.slice());
      files.set(id, { bytes: from + piece.length, isWhole: false });
    },
    async finish(id) {
      files.set(id, { bytes: files.get(id)?.bytes ?? 0, isWhole: true });
    },
    async drop(ids) {
      for (const id of ids) {
        files.delete(id);
        for (const name of pieces.keys()) if (name.startsWith(`${id} `)) pieces.delete(name);
      }
    },
  };
  return { kept, pieces, files };
}

/** Without listing millions of bytes where they are not. */
const expectSame = (one: Uint8Array, other: Uint8Array) => expect(isSame(one, other)).toBe(true);

let device = aDevice();
beforeEach(() => {
  device = aDevice();
});

const openWhole = async (source: FileSource, file: FileToOpen) =>
  new Uint8Array(await (await openFile(source, file, 'image/png', options)).arrayBuffer());

test('a kept file opens without its server, as a whole and by range', async () => {
  const { file, ciphertext } = await sealed(plain);
  const { source, asked } = serverOf(ciphertext);
  await keepFile(source, device.kept, file, options);
  expect(asked).toEqual([[0, ciphertext.length]]);
  expect(device.files.get(file.id)).toEqual({ bytes: ciphertext.length, isWhole: true });
  const here = keptOrFetched(gone, device.kept);
  expectSame(await openWhole(here, file), plain);
  for (const range of [
    { from: 0, to: 1 },
    { from: MIB - 3, to: MIB + 5 },
    { from: 2 * MIB, to: plain.length },
  ])
    expectSame(await openFileRange(here, file, range, options), plain.slice(range.from, range.to));
});

test('what is not kept is fetched, also the rest of a file of which the beginning is', async () => {
  const { file, ciphertext } = await sealed(plain);
  const { source, asked } = serverOf(ciphertext);
  await device.kept.save(file.id, 0, ciphertext.slice(0, KEPT_PIECE_BYTES));
  expectSame(await openWhole(keptOrFetched(source, device.kept), file), plain);
  expect(asked).toEqual([[KEPT_PIECE_BYTES, ciphertext.length]]);
});

test('a line that is cut fetches again no more than one piece', async () => {
  const { file, ciphertext } = await sealed(plain);
  const { source, asked } = serverOf(ciphertext, [KEPT_PIECE_BYTES + 1234, 0]);
  await keepFile(source, device.kept, file, options);
  expect(asked.map(([from]) => from)).toEqual([0, KEPT_PIECE_BYTES, KEPT_PIECE_BYTES]);
  expectSame(await openWhole(keptOrFetched(gone, device.kept), file), plain);
});

test('a page that is left goes on from the piece that it has not', async () => {
  // Longer than what is fetched ahead.
  const { file, ciphertext } = await sealed(new Uint8Array(8 * MIB));
  const leaving = new AbortController();
  const again = serverOf(ciphertext);
  const onProgress = (done: number) => done >= MIB && leaving.abort();
  const left = keepFile(again.source, device.kept, file, { ...options, signal: leaving.signal, onProgress });
  await expect(left).rejects.toThrow();
  expect(device.files.get(file.id)?.isWhole).toBe(false);
  const here = device.pieces.size;
  await keepFile(again.source, device.kept, file, options);
  expect(again.asked.at(-1)?.[0]).toBe(here * KEPT_PIECE_BYTES);
  expect(device.files.get(file.id)?.isWhole).toBe(true);
});

test('another file than the one that was sealed is not kept, wherever it comes from', async () => {
  const { file, ciphertext } = await sealed(plain);
  const other = ciphertext.slice();
  other[2 * MIB + 100] = (other[2 * MIB + 100] ?? 0) ^ 1;
  await expect(keepFile(serverOf(other).source, device.kept, file, options)).rejects.toBeInstanceOf(
    FileExchanged,
  );
  expect([device.files.size, device.pieces.size]).toEqual([0, 0]);
  await device.kept.save(file.id, 0, other.slice(1, 1 + KEPT_PIECE_BYTES));
  await expect(keepFile(serverOf(ciphertext).source, device.kept, file, options)).rejects.toBeInstanceOf(
    FileExchanged,
  );
  await expect(openWhole(keptOrFetched(serverOf(other).source, device.kept), file)).rejects.toBeInstanceOf(
    FileExchanged,
  );
});

test('a device without room says so, and keeps nothing behind somebody who has ended it', async () => {
  const { file, ciphertext } = await sealed(plain);
  const full = new DOMException('full', 'QuotaExceededError');
  const crowded: KeptFiles = { ...device.kept, save: () => Promise.reject(full) };
  await expect(keepFile(serverOf(ciphertext).source, crowded, file, options)).rejects.toBe(full);
  const leaving = new AbortController();
  const slow: KeptFiles = {
    ...device.kept,
    async load() {
      leaving.abort();
      return null;
    },
  };
  const ended = keepFile(serverOf(ciphertext).source, slow, file, { ...options, signal: leaving.signal });
  await expect(ended).rejects.toThrow();
  expect(device.pieces.size).toBe(0);
});
