// Printing a list: what is offered, what is left out and named, and what a printer gets.
import { fireEvent, screen, within } from '@testing-library/dom';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { memories } from '../../../shared/nouns/memory.ts';
import { DAY } from '../../../shared/time.ts';
import { aPng } from '../../../vault/files/pictures/testing/made-pictures.ts';
import { aVaultWith } from '../../testing/devices.ts';
import { aFile, aPicture, areReady, beginWith } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { finishMemory, openMemoryVault, readMemory } from '../../testing/memories.ts';
import { expectNoDialog, expectToast, findRow, press, pressEscape } from '../../testing/steps.ts';
import { ReadingOverlay } from '../../ui/reading-overlay.tsx';

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

test('pictures are opened before the printer is asked, and other files are named with their sizes', async () => {
  const member = await openMemoryVault(instance());
  await beginWith(
    member,
    aPicture('Hives.png'),
    aPicture('Bees.jpg'),
    aFile('Letter.pdf', 70_000, 'application/pdf'),
    new File([aPng([], { width: 100_000, height: 100_000 })], 'Bomb.png', { type: 'image/png' }),
    aFile('Unsaid.png', 2000, 'image/png'),
  );
  await areReady(5);
  await finishMemory(member);
  await expectNoDialog();
  const revoked = vi.spyOn(URL, 'revokeObjectURL');
  const printed: { pictures: string[]; text: string }[] = [];
  window.print = () => {
    const list = screen.getByRole('list', { name: 'Printed files', hidden: true });
    const pictures = [...list.querySelectorAll('img')].map(({ alt, src }) => `${alt} ${src.slice(0, 5)}`);
    const said = list.previousElementSibling?.tagName === 'P' ? list.previousElementSibling.textContent : '';
    printed.push({ pictures, text: `${said} ${list.textContent}` });
    window.dispatchEvent(new Event('afterprint'));
  };
  const all = {
    pictures: ['Hives.png blob:', 'Bees.jpg blob:'],
    text: expect.stringMatching(
      /^2 pictures could not be opened and are missing below\. Letter\.pdf, 68\.4 KBBomb\.png, \d+ bytesUnsaid\.png, 2\.0 KB$/,
    ),
  };
  await press(member.browser, 'Print');
  const dialog = await screen.findByRole('dialog', { name: 'Print' });
  await press(member.browser, 'Print 1 entry', dialog);
  await vi.waitFor(() => expect(printed).toEqual([all]));
  await expectToast(
    'Not All Pictures Are There',
    'missing: Bomb.png, Unsaid.png. Everything else is printed.',
  );
  await vi.waitFor(() => expect(revoked).toHaveBeenCalledTimes(2));
  await pressEscape(member.browser);
  await expectNoDialog();

  const reader = await readMemory(member, await findRow('The hives'));
  await within(reader).findByRole('button', { name: 'View Hives.png' });
  await press(member.browser, 'Print', reader);
  await vi.waitFor(() => expect(printed).toEqual([all, all]));
});

test('the words are printed where what stands beneath them cannot be made ready', async () => {
  const printed = vi.fn();
  window.print = printed;
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(
    <ReadingOverlay
      open
      onClose={() => {}}
      title="The hives"
      text="She spoke to them first."
      beforePrint={() => Promise.reject(new Error('not ready'))}
    />,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Print' }));
  await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(1));
  expect(screen.getByRole('button', { name: 'Print' }).getAttribute('aria-busy')).not.toBe('true');
  root.unmount();
});

test('a server that leaves an entry out has that said beside what is printed, also for keeping', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  const { browser } = member;
  for (const title of ['The ferry', 'The orchard']) await devices[0]?.writeMemory(title);
  browser.network.intercept(async (request, forward) => {
    const { pathname } = new URL(request.url);
    const answer = await forward();
    if (request.method !== 'GET' || pathname !== memories.list.path) return answer;
    return Response.json(((await answer.json()) as object[]).slice(1), answer);
  });
  await browser.open('/memory-vault');
  const said = 'This server does not show 1 entry that your vault’s book has.';
  await screen.findByText(said, { exact: false }, { timeout: 10_000 });
  await press(browser, 'Print');
  const dialog = await screen.findByRole('dialog', { name: 'Print' });
  expect(dialog.textContent).toContain(said);
  await press(browser, 'Print for keeping', dialog);
  expect((await screen.findByRole('dialog', { name: 'Paper' })).textContent).toContain(said);
});
