// Printing a list: what is offered, what is left out and named, and what a printer gets.
import { screen, within } from '@testing-library/dom';
import { afterEach, expect, test, vi } from 'vitest';
import { DAY } from '../../../shared/time.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { press } from '../../testing/steps.ts';

const instance = anInstance();
afterEach(() => vi.restoreAllMocks());

test('what is seen or one year is printed, the oldest first; what is locked is left out, and said', async () => {
  const member = await enterAsMember(instance());
  const post = (title: string, createdAt: string, timeLockUntil: string | null = null) =>
    member.postSealed(
      '/api/memory-entries',
      'memory',
      { title, encryptedContent: `Words of ${title}.` },
      { createdAt, timeLockUntil },
    );
  await post('The ferry', '2030-03-01T10:00:00.000Z');
  await post('The orchard', '2029-05-17T10:00:00.000Z');
  await post('For later', '2030-04-01T10:00:00.000Z', new Date(Date.now() + 300 * DAY).toISOString());
  const { browser } = member;
  await browser.open('/memory-vault');
  await press(browser, 'Print');
  const dialog = await screen.findByRole('dialog', { name: 'Print' });
  const choice = within(dialog).getByLabelText<HTMLSelectElement>('What to print');
  expect([...choice.options].map(({ textContent }) => textContent)).toEqual([
    'What you see: 3 entries',
    '2030: 2 entries',
    '2029: 1 entry',
  ]);
  expect(dialog.textContent).toContain('Left out, because locked or unreadable here: 1 entry.');

  const printed: (string | null)[] = [];
  window.print = () => {
    printed.push(document.querySelector('[data-book]')?.textContent ?? null);
    window.dispatchEvent(new Event('afterprint'));
  };
  await press(browser, 'Print 2 entries', dialog);
  await vi.waitFor(() => expect(printed).toHaveLength(1));
  expect(printed[0]).toMatch(
    /^Memory Vault17 May 2029 to 1 March 20302 entriesContents1\. The orchard.*2\. The ferry/,
  );
  expect(printed[0]).toContain('Words of The ferry.');
  expect(printed[0]).not.toContain('For later');
  await vi.waitFor(() => expect(document.querySelector('[data-book]')).toBeNull());

  await browser.user.selectOptions(choice, '2029');
  await press(browser, 'Print 1 entry', dialog);
  await vi.waitFor(() => expect(printed).toHaveLength(2));
  expect(printed[1]).toContain('Memory Vault, 2029');
  expect(printed[1]).not.toContain('The ferry');
});
