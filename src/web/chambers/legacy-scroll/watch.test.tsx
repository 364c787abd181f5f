// Legacy scrolls below the browser, while days pass: what their author reads of them, from the watch to the last look.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { calendarWords } from '../../../shared/nouns/calendar-words.ts';
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import { startOfDay } from '../../../shared/start-of-day.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { makeAdministrator } from '../../../testing/people.ts';
import { proveWarningAddress } from '../../../testing/scrolls.ts';
import { aTransport } from '../../../testing/switch.ts';
import {
  createScroll,
  fillFields,
  openScrolls,
  pressInRow,
  putCardAside,
  SCROLL_TITLE,
  setToWatch,
} from '../../testing/authoring.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { anInstanceOnWatch } from '../../testing/instance.ts';
import { asPerson, enterAsMember, type Member } from '../../testing/member.ts';
import { leaveScroll, sealScroll } from '../../testing/scrolls.ts';
import { expectToast, fill, press, pressEscape } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';

stretchLightly();
const mail = aTransport();
const telephones = aTransport();
const watched = anInstanceOnWatch({ deps: { transports: { email: mail, sms: telephones } } });
const instance = () => watched().instance;
const live = (milliseconds: number) => watched().live(milliseconds, { deliver: true });
/** A sign of life counts from up to two ticks later, and the tests' heart ticks every hour. */
const SLACK = 3 * HOUR;
const PASSPHRASE = 'plum cake on a stone wall';

/** Looks at the list anew, and finds this in the row of the only scroll. */
async function rowSays({ browser }: Member, ...words: (string | RegExp)[]): Promise<void> {
  await openScrolls(browser);
  const list = within(screen.getByRole('main'));
  for (const part of words) {
    await waitFor(() => expect(list.getByRole('article').textContent).toMatch(part));
  }
}

async function aKeeper(): Promise<Member> {
  const administrator = await enterAsMember(instance());
  await makeAdministrator(instance(), administrator);
  return administrator;
}

/** Does something in another time zone. */
async function inZone(zone: string, work: () => Promise<void>): Promise<void> {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    await work();
  } finally {
    process.env.TZ = before;
  }
}

test('a day begins where the author lives, and a passphrase opens what a text message leads to', () =>
  inZone('Pacific/Auckland', async () => {
    const author = await enterAsMember(instance());
    const { browser } = author;
    await openScrolls(browser);
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Auckland' }).format(Date.now() + 2 * DAY);
    await fillFields(browser, { When: 'date', Recipient: 'sms' });
    await screen.findByText(/Your vault has no permission to send text messages yet/);
    await fillFields(browser, { 'Way to open it': 'passphrase' });
    await createScroll(browser, {
      'The day': day,
      'Phone number': '+44 7700 900123',
      Passphrase: PASSPHRASE,
      'Repeat passphrase': PASSPHRASE,
    });
    await expectToast('Legacy Scroll Created');
    await pressInRow(browser, 'Activate Watch');
    await setToWatch(browser);

    const begins = startOfDay(day, 'Pacific/Auckland') ?? 0;
    await live(begins - Date.now() - 10 * MINUTE);
    await rowSays(author, /Watching.*\d minutes?/);
    await live(20 * MINUTE);
    await rowSays(author, /wait for the administrator’s permission/);
    expect(telephones.letters).toEqual([]);
    const administrator = await aKeeper();
    await administrator.call('POST', `/api/text-permissions/${author.user.id}/grant`);
    await live(MINUTE);
    expect(telephones.letters).toMatchObject([{ to: '+447700900123', subject: 'release' }]);
    const [scroll] = await author.call<Scroll[]>('GET', '/api/legacy-scrolls');
    const recipient = openBrowser(instance());
    await recipient.open(`/legacy/${scroll?.recipients[0]?.publicId}`);
    await fill(recipient, await screen.findByLabelText('Passphrase'), PASSPHRASE);
    await press(recipient, 'Open the scroll');
    const letter = await screen.findByRole('article');
    for (const words of [SCROLL_TITLE, 'Under the third stone']) expect(letter.textContent).toContain(words);
    await rowSays(author, /Handed over for delivery .* Opened /);
  }));

test('a whisper waits in another vault, and says which vault it came from', async () => {
  const [author, recipient] = [await enterAsMember(instance()), await enterAsMember(instance())];
  const shownTo = async ({ browser }: Member) => {
    await openScrolls(browser);
    await press(browser, 'Show my address');
    return (await screen.findByText(/^(?:[0-9a-f]{4} ?){8}$/)).textContent;
  };
  const theirs = await shownTo(recipient);
  const mine = await shownTo(author);
  await fillFields(author.browser, { When: 'manual', Recipient: 'whisper' });
  await fillFields(author.browser, { 'Vault address': theirs });
  await screen.findByText(/This vault is known here/);
  await createScroll(author.browser);
  await expectToast('Legacy Scroll Created');
  await pressInRow(author.browser, 'Activate Watch');
  await setToWatch(author.browser);
  await pressInRow(author.browser, 'Release now');
  await press(author.browser, 'Release now', await screen.findByRole('alertdialog'));
  await expectToast('Legacy Scroll Released');
  await live(MINUTE);

  const { browser } = recipient;
  await browser.open('/');
  await screen.findByRole('heading', { name: 'A whisper was left for you' });
  await browser.user.click(screen.getByRole('link', { name: 'Go to your whispers' }));
  await press(browser, /^Read/);
  const letter = await screen.findByRole('dialog', { name: SCROLL_TITLE });
  await waitFor(() => expect(letter.textContent).toContain('Under the third stone'));
  expect(letter.textContent).toContain(`From vault ${mine}`);
  await pressEscape(browser);
  await press(browser, /^Delete the whisper/);
  const question = await screen.findByRole('alertdialog', { name: 'Delete this whisper?' });
  expect(question.textContent).toContain('What its author has of it stays theirs, and they are not told.');
  await press(browser, 'Delete it', question);
  await expectToast('Whisper Deleted');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Left for you' })).toBeNull());
  await browser.reload();
  await screen.findByRole('heading', { name: 'A new letter' });
  await browser.network.idle();
  expect(screen.queryByRole('heading', { name: 'Left for you' })).toBeNull();

  await rowSays(author, /Left in their vault .* Opened /);
  await pressInRow(author.browser, `${SCROLL_TITLE}$`);
  const own = await screen.findByRole('dialog', { name: SCROLL_TITLE });
  await waitFor(() => expect(own.textContent).toContain('Under the third stone'));
});

test('a label for mails is said to be readable by the server, where it is entered', async () => {
  const { browser, call } = await enterAsMember(instance());
  await openScrolls(browser);
  await createScroll(browser, { 'Days without activity': '90', 'Email address': 'agnes@example.org' });
  await putCardAside(browser, 'I have handed it over');
  const dialog = await screen.findByRole('dialog', { name: 'Activate Watch' });
  const label = within(dialog).getByRole('textbox', {
    name: /^Label for mails to you/,
    description: /^This server can read it\..* never in a mail to a recipient\./,
  });
  await fill(browser, label, 'the well');
  await setToWatch(browser, { warnings: 'dashboard' });
  expect(await call<Scroll[]>('GET', '/api/legacy-scrolls')).toMatchObject([{ label: 'the well' }]);
});

test('what holds a scroll back is said: an outage, and warnings that no mail server takes', async () => {
  const author = await enterAsMember(instance());
  await proveWarningAddress(instance(), asPerson(instance(), author), 'author@example.org');
  await leaveScroll(author.call, await sealScroll(), { days: 1, warning: 'mail' });
  mail.answer = () => ({ refused: 'for-now', why: 'The mail server does not take it now (451).' });
  await live(DAY + SLACK);
  await rowSays(
    author,
    'No mail server has accepted a warning to you yet.',
    /Last warning.*It waits to be sent\..*451/,
  );

  watched().sleep(2 * DAY);
  await live(MINUTE);
  await author.browser.open('/');
  await screen.findByRole('heading', { name: 'The switch is holding back' });
  await rowSays(author, 'For three days after that, no letter is sent for inactivity;');
  mail.answer = () => 'accepted';
  await live(2 * DAY);
  await rowSays(
    author,
    /Last warning.*It was accepted by the mail server\./,
    'For three days after that, no letter is sent for inactivity;',
  );
  await live(DAY + SLACK);
  await rowSays(author, 'Released');
});

test('a letter that could not be delivered says so to its author, and that it was handed over in the end', async () => {
  const author = await enterAsMember(instance());
  mail.answer = () => ({ refused: 'for-good', why: 'The mail server refused this address (550).' });
  await (await leaveScroll(author.call, await sealScroll())).release();
  await live(MINUTE);
  await rowSays(author, /It could not be delivered\..*550/);
  mail.answer = () => 'accepted';
  const administrator = await aKeeper();
  const [message] = await administrator.call<{ id: number }[]>('GET', '/api/outbox');
  await administrator.call('POST', `/api/outbox/${message?.id}/retry`);
  await live(MINUTE);
  await rowSays(author, 'Handed over for delivery');
});

test('a letter that waits because the server cannot send mail says so to its author, and leaves when it can', async () => {
  const author = await enterAsMember(instance());
  mail.answer = () => ({ refused: 'for-now', why: 'The mail server could not be reached.' });
  await (await leaveScroll(author.call, await sealScroll())).release();
  await live(3 * HOUR);
  await rowSays(
    author,
    /It waits to be delivered\./,
    /This server cannot send mail since .* It keeps trying\./,
  );
  await author.browser.open('/');
  const notice = await screen.findByRole('region', { name: 'This server cannot send mail' });
  expect(notice.textContent).toContain('One message of your letters waits for it.');
  mail.answer = () => 'accepted';
  await live(DAY);
  await rowSays(author, 'Handed over for delivery');
  expect(screen.queryByText(/cannot send mail/)).toBeNull();
});

test('while the switch is paused its scrolls say so, and wait three days once it works again', async () => {
  const author = await enterAsMember(instance());
  await leaveScroll(author.call, await sealScroll(), { days: 1 });
  await watched().restart({ ...watched().server.journal, read: () => null });
  await rowSays(author, 'The switch of this server is paused');
  await watched().confirm();
  await live(2 * DAY);
  await rowSays(author, 'For three days after that, no letter is sent for inactivity;');
  await live(DAY + SLACK);
  await rowSays(author, 'Released');
});

test('a clock that stood still holds a scroll, and both lists say so', async () => {
  const author = await enterAsMember(instance());
  await leaveScroll(author.call, await sealScroll(), { days: 1 });
  const { counted_time, stood_still, may_add } = await watched().clock();
  await watched().setClock({
    counted_time: counted_time + 2 * DAY,
    stood_still: 1,
    may_add: 26 * HOUR,
    held_until: 0,
    told_held_until: 0,
  });
  try {
    await rowSays(author, 'None: its time has come', 'This server’s clock stood still while it was off');
    await author.browser.open('/');
    const near = await screen.findByRole('region', { name: 'A letter is near its release' });
    expect(near.textContent).toMatch(
      /held back because this server’s clock stood still .* fourteen days at most/,
    );
  } finally {
    await watched().setClock({ counted_time, stood_still, may_add });
  }
});

test('who arms a scroll is warned first of a server whose date is not certain', async () => {
  const { browser } = await enterAsMember(instance());
  const activation = async () => {
    await pressInRow(browser, 'Activate Watch');
    return screen.findByRole('dialog', { name: 'Activate Watch' });
  };
  const { what, silence, dates } = calendarWords['stood-still'];
  await openScrolls(browser);
  await createScroll(browser, { 'Days without activity': '90', 'Email address': 'agnes@example.org' });
  await putCardAside(browser, 'Later');
  await watched().setClock({ stood_still: 1, may_add: 26 * HOUR });
  try {
    const dialog = await activation();
    const warning = await within(dialog).findByText(`${what} ${silence}`);
    expect(warning.className).toContain('text-ember');
    expect(dialog.textContent).not.toContain(dates);
    await pressEscape(browser);
    await watched().setClock({ stood_still: 0, may_add: 0 });
    await browser.reload();
    const believed = await activation();
    await within(believed).findByText(/this server ran|Time counts while this server runs/);
    expect(believed.textContent).not.toContain(what);
  } finally {
    await watched().setClock({ stood_still: 0, may_add: 0 });
  }
});

test('a date that came only by a calendar that was set forward holds its scroll, as its author was warned', async () => {
  const author = await enterAsMember(instance());
  const { browser } = author;
  await watched().setClock({ set_forward_by: 40 * DAY });
  try {
    await openScrolls(browser);
    await fillFields(browser, { When: 'date' });
    const day = new Intl.DateTimeFormat('sv').format(Date.now() + 2 * DAY);
    await createScroll(browser, { 'The day': day, 'Email address': 'agnes@example.org' });
    await putCardAside(browser, 'I have handed it over');
    const dialog = await screen.findByRole('dialog', { name: 'Activate Watch' });
    const { what, dates } = calendarWords['set-forward'];
    await within(dialog).findByText(`${what} ${dates}`);
    await setToWatch(browser);
    watched().setCalendar(3 * DAY);
    await rowSays(author, 'This server’s date was set forward by more than a day');
  } finally {
    await watched().setClock({ set_forward_by: 0 });
  }
});
