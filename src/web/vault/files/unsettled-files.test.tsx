// Files of forms that were left half way: by answers that were lost, drafts that stayed, and pages that went.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { expectDraft } from '../../testing/drafts.ts';
import { add, aFile, areReady, beginWith, isFileCall } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import { editMemory, finishMemory, memoryForm, openMemoryVault, readMemory } from '../../testing/memories.ts';
import { unreachable } from '../../testing/network.ts';
import { expectNoDialog, findRow, press } from '../../testing/steps.ts';

const instance = anInstance();

/** Lets a call through and loses its answer. @returns how to mend the line */
const loseAnswers = ({ browser }: Member, method: string) =>
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== method || isFileCall(request)) return answer;
    throw unreachable();
  });

const erasings = ({ browser }: Member) =>
  browser.network.asked.filter((asked) => asked.startsWith('DELETE /api/files'));

const fileAsked = ({ browser }: Member) => {
  const part = browser.network.asked.findLast((asked) => asked.startsWith('PUT /api/files')) ?? '';
  return /PUT (.*)\/parts/.exec(part)?.[1] ?? expect.fail('no part was sent');
};

/**
 * A memory of which a change with a new file has arrived, and the form does not know it.
 * @param kept the names of the files that it had before
 */
async function changedUnheard(kept: readonly string[] = ['Kept.txt']): Promise<Member> {
  const member = await openMemoryVault(instance());
  await beginWith(member, ...kept.map((name) => aFile(name)));
  if (kept.length > 0) await areReady(kept.length);
  await finishMemory(member);
  await expectNoDialog();
  await editMemory(member, await findRow('The hives'));
  await add(member, aFile('Hives.txt'));
  await areReady(1);
  const mend = loseAnswers(member, 'PATCH');
  await finishChange(member);
  await within(await memoryForm()).findByText(/Not sealed/);
  mend();
  return member;
}

const finishChange = async ({ browser }: Member) =>
  press(browser, /^(Save|Seal|Replace)/, await memoryForm());

test('a file of a change of which the answer was lost is in it once, and stays', async () => {
  const member = await changedUnheard();
  await finishChange(member);
  const form = within(await memoryForm());
  await form.findByText(/changed elsewhere since you opened it/);
  await waitFor(() => expect(form.getAllByText('Hives.txt')).toHaveLength(1));
  form.getByText(/its photos and files stay with the other one/);
  await finishChange(member);
  await expectNoDialog();
  expect((await findRow('The hives')).textContent).toContain('2 files');
  expect(erasings(member)).toEqual([]);
});

test('the first file of a memory is in it once where the answer was lost', async () => {
  const member = await changedUnheard([]);
  await finishChange(member);
  await within(await memoryForm()).findByText(/changed elsewhere since you opened it/);
  await finishChange(member);
  await expectNoDialog();
  expect((await findRow('The hives')).textContent).toContain('1 file');
  expect(erasings(member)).toEqual([]);
});

test('a file of a change of which the answer was lost is erased only once a version without it is sealed', async () => {
  const member = await changedUnheard();
  await finishChange(member);
  await within(await memoryForm()).findByText(/changed elsewhere since you opened it/);
  await press(member.browser, 'Remove Hives.txt', await memoryForm());
  expect(erasings(member)).toEqual([]);
  await finishChange(member);
  await expectNoDialog();
  expect((await findRow('The hives')).textContent).toContain('1 file');
  await waitFor(() => expect(erasings(member)).toHaveLength(1));
});

test('a file that is taken out of a draft stays where an entry has it', async () => {
  const member = await openMemoryVault(instance());
  await beginWith(member, aFile('Hives.txt'));
  await areReady(1);
  await expectDraft(member, '"isWhole":true');
  const mend = loseAnswers(member, 'POST');
  await finishMemory(member);
  await within(await memoryForm()).findByText(/Not sealed/);
  mend();
  await press(member.browser, 'Remove Hives.txt', await memoryForm());
  await waitFor(async () => expect(within(await memoryForm()).queryByText('Hives.txt')).toBeNull());
  await member.browser.network.idle();
  expect(erasings(member)).toEqual([]);
  expect(await member.call('GET', fileAsked(member))).toMatchObject({ isWhole: true });
});

test('a file that is taken out of a form before any entry has it is erased at once', async () => {
  const member = await openMemoryVault(instance());
  await beginWith(member, aFile('Hives.txt'));
  await areReady(1);
  await press(member.browser, 'Remove Hives.txt', await memoryForm());
  await waitFor(() => expect(erasings(member)).toHaveLength(1));
});

test('a draft that comes back renews its files on the server', async () => {
  const member = await openMemoryVault(instance());
  await beginWith(member, aFile('Hives.txt'));
  await areReady(1);
  await expectDraft(member, '"isWhole":true');
  const { network } = member.browser;
  network.asked.length = 0;
  await member.browser.reload();
  await areReady(1);
  await waitFor(() => expect(network.asked).toContain('POST /api/files'));
  await finishMemory(member);
  await expectNoDialog();
});

test('a draft that comes back says which of its files the server has erased, and takes them again', async () => {
  const member = await openMemoryVault(instance());
  await beginWith(member, aFile('Hives.txt'));
  await areReady(1);
  await expectDraft(member, '"isWhole":true');
  await member.call('DELETE', fileAsked(member));
  await member.browser.reload();
  const form = within(await memoryForm());
  await form.findByText(/no longer has this file/);
  expect(form.getByRole('button', { name: 'Waits for 1 file' })).toHaveProperty('disabled', true);
  await add(member, aFile('Hives.txt'));
  await areReady(1);
  await finishMemory(member);
  await expectNoDialog();
  await readMemory(member, await findRow('The hives'));
  await screen.findByText('Hives.txt');
});
