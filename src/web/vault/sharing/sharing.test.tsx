// Giving an entry away from where it is read, and as it is sealed.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import {
  beginMemory,
  memoryForm,
  openMemoryVault,
  postMemory,
  sealMemory,
  typeMemory,
} from '../../testing/memories.ts';
import { unreachable } from '../../testing/network.ts';
import { expectNoDialog, expectToast, fill, findRow, press, textIn } from '../../testing/steps.ts';

const instance = anInstance();
const WORDS = { title: 'The bell', encryptedContent: 'It *still* rings.' };
const SEAL_AND_LINK = 'Seal and make a one-time link';

async function readWords(): Promise<Member> {
  const member = await enterAsMember(instance());
  const { sealId } = await postMemory(member, WORDS);
  await member.browser.open(`/memory-vault/${sealId}`);
  await screen.findByRole('heading', { name: 'The bell' });
  return member;
}

const link = async () => textIn(await screen.findByRole('textbox', { name: 'Link' }));
const wantLink = async ({ browser }: Member) =>
  browser.user.click(within(await memoryForm()).getByRole('checkbox', { name: /one-time link/ }));

async function expectOpens(address: string, ...words: string[]): Promise<void> {
  const reader = openBrowser(instance());
  await reader.open(address);
  await press(reader, 'Open and read');
  const article = await screen.findByRole('article');
  await waitFor(() => {
    for (const part of words) expect(article.textContent).toContain(part);
  });
}

test('the reader copies the text as it was written', async () => {
  const { browser } = await readWords();
  await press(browser, 'Copy text');
  await screen.findByRole('button', { name: 'Copied' });
  expect(await navigator.clipboard.readText()).toBe('It *still* rings.');
});

test('the reader makes a one-time link, which opens, and comes back to the text', async () => {
  const { browser } = await readWords();
  await press(browser, 'Share');
  await screen.findByRole('dialog', { name: 'Share “The bell”' });
  await press(browser, 'Make a one-time link');
  await expectToast('Sacred Key Created', 'Its link is on your clipboard.');
  const made = await link();
  await press(browser, 'Done');
  await screen.findByRole('button', { name: 'Copy text' });
  await expectOpens(made, 'The bell', 'It still rings.');
});

test('a link leads to this server, also where the server names another address', async () => {
  const { browser } = await readWords();
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (!`${request.method} ${request.url}`.endsWith('POST http://localhost:3000/api/shareable-keys'))
      return answer;
    const { shareUrl, ...key } = (await answer.json()) as { shareUrl: string };
    return Response.json(
      { ...key, shareUrl: shareUrl.replace('localhost:3000', 'elsewhere.example') },
      answer,
    );
  });
  await press(browser, 'Share');
  await press(browser, 'Make a one-time link');
  const made = await link();
  expect(made).toMatch(/^http:\/\/localhost:3000\/share\//);
  expect(await navigator.clipboard.readText()).toBe(made);
});

test('a link is shown as it was sealed, whatever is answered of it', async () => {
  const { browser } = await readWords();
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'PUT') return answer;
    const key = (await answer.json()) as object;
    const lies = { expiresAt: '2050-01-01T00:00:00.000Z', hasPassphrase: true, keyId: 'A'.repeat(22) };
    return Response.json({ ...key, ...lies }, answer);
  });
  await press(browser, 'Share');
  await press(browser, 'Make a one-time link');
  const made = await link();
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).not.toMatch(/2050|Tell the passphrase/);
  await expectOpens(made, 'The bell');
});

test('a weak passphrase makes no link from the reader', async () => {
  const { browser } = await readWords();
  await press(browser, 'Share');
  const form = within(await screen.findByRole('dialog', { name: /^Share/ }));
  await fill(browser, await form.findByLabelText(/^Passphrase/), '123456');
  await press(browser, 'Make a one-time link');
  await waitFor(() => expect(form.getByLabelText(/^Passphrase/).getAttribute('aria-invalid')).toBe('true'));
  expect(browser.network.asked.join()).not.toContain('POST /api/shareable-keys');
});

test('a memory is sealed and given away in one dialog', async () => {
  const member = await openMemoryVault(instance());
  await beginMemory(member);
  await typeMemory(member, { title: 'The bell', content: 'It still rings.' });
  await wantLink(member);
  await press(member.browser, SEAL_AND_LINK, await memoryForm());
  const made = await link();
  await press(member.browser, 'Done');
  await expectNoDialog();
  await findRow('The bell');
  expect(window.location.pathname).toBe('/memory-vault');
  await expectOpens(made, 'The bell', 'It still rings.');
});

test('what is sealed is kept when its link fails, and the link can be tried again', async () => {
  const member = await openMemoryVault(instance());
  const mend = member.browser.network.intercept(async (request, forward) => {
    if (request.url.includes('/api/shareable-keys')) throw unreachable();
    return forward();
  });
  await beginMemory(member);
  await typeMemory(member, { title: 'The bell', content: 'It still rings.' });
  await wantLink(member);
  await press(member.browser, SEAL_AND_LINK, await memoryForm());
  await expectToast('Failed to Create Key');
  mend();
  await screen.findByRole('dialog', { name: 'Share “The bell”' });
  await press(member.browser, 'Make a one-time link');
  await expectOpens(await link(), 'It still rings.');
});

test('a memory that is to be locked offers no link, and a weak passphrase seals nothing', async () => {
  const member = await openMemoryVault(instance());
  await beginMemory(member);
  await typeMemory(member, { title: 'The bell', content: 'It still rings.' });
  await wantLink(member);
  const form = within(await memoryForm());
  await typeMemory(member, { lock: '1 week' });
  expect(form.getByRole<HTMLInputElement>('checkbox', { name: /one-time link/ }).disabled).toBe(true);
  form.getByText(/cannot be given away before it opens/);
  form.getByRole('button', { name: 'Seal Memory' });
  await typeMemory(member, { lock: 'No lock' });
  await fill(member.browser, await form.findByLabelText(/^Passphrase/), '123456');
  await press(member.browser, SEAL_AND_LINK, await memoryForm());
  await waitFor(() => expect(form.getByLabelText(/^Passphrase/).getAttribute('aria-invalid')).toBe('true'));
  expect(member.browser.network.asked).not.toContain('POST /api/memory-entries');
});

test('a moment and a myth are given away as they are sealed, too', async () => {
  const { browser } = await enterAsMember(instance());
  await browser.open('/relationship-ledger/new');
  const form = within(await screen.findByRole('dialog'));
  await fill(browser, form.getByLabelText('Person'), 'Nora');
  await browser.user.selectOptions(form.getByLabelText('Kind'), 'Confession');
  await fill(browser, form.getByLabelText('What happened'), 'She said it on the ferry.');
  await browser.user.click(form.getByRole('checkbox', { name: /one-time link/ }));
  await press(browser, SEAL_AND_LINK, await screen.findByRole('dialog'));
  await expectOpens(await link(), 'Nora', 'She said it on the ferry.');
});

test('an ordinary seal makes no link', async () => {
  const member = await openMemoryVault(instance());
  await sealMemory(member, { title: 'The bell', content: 'It still rings.' });
  await findRow('The bell');
  expect(member.browser.network.asked.join()).not.toContain('shareable-keys');
});
