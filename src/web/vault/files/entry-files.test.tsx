// Files of entries below the browser, before the real server: in forms, drafts and readers, with what can go wrong.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { beginResealing, changeKey, openSettings, writeNewWords } from '../../testing/another-key.ts';
import { haveDatabases } from '../../testing/databases.ts';
import { watchDownloads } from '../../testing/downloads.ts';
import {
  add,
  aFile,
  aPicture,
  areReady,
  beginWith,
  bytesOf,
  isFileCall,
  refused,
} from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import { editMemory, finishMemory, memoryForm, openMemoryVault, readMemory } from '../../testing/memories.ts';
import { unreachable } from '../../testing/network.ts';
import { expectNoDialog, findRow, press } from '../../testing/steps.ts';

const instance = anInstance();

async function sealedWith(...chosen: File[]): Promise<Member> {
  const member = await openMemoryVault(instance());
  await beginWith(member, ...chosen);
  await areReady(chosen.length);
  await finishMemory(member);
  await expectNoDialog();
  return member;
}

const view = async (member: Member, name: string) => {
  const reader = await readMemory(member, await findRow('The hives'));
  await press(member.browser, new RegExp(name), reader);
  return screen.findByRole('dialog', { name: name.replace('View ', '') });
};

/** Every part that the server keeps. */
function keptParts(folder = instance().filesFolder): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** Has the server refuse every part. @returns ends that */
const refuseParts = ({ browser }: Member) =>
  browser.network.intercept(async (request, forward) =>
    request.method === 'PUT' && isFileCall(request) ? refused() : forward(),
  );

test('a file is sealed with its entry, said in the list, and downloaded as it was', async () => {
  const saved = watchDownloads();
  const member = await sealedWith(aFile('Hives.txt'), aFile('Letter.pdf', 70_000, 'application/pdf'));
  expect((await findRow('The hives')).textContent).toContain('2 files');
  await member.browser.reload();
  const viewer = await view(member, 'Letter.pdf');
  expect(viewer.textContent).toContain('Files of this kind are not shown here');
  await press(member.browser, 'Download Letter.pdf', viewer);
  const { name, bytes } = await saved();
  expect(name).toBe('Letter.pdf');
  expect(bytes).toEqual(bytesOf(70_000));
  for (const path of keptParts()) expect(readFileSync(path).includes('Letter')).toBe(false);
});

test('a picture is opened in the viewer, and its address is given back', async () => {
  const revoked = vi.spyOn(URL, 'revokeObjectURL');
  const member = await sealedWith(aPicture('Hives.png'), aFile('Voice.ogg', 2000, 'audio/ogg'));
  const viewer = await view(member, 'View Hives.png');
  const image = await within(viewer).findByRole('img', { name: 'Hives.png' });
  const address = image.getAttribute('src') ?? '';
  expect(address).toMatch(/^blob:/);
  await press(member.browser, 'Next', viewer);
  await waitFor(() => expect(viewer.querySelector('audio')?.getAttribute('src')).toMatch(/^blob:/));
  expect(revoked).toHaveBeenCalledWith(address);
});

test('an entry waits for its files, and goes on after a reload with the same file alone', async () => {
  haveDatabases();
  const member = await openMemoryVault(instance());
  const { network } = member.browser;
  const mend = refuseParts(member);
  await beginWith(member, aFile('Hives.txt'));
  const dialog = await memoryForm();
  await within(dialog).findByRole('alert');
  const button = within(dialog).getByRole('button', { name: 'Waits for 1 file' });
  expect(button).toHaveProperty('disabled', true);
  mend();

  await member.browser.reload();
  const again = await memoryForm();
  await within(again).findByText(/Choose it once more/);
  const input = await within(again).findByLabelText('Hives.txt, once more');
  await member.browser.user.upload(input, aFile('Hives.txt', 3000, 'text/plain', 2));
  await within(again).findByText(/This is not the file that was begun/);
  expect(network.asked.filter((asked) => asked.startsWith('PUT /api/files'))).toHaveLength(1);
  await press(member.browser, 'Remove Hives.txt', again);
  await add(member, aFile('Hives.txt'));
  await areReady(1);
  await finishMemory(member);
  await expectNoDialog();
});

test('the same file, chosen again after a reload, is sent under its number', async () => {
  haveDatabases();
  const member = await openMemoryVault(instance());
  const { network } = member.browser;
  const mend = refuseParts(member);
  await beginWith(member, aFile('Hives.txt'));
  await within(await memoryForm()).findByRole('alert');
  mend();
  await member.browser.reload();
  await within(await memoryForm()).findByText(/Choose it once more/);
  await add(member, aFile('Hives.txt'));
  await areReady(1);
  expect(network.asked.filter((asked) => asked === 'POST /api/files')).toHaveLength(1);
  await finishMemory(member);
  await expectNoDialog();
});

test('a file that the server has lost before its entry was sealed is sent once more', async () => {
  const member = await openMemoryVault(instance());
  await beginWith(member, aFile('Hives.txt'));
  await areReady(1);
  const part = member.browser.network.asked.find((asked) => asked.startsWith('PUT /api/files')) ?? '';
  const [, path = ''] = /PUT (.*)\/parts/.exec(part) ?? [];
  await member.call('DELETE', path);
  await finishMemory(member);
  await within(await memoryForm()).findByText(/no longer has all of a file/);
  await areReady(1);
  await finishMemory(member);
  await expectNoDialog();
  expect((await findRow('The hives')).textContent).toContain('1 file');
});

test('what the server exchanges, or no longer has, is said in its place', async () => {
  const before = new Set(keptParts());
  const member = await sealedWith(aPicture('Hives.png'));
  const [part = ''] = keptParts().filter((path) => !before.has(path));
  const bytes = readFileSync(part);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(part, bytes);
  const viewer = await view(member, 'View Hives.png');
  await within(viewer).findByText(/is not the file that was sealed/);
  await press(member.browser, 'Close', viewer);

  const { network } = member.browser;
  const [, path = ''] =
    /PUT (.*)\/parts/.exec(network.asked.find((asked) => asked.startsWith('PUT')) ?? '') ?? [];
  await member.call('DELETE', path);
  await press(member.browser, 'View Hives.png', await memoryForm());
  await screen.findByText(/does not have this file, or/);
});

test('a change keeps files, adds some, and erases those that were taken away, once it is sealed', async () => {
  const member = await sealedWith(aFile('Kept.txt'), aFile('Gone.txt'));
  const { network } = member.browser;
  network.asked.length = 0;
  await editMemory(member, await findRow('The hives'));
  await press(member.browser, 'Remove Gone.txt', await memoryForm());
  await add(member, aFile('More.txt'));
  await areReady(1);
  expect(network.asked.some((asked) => asked.startsWith('DELETE'))).toBe(false);
  await finishMemory(member);
  await expectNoDialog();
  await readMemory(member, await findRow('The hives'));
  await screen.findByText('More.txt');
  expect(screen.queryByText('Gone.txt')).toBeNull();
  expect(screen.getByText('Kept.txt')).toBeTruthy();
  await waitFor(() => expect(network.asked.some((asked) => /^DELETE \/api\/files/.test(asked))).toBe(true));
  const sent = network.asked.findIndex((asked) => asked.startsWith('PATCH /api/memory-entries'));
  expect(network.asked.findIndex((asked) => asked.startsWith('DELETE'))).toBeGreaterThan(sent);
});

test('a cut connection does not lose a file of an entry that is being sealed', async () => {
  const member = await openMemoryVault(instance());
  const { network } = member.browser;
  await beginWith(member, aFile('Hives.txt'));
  await areReady(1);
  let isLost = false;
  const mend = network.intercept(async (request, forward) => {
    if (request.method !== 'POST' || !request.url.endsWith('/api/memory-entries')) return forward();
    await forward();
    isLost = true;
    throw unreachable();
  });
  await finishMemory(member);
  await within(await memoryForm()).findByText(/Not sealed/);
  mend();
  expect(isLost).toBe(true);
  await finishMemory(member);
  await expectNoDialog();
  expect((await findRow('The hives')).textContent).toContain('1 file');
});

test('a file opens once its entry was deleted, sealed anew under another key, and restored', async () => {
  const saved = watchDownloads();
  const member = await sealedWith(aFile('Hives.txt', 70_000));
  const { browser, call } = member;
  const [memory] = await call<Memory[]>('GET', '/api/memory-entries');
  await call('DELETE', `/api/memory-entries/${memory?.id}`);
  await openSettings(browser);
  await beginResealing(browser);
  await writeNewWords(browser);
  await changeKey(member);
  const { network } = browser;
  expect(network.asked.filter((asked) => asked.startsWith('PUT /api/files'))).toHaveLength(1);
  await browser.open('/recently-deleted');
  await press(browser, 'Restore The hives');
  await screen.findByText('Nothing is deleted');
  await browser.open('/memory-vault');
  await press(browser, 'Download Hives.txt', await view(member, 'Hives.txt'));
  expect((await saved()).bytes).toEqual(bytesOf(70_000));
});
