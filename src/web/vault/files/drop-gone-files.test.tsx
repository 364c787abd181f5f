// What a device does with kept files of entries that are gone, or seem to be.
import { expect, test, vi } from 'vitest';
import { toBase64Url } from '../../../crypto/base64.ts';
import { book } from '../../../shared/nouns/book.ts';
import { memories } from '../../../shared/nouns/memory.ts';
import { DAY } from '../../../shared/time.ts';
import { type FileRef, readFiles } from '../../../vault/files/file-ref.ts';
import type { FileSource } from '../../../vault/files/file-source.ts';
import type { KeptFiles } from '../../../vault/files/kept-pieces.ts';
import { memoryKind } from '../../../vault/kinds/memory.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { aDevice, type Device } from '../../testing/devices.ts';
import { add, aFile, areReady } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import {
  beginMemory,
  editMemory,
  finishMemory,
  openMemoryVault,
  typeMemory,
} from '../../testing/memories.ts';
import { unreachable } from '../../testing/network.ts';
import { expectNoDialog, findRow } from '../../testing/steps.ts';
import { dropGoneFiles } from './drop-gone-files.ts';
import { Keeping } from './keeping.ts';

const instance = anInstance();

/** A device that keeps these files, as far as this test looks. */
function keeping(ids: readonly string[]) {
  const dropped: string[] = [];
  const kept = {
    ids: async () => [...ids],
    drop: async (gone: readonly { id: string }[]) => void dropped.push(...gone.map(({ id }) => id)),
  };
  return { kept, dropped };
}

/** A device of a vault with one memory, which has a file. */
async function aDeviceWithFile(): Promise<{ device: Device; member: Member; id: string }> {
  const member = await openMemoryVault(instance());
  await beginMemory(member);
  await typeMemory(member, { title: 'The hives', content: 'She spoke to them first.' });
  await add(member, aFile('Hives.txt'));
  await areReady(1);
  await finishMemory(member);
  await expectNoDialog();
  const device = aDevice(instance(), member);
  const [memory] = await device.vault.lists.load(entryListOf(memoryKind));
  const [file] = readFiles(memory?.detailsText).files;
  return { device, member, id: file?.id ?? expect.fail('no file') };
}

test('files that no entry names go, and the others stay', async () => {
  const { device, id } = await aDeviceWithFile();
  const { kept, dropped } = keeping([id, 'another']);
  await dropGoneFiles(device.vault, kept);
  expect(dropped).toEqual(['another']);
});

test('files of an entry go once its lock is known, also where this page has its words still', async () => {
  const { device, id } = await aDeviceWithFile();
  const { kept, dropped } = keeping([id]);
  const list = entryListOf(memoryKind);
  const [memory] = device.vault.lists.rows(list) ?? [];
  if (!memory) throw new Error('no memory');
  const timeLockUntil = new Date(Date.now() + DAY).toISOString();
  device.vault.lists.change(list, () => [{ ...memory, timeLockUntil: new Date(0).toISOString() }]);
  await dropGoneFiles(device.vault, kept);
  expect(dropped).toEqual([]);
  device.vault.lists.change(list, () => [{ ...memory, timeLockUntil }]);
  await dropGoneFiles(device.vault, kept);
  expect(dropped).toEqual([id]);
});

test('files of an entry that another device has locked go once the list is fetched anew', async () => {
  const { device, member, id } = await aDeviceWithFile();
  const { kept, dropped } = keeping([id]);
  await dropGoneFiles(device.vault, kept);
  expect(dropped).toEqual([]);
  await editMemory(member, await findRow('The hives'));
  await typeMemory(member, { lock: '1 week' });
  await finishMemory(member);
  await expectNoDialog();
  await device.vault.lists.load(entryListOf(memoryKind));
  await dropGoneFiles(device.vault, kept);
  expect(dropped).toEqual([id]);
});

test('what is being kept of a file that is gone ends with it', async () => {
  const { device, id } = await aDeviceWithFile();
  let signal: AbortSignal | undefined;
  const source: FileSource = {
    read: (_, __, given) => {
      signal = given;
      return new Promise((_, reject) => given.addEventListener('abort', () => reject(given.reason)));
    },
  };
  const store = { list: async () => new Map(), load: async () => null, drop: async () => {} };
  const keeping = new Keeping(source, store as unknown as KeptFiles);
  const key = toBase64Url(new Uint8Array(32));
  const gone = { id: `${id.slice(0, -2)}AA`, key, root: key, bytes: 5 } as FileRef;
  const underway = keeping.keep([gone]);
  await vi.waitFor(() => expect(signal).toBeDefined());
  await dropGoneFiles(device.vault, keeping);
  expect(signal?.aborted).toBe(true);
  await underway;
  expect(keeping.current()?.get(gone.id)).toBeUndefined();
});

test('a server that leaves an entry out, or cannot be reached, has nothing erased', async () => {
  const { device, id } = await aDeviceWithFile();
  const { kept, dropped } = keeping([id]);
  device.reload();
  const stop = device.network.intercept(async (request, forward) =>
    request.method === 'GET' && new URL(request.url).pathname === memories.list.path
      ? Response.json([])
      : forward(),
  );
  await dropGoneFiles(device.vault, kept);
  stop();
  device.reload();
  device.network.cut();
  await expect(dropGoneFiles(device.vault, kept)).rejects.toThrow();
  expect(dropped).toEqual([]);
});

test('a server that leaves an entry out, and whose book cannot be read as the line is cut by then, has nothing erased', async () => {
  const { device, id } = await aDeviceWithFile();
  const { kept, dropped } = keeping([id]);
  device.reload();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const stop = device.network.intercept(async (request, forward) => {
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET') return forward();
    if (pathname === book.list.path) throw unreachable();
    return pathname === memories.list.path ? Response.json([]) : forward();
  });
  await dropGoneFiles(device.vault, kept).catch(() => {});
  stop();
  vi.restoreAllMocks();
  expect(dropped).toEqual([]);
});

test('a browser that has lost its place in the book erases nothing before its owner says that it is shown the newest', async () => {
  const { device, member, id } = await aDeviceWithFile();
  const { kept, dropped } = keeping([id, 'another']);
  localStorage.removeItem(`latebra.book-pin:${member.user.id}`);
  device.reload();
  await dropGoneFiles(device.vault, kept);
  expect(dropped).toEqual([]);
  (await device.vault.loadBook()).confirm();
  await dropGoneFiles(device.vault, kept);
  expect(dropped).toEqual(['another']);
});

test('a server that spoils an entry, so that nobody can read which files it names, has nothing erased', async () => {
  const { device, id } = await aDeviceWithFile();
  const { kept, dropped } = keeping([id]);
  device.reload();
  device.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'GET' || new URL(request.url).pathname !== memories.list.path) return answer;
    const rows = (await answer.json()) as { version: number }[];
    return Response.json(
      rows.map((row) => ({ ...row, version: row.version + 6 })),
      answer,
    );
  });
  await dropGoneFiles(device.vault, kept);
  expect(dropped).toEqual([]);
});
