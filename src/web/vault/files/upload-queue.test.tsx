// The queue of a form's uploads by itself, before calls that are answered from memory.
import { expect, test, vi } from 'vitest';
import { sealedLength } from '../../../crypto/file-layout.ts';
import { FILE_BYTES_MAX } from '../../../shared/file-limits.ts';
import { haveDatabases } from '../../testing/databases.ts';
import { createFileServer } from '../../testing/file-server.ts';
import { addChosen, whyNotTaken } from './chosen-files.ts';
import { type DraftFiles, NO_FILES } from './draft-files.ts';
import { type QueueForm, UploadQueue } from './upload-queue.ts';

const aFile = (seed: number) => new File([new Uint8Array(3000).fill(seed)], 'Hives.txt');

/** A form whose files a queue changes, and is told of again. This browser has no room left to keep it. */
function aForm(server = createFileServer()) {
  let files: DraftFiles = NO_FILES;
  const form: QueueForm = {
    vault: server.vault(),
    update(change) {
      files = change(files);
      queue.sync(form, files.added);
    },
    keep: async () => false,
  };
  const queue = new UploadQueue(form);
  const add = (file: File, known?: Parameters<typeof addChosen>[2]) => addChosen(form.vault, file, known);
  const put = (added: DraftFiles['added']) => form.update(() => ({ ...NO_FILES, added }));
  const only = () => files.added[0] ?? expect.fail('no file');
  const isWhole = () => vi.waitFor(() => expect(only().isWhole).toBe(true));
  return { server, queue, add, put, only, isWhole };
}

test('a file of which no root was kept begins anew under another number and key', async () => {
  const lost = aForm().add(aFile(1));
  const { server, queue, put, only, isWhole } = aForm();
  put([lost]);
  expect(queue.snapshot().get(lost.id)).toEqual({ is: 'lost' });
  queue.choose(lost.id, aFile(2));
  await isWhole();
  expect(only().id).not.toBe(lost.id);
  expect(only().key).not.toBe(lost.key);
  expect([...server.files.keys()]).toEqual([only().id]);
});

test('a whole file has its root, also where the form heard nothing of it before', async () => {
  const { add, put, only, isWhole } = aForm();
  const added = add(aFile(1));
  put([added]);
  // Somebody writes: the form has what it had when it was drawn last.
  put([added]);
  await isWhole();
  expect(only().root).toMatch(/^[\w-]{43}$/);
});

test('a draft that is back before its upload has ended goes on', async () => {
  const { server, add, put, isWhole } = aForm();
  let isHeld = true;
  let heard = () => {};
  const reserved = new Promise<void>((resolve) => {
    heard = resolve;
  });
  server.meetWith((asked, { signal }) => {
    if (asked !== 'POST' || !isHeld) return undefined;
    isHeld = false;
    heard();
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  });
  const added = add(aFile(1));
  put([added]);
  await reserved;
  put([]);
  put([added]);
  await isWhole();
});

test('what the server no longer has of a draft is to be chosen once more, and what it has stays', async () => {
  haveDatabases();
  const server = createFileServer();
  const first = aForm(server);
  first.put([first.add(aFile(1))]);
  await first.isWhole();
  const draft = first.only();
  server.asked.length = 0;

  const second = aForm(server);
  second.put([draft]);
  await vi.waitFor(() => expect(server.asked).toEqual(['GET', 'POST']));
  expect(second.only().isWhole).toBe(true);

  server.files.clear();
  const third = aForm(server);
  third.put([draft]);
  await vi.waitFor(() => expect(third.queue.snapshot().get(draft.id)).toEqual({ is: 'gone' }));
  third.queue.choose(draft.id, aFile(1));
  await third.isWhole();
  expect(third.only().id).toBe(draft.id);
});

test('what the server denied once and has all the same is ready again, by itself or when it is asked again', async () => {
  const server = createFileServer();
  const first = aForm(server);
  first.put([first.add(aFile(1))]);
  await first.isWhole();
  const draft = first.only();

  let lies = 1;
  server.meetWith((asked) => {
    if (asked !== 'GET' || lies === 0) return undefined;
    lies -= 1;
    return new Response(JSON.stringify({ code: 'not-found', message: 'Not found.' }), { status: 404 });
  });
  const second = aForm(server);
  second.put([draft]);
  await vi.waitFor(() => expect(second.queue.snapshot().get(draft.id)).toEqual({ is: 'gone' }));
  const denied = second.only();
  expect(denied.isWhole).toBe(false);
  second.queue.askAgain(draft.id);
  await second.isWhole();
  expect(second.queue.snapshot().has(draft.id)).toBe(false);

  // The page was left meanwhile, with what was denied in the draft.
  const third = aForm(server);
  third.put([denied]);
  await third.isWhole();
  expect(third.queue.snapshot().has(draft.id)).toBe(false);
});

test('whoever leaves a page is asked while a recording is nowhere else, also once its form is closed', async () => {
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const { queue, add, put, only, isWhole } = aForm();
  const recorded = add(aFile(1), { recording: { id: 'r', part: 1 } });
  queue.end();
  expect(isAsked()).toBe(true);
  put([recorded]);
  await isWhole();
  expect(isAsked()).toBe(false);
  put([add(aFile(2), { recording: { id: 's', part: 1 } })]);
  expect(isAsked()).toBe(true);
  queue.remove(only().id);
  expect(isAsked()).toBe(false);
});

test('a file is taken up to the size that its ciphertext may have', () => {
  const sized = (size: number) => ({ name: 'Film.mkv', size }) as File;
  const largest = Math.floor(FILE_BYTES_MAX * 0.999);
  for (const size of [FILE_BYTES_MAX, largest, Math.floor(FILE_BYTES_MAX * 0.95)])
    expect(whyNotTaken(sized(size), 0) === null).toBe(sealedLength(size) <= FILE_BYTES_MAX);
});
