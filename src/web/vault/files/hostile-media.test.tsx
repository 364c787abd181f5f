// What is not drawn, and what is said where nothing can be recorded.
import { screen, waitFor, within } from '@testing-library/dom';
import { afterEach, expect, test, vi } from 'vitest';
import { aPng } from '../../../vault/files/pictures/testing/made-pictures.ts';
import { areReady, beginWith } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import {
  beginMemory,
  finishMemory,
  memoryForm,
  openMemoryVault,
  readMemory,
} from '../../testing/memories.ts';
import { expectNoDialog, findRow, press } from '../../testing/steps.ts';

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
  await screen.findByText(/larger than a browser can draw/);
  expect(screen.queryByRole('img', { name: 'Bomb.png' })).toBeNull();
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
