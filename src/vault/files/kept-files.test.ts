// Files that a device keeps: read there, fetched where they are not, and proved in either case.
import { beforeEach, expect, test } from 'vitest';
import type { Bytes } from '../../crypto/encoding.ts';
import { fileCipher, isSame, newFile, sealRange } from '../../crypto/file.ts';
import { fileRoot } from '../../crypto/file-root.ts';
import { ApiError } from '../api/api-error.ts';
import { FileExchanged, type FileToOpen, openFile, openFileRange, openPieces } from './download.ts';
import type { FileSource } from './file-source.ts';
import { keepFile } from './keep-file.ts';
import { keptOrFetched } from './kept-files.ts';
import { KEPT_PIECE_BYTES, type KeptFile, type KeptFiles } from './kept-pieces.ts';

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
      const before = files.get(id) ?? { bytes: 0, isWhole: false };
      files.set(id, { ...before, bytes: Math.max(before.bytes, from + piece.length) });
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
  expect(device.files.get(file.id)?.isWhole).toBe(false);
  const { source, asked } = serverOf(ciphertext);
  await keepFile(source, device.kept, file, options);
  // The first two segments opened, and no other piece has any of them.
  expect(asked).toEqual([[2 * MIB, ciphertext.length]]);
  expectSame(await openWhole(keptOrFetched(gone, device.kept), file), plain);
  await device.kept.drop([file.id]);
  await expect(openWhole(keptOrFetched(serverOf(other).source, device.kept), file)).rejects.toBeInstanceOf(
    FileExchanged,
  );
});

test('a server that says once that a file is shorter takes nothing of what is here', async () => {
  const { file, ciphertext } = await sealed(new Uint8Array(8 * MIB));
  const { source, asked } = serverOf(ciphertext);
  const shorter: FileSource = {
    async read(...given) {
      const [, { from }] = given;
      if (from > 0) throw new ApiError(416, '');
      return (await serverOf(ciphertext, [4 * MIB]).source.read(...given)) as ReadableStream<Uint8Array>;
    },
  };
  await expect(keepFile(shorter, device.kept, file, options)).rejects.toBeInstanceOf(FileExchanged);
  expect(device.pieces.size).toBe(4);
  await keepFile(source, device.kept, file, options);
  expect(asked).toEqual([[4 * MIB, ciphertext.length]]);
});

test('another file that opens piece by piece, and is not the one of its entry, is not kept', async () => {
  const { file, ciphertext } = await sealed(plain);
  const root = file.root.slice();
  root[0] = (root[0] ?? 0) ^ 1;
  const keeping = keepFile(serverOf(ciphertext).source, device.kept, { ...file, root }, options);
  await expect(keeping).rejects.toBeInstanceOf(FileExchanged);
  expect([device.files.size, device.pieces.size]).toEqual([0, 0]);
});

/** A device that keeps a file of which some bytes are not what they were. */
async function spoiled(spoil: (pieces: Map<string, Bytes>, id: string) => void) {
  const { file, ciphertext } = await sealed(plain);
  await keepFile(serverOf(ciphertext).source, device.kept, file, options);
  spoil(device.pieces, file.id);
  return { file, ciphertext };
}

const flip = (at: number) => (pieces: Map<string, Bytes>, id: string) => {
  const piece = pieces.get(`${id} ${at - (at % KEPT_PIECE_BYTES)}`);
  if (piece) piece[at % KEPT_PIECE_BYTES] = (piece[at % KEPT_PIECE_BYTES] ?? 0) ^ 1;
};

/** In the first segment, in the bytes of the second one that stand in the third piece, and in the last one. */
test.each([5, 2 * MIB + 3, 2 * MIB + 100])(
  'a kept file of which byte %i is spoiled opens from its server, and without one from then on',
  async (at) => {
    const { file, ciphertext } = await spoiled(flip(at));
    const { source, asked } = serverOf(ciphertext);
    const given: number[] = [];
    const pieces: Bytes[] = [];
    const onProgress = (done: number) => given.push(done);
    for await (const piece of openPieces(keptOrFetched(source, device.kept), file, {
      ...options,
      onProgress,
    }))
      pieces.push(piece);
    expectSame(new Uint8Array(await new Blob(pieces).arrayBuffer()), plain);
    expect(given).toEqual([MIB, 2 * MIB, plain.length]);
    // No more than the one segment.
    expect(asked).toHaveLength(1);
    expectSame(await openWhole(keptOrFetched(gone, device.kept), file), plain);
  },
);

test('a range of a file that is spoiled here is put right as well, and no more than that', async () => {
  const { file, ciphertext } = await spoiled((pieces, id) => {
    flip(5)(pieces, id);
    flip(2 * MIB + 100)(pieces, id);
  });
  const { source, asked } = serverOf(ciphertext);
  const here = keptOrFetched(source, device.kept);
  expectSame(await openFileRange(here, file, { from: 10, to: 20 }, options), plain.slice(10, 20));
  expectSame(await openFileRange(here, file, { from: 10, to: 20 }, options), plain.slice(10, 20));
  expect(asked).toEqual([[0, MIB + 16]]);
});

test('a spoiled file says that its server cannot be reached, and is no worse for one that gives something else', async () => {
  const { file, ciphertext } = await spoiled(flip(5));
  await expect(openWhole(keptOrFetched(gone, device.kept), file)).rejects.toBeInstanceOf(TypeError);
  const other = ciphertext.slice();
  for (const at of [5, 2 * MIB + 100]) other[at] = (other[at] ?? 0) ^ 2;
  await expect(openWhole(keptOrFetched(serverOf(other).source, device.kept), file)).rejects.toBeInstanceOf(
    FileExchanged,
  );
  flip(5)(device.pieces, file.id);
  expectSame(await openWhole(keptOrFetched(gone, device.kept), file), plain);
});

test('a spoiled file opens from its server also where the device takes nothing more, and is kept no more', async () => {
  const { file, ciphertext } = await spoiled(flip(5));
  const crowded: KeptFiles = { ...device.kept, save: () => Promise.reject(new DOMException('full')) };
  expectSame(await openWhole(keptOrFetched(serverOf(ciphertext).source, crowded), file), plain);
  expect(device.files.size).toBe(0);
});

test.each<[string, (pieces: Map<string, Bytes>, id: string) => void]>([
  ['spoiled', flip(5)],
  ['too short', (pieces, id) => void pieces.set(`${id} 0`, new Uint8Array(7))],
  ['too long', (pieces, id) => void pieces.set(`${id} 0`, new Uint8Array(3 * MIB))],
])(
  'a file with a piece that is %s opens from its server, and is put right as it is kept',
  async (_, spoil) => {
    const { file, ciphertext } = await spoiled(spoil);
    const unchanged = new Map(device.pieces);
    expectSame(await openWhole(keptOrFetched(serverOf(ciphertext).source, device.kept), file), plain);
    for (const [name, piece] of unchanged) device.pieces.set(name, piece);
    spoil(device.pieces, file.id);
    await keepFile(serverOf(ciphertext).source, device.kept, file, options);
    expectSame(await openWhole(keptOrFetched(gone, device.kept), file), plain);
  },
);

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
