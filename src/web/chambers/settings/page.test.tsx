// Sacred Settings below the browser: the answers read again, what a provider gave, the passphrase taken away, and no
// dead buttons.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { addPasskey } from '../../../testing/people.ts';
import { aPasskeyWrap, aPassphraseWrap } from '../../../testing/vault-keys.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { ANSWERS, asPerson, enterAsMember, type Member } from '../../testing/member.ts';
import { LETTER, leaveScroll, sealScroll } from '../../testing/scrolls.ts';
import { expectToast, fill, press, textIn } from '../../testing/steps.ts';
import { toasts } from '../../ui/toast-store.ts';
import { noteMethods } from '../../vault/device/methods-set-here.ts';

const instance = anInstance();
const USER = '/api/auth/user';
const ONBOARDING = '/api/onboarding';

const part = (name: string) => screen.findByRole('region', { name });
const textsOf = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);

async function openSettings(member?: Member): Promise<Member> {
  const who = member ?? (await enterAsMember(instance()));
  await who.browser.open('/settings');
  await screen.findByRole('heading', { name: 'Sacred Settings', level: 1 });
  return who;
}

/** Answers a call of the page with what a test makes of the server's answer. */
const answerWith = (
  { browser }: Member,
  path: string,
  change: (answer: Record<string, unknown>) => object | null,
) =>
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'GET' || new URL(request.url).pathname !== path) return answer;
    return Response.json(change((await answer.json()) as Record<string, unknown>));
  });

test('the three answers are hidden until somebody asks for them, and can be hidden again', async () => {
  const { browser } = await openSettings();
  const answers = await part('The three answers');
  within(answers).getByRole('button', { name: 'Read them again' });
  await browser.network.idle();
  expect(browser.network.asked).not.toContain(`GET ${ONBOARDING}`);
  await press(browser, 'Read them again', answers);
  expect(textsOf(await within(answers).findAllByRole('term'))).toEqual([
    'What are you hiding?',
    'Who do you trust?',
    'What would you burn to keep it safe?',
  ]);
  expect(textsOf(within(answers).getAllByRole('definition'))).toEqual(ANSWERS);
  await press(browser, 'Hide them', answers);
  await waitFor(() => expect(answers.textContent).not.toContain(ANSWERS[1]));
});

test('answers that do not open, and answers that are not there, are told apart', async () => {
  const member = await openSettings();
  const { browser } = member;
  const answers = await part('The three answers');
  const mend = answerWith(member, ONBOARDING, (row) => ({ ...row, question1: row.question2 }));
  await press(browser, 'Read them again', answers);
  const alert = await within(answers).findByRole('alert');
  expect(alert.textContent).toContain('Your answers cannot be opened.');
  mend();
  answerWith(member, ONBOARDING, () => null);
  await openSettings(member);
  await press(browser, 'Read them again');
  await screen.findByText('The three questions have not been answered yet.');
});

test('without a provider the profile has no field that one would fill', async () => {
  await openSettings();
  const profile = await part('Profile');
  expect(profile.textContent).toContain('It keeps no address of yours.');
  const labels = textsOf([...profile.querySelectorAll('label')]);
  expect(labels).toEqual(['Sign-in name', 'Account number']);
});

test('each group has an address, which shows it alone and is known in the contents', async () => {
  const { browser } = await openSettings();
  const contents = () => screen.findByRole('navigation', { name: 'Settings' });
  const links = within(await contents()).getAllByRole<HTMLAnchorElement>('link');
  expect(links).toHaveLength(6);
  // Toasts have a region of their own, in every page.
  const regions = () => within(screen.getByRole('main')).getAllByRole('region');
  let shown = 0;
  for (const path of links.map((link) => new URL(link.href).pathname)) {
    await browser.open(path);
    const here = within(await contents()).getByRole('link', { current: 'page' });
    const name = here.firstElementChild?.textContent ?? '';
    await screen.findByRole('heading', { name, level: 1 });
    expect(new URL((here as HTMLAnchorElement).href).pathname).toBe(path);
    await browser.network.idle();
    shown += regions().length;
  }
  await browser.user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Sacred Settings' }));
  // Some of them come a moment later.
  await waitFor(() => expect(regions()).toHaveLength(shown));
  await screen.findByRole('heading', { name: 'Sacred Settings', level: 1 });
  await browser.open('/settings/none-such');
  await screen.findByText(/404/);
});

test('what a provider gave is shown and cannot be typed over; nothing is sold where nothing is for sale', async () => {
  const member = await enterAsMember(instance());
  answerWith(member, USER, (user) => ({
    ...user,
    email: 'ada@example.org',
    firstName: 'Ada',
    lastName: null,
  }));
  await openSettings(member);
  for (const [label, given] of [
    ['E-mail', 'ada@example.org'],
    ['First name', 'Ada'],
  ] as const) {
    const { value, readOnly } = screen.getByLabelText<HTMLInputElement>(label);
    expect([value, readOnly]).toEqual([given, true]);
  }
  expect(screen.queryByLabelText('Last name')).toBeNull();
  const subscription = await part('Payment and Subscription');
  await within(subscription).findByText('Payments are not configured on this server. Every feature is open.');
  expect(within(subscription).queryByRole('button')).toBeNull();
  expect(within(subscription).queryByRole('link')).toBeNull();
});

test('a passphrase is taken away when something else signs in, and not before', async () => {
  const member = await enterAsMember(instance());
  const { browser, call, fingerprint, user } = member;
  await call('POST', '/api/encryption-key/wraps', { fingerprint, wrap: aPassphraseWrap() });
  await openSettings(member);
  const question = () => screen.findByRole('alertdialog', { name: 'Remove name and passphrase?' });
  await press(browser, 'Remove the passphrase');
  expect((await question()).textContent).toContain('It is your last recovery method.');
  await fill(browser, within(await question()).getByRole('textbox'), 'LAST');
  await press(browser, 'Remove it', await question());
  const refusal = await within(await question()).findByRole('alert');
  expect(refusal.textContent).toBe('This is the only way to sign in that is left. Add another one first.');

  // With a passkey that signs in and does not open the vault, it is still the last recovery method.
  const passkey = await addPasskey(asPerson(instance(), member));
  await openSettings(member);
  await press(browser, 'Remove the passphrase');
  expect((await question()).textContent).toContain('It is your last recovery method.');
  const wrap = aPasskeyWrap(passkey.credentialId);
  await call('POST', '/api/encryption-key/wraps', { fingerprint, wrap });
  await openSettings(member);
  await press(browser, 'Remove the passphrase');
  // That there is another one is the server's word, until this browser has seen it.
  expect((await question()).textContent).toContain(
    'No other recovery method was set up or used in this browser',
  );
  noteMethods(user.id, fingerprint, { passkeys: [passkey.credentialId] });
  await openSettings(member);
  await press(browser, 'Remove the passphrase');
  expect((await question()).textContent).toContain(`The name ${user.name} and its passphrase`);
  toasts.dismiss();
  await press(browser, 'Remove it', await question());
  await expectToast('Passphrase removed');
  await screen.findByRole('button', { name: 'Choose one' });
  expect(screen.queryByRole('button', { name: 'Remove the passphrase' })).toBeNull();
  expect(await call('GET', USER)).toMatchObject({ name: null });
});

test('the browser is asked once not to clear what it keeps', async () => {
  let asked = 0;
  Object.defineProperty(navigator, 'storage', {
    configurable: true,
    value: {
      persisted: async () => asked > 0,
      persist: async () => {
        asked += 1;
        return true;
      },
    },
  });
  try {
    const { browser } = await enterAsMember(instance());
    for (const times of [1, 2]) {
      browser.forgetStorage();
      await browser.open('/');
      await press(browser, 'I have none of these');
      const question = await screen.findByRole('alertdialog');
      await fill(browser, within(question).getByLabelText('Type UNREADABLE to go on'), 'UNREADABLE');
      toasts.dismiss();
      await press(browser, 'Make a new key', question);
      await expectToast('Encryption Key Regenerated');
      expect([times, asked]).toEqual([times, 1]);
    }
  } finally {
    Reflect.deleteProperty(navigator, 'storage');
  }
});

test('everybody reads their account number', async () => {
  const { user } = await openSettings();
  expect(textIn(screen.getByLabelText('Account number'))).toBe(user.id);
});

test('a vault that is destroyed may release what watches, and its recipients can read it', async () => {
  const { browser, call } = await enterAsMember(instance());
  const scroll = await leaveScroll(call, await sealScroll());
  await browser.open('/settings');
  await press(browser, 'Destroy Vault');
  const question = await screen.findByRole('alertdialog', { name: 'Destroy the vault?' });
  await within(question).findByText(/One letter of yours watches\./);
  await fill(browser, within(question).getByRole('textbox'), 'DESTROY');
  const action = within(question).getByRole<HTMLButtonElement>('button', { name: 'Destroy Vault' });
  expect(action.disabled).toBe(true);
  await browser.user.click(within(question).getByRole('radio', { name: /Release them/ }));
  await browser.user.click(action);
  await waitFor(() => expect(browser.network.cookies.size).toBe(0));
  const reader = openBrowser(instance());
  await reader.open(`${scroll.path}#${scroll.secret}`);
  await press(reader, 'Open the scroll');
  expect((await screen.findByRole('article')).textContent).toContain(LETTER.title);
});
