// Writing on the whole page: the same form, the same draft, and the words are counted.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { fillFields, openScrolls } from '../../testing/authoring.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import {
  beginMemory,
  finishMemory,
  memoryForm,
  openMemoryVault,
  typeMemory,
} from '../../testing/memories.ts';
import { expectNoDialog, findRow, press, textIn } from '../../testing/steps.ts';

const instance = anInstance();
const WHOLE = 'Write on the whole page';

test('a text goes on on the whole page, and back, in the same form and draft', async () => {
  const member = await openMemoryVault(instance());
  const { browser } = member;
  await beginMemory(member);
  await typeMemory(member, { title: 'The bell', content: 'It still' });
  await screen.findByText('2 words');
  const field = within(await memoryForm()).getByRole('textbox', { name: 'Memory' });
  await press(browser, WHOLE, await memoryForm());
  expect(document.activeElement).toBe(field);
  await browser.user.keyboard(' rings.');
  await screen.findByText('3 words');
  await expectDraft(member, 'It still rings.');
  // The first Esc leaves the page, not the form.
  await browser.user.keyboard('{Escape}');
  await screen.findByRole('button', { name: WHOLE });
  expect(textIn(field)).toBe('It still rings.');
  await press(browser, WHOLE, await memoryForm());
  await finishMemory(member);
  await expectNoDialog();
  await findRow('The bell');
});

test('Cancel on the whole page leaves the form, and its draft stays', async () => {
  const member = await openMemoryVault(instance());
  await beginMemory(member);
  await typeMemory(member, { content: 'One' });
  await screen.findByText('1 word');
  await press(member.browser, WHOLE, await memoryForm());
  await press(member.browser, 'Cancel', await memoryForm());
  await expectNoDialog();
  await expectDraft(member, 'One');
  await beginMemory(member);
  await waitFor(async () =>
    expect(textIn(within(await memoryForm()).getByRole('textbox', { name: 'Memory' }))).toBe('One'),
  );
});

test('the letter of a new scroll, whose form is no dialog, has the whole page too', async () => {
  const member = await openMemoryVault(instance());
  const { browser } = member;
  await openScrolls(browser);
  await fillFields(browser, { Letter: 'Under the' });
  await screen.findByText('2 words');
  await press(browser, WHOLE);
  const page = within(await screen.findByRole('dialog', { name: 'A new letter' }));
  await waitFor(() => expect(document.activeElement).toBe(page.getByRole('textbox', { name: 'Letter' })));
  await browser.user.keyboard(' third stone.');
  await page.findByText('4 words');
  await browser.user.keyboard('{Escape}');
  await expectNoDialog();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Letter')));
  expect(textIn(screen.getByLabelText('Letter'))).toBe('Under the third stone.');
  await expectDraft(member, 'Under the third stone.');
  // What sends the form from there leaves the page, and shows what is missing.
  await press(browser, WHOLE);
  await browser.user.keyboard('{Control>}{Enter}{/Control}');
  await expectNoDialog();
  await waitFor(() => expect(screen.getByLabelText('Title').getAttribute('aria-invalid')).toBe('true'));
});

test.each(['/relationship-ledger/new', '/memory-vault/new'])('%s offers the whole page', async (path) => {
  const { browser } = await openMemoryVault(instance());
  await browser.open(path);
  await screen.findByRole('button', { name: WHOLE });
});
