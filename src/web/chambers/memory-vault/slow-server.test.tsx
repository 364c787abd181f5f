// A server that answers late, or says no: the form lets go of its writer, keeps nothing twice, and hides no error.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import {
  beginMemory,
  finishMemory,
  MEMORIES,
  memoryForm,
  openMemoryVault,
  typeMemory,
} from '../../testing/memories.ts';
import { answerInstead, holdAnswer } from '../../testing/mishaps.ts';
import { expectNoDialog, expectToast, press } from '../../testing/steps.ts';
import { holdTenSeconds } from '../../testing/ten-seconds.ts';

const instance = anInstance();

const passTenSeconds = holdTenSeconds();
const SAFE = /^The server has not answered yet\. Your words are safe in this browser/;
const cancel = async () =>
  within(await memoryForm()).getByRole<HTMLButtonElement>('button', { name: 'Cancel' });
const kept = async (member: Member) => (await member.call<Memory[]>('GET', MEMORIES)).length;

/** Seals a memory at a server that has it, and does not answer; the form has said that it can be left. */
async function sealSlowly(): Promise<{ member: Member; release: () => void }> {
  const member = await openMemoryVault(instance());
  const release = holdAnswer(member.browser, `POST ${MEMORIES}`);
  await beginMemory(member);
  await typeMemory(member, { title: 'The orchard', content: 'Ladders.' });
  await expectDraft(member, 'Ladders.');
  await finishMemory(member);
  await waitFor(async () => expect((await cancel()).disabled).toBe(true));
  expect(screen.queryByText(SAFE)).toBeNull();
  passTenSeconds();
  await screen.findByText(SAFE);
  expect((await cancel()).disabled).toBe(false);
  return { member, release };
}

test('after ten seconds a form can be left, and what arrives afterwards is told and no draft any more', async () => {
  const { member, release } = await sealSlowly();
  await press(member.browser, 'Cancel', await memoryForm());
  await expectNoDialog();
  release();
  await expectToast('Sealed after all');
  await waitFor(() =>
    expect(Object.keys(localStorage).filter((slot) => /draft.*:memory/.test(slot))).toEqual([]),
  );
  expect(await kept(member)).toBe(1);
});

test('a form that was left and is sealed once more, also after a reload, keeps nothing twice', async () => {
  const { member, release } = await sealSlowly();
  await press(member.browser, 'Cancel', await memoryForm());
  await member.browser.reload();
  await beginMemory(member);
  await screen.findByText(/^What you had begun to write is still here/);
  await finishMemory(member);
  await expectNoDialog();
  expect(await kept(member)).toBe(1);
  release();
});

test('what was written since in a form that was opened again stays when the first one arrives', async () => {
  const { member, release } = await sealSlowly();
  await press(member.browser, 'Cancel', await memoryForm());
  await beginMemory(member);
  await screen.findByText(/^What you had begun to write is still here/);
  await typeMemory(member, { content: 'Ladders, and wasps.' });
  await expectDraft(member, 'Ladders, and wasps.');
  release();
  await expectToast('Sealed after all');
  await expectDraft(member, 'Ladders, and wasps.');
  expect(within(await memoryForm()).getByRole<HTMLTextAreaElement>('textbox', { name: 'Memory' }).value).toBe(
    'Ladders, and wasps.',
  );
});

test('why it was not sealed is brought into sight, and what a field says beneath it', async () => {
  const member = await openMemoryVault(instance());
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
  await beginMemory(member);
  await typeMemory(member, { content: 'Ladders.' });
  await finishMemory(member);
  const title = within(await memoryForm()).getByLabelText('Title');
  expect(document.activeElement).toBe(title);
  const error = document.getElementById(title.getAttribute('aria-describedby')?.split(' ')[0] ?? '');
  expect(error?.textContent).not.toBe('');
  expect(shown.mock.contexts).toContain(error);
  answerInstead(member.browser, `POST ${MEMORIES}`, 'nothing', 1);
  await typeMemory(member, { title: 'The orchard' });
  await finishMemory(member);
  expect(shown.mock.contexts).toContain(await screen.findByText(/^Not sealed\./));
});
