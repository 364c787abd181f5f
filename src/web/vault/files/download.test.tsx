// A file on its way back: what the server gives in its place is never taken for it.
import { beforeEach, expect, test } from 'vitest';
import { fromBase64Url } from '../../../crypto/base64.ts';
import { newFile } from '../../../crypto/file.ts';
import {
  FileExchanged,
  FileMissing,
  type FileToOpen,
  openFile,
  openFileRange,
  saveFile,
} from '../../../vault/files/download.ts';
import { ownFiles } from '../../../vault/files/file-calls.ts';
import { createSealing } from '../../../vault/files/sealed-blocks.ts';
import { uploadFile } from '../../../vault/files/upload.ts';
import { createFileServer, noPause } from '../../testing/file-server.ts';

const steps = { small: 16, segment: 64 };
const bytesOfPart = (halvings: number) => (8 * (64 + 16)) / 2 ** halvings;
const signal = new AbortController().signal;
const options = { signal, pause: noPause, steps };

let server = createFileServer({ bytesOfPart });
beforeEach(() => {
  server = createFileServer({ bytesOfPart });
});

const bytesOf = (length: number, seed = 7) => Uint8Array.from({ length }, (_, i) => (i * 31 + seed) & 255);

/** Sends a file, under a key that may be known already. */
async function kept(bytes: Uint8Array<ArrayBuffer>, sealed = newFile()): Promise<FileToOpen> {
  const root = await uploadFile(
    server.vault(),
    new Blob([bytes]),
    { ...sealed, sealed: null },
    { ...options, bytesOfPart, onProgress: () => {}, keepSealed: async () => {}, seal: createSealing() },
  );
  return { ...sealed, bytes: bytes.length, root: fromBase64Url(root) };
}

const open = async (file: FileToOpen) =>
  new Uint8Array(await (await openFile(ownFiles(server.vault()), file, 'image/png', options)).arrayBuffer());

const partsOf = ({ id }: FileToOpen) => server.files.get(id)?.parts ?? new Map<number, Uint8Array>();

test('it has the type that its entry says', async () => {
  const file = await kept(bytesOf(20));
  expect((await openFile(ownFiles(server.vault()), file, 'image/png', options)).type).toBe('image/png');
});

test('a changed, exchanged, reordered or shortened file is refused', async () => {
  const file = await kept(bytesOf(2000));
  const parts = partsOf(file);
  const whole = new Map(parts);
  const [first, second] = [whole.get(0), whole.get(1)];
  if (!first || !second) throw new Error('it has two parts');

  const attacks: (() => void)[] = [
    () =>
      parts.set(
        1,
        second.map((byte, at) => (at === 100 ? byte ^ 1 : byte)),
      ),
    () => parts.set(0, second).set(1, first),
    () => parts.set(1, first),
    () => parts.delete(1),
    () => {
      const other = server.files.get(file.id);
      if (other) other.bytes -= 80;
    },
  ];
  for (const attack of attacks) {
    attack();
    await expect(open(file)).rejects.toThrow(FileExchanged);
    for (const [part, bytes] of whole) parts.set(part, bytes);
    await expect(open({ ...file, bytes: 1999 })).rejects.toThrow();
  }
});

test('another file under the same number and key is refused by the root', async () => {
  const file = await kept(bytesOf(2000));
  const { id, key } = file;
  server.files.clear();
  await kept(bytesOf(2000, 8), { id, key });
  await expect(open(file)).rejects.toThrow(FileExchanged);
});

test('one that is not there is missing', async () => {
  const file = await kept(bytesOf(20));
  server.files.clear();
  await expect(open(file)).rejects.toThrow(FileMissing);
});

test('a connection that is cut goes on where it was', async () => {
  const file = await kept(bytesOf(2000));
  const whole = server.whole(file.id);
  const ranges: (string | null)[] = [];
  server.meetWith((asked, request) => {
    if (asked !== 'GET bytes') return undefined;
    ranges.push(request.headers.get('range'));
    if (ranges.length > 1) return undefined;
    let sent = false;
    const cut = new ReadableStream({
      pull(stream) {
        if (sent) stream.error(new TypeError('network error'));
        else stream.enqueue(whole.slice(0, 300));
        sent = true;
      },
    });
    return new Response(cut, { status: 206, headers: { 'content-range': `bytes 0-2560/${whole.length}` } });
  });
  expect(await open(file)).toEqual(bytesOf(2000));
  expect(ranges).toEqual([`bytes=0-${whole.length - 1}`, `bytes=240-${whole.length - 1}`]);
});

test('another range than was asked for is refused', async () => {
  const file = await kept(bytesOf(2000));
  const whole = server.whole(file.id);
  server.meetWith((asked) => (asked === 'GET bytes' ? new Response(whole) : undefined));
  expect(await open(file)).toEqual(bytesOf(2000));
  await expect(
    openFileRange(ownFiles(server.vault()), file, { from: 100, to: 200 }, options),
  ).rejects.toThrow(FileExchanged);
});

test('a range is opened from the segments that it stands in', async () => {
  const file = await kept(bytesOf(2000));
  server.asked.length = 0;
  for (const [from, to] of [
    [0, 1],
    [63, 65],
    [1000, 1500],
    [1990, 2000],
  ] as const)
    expect(await openFileRange(ownFiles(server.vault()), file, { from, to }, options)).toEqual(
      bytesOf(2000).slice(from, to),
    );
  expect(server.asked).toEqual(['GET bytes', 'GET bytes', 'GET bytes', 'GET bytes']);
});

test('a file is written to the disk piece by piece, and what is not whole is not kept there', async () => {
  const file = await kept(bytesOf(500));
  const pieces: Uint8Array[] = [];
  let end: unknown = null;
  const disk = () =>
    new WritableStream<Uint8Array<ArrayBuffer>>({
      write: (piece) => void pieces.push(piece),
      close: () => {
        end = 'closed';
      },
      abort: (why) => {
        end = why;
      },
    });
  await saveFile(ownFiles(server.vault()), file, disk(), options);
  expect(end).toBe('closed');
  expect(Uint8Array.from(pieces.flatMap((piece) => [...piece]))).toEqual(bytesOf(500));
  partsOf(file).set(0, new Uint8Array(640));
  await expect(saveFile(ownFiles(server.vault()), file, disk(), options)).rejects.toThrow(FileExchanged);
  expect(end).toBeInstanceOf(FileExchanged);
});
