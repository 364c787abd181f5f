// The gate below the browser: where it leads, what it says of a passkey that does not come, and where the focus goes.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { addAuthenticator } from '../../testing/authenticator.ts';
import { inAnotherBrowser, openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { damageAnswers } from '../../testing/mishaps.ts';
import { fill, press } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on a stone wall';

/** Enters at an address of the gate; returns the path on which somebody stands afterwards. */
async function enterFrom(address: string): Promise<string> {
  const { user } = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  return inAnotherBrowser(instance(), async (browser) => {
    await browser.open(address);
    await press(browser, /^(A|Enter with a) name and a passphrase$/);
    await fill(browser, await screen.findByLabelText('Name'), user.name ?? '');
    await fill(browser, screen.getByLabelText('Passphrase'), PASSPHRASE);
    await press(browser, 'Enter');
    await press(browser, 'Others use it');
    await waitFor(() => expect(window.location.pathname).not.toBe('/enter'));
    await screen.findByRole('link', { name: 'Latebra' });
    expect(window.location.origin).toBe('http://localhost:3000');
    return window.location.pathname;
  });
}

test('somebody who came for a private path is led there once they have entered', async () => {
  expect(await enterFrom('/enter?return=%2Fmemory-vault')).toBe('/memory-vault');
});

test('an answer about another account than the name’s is not entered', async () => {
  const { user } = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  await inAnotherBrowser(instance(), async (browser) => {
    damageAnswers(browser, 'POST /api/gate/passphrase/enter', { name: 'somebody else' });
    await browser.open('/enter');
    await press(browser, /^(A|Enter with a) name and a passphrase$/);
    await fill(browser, await screen.findByLabelText('Name'), `  ${user.name?.toUpperCase()} `);
    await fill(browser, screen.getByLabelText('Passphrase'), PASSPHRASE);
    await press(browser, 'Enter');
    await screen.findByText(/^The server answered with another account/);
    expect(window.location.pathname).toBe('/enter');
  });
});

test.each([
  '//evil.example',
  'https://evil.example/',
  '/\\evil.example',
  '/.//evil.example',
  '/\t/evil.example',
  '/api/logout',
  '/enter',
  'javascript:alert(1)',
])('an address of another site leads home: %j', async (wanted) => {
  expect(await enterFrom(`/enter?return=${encodeURIComponent(wanted)}`)).toBe('/');
});

test('who wants to begin finds First time here, and the first field has the focus of each step', async () => {
  const browser = openBrowser(instance());
  await browser.open('/enter#first-time');
  await screen.findByRole('heading', { name: 'First time here' });
  await press(browser, 'Begin with a name and a passphrase');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await waitFor(() => expect(document.activeElement).toBe(name));
  // What stands above the field is said.
  await waitFor(() =>
    expect([...document.querySelectorAll('[aria-live="polite"]')].map((line) => line.textContent)).toContain(
      'A name and a passphrase',
    ),
  );
  await press(browser, 'Back');
  const heading = await screen.findByRole('heading', { name: 'First time here' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test('a passkey that does not come is explained, and the other ways stand beside it', async () => {
  addAuthenticator();
  const browser = openBrowser(instance());
  await browser.open('/enter');
  await press(browser, 'Enter with a passkey');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('No passkey was used.');
  expect(alert.textContent).toContain('this device has no passkey for this server');
  const main = within(screen.getByRole('main'));
  main.getByRole('button', { name: 'A name and a passphrase' });
  await press(browser, 'The twenty-four words');
  await screen.findByLabelText('The twenty-four words');
});

test('a new passkey without a secret is said to sign in and not to open the vault', async () => {
  addAuthenticator({ prf: false });
  const browser = openBrowser(instance());
  await browser.open('/enter#first-time');
  await press(browser, 'Begin with a passkey');
  await press(browser, 'Touch it again');
  await screen.findByRole('heading', { name: 'This passkey signs you in, but cannot open the vault' });
  await press(browser, 'Go on');
  await screen.findByLabelText('What are you hiding?');
});

test('the gate follows what is put behind its address while it is open', async () => {
  const browser = openBrowser(instance());
  await browser.open('/enter');
  await screen.findByRole('heading', { name: 'The gate' });
  window.history.replaceState(null, '', '/enter#first-time');
  window.dispatchEvent(new HashChangeEvent('hashchange'));
  await screen.findByRole('heading', { name: 'First time here' });
});

test('what says that somebody is new leaves the address once they are in', async () => {
  const { browser } = await enterAsMember(instance());
  await browser.open('/#first-time');
  await screen.findByRole('link', { name: 'Leave' });
  await waitFor(() => expect(window.location.hash).toBe(''));
  expect(window.location.pathname).toBe('/');
});
