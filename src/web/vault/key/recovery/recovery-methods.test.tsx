// What is said of recovery methods that are missing, or that are none, and the sheet with the words.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { wordsOfPin } from '../../../../crypto/book-words.ts';
import { wordsFromKey } from '../../../../crypto/words.ts';
import { addPasskey } from '../../../../testing/people.ts';
import { answerForWords } from '../../../testing/another-key.ts';
import { addAuthenticator } from '../../../testing/authenticator.ts';
import { aVaultWith } from '../../../testing/devices.ts';
import { anInstance } from '../../../testing/instance.ts';
import { asPerson, enterAsMember } from '../../../testing/member.ts';
import { expectToast, fill, press } from '../../../testing/steps.ts';
import { stretchLightly } from '../../../testing/workers.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on a stone wall';

test('a vault without any recovery method is urgent, and a passkey that opens nothing is no method', async () => {
  addAuthenticator();
  const member = await enterAsMember(instance());
  await addPasskey(asPerson(instance(), member));
  await member.browser.open('/');
  const ways = await screen.findByRole('region', { name: /ways back/ });
  expect(ways.textContent).toContain('Urgent: no recovery method yet');
  expect(ways.className).toContain('border-blood');
  expect(ways.textContent).toContain('Your passkey signs you in, cannot open the vault.');
  await member.browser.open('/settings');
  await screen.findByText(/This vault has no recovery method\./);
  await screen.findByText('Signs you in, cannot open the vault.');
  await member.call('POST', '/api/encryption-key/words', { fingerprint: member.fingerprint });
  await member.browser.reload();
  await screen.findByText(/^Kept since/);
  expect(screen.queryByText(/This vault has no recovery method\./)).toBeNull();
});

test('a recovery method that was set up here and is listed no longer is told on the dashboard, in Settings and before unlocking', async () => {
  const member = await enterAsMember(instance());
  const { browser, user } = member;
  const missing = () => screen.findByRole('region', { name: 'A recovery method is missing' });
  await browser.open('/settings');
  await press(browser, 'Choose one');
  const dialog = await screen.findByRole('dialog', { name: 'A name and a passphrase' });
  await fill(browser, within(dialog).getByLabelText('Name'), user.name ?? 'agnes');
  await fill(browser, within(dialog).getByLabelText('Passphrase'), PASSPHRASE);
  await fill(browser, within(dialog).getByLabelText('Repeat passphrase'), PASSPHRASE);
  await press(browser, 'Save', dialog);
  await expectToast('Passphrase kept');
  await press(browser, 'Write them down');
  await answerForWords(browser, 'The twenty-four words');
  await screen.findByText(/^Kept since/);
  await browser.open('/');
  await screen.findByRole('heading', { name: 'The chambers' });
  expect(screen.queryByRole('region', { name: 'A recovery method is missing' })).toBeNull();

  await instance().deps.db.deleteFrom('wraps').where('method', '=', 'passphrase').execute();
  for (const path of ['/', '/settings']) {
    await browser.open(path);
    expect((await missing()).textContent).toContain('does not list your passphrase any more. You set it up');
  }
  localStorage.removeItem(`latebra.vault-key:${user.id}`);
  await browser.reload();
  await screen.findByRole('heading', { name: 'Unlock the vault' });
  await press(browser, 'I took it away myself', await missing());
  await browser.reload();
  await screen.findByRole('heading', { name: 'Unlock the vault' });
  expect(screen.queryByRole('region', { name: 'A recovery method is missing' })).toBeNull();
});

test('a sheet with the words is made for the printer alone, and goes with the dialog', async () => {
  const member = await enterAsMember(instance());
  const { browser, user, key } = member;
  const sent: string[] = [];
  browser.network.intercept(async (request, forward) => {
    sent.push(`${request.url} ${await request.clone().text()}`);
    return forward();
  });
  const sheet = () => document.querySelector<HTMLElement>('[data-printed]');
  let printed = '';
  vi.stubGlobal('print', () => {
    printed = sheet()?.textContent ?? '';
  });
  await browser.open('/');
  await press(browser, 'Write them down');
  const dialog = await screen.findByRole('dialog', { name: 'The twenty-four words' });
  await within(dialog).findByRole('button', { name: 'Print a recovery sheet' });
  // Enter, pressed once too often, puts nothing away.
  const closeToTheWords = () => document.activeElement?.querySelectorAll('ol > li').length;
  expect(closeToTheWords()).toBe(24);
  await browser.user.keyboard('{Enter}');
  expect(dialog.isConnected).toBe(true);
  await press(browser, 'Print a recovery sheet', dialog);
  vi.unstubAllGlobals();
  const words = wordsFromKey(key);
  const items = [...(sheet()?.querySelector('ol')?.children ?? [])].map(({ textContent }) => textContent);
  expect(items).toEqual(words.map((word, i) => `${i + 1}${word}`));
  for (const part of [
    'http://localhost:3000/enter',
    user.name ?? '',
    '1 June 2030',
    'What to do',
    'not a wallet',
  ])
    expect(printed).toContain(part);
  // While the words are proved, and afterwards, it is nowhere.
  await press(browser, 'I have written them down', dialog);
  await waitFor(() => expect(sheet()).toBeNull());
  await press(browser, 'Show them again', dialog);
  expect(closeToTheWords()).toBe(24);
  expect(sheet()).not.toBeNull();
  await press(
    browser,
    'Later',
    within(dialog).getByRole('button', { name: 'Later' }).parentElement ?? dialog,
  );
  await waitFor(() => expect(sheet()).toBeNull());
  const kept = JSON.stringify([...Object.entries(localStorage), ...Object.entries(sessionStorage)]);
  expect(`${sent.join('\n')}${kept}`).not.toContain(words.slice(0, 2).join(' '));
});

test('the sheet says how far the book had come, with the words that another device compares', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  await devices[0]?.writeMemory();
  const { head } = devices[0]?.bookSync.state() ?? expect.fail('there is no device');
  await member.browser.open('/');
  await press(member.browser, 'Write them down');
  await waitFor(async () => {
    const sheet = document.querySelector('[data-printed]')?.textContent ?? '';
    expect(sheet).toContain(`Change ${head.n}: ${(await wordsOfPin(head)).join(' ')}.`);
  });
});
