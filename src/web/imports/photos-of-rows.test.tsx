// Photographs of an import, without its page: that they arrive as they were. Which files come along is told in files-of-rows.test.ts.
import { expect, test } from 'vitest';
import { fromBase64Url } from '../../crypto/base64.ts';
import { openFile } from '../../vault/files/download.ts';
import { ownFiles } from '../../vault/files/file-calls.ts';
import { readFiles } from '../../vault/files/file-ref.ts';
import { FileSender, withBroughtFiles } from '../../vault/outbox/brought-files.ts';
import { RoomForFiles } from '../../vault/outbox/room-for-files.ts';
import { createFileServer, noPause } from '../testing/file-server.ts';
import { withFilesNamed } from './files-named.ts';
import type { PreviewRow } from './import-messages.ts';
import { dayOneWithPhotos, jpeg, sumOfPhoto } from './testing/day-one-photos.ts';
import { fileOf, importing } from './testing/importing.ts';

const NEVER = new AbortController().signal;

type Imported = Awaited<ReturnType<typeof importing>>;

const bytesOf = async (blob: Blob | null) => blob && new Uint8Array(await blob.arrayBuffer());

async function fileOfRow({ ask }: Imported, id: number, at: number): Promise<Blob | null> {
  const reply = await ask({ ask: 'file', id, at });
  if (!reply.ok || !('file' in reply)) throw new Error('no such file');
  return reply.file;
}

test('a Day One export of 300 photographs comes whole, with dates and places, and one photograph at a time', async () => {
  const { zip, photos } = dayOneWithPhotos(100, 3);
  const found = await importing([fileOf('Journal.zip', zip)]);
  expect(found.leftOut).toEqual({});
  expect(found.rows.flatMap(({ files }) => files)).toHaveLength(300);

  const server = createFileServer();
  const sender = new FileSender(server.vault(), { pause: noPause });
  let [open, most] = [0, 0];
  const bring = async (row: PreviewRow) => {
    const refs = await Promise.all(
      row.files.map((file, at) =>
        sender.send(
          `${row.sealId}/${at}`,
          file,
          async () => {
            open += 1;
            most = Math.max(most, open);
            const blob = await fileOfRow(found, row.id, at);
            open -= 1;
            return blob;
          },
          NEVER,
        ),
      ),
    );
    return withBroughtFiles(
      null,
      refs.filter((ref) => typeof ref !== 'string'),
    );
  };
  const described = await Promise.all(found.rows.map(bring));
  const files = described.flatMap((details) => readFiles(details).files);
  expect(most).toBe(1);
  expect(files.map(({ name }) => name).sort()).toEqual([...photos.keys()].sort());
  for (const file of files) {
    const kept = { ...file, key: fromBase64Url(file.key), root: fromBase64Url(file.root) };
    const blob = await openFile(ownFiles(server.vault()), kept, file.type, { signal: NEVER, pause: noPause });
    expect(await bytesOf(blob)).toEqual(photos.get(file.name));
  }
  expect(files[0]).toMatchObject({ type: 'image/jpeg' });
  expect(files.map(({ takenAt }) => takenAt).sort()[0]).toBe('2019-05-17T02:00:00');

  const first = found.rows.at(-1) ?? expect.fail();
  const words = withFilesNamed((await found.words(first.id)) ?? '', first.files);
  expect(words).toContain(`[Photo: ${sumOfPhoto(0)}.jpeg]`);
  expect(words).toContain(`Place of ${sumOfPhoto(2)}.jpeg: Pier 2, Hallstatt`);
  expect(words).not.toContain('left out');
}, 300_000);

test('a photograph that is sent again is sent once, and another one of its place gets another key', async () => {
  const server = createFileServer();
  const sender = new FileSender(server.vault(), { pause: noPause });
  const send = (bytes: Uint8Array<ArrayBuffer>) =>
    sender.send(
      'a/0',
      { name: 'bees.jpg', type: 'image/jpeg', bytes: bytes.length },
      async () => new Blob([bytes]),
      NEVER,
    );
  server.meetWith((asked) => (asked.startsWith('PUT') ? new Response('', { status: 400 }) : undefined));
  await expect(send(jpeg(1))).rejects.toThrow();
  const [begun] = server.files.keys();
  // The file on the disk is another one by now: nothing of it leaves under the key of the first.
  server.meetWith(() => undefined);
  await expect(send(jpeg(2))).rejects.toThrow('The file has changed');
  const sent = await send(jpeg(2));
  expect(sent).not.toMatchObject({ id: begun });
  server.asked.length = 0;
  expect(await send(jpeg(2))).toBe(sent);
  expect(server.asked).toEqual([]);
});

test('a photograph for which the server has no room is left out, and a smaller one comes', async () => {
  const server = createFileServer();
  const sender = new FileSender(server.vault(), { pause: noPause });
  const send = (place: string, bytes: number) =>
    sender.send(
      place,
      { name: 'bees.jpg', type: 'image/jpeg', bytes },
      async () => new Blob([new Uint8Array(bytes)]),
      NEVER,
    );
  server.meetWith(async (asked, request) =>
    asked.startsWith('POST') && (await request.clone().json()).bytes > 100_000
      ? Response.json({ code: 'quota-bytes', message: 'Full.' }, { status: 413 })
      : undefined,
  );
  expect(await send('a/0', 200_000)).toBe('no-room');
  expect(await send('a/1', 100)).toMatchObject({ bytes: 100 });
  server.asked.length = 0;
  expect(await send('a/2', 300_000)).toBe('no-room');
  expect(server.asked).toEqual([]);
  // Later there is room again.
  server.meetWith(() => undefined);
  sender.limitTo(new RoomForFiles(null));
  expect(await send('a/0', 200_000)).toMatchObject({ bytes: 200_000 });
});
