// What a photo carries is said in its form before it is sealed, and left out where its owner wants that.
import { within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { fromBase64Url } from '../../../crypto/base64.ts';
import { openFile } from '../../../vault/files/download.ts';
import { ownFiles } from '../../../vault/files/file-calls.ts';
import { lookInto } from '../../../vault/files/pictures/look-into.ts';
import { aJpeg, anExif, exifSegment, segment } from '../../../vault/files/pictures/testing/made-pictures.ts';
import { haveDatabases } from '../../testing/databases.ts';
import { watchDownloads } from '../../testing/downloads.ts';
import { createFileServer, noPause } from '../../testing/file-server.ts';
import { areReady, beginWith } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import { finishMemory, memoryForm, openMemoryVault, readMemory } from '../../testing/memories.ts';
import { expectNoDialog, findRow, press } from '../../testing/steps.ts';
import { addChosen } from './chosen-files.ts';
import { type AddedFile, type DraftFiles, NO_FILES } from './draft-files.ts';
import { type QueueForm, UploadQueue } from './upload-queue.ts';

const jpeg = aJpeg([
  exifSegment(
    anExif({
      make: 'Apple',
      model: 'iPhone 12',
      takenAt: '2019:05:17 14:30:05',
      latitude: { parts: [52, 30, 5868], half: 'N' },
      longitude: { parts: [13, 22, 3972], half: 'E' },
    }),
  ),
  segment(0xfe, 'a comment'),
]);
const photo = () => new File([jpeg], 'Gate.jpg', { type: 'image/jpeg' });
const bytesIn = async (blob: Blob | null) =>
  Buffer.from(await (blob ?? expect.fail('nothing was made')).arrayBuffer());
/** A machine that does much besides takes its time. */
const PATIENT = { timeout: 50_000 };
const withoutPlace = async () => bytesIn((await lookInto(photo())).without);

/** A form whose files a queue changes, and is told of again. */
function aForm(removesPlace: boolean, server = createFileServer()) {
  let files: DraftFiles = NO_FILES;
  const form: QueueForm = {
    vault: server.vault(),
    update(change) {
      files = change(files);
      queue.sync(form, files.added);
    },
    keep: async () => true,
  };
  const queue = new UploadQueue(form, removesPlace);
  const add = (file: File, known?: Parameters<typeof addChosen>[2]) => addChosen(form.vault, file, known);
  const put = (added: AddedFile[]) => form.update(() => ({ ...NO_FILES, added }));
  const only = () => files.added[0] ?? expect.fail('no file');
  const isWhole = () => vi.waitFor(() => expect(only().isWhole).toBe(true), PATIENT);
  async function opened() {
    const { id, key, bytes, root } = only();
    const file = { id, key: fromBase64Url(key), bytes, root: fromBase64Url(root ?? '') };
    const signal = new AbortController().signal;
    return bytesIn(await openFile(ownFiles(form.vault), file, 'x', { signal, pause: noPause }));
  }
  return { server, queue, add, put, only, isWhole, opened };
}

test('a photo is sealed as it is, and anew under another number once its place is to be removed', async () => {
  const { server, queue, add, put, only, isWhole, opened } = aForm(false);
  put([add(photo())]);
  await isWhole();
  const { id, key, carried, takenAt } = only();
  expect(carried).toMatchObject({ camera: 'Apple iPhone 12', place: { latitude: expect.any(Number) } });
  expect(takenAt).toBe('2019-05-17T14:30:05');
  expect(await opened()).toEqual(Buffer.from(jpeg));

  queue.removePlace(id, true);
  await isWhole();
  expect([only().id, only().key]).not.toContain(id);
  expect(only().key).not.toBe(key);
  expect(await opened()).toEqual(await withoutPlace());
  await vi.waitFor(() => expect([...server.files.keys()]).toEqual([only().id]), PATIENT);

  queue.removePlace(only().id, false);
  await isWhole();
  expect(await opened()).toEqual(Buffer.from(jpeg));
});

test('where others are given it nothing but the picture alone is ever sent', async () => {
  const { server, add, put, isWhole, opened } = aForm(true);
  put([add(photo())]);
  await isWhole();
  expect(await opened()).toEqual(await withoutPlace());
  expect(server.asked.filter((asked) => asked === 'POST')).toHaveLength(1);
});

test('nothing is sent of a photo that could not be looked into, and another try looks again', async () => {
  const { server, queue, add, put, only, isWhole, opened } = aForm(true);
  const chosen = photo();
  // As where the code for photos cannot be fetched: only what looks into it asks for its beginning.
  let isCut = true;
  const slice = chosen.slice.bind(chosen);
  chosen.slice = (from, to, type) => {
    if (isCut && to === 16) throw new TypeError('Failed to fetch dynamically imported module');
    return slice(from, to, type);
  };
  put([add(chosen)]);
  const { id } = only();
  await vi.waitFor(() => expect(queue.snapshot().get(id)?.is).toBe('failed'), PATIENT);
  expect(server.asked).toEqual([]);
  isCut = false;
  queue.resume(id);
  await isWhole();
  expect(only().placeRemoved).toBe(true);
  expect(await opened()).toEqual(await withoutPlace());
});

test('chosen again after a reload, a photo goes on without its place', async () => {
  haveDatabases();
  const server = createFileServer();
  const before = aForm(true, server);
  before.put([before.add(photo())]);
  await before.isWhole();
  const draft = { ...before.only(), isWhole: false };
  const { queue, put, only, isWhole } = aForm(false, server);
  put([draft]);
  queue.choose(draft.id, photo());
  await isWhole();
  expect(only().id).toBe(draft.id);
  queue.choose(draft.id, new File([jpeg.slice(1)], 'Gate.jpg'));
  expect(queue.snapshot().get(draft.id)?.is).toBe('failed');
});

const instance = anInstance();

test('its form says it in words, and the choice is kept', async () => {
  const saved = watchDownloads();
  const member = await openMemoryVault(instance());
  await beginWith(member, photo());
  await areReady(1);
  const form = within(await memoryForm());
  const facts = await form.findByLabelText('What Gate.jpg carries');
  expect(facts.textContent).toBe(
    'Taken17 May 2019, 14:30Place52.516° N, 13.378° ECameraApple iPhone 12Besidesnotes of cameras or programs',
  );
  await member.browser.user.click(form.getByLabelText('Remove place of Gate.jpg'));
  await form.findByText('It is sealed as the picture alone, with its date.');
  await areReady(1);
  await finishMemory(member);
  await expectNoDialog();
  await press(member.browser, 'View Gate.jpg', await readMemory(member, await findRow('The hives')));
  const viewer = await within(document.body).findByRole('dialog', { name: 'Gate.jpg' });
  expect(viewer.textContent).toContain('Taken 17 May 2019, 14:30');
  await press(member.browser, 'Download Gate.jpg', viewer);
  expect(Buffer.from((await saved()).bytes)).toEqual(await withoutPlace());
});
