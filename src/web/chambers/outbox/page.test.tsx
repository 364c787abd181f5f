// The outbox below the browser: who may keep it, messages that are passed on or tried again, who may send text messages,
// and a switch that was paused.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { elsewhereWords } from '../../../shared/nouns/elsewhere-words.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { makeAdministrator } from '../../../testing/people.ts';
import { aTransport, memoryJournal } from '../../../testing/switch.ts';
import { anInstanceOnWatch } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { leaveScroll, sealScroll } from '../../testing/scrolls.ts';
import { expectNoDialog, expectToast, fill, press } from '../../testing/steps.ts';

const PASSPHRASE = 'five old stones upon the hill';
const mail = aTransport();
const telephones = aTransport();
const transports: { email: typeof mail | null; sms: typeof mail } = { email: mail, sms: telephones };
const watched = anInstanceOnWatch({ deps: { transports } });
const instance = () => watched().instance;
const live = () => watched().live(MINUTE, { deliver: true });

/** Somebody who keeps the server, before the outbox. */
async function openOutbox(passphrase?: string) {
  const administrator = await enterAsMember(instance(), { ...(passphrase && { passphrase }) });
  await makeAdministrator(instance(), administrator);
  await administrator.browser.open('/outbox');
  await screen.findByText('Working');
  return administrator;
}

const isFocused = (element: () => HTMLElement) =>
  waitFor(() => expect(document.activeElement).toBe(element()));

test('it is a wall to residents; whoever looks after the server finds it from the settings', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await browser.open('/outbox');
  await screen.findByText(/404/);
  await makeAdministrator(instance(), member);
  await browser.open('/settings');
  await browser.user.click(await screen.findByRole('link', { name: /^Administration/ }));
  await browser.user.click(await screen.findByRole('link', { name: 'The outbox and the switch' }));
  await screen.findByText('Working');
  expect(screen.queryByRole('button', { name: /^Try again/ })).toBeNull();
});

test('where no mail is sent, a message is passed on by hand, and its text goes then', async () => {
  transports.email = null;
  try {
    const { browser, call } = await openOutbox(PASSPHRASE);
    await call('PUT', '/api/warning-address', { address: 'agnes@example.org' });
    await browser.reload();
    await press(browser, /Pass it on by hand/);
    expect((await screen.findByText(/\/still-here#/)).textContent).toMatch(/\/still-here#\S{43}/);
    await press(browser, 'I have passed it on');
    watched().instance.clock.advance(HOUR);
    await press(browser, 'I have passed it on', await screen.findByRole('alertdialog'));
    const proof = await screen.findByRole('dialog', { name: 'Is it still you?' });
    await fill(browser, within(proof).getByLabelText('Passphrase'), PASSPHRASE);
    await press(browser, 'Prove it', proof);
    await screen.findByText('Passed on');
    expect(screen.queryByRole('button', { name: /Pass it on by hand/ })).toBeNull();
    await expectNoDialog();
    await isFocused(() => screen.getByRole('heading', { name: /^Confirmation of an address/ }));
  } finally {
    transports.email = mail;
  }
});

test('an account is found by its number, and its text messages leave once they are permitted', async () => {
  const otto = await enterAsMember(instance());
  const recipient = { recipientType: 'sms', recipientAddress: '+447700900123' } as const;
  const scroll = await leaveScroll(otto.call, await sealScroll(), { recipient });
  await scroll.release();
  await live();
  expect(telephones.letters).toEqual([]);
  const { browser } = await openOutbox();
  await screen.findByText('Withheld');
  const texts = await screen.findByRole('region', { name: 'Text messages' });
  await within(texts).findByText(/1 letter by text message|One letter by text message/);
  expect(texts.textContent).toContain('One message waits for your permission');
  const number = within(texts).getByLabelText('Find an account by its number');
  await press(browser, 'Find', texts);
  await within(texts).findByText('Put an account number here.');
  await fill(browser, number, crypto.randomUUID());
  await browser.user.keyboard('{Enter}');
  await within(texts).findByText(/No account has this number/);
  await isFocused(() => number);
  const ida = await enterAsMember(instance());
  await fill(browser, number, ida.user.id);
  await press(browser, 'Find', texts);
  await within(within(texts).getByRole('status')).findByText(/No letter by text message/);

  await fill(browser, number, ` ${otto.user.id.toUpperCase()} `);
  await press(browser, 'Find', texts);
  const found = within(texts).getByRole('status');
  await press(browser, new RegExp(`^Permit.*of ${otto.user.name}$`), found);
  await expectToast('Permission given');
  await waitFor(() => expect(within(texts).getAllByRole('button', { name: /^Withdraw/ })).toHaveLength(2));
  await live();
  expect(telephones.letters).toMatchObject([{ to: '+447700900123', subject: 'release' }]);
});

test('an account that stopped waiting while the list was fetched stands in it once', async () => {
  const { browser } = await openOutbox();
  const text = {
    id: 9,
    accountId: crypto.randomUUID(),
    name: 'agnes',
    scrolls: 3,
    waiting: 2,
    permitted: false,
  };
  const other = { ...text, id: 8, accountId: crypto.randomUUID(), name: null, waiting: 0, permitted: true };
  browser.network.intercept(async ({ url }, forward) => {
    if (!url.includes('/api/text-permissions?')) return forward();
    return Response.json(url.includes('waiting=yes') ? [text] : [text, other]);
  });
  await browser.reload();
  const accounts = await screen.findByRole('list', { name: 'Accounts that send text messages' });
  await waitFor(() => expect(within(accounts).getAllByRole('listitem')).toHaveLength(2));
  const [first, second] = within(accounts).getAllByRole('listitem');
  expect(first?.textContent).toMatch(
    /agnes.*3 letters by text message\. 2 messages wait for your permission/,
  );
  expect(second?.textContent).toMatch(/An account without a name.*Permitted/);
});

test('what could not be delivered is tried again by the administrator', async () => {
  const { browser, call } = await openOutbox();
  mail.answer = () => ({ refused: 'for-good', why: 'The mail server refused this address (550).' });
  const scroll = await leaveScroll(call, await sealScroll());
  await scroll.release();
  await live();
  await browser.reload();
  await screen.findByText('Failed');
  const sent = screen.queryAllByText('Sent').length;
  mail.answer = () => 'accepted';
  const before = mail.letters.length;
  await press(browser, /^Try again/);
  await waitFor(() => expect(screen.queryByText('Failed')).toBeNull());
  await live();
  expect(mail.letters.slice(before)).toMatchObject([{ to: 'agnes@example.org', subject: 'release' }]);
  await browser.reload();
  await waitFor(() => expect(screen.getAllByText('Sent')).toHaveLength(sent + 1));
});

test('that mail cannot be sent is said at the outbox and on the dashboard, until one is accepted', async () => {
  const { browser, call } = await openOutbox();
  mail.answer = () => ({ refused: 'for-now', why: 'The mail server could not be reached.' });
  const scroll = await leaveScroll(call, await sealScroll());
  await scroll.release();
  await watched().live(3 * HOUR, { deliver: true });
  await browser.reload();
  await screen.findByText(/This server cannot send mail since .* It keeps trying\./);
  await browser.open('/');
  const notice = await screen.findByRole('region', { name: 'This server cannot send mail' });
  expect(notice.textContent).toMatch(/messages? of your letters waits? for it/);
  await browser.user.click(within(notice).getByRole('link', { name: 'To the outbox' }));
  mail.answer = () => 'accepted';
  await watched().live(2 * DAY, { deliver: true });
  await browser.reload();
  await screen.findByText(/^Working/);
  expect(screen.queryByText(/cannot send mail/)).toBeNull();
});

test('a copy of a server says where its people are, to everybody and to whoever keeps it', async () => {
  const { browser } = await openOutbox();
  await watched().setClock({ elsewhere: 'ahead', out_of_reach_since: Date.now() });
  try {
    await browser.reload();
    await screen.findByText('Another copy answers at PUBLIC_URL');
    screen.getByText(new RegExp(`^${elsewhereWords.ahead} The people of this server are there\\.`));
    await browser.open('/');
    const notice = await screen.findByRole('region', { name: 'This is a copy of the server' });
    expect(notice.textContent).toContain('From here nobody is warned, no letter is sent');
  } finally {
    await watched().setClock({ elsewhere: null, out_of_reach_since: null });
  }
});

test('a paused switch works again once its administrator confirms', async () => {
  const { browser } = await openOutbox();
  await watched().restart(memoryJournal());
  await browser.open('/');
  await screen.findByRole('heading', { name: 'The switch is paused' });
  await browser.user.click(screen.getByRole('link', { name: 'Check and confirm' }));
  // Its address is this machine's own.
  await screen.findByText(
    /It waits until you confirm: .* nobody could tell a copy of it from a server that was moved/,
  );
  await press(browser, 'Confirm this database');
  const question = await screen.findByRole('alertdialog');
  await fill(
    browser,
    within(question).getByRole('textbox', { name: /^A notice to everybody here/ }),
    'This is the backup of 3 May.',
  );
  await press(browser, 'Start it again', question);
  await expectToast('The switch works again');
  await screen.findByText(/For 3 days more,\s+no letter is sent for inactivity/);
  await browser.open('/');
  const notice = await screen.findByRole('region', { name: 'From the administrator' });
  expect(notice.textContent).toContain('This is the backup of 3 May.');
});
