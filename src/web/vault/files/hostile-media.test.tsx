// What is not drawn, and what is said where nothing can be recorded.
import { screen, waitFor, within } from '@testing-library/dom';
import { afterEach, expect, test, vi } from 'vitest';
import { aBmp, aBoxed, aPng } from '../../../vault/files/pictures/testing/made-pictures.ts';
import { watchDownloads } from '../../testing/downloads.ts';
import { aFile, areReady, beginWith, bytesOf } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import {
  beginMemory,
  finishMemory,
  memoryForm,
  openMemoryVault,
  readMemory,
} from '../../testing/memories.ts';
import { expectNoDialog, findRow, press } from '../../testing/steps.ts';
import { pictureOf } from './thumbnail.ts';

const instance = anInstance();
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

test('a picture of a hundred thousand pixels each way is neither made small nor drawn', async () => {
  const drawn = vi.fn(async () => Promise.reject(new Error('not to be drawn')));
  vi.stubGlobal('createImageBitmap', drawn);
  const member = await openMemoryVault(instance());
  const bomb = aPng([], { width: 100_000, height: 100_000 });
  await beginWith(member, new File([bomb], 'Bomb.png', { type: 'image/png' }));
  await areReady(1);
  await finishMemory(member);
  await expectNoDialog();
  expect(drawn).not.toHaveBeenCalled();
  await press(member.browser, 'View Bomb.png', await readMemory(member, await findRow('The hives')));
  await screen.findByText(/more than 67 million pixels/);
  expect(screen.queryByRole('img', { name: 'Bomb.png' })).toBeNull();
});

test('a picture that says no size that is understood is not drawn, and can be downloaded', async () => {
  const saved = watchDownloads();
  const member = await openMemoryVault(instance());
  await beginWith(member, aFile('Unsaid.png', 2000, 'image/png'));
  await areReady(1);
  await finishMemory(member);
  await expectNoDialog();
  await press(member.browser, 'View Unsaid.png', await readMemory(member, await findRow('The hives')));
  await screen.findByText(/How large this picture would be cannot be told/);
  expect(screen.queryByRole('img', { name: 'Unsaid.png' })).toBeNull();
  await press(member.browser, 'Download Unsaid.png');
  expect((await saved()).bytes).toEqual(bytesOf(2000));
});

test('a picture that says no size is not decoded for a thumbnail, and one that says a fitting one is', async () => {
  const drawn = vi.fn(async () => Promise.reject(new Error('drawn')));
  vi.stubGlobal('createImageBitmap', drawn);
  const typed = (bytes: Uint8Array<ArrayBuffer> | string) => new Blob([bytes], { type: 'image/png' });
  const unsaid = [
    aBoxed('avif', [100_000, 100_000]),
    aBmp(30_000, 30_000),
    aPng([], { width: 2 ** 31 }),
    'no picture',
  ];
  for (const bytes of unsaid) expect(await pictureOf(typed(bytes))).toEqual({});
  expect(drawn).not.toHaveBeenCalled();
  for (const bytes of [aBoxed('avif', [800, 600]), aBmp(800, 600), aPng()]) await pictureOf(typed(bytes));
  expect(drawn).toHaveBeenCalledTimes(3);
});

test.each([
  ['NotAllowedError', /does not let this page use the microphone/],
  ['NotFoundError', /No microphone was found/],
])('where the microphone is not given (%s), that is said, and the form goes on', async (name, words) => {
  vi.stubGlobal('MediaRecorder', class {});
  const asked = vi.fn(async () => Promise.reject(new DOMException('', name)));
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia: asked } });
  const member = await openMemoryVault(instance());
  await beginMemory(member);
  await press(member.browser, 'Record your voice', await memoryForm());
  const form = within(await memoryForm());
  await form.findByText(words);
  expect(asked).toHaveBeenCalledTimes(1);
  await press(member.browser, 'Close', form.getByRole('region', { name: 'Voice recorder' }));
  await waitFor(() => expect(form.queryByRole('region', { name: 'Voice recorder' })).toBeNull());
});
