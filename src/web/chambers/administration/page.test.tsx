// Administration below the browser: taking the keys of the server, who is here, who is invited, and whether mail works.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { makeAdministrator } from '../../../testing/people.ts';
import { sisterAddressOf } from '../../../testing/sisters.ts';
import { anInstance } from '../../testing/instance.ts';
import { asPerson, enterAsMember, type Member } from '../../testing/member.ts';
import { expectNoDialog, expectToast, fill, press, textIn } from '../../testing/steps.ts';

type Delivery = 'accepted' | { refused: 'for-now'; why: string };
let answers: Delivery = 'accepted';
const sent: string[] = [];
const email = {
  send: async ({ to }: { to: string }) => {
    sent.push(to);
    return answers;
  },
};
const instance = anInstance({ deps: { transports: { email, sms: null } } });
const TOKEN = 'AbCdEfGhIjKlMnOpQrStUvWx';
const INVALID = 'That set-up token is not valid, or was already used.';

const part = (name: string) => screen.findByRole('region', { name });

/** Makes the token good, as the server does when it starts. */
async function offerToken(): Promise<void> {
  const { db, digests, now } = instance().deps;
  const token = { token_hash: digests.keyed('setup-token', TOKEN), created_at: now() };
  await db.insertInto('setup_tokens').values(token).execute();
}

async function takeKeys({ browser }: Member, token: string): Promise<void> {
  await fill(browser, await screen.findByLabelText('Set-up token'), token);
  await press(browser, 'Become administrator');
}

/** An administrator, looking at the page. */
async function enterAsAdministrator(): Promise<Member> {
  const member = await enterAsMember(instance());
  await makeAdministrator(instance(), asPerson(instance(), member));
  await member.browser.open('/administration');
  await part('Accounts');
  return member;
}

test('the set-up token makes one administrator, once, and the page is shut to others from then on', async () => {
  await offerToken();
  const first = await enterAsMember(instance());
  await first.browser.open('/administration');
  await takeKeys(first, 'not-the-token');
  await screen.findByText(INVALID);
  await takeKeys(first, TOKEN);
  await part('New accounts');
  const second = await enterAsMember(instance());
  await second.browser.open('/administration');
  await screen.findByText('This page is the administrator’s');
  expect(screen.queryByLabelText('Set-up token')).toBeNull();
  expect(second.browser.network.asked.filter((call) => call.includes('/api/admin/'))).toEqual([]);
});

test('nothing of it stands in the settings of a member', async () => {
  const { browser } = await enterAsMember(instance());
  await browser.open('/settings');
  await part('Sessions');
  await browser.network.idle();
  expect(screen.getByRole('main').textContent).not.toMatch(/administrat|invitation|set-up token/i);
  expect(browser.network.asked.filter((call) => call.includes('/api/admin/'))).toEqual([]);
});

test('a test mail tells what the mail server has said', async () => {
  const { browser } = await enterAsAdministrator();
  const mail = await part('Test mail');
  const send = async (outcome: Delivery) => {
    answers = outcome;
    await press(browser, 'Send a test mail', mail);
  };
  await fill(browser, within(mail).getByLabelText('Send it to'), 'agnes@example.org');
  await send('accepted');
  await within(mail).findByText('Accepted');
  expect(sent).toEqual(['agnes@example.org']);
  const why = 'The mail server refused this server’s user or password (535).';
  await send({ refused: 'for-now', why });
  await within(mail).findByText(why);
  expect(within(mail).queryByText('Accepted')).toBeNull();
});

test('accounts are listed by what they are called, and one is erased after its letters were asked for', async () => {
  const other = await enterAsMember(instance());
  const { browser, user } = await enterAsAdministrator();
  const list = await screen.findByRole('list', { name: 'Accounts' });
  const name = other.user.name ?? '';
  const row = (await within(list).findByText(name)).closest('li') as HTMLElement;
  expect(row.textContent).toMatch(/ KB · last seen on 1 June 2030 · here since 1 June 2030/);
  const own = within(list)
    .getByText(user.name ?? '')
    .closest('li') as HTMLElement;
  expect(own.textContent).toContain('Administrator');
  expect(within(own).queryByRole('button')).toBeNull();

  await press(browser, `Erase the account of ${name}`, row);
  const question = await screen.findByRole('alertdialog', { name: `Erase the account of ${name}?` });
  await fill(browser, within(question).getByRole('textbox'), 'ERASE');
  const action = within(question).getByRole<HTMLButtonElement>('button', { name: 'Erase the account' });
  expect(action.disabled).toBe(true);
  await browser.user.selectOptions(within(question).getByRole('combobox'), 'Erase them too');
  await browser.user.click(action);
  await expectToast('Account erased');
  await expectNoDialog();
  await waitFor(() => expect(within(list).queryByText(name)).toBeNull());
});

test('an invitation has a name in the list, and a code to be scanned', async () => {
  const { browser } = await enterAsAdministrator();
  await fill(browser, await screen.findByLabelText(/^Whom it is for/), 'Aunt Ines');
  await press(browser, 'Make an invitation');
  const dialog = await screen.findByRole('dialog', { name: 'An invitation for Aunt Ines' });
  expect(textIn(within(dialog).getByLabelText('Link'))).toMatch(/\/enter\?invited#invitation=\S{43}$/);
  within(dialog).getByRole('img', { name: 'The invitation as a QR code' });
  // This instance has no address but that of its own computer, which is no use to a phone.
  expect(within(dialog).getByRole('alert').textContent).toContain('every other device to itself');
  await press(browser, 'Done', dialog);
  await expectNoDialog();
  await within(await screen.findByRole('list', { name: 'Invitations' })).findByText('For Aunt Ines');
});

test('the administrator reads that a proxy was not declared, and what to do about it', async () => {
  const member = await enterAsAdministrator();
  await member.browser.network.idle();
  expect(screen.queryByRole('region', { name: 'Undeclared proxy' })).toBeNull();
  const headers = { 'x-forwarded-for': '203.0.113.1' };
  const { request } = asPerson(instance(), member);
  await request('GET', '/api/auth/user', { headers, from: '127.0.0.1' });
  await member.browser.open('/administration');
  const notice = await part('Undeclared proxy');
  const addresses = within(notice).getAllByRole('listitem');
  expect(addresses.map(({ textContent }) => textContent)).toEqual(['127.0.0.1']);
  expect(notice.textContent).toContain('add 127.0.0.1 to TRUSTED_PROXIES in the configuration');
  expect(notice.textContent).not.toContain('203.0.113.1');
});

test('letters that are kept for another server are counted, and erased when their keeper says so', async () => {
  const { db, digests } = instance().deps;
  const kept = {
    edition: 1,
    life_key: '',
    needed: 2,
    days: 60,
    sisters: '[]',
    place: 0,
    bytes: 8,
    kept_at: 0,
  };
  const from_origin = 'https://other.example';
  const rows = ['a', 'b'].map((id) => ({
    ...kept,
    id,
    from_origin,
    watching_since: 0,
    encrypted_content: 'c2VhbGVk',
  }));
  await db.insertInto('sister_letters').values(rows).execute();
  const { browser } = await enterAsAdministrator();
  const section = await part('Letters of other servers');
  await within(section).findByText(/2 watched, 0 open to their recipients, 0 ended/);
  expect(section.textContent).toContain(await sisterAddressOf(digests));
  await press(browser, 'End all');
  await press(browser, 'Erase them');
  await expectToast('2 letters were erased here');
  await within(section).findByText(/0 watched, 0 open to their recipients, 2 ended/);
  const left = await db.selectFrom('sister_letters').select('encrypted_content').execute();
  expect(left).toEqual([{ encrypted_content: null }, { encrypted_content: null }]);
});

test('the line for other operators is copied, and each listed server says how it stands', async () => {
  const { browser } = await enterAsAdministrator();
  const [origin, address] = ['https://vault.example', '01234567'.repeat(4)];
  browser.network.intercept(async (request, forward) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/sisters/kept') return Response.json({ origin, address, kept: [] });
    if (pathname !== '/api/sisters/joined') return forward();
    const reachedAt = '2030-05-31T10:00:00.000Z';
    return Response.json(
      (['joined', 'one-sided', 'silent'] as const).map((standing, i) => ({
        ...{ origin: `https://${standing}.example`, address: '0'.repeat(32), standing },
        reachedAt: i < 2 ? reachedAt : null,
      })),
    );
  });
  await browser.open('/');
  await browser.open('/administration');
  const section = await part('Letters of other servers');
  const list = await within(section).findByRole('list', { name: 'Listed servers' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    expect.stringMatching(/^https:\/\/joined\.exampleIt lists this server too\. Last reached on 31 May 2030/),
    expect.stringMatching(/^https:\/\/one-sided\.exampleIt answers, and does not list this server\./),
    'https://silent.exampleIt does not answer. Not reached since this server was started.',
  ]);
  await press(browser, 'Copy the line', section);
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(`${origin}#${address}`));
});
