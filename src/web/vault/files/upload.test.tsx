// A file on its way to the server, piece by piece, with everything that can happen on the way.
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { fromBase64Url } from '../../../crypto/base64.ts';
import { FileChangedError, newFile } from '../../../crypto/file.ts';
import { openFile } from '../../../vault/files/download.ts';
import { ownFiles } from '../../../vault/files/file-calls.ts';
import { createSealing } from '../../../vault/files/sealed-blocks.ts';
import type { SealedSoFar } from '../../../vault/files/sealed-in-order.ts';
import { PartsRefused, type UploadProgress, uploadFile } from '../../../vault/files/upload.ts';
import { createFileServer, noPause } from '../../testing/file-server.ts';

const steps = { small: 16, segment: 64 };
const bytesOfPart = (halvings: number) => (8 * (64 + 16)) / 2 ** halvings;
const signal = new AbortController().signal;

let server = createFileServer({ bytesOfPart });
beforeEach(() => {
  server = createFileServer({ bytesOfPart });
});

const bytesOf = (length: number, seed = 7) =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + seed + (i >> 8)) & 255);
const fileOf = (length: number, seed?: number) => new Blob([bytesOf(length, seed)]);

interface Sent {
  file: Blob;
  sealed?: { id: string; key: Uint8Array<ArrayBuffer> };
  soFar?: SealedSoFar | null;
  vault?: ReturnType<typeof server.vault>;
  within?: AbortSignal;
  onProgress?: (told: UploadProgress) => void;
  keepSealed?: (sealed: SealedSoFar) => Promise<void>;
}

function send(sent: Sent): Promise<string> {
  const { file, sealed = newFile(), soFar = null, vault = server.vault(), within = signal } = sent;
  const { onProgress = () => {}, keepSealed = async () => {} } = sent;
  const seal = createSealing();
  const options = { signal: within, onProgress, keepSealed, seal, pause: noPause, steps, bytesOfPart };
  return uploadFile(vault, file, { ...sealed, sealed: soFar }, options);
}

async function openedAgain(sealed: ReturnType<typeof newFile>, bytes: number, root: string) {
  const file = { ...sealed, bytes, root: fromBase64Url(root) };
  const blob = await openFile(ownFiles(server.vault()), file, 'x', { signal, pause: noPause, steps });
  return new Uint8Array(await blob.arrayBuffer());
}

const partsAsked = () => server.asked.filter((name) => name.startsWith('PUT'));

test('what was sent is opened again as it was, whatever its length and however small its parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3000 }),
      fc.integer({ min: 20, max: 700 }),
      async (length, most) => {
        server = createFileServer({ bytesOfPart, bodyMax: most });
        const sealed = newFile();
        const root = await send({ file: fileOf(length), sealed });
        expect(await openedAgain(sealed, length, root)).toEqual(bytesOf(length));
      },
    ),
    { numRuns: 8 },
  );
});

test('three parts are on their way at once, and each is sent once', async () => {
  let [open, most] = [0, 0];
  let areThree = () => {};
  const three = new Promise<void>((resolve) => {
    areThree = resolve;
  });
  server.meetWith(async (asked) => {
    if (!asked.startsWith('PUT')) return undefined;
    most = Math.max(most, ++open);
    if (open === 3) areThree();
    await three;
    open -= 1;
    return undefined;
  });
  await send({ file: fileOf(6000) });
  expect(most).toBe(3);
  expect(new Set(partsAsked()).size).toBe(partsAsked().length);
  expect(partsAsked()).toHaveLength(12);
});

/** Keeps how far a file was sealed, as a browser does. */
function aDisk() {
  const kept: SealedSoFar[] = [];
  return {
    kept,
    last: () => kept.at(-1) ?? null,
    keepSealed: async (sealed: SealedSoFar) => void kept.push(sealed),
  };
}

test('no part leaves before it is kept what all segments up to its end were', async () => {
  const disk = aDisk();
  server.meetWith((asked) => {
    const [, part] = /^PUT parts (\d+)$/.exec(asked) ?? [];
    if (part !== undefined)
      expect(disk.last()?.segments).toBeGreaterThanOrEqual(Math.min(94, (Number(part) + 1) * 8));
    return undefined;
  });
  const root = await send({ file: fileOf(6000), keepSealed: disk.keepSealed });
  expect(partsAsked()).toHaveLength(12);
  expect(disk.last()).toEqual({ segments: 94, root });
  expect(disk.kept.length).toBeGreaterThan(3);
  expect(disk.kept.length).toBeLessThanOrEqual(12);
});

test('nothing leaves that could not be kept', async () => {
  const keepSealed = async ({ segments }: SealedSoFar) => {
    if (segments > 16) throw new DOMException('No room.', 'QuotaExceededError');
  };
  await expect(send({ file: fileOf(6000), keepSealed })).rejects.toThrow('No room.');
  expect(partsAsked().filter((asked) => !['PUT parts 0', 'PUT parts 1'].includes(asked))).toEqual([]);
});

test('a part whose answer was lost is sent again, and given up after a few tries', async () => {
  let lost = 0;
  server.meetWith((asked) => {
    if (asked !== 'PUT parts 1' || lost === 2) return undefined;
    lost += 1;
    throw new TypeError('Failed to fetch');
  });
  await send({ file: fileOf(1300) });
  expect(partsAsked().filter((name) => name === 'PUT parts 1')).toHaveLength(3);

  server.meetWith((asked) => {
    if (asked.startsWith('PUT')) throw new TypeError('Failed to fetch');
    return undefined;
  });
  await expect(send({ file: fileOf(10) })).rejects.toThrow(TypeError);
});

test('a server that is asked too often is waited for', async () => {
  let busy = 6;
  server.meetWith((asked) =>
    asked === 'PUT parts 0' && busy-- > 0
      ? new Response('{"code":"too-many"}', { status: 429, headers: { 'retry-after': '3' } })
      : undefined,
  );
  await send({ file: fileOf(10) });
  expect(partsAsked()).toHaveLength(7);
});

test('what a proxy does not take is halved, and the next file begins so', async () => {
  server = createFileServer({ bytesOfPart, bodyMax: 200 });
  const vault = server.vault();
  const sealed = newFile();
  const root = await send({ file: fileOf(1000), sealed, vault });
  expect(server.files.get(sealed.id)?.halvings).toBe(2);
  expect(await openedAgain(sealed, 1000, root)).toEqual(bytesOf(1000));
  server.asked.length = 0;
  await send({ file: fileOf(300), vault });
  expect(server.asked.filter((name) => name === 'POST')).toHaveLength(1);
});

test('what comes too slowly for this server is halved, too, and is told of where that does not help', async () => {
  let slow = 2;
  const tooSlow = () => new Response('{"code":"too-slow","message":"Too slow."}', { status: 400 });
  server.meetWith((asked) => (asked.startsWith('PUT') && slow-- > 0 ? tooSlow() : undefined));
  const sealed = newFile();
  const root = await send({ file: fileOf(500), sealed });
  expect(server.files.get(sealed.id)?.halvings).toBeGreaterThan(0);
  expect(await openedAgain(sealed, 500, root)).toEqual(bytesOf(500));
  server.meetWith((asked) => (asked.startsWith('PUT') ? tooSlow() : undefined));
  await expect(send({ file: fileOf(500) })).rejects.toThrow('too-slow');
});

test('a vault that is full is no proxy', async () => {
  const full = '{"code":"quota-bytes","message":"Your vault is full."}';
  server.meetWith((asked) => (asked === 'POST' ? new Response(full, { status: 413 }) : undefined));
  await expect(send({ file: fileOf(1000) })).rejects.toThrow('quota-bytes');
  expect(server.asked).toEqual(['POST']);
});

test('a proxy that takes nothing at all is told of', async () => {
  server = createFileServer({ bytesOfPart, bodyMax: 3 });
  await expect(send({ file: fileOf(1000) })).rejects.toThrow(PartsRefused);
});

test('after a file that nothing on the way took, the next one begins with whole parts', async () => {
  const vault = server.vault();
  let refuses = true;
  server.meetWith((asked) =>
    refuses && asked.startsWith('PUT') ? new Response('', { status: 413 }) : undefined,
  );
  await expect(send({ file: fileOf(1000), vault })).rejects.toThrow(PartsRefused);
  refuses = false;
  const sealed = newFile();
  await send({ file: fileOf(1000), sealed, vault });
  expect(server.files.get(sealed.id)?.halvings).toBe(0);
});

test('a server that says that it has parts of a file before any was sent is not believed', async () => {
  const file = fileOf(3000);
  const sealed = newFile();
  server.meetWith(async (asked, request) => {
    if (asked !== 'POST') return undefined;
    const { fileId, bytes, halvings } = await request.json();
    return Response.json({ fileId, bytes, halvings, sealId: null, isWhole: false, missing: [] });
  });
  await expect(send({ file, sealed })).rejects.toThrow('has more of this file than was sent');
  expect(partsAsked()).toEqual([]);
});

test.each([
  ['behind what was kept', 3],
  ['at the end of it', 2],
])('a server that has a part %s gets no more under that key', async (_, part) => {
  const sealed = newFile();
  const disk = aDisk();
  await send({ file: fileOf(3000), sealed, keepSealed: disk.keepSealed });
  server.files.get(sealed.id)?.parts.delete(part === 3 ? 2 : 3);
  server.asked.length = 0;
  // The last segment of a part that it has was never kept.
  const soFar = { ...(disk.kept.find(({ segments }) => segments >= 8) as SealedSoFar) };
  expect(soFar.segments).toBeLessThan(24);
  await expect(send({ file: fileOf(3000, 8), sealed, soFar })).rejects.toThrow(FileChangedError);
  await expect(send({ file: fileOf(3000), sealed, soFar })).rejects.toThrow('has more of this file');
  expect(partsAsked()).toEqual([]);
});

test('an upload that was ended goes on with what is missing', async () => {
  const sealed = newFile();
  const ended = new AbortController();
  const disk = aDisk();
  server.meetWith((asked) => {
    if (asked === 'PUT parts 5') ended.abort(new DOMException('ended', 'AbortError'));
    return undefined;
  });
  const { keepSealed } = disk;
  await expect(send({ file: fileOf(6000), sealed, within: ended.signal, keepSealed })).rejects.toThrow(
    'ended',
  );
  const arrived = [...(server.files.get(sealed.id)?.parts.keys() ?? [])];
  expect(arrived.length).toBeGreaterThan(2);
  expect(arrived.length).toBeLessThan(9);

  server.meetWith(() => undefined);
  server.asked.length = 0;
  const told: UploadProgress[] = [];
  const soFar = disk.last();
  const root = await send({ file: fileOf(6000), sealed, soFar, onProgress: (one) => told.push(one) });
  expect(partsAsked()).toHaveLength(12 - arrived.length);
  for (const part of arrived) expect(partsAsked()).not.toContain(`PUT parts ${part}`);
  expect(told[0]).toEqual({ doing: 'preparing', done: 0, of: (soFar?.segments ?? 0) * 64 });
  expect(told.at(-1)).toEqual({ doing: 'sending', done: 7520, of: 7520 });
  expect(await openedAgain(sealed, 6000, root)).toEqual(bytesOf(6000));
});

test('after five reloads in the middle no part was sent again that had been acknowledged', async () => {
  const sealed = newFile();
  const disk = aDisk();
  const arrived = () => new Set(server.files.get(sealed.id)?.parts.keys());
  for (let reload = 0; reload < 5; reload += 1) {
    const ended = new AbortController();
    const before = arrived();
    server.meetWith((asked) => {
      const [, part] = /^PUT parts (\d+)$/.exec(asked) ?? [];
      if (part !== undefined) expect(before.has(Number(part))).toBe(false);
      if (arrived().size >= before.size + 2) ended.abort(new DOMException('reloaded', 'AbortError'));
      return undefined;
    });
    const { keepSealed } = disk;
    const sent = { file: fileOf(12_000), sealed, soFar: disk.last(), within: ended.signal, keepSealed };
    await expect(send(sent)).rejects.toThrow('reloaded');
    expect(arrived().size).toBeGreaterThan(before.size);
  }
  const before = arrived();
  server.meetWith(() => undefined);
  server.asked.length = 0;
  const root = await send({ file: fileOf(12_000), sealed, soFar: disk.last() });
  expect(partsAsked()).toHaveLength(24 - before.size);
  for (const part of before) expect(partsAsked()).not.toContain(`PUT parts ${part}`);
  expect(await openedAgain(sealed, 12_000, root)).toEqual(bytesOf(12_000));
});

test('one that the server has forgotten begins anew', async () => {
  const sealed = newFile();
  const disk = aDisk();
  const root = await send({ file: fileOf(1000), sealed, keepSealed: disk.keepSealed });
  server.files.clear();
  await send({ file: fileOf(1000), sealed, soFar: disk.last() });
  expect(await openedAgain(sealed, 1000, root)).toEqual(bytesOf(1000));
});

test('another file is refused before anything is sent, also one of the same length', async () => {
  const sealed = newFile();
  const disk = aDisk();
  await send({ file: fileOf(1000), sealed, keepSealed: disk.keepSealed });
  server.asked.length = 0;
  for (const other of [fileOf(1000, 8), fileOf(999), fileOf(1001), fileOf(100)])
    await expect(send({ file: other, sealed, soFar: disk.last() })).rejects.toThrow(FileChangedError);
  expect(server.asked).toEqual([]);
});

/** A file of which it is noted how often each byte was read. */
function watched(length: number) {
  const content = bytesOf(length);
  const times = new Uint8Array(length);
  const slice = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) times[at] = (times[at] ?? 0) + 1;
    return new Blob([content.subarray(from, to)]);
  };
  return { times, file: { size: length, slice } as Blob };
}

test('each byte of a new file is read once, also where a proxy has its parts halved to less than a segment', async () => {
  for (const bodyMax of [Infinity, 100, 50]) {
    server = createFileServer({ bytesOfPart, bodyMax });
    const { file, times } = watched(2500);
    const sealed = newFile();
    const vault = server.vault();
    await send({ file: fileOf(1000), vault });
    const root = await send({ file, sealed, vault });
    expect(await openedAgain(sealed, 2500, root)).toEqual(bytesOf(2500));
    expect(new Set(times)).toEqual(new Set([1]));
  }
});

test('what was sealed before is read once more to go on, and nothing else', async () => {
  const sealed = newFile();
  const disk = aDisk();
  await send({ file: fileOf(2500), sealed, keepSealed: disk.keepSealed });
  server.files.get(sealed.id)?.parts.clear();
  for (const part of [0, 1]) server.files.get(sealed.id)?.parts.set(part, new Uint8Array());
  const { file, times } = watched(2500);
  const soFar = disk.kept.find(({ segments }) => segments >= 16) as SealedSoFar;
  await send({ file, sealed, soFar });
  for (const [at, count] of times.entries())
    expect(count).toBe(at >= 16 * 64 && at < soFar.segments * 64 ? 2 : 1);
});

test('a file that changes while it is sent is not sealed over what was sealed of it', async () => {
  let content = fileOf(1000);
  const changing = { size: 1000, slice: (from: number, to: number) => content.slice(from, to) } as Blob;
  server = createFileServer({ bytesOfPart, bodyMax: 300 });
  server.meetWith((asked) => {
    if (asked.startsWith('PUT')) content = fileOf(1000, 8);
    return undefined;
  });
  await expect(send({ file: changing })).rejects.toThrow(FileChangedError);
});
