// A vault that is full, below the browser: what is refused is said, nothing that was typed is lost, and an import goes on
// where it stopped.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import {
  beginMemory,
  finishMemory,
  MEMORIES,
  memoryForm,
  openMemoryVault,
  postMemory,
  typeMemory,
} from '../../testing/memories.ts';
import { expectNoDialog, expectToast, findRow, press, textIn } from '../../testing/steps.ts';

/** A member has a key and three answers: room for two more rows. */
const small = anInstance({ env: { QUOTA_ROWS: '4' } });
const large = anInstance();
const FULL =
  'Your vault is full: 4 of 4 items. Delete something for good, or ask the administrator for more room.';

/** Deletes a memory for good: what only was deleted still counts. */
async function deleteOne({ call }: Member): Promise<void> {
  const [row] = await call<Memory[]>('GET', MEMORIES);
  await call('DELETE', `${MEMORIES}/${row?.id}`);
  await call('DELETE', `/api/deleted-memory-entries/${row?.id}`);
}

test('a memory that a full vault refuses keeps its words, across a reload, until there is room', async () => {
  const member = await openMemoryVault(small());
  const { browser } = member;
  await postMemory(member, { title: 'A bell', encryptedContent: 'It rings.' });
  await postMemory(member, { title: 'A ferry', encryptedContent: 'It leaves.' });
  await beginMemory(member);
  await typeMemory(member, { title: 'The last one', content: 'Every word of it.' });
  await finishMemory(member);
  await expectToast('Failed to Seal Memory', FULL);
  const words = async () => textIn(within(await memoryForm()).getByRole('textbox', { name: 'Memory' }));
  expect(await words()).toBe('Every word of it.');

  // The draft is kept in this browser, sealed.
  await expectDraft(member, 'The last one', 'Every word of it.');
  // The form has an address of its own, and stands there again.
  await browser.reload();
  await waitFor(async () => expect(await words()).toBe('Every word of it.'));
  expect(textIn(within(await memoryForm()).getByLabelText('Title'))).toBe('The last one');
  expect(JSON.stringify({ ...localStorage })).not.toContain('Every word of it.');

  await browser.open('/settings');
  const storage = within(await screen.findByRole('region', { name: 'Storage' }));
  const items = await storage.findByRole('progressbar', { name: 'Items stored' });
  expect(items.getAttribute('aria-valuetext')).toBe('4 of 4');
  const space = storage.getByRole('progressbar', { name: 'Space used' });
  expect(space.getAttribute('aria-valuetext')).toMatch(/^\d+\.\d KB of 1\.0 GB$/);
  storage.getByText(/^Your vault is full\. You can read, export and delete what is here\./);

  await deleteOne(member);
  await browser.open('/memory-vault');
  await beginMemory(member);
  await waitFor(async () => expect(await words()).toBe('Every word of it.'));
  await finishMemory(member);
  await expectNoDialog();
  await findRow('The last one');
});

/** Exports a vault of three memories as a readable zip. */
async function exportThree(): Promise<File> {
  const member = await enterAsMember(large());
  for (const title of ['One', 'Two', 'Three']) {
    await postMemory(member, { title, encryptedContent: 'Words.' });
  }
  const { browser } = member;
  await browser.open('/settings');
  await press(browser, 'Export');
  const form = within(await screen.findByRole('dialog'));
  await browser.user.selectOptions(await form.findByLabelText('Form'), 'readable');
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('#saved');
  await press(browser, 'Export readable');
  await expectToast('Export Initiated');
  await expectNoDialog();
  const [file] = saved.mock.calls[0] ?? [];
  return new File([file as Blob], 'archive.zip', { type: 'application/zip' });
}

test('an import into a vault that becomes full says what it brought in, and goes on once there is room', async () => {
  const archive = await exportThree();
  const member = await enterAsMember(small());
  const { browser } = member;
  await browser.open('/settings');
  await press(browser, 'Import');
  const dialog = await screen.findByRole('dialog', { name: 'Import' });
  const { getByLabelText, findByRole } = within(dialog);
  await browser.user.upload(getByLabelText('Archive'), archive);
  await press(browser, 'Bring in 3', dialog);
  expect((await findByRole('alert')).textContent).toBe(
    `The import stopped. ${FULL} 2 entries were brought in before that, and stay. You can go on with the rest later.`,
  );
  const rest = await findByRole<HTMLButtonElement>('button', { name: 'Bring in 1' });
  expect(rest.disabled).toBe(false);
  await deleteOne(member);
  await browser.user.click(rest);
  await expectNoDialog();
  expect(await member.call('GET', MEMORIES)).toHaveLength(2);
});
