// Legacy scrolls from the first word to the last look, with the mail server, the telephone company and the switch at
// work: each trigger and each kind of recipient once, in days that pass while nobody waits for them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startOfDay } from '../src/shared/nouns/legacy.ts';
import { linkIn, mails, test } from './couriers.ts';
import { expect, type TestHouse } from './house.ts';
import { enterAsResident } from './resident.ts';
import { expectToast, pressEscape, rowOf } from './rites.ts';
import { leaveScroll, sealScroll } from './scrolls.ts';
import { stranger } from './sharing.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A sign of life counts from up to two heartbeats later, and the tests' heart beats every hour. */
const SLACK = 3 * HOUR;
const PHONE = { viewport: { width: 390, height: 844 } };
const TITLE = 'Where the key lies';
const WORDS = 'Under the third stone from the gate.\n\nForgive me the rest.';

const row = (page: Page) => rowOf(page, TITLE);

async function openScrolls(page: Page, house: TestHouse): Promise<void> {
  await page.goto(`${house.url}/legacy-scroll`);
  await expect(page.getByRole('heading', { name: 'Active Legacies' })).toBeVisible();
}

/** Fills what every letter has; what releases it and who gets it is up to the test. */
async function write(page: Page, trigger: 'inactivity' | 'date' | 'manual'): Promise<void> {
  await page.getByRole('textbox', { name: 'Title' }).fill(TITLE);
  await page.getByRole('textbox', { name: 'Letter' }).fill(WORDS);
  await page.getByLabel('Trigger').selectOption(trigger);
}

/** Has the letter on the page watch, with what its dialog asks for. */
async function create(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create Legacy Scroll' }).click();
  await expectToast(page, 'Legacy Scroll Created');
}

async function activate(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Activate Watch' });
  await dialog.getByRole('button', { name: 'Activate Watch' }).click();
  await expectToast(page, 'Legacy Scroll Activated');
  await expect(row(page)).toContainText('Watching');
}

async function readAsRecipient(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the scroll' }).click();
  await expect(page.getByRole('article')).toContainText(TITLE);
  await expect(page.getByRole('article')).toContainText('Under the third stone');
}

test('silence, to a mailbox: warned and answered by mail, then nobody answers any more', async ({
  page: author,
  house,
  couriers: { post },
  browser,
  quiet,
}) => {
  await enterAsResident(author, house);
  await openScrolls(author, house);
  await write(author, 'inactivity');
  await author.getByLabel('Days of silence').fill('6');
  await author.getByLabel('Email address').fill('agnes@example.org');
  await create(author);
  const card = author.getByRole('dialog', { name: 'The key card' });
  const key = (await card.getByRole('textbox', { name: 'Link' }).inputValue()).split('#')[1] ?? '';
  await card.getByRole('button', { name: 'I have handed it over' }).click();
  const dialog = author.getByRole('dialog', { name: 'Activate Watch' });
  await dialog.getByLabel('Warnings').selectOption({ label: 'By mail' });
  await dialog.getByLabel('Warning address').fill('author@example.org');
  await dialog.getByRole('button', { name: 'Ask for the press' }).click();
  await expect(dialog.getByText('Not proved yet')).toBeVisible();

  await house.live(MINUTE);
  const [asked] = await mails(post, /come here/, 1);
  const mailbox = await stranger(browser, quiet, PHONE);
  await mailbox.goto(linkIn(asked?.mail.text));
  await mailbox.getByRole('button', { name: 'Let warnings come here' }).click();
  await expect(mailbox.getByRole('heading', { name: 'Warnings will come here' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Look again' }).click();
  await expect(dialog.getByText('Proved', { exact: true })).toBeVisible();
  await activate(author);
  await author.goto('about:blank');

  await house.live(3 * DAY - SLACK);
  await mails(post, /is due/, 0);
  await house.live(2 * SLACK);
  const [warning] = await mails(post, /is due in 3 days/, 1);
  expect(warning?.recipient).toBe('author@example.org');
  await openScrolls(author, house);
  await expect(row(author)).toContainText('It was accepted by the mail server.');
  await mailbox.goto(linkIn(warning?.mail.text));
  await mailbox.getByRole('button', { name: 'I am still here' }).click();
  await expect(mailbox.getByText('Two more presses count in a row')).toBeVisible();
  await author.reload();
  await expect(row(author)).toContainText(/Watching.*[56] days/);
  await expect(row(author)).not.toContainText('Last warning');

  await house.live(6 * DAY + SLACK);
  await mails(post, /is due/, 3);
  const [release] = await mails(post, /was left for you/, 1);
  expect(release?.recipient).toBe('agnes@example.org');
  for (const secret of [key, TITLE]) expect(JSON.stringify(release?.mail)).not.toContain(secret);
  const recipient = await stranger(browser, quiet, PHONE);
  await recipient.goto(linkIn(release?.mail.text));
  await recipient.getByLabel('The key, or the link, on your card').fill(key);
  await recipient.getByRole('button', { name: 'Use this card' }).click();
  await readAsRecipient(recipient);
  await author.reload();
  await expect(row(author)).toContainText('Released');
  await expect(row(author)).toContainText(/Handed over for delivery .* Opened /);
});

test('a day, to a telephone: it begins where the author lives, and a passphrase opens the letter', async ({
  house,
  couriers: { telephones },
  browser,
  quiet,
}) => {
  const author = await stranger(browser, quiet, { timezoneId: 'Pacific/Auckland' });
  await enterAsResident(author, house);
  await openScrolls(author, house);
  await write(author, 'date');
  const day = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Auckland' }).format(house.now() + 2 * DAY);
  await author.getByLabel('Day of release').fill(day);
  await author.getByLabel('Recipient').selectOption('sms');
  await expect(author.getByText('Your vault has no permission to send text messages yet')).toBeVisible();
  await author.getByLabel('Phone number').fill('+44 7700 900123');
  await author.getByLabel('How the key reaches them').selectOption('passphrase');
  await author.getByLabel('Passphrase', { exact: true }).fill('plum cake on a stone wall');
  await author.getByLabel('Once more').fill('plum cake on a stone wall');
  await create(author);
  await row(author).getByRole('button', { name: 'Activate Watch' }).click();
  await author.getByRole('checkbox', { name: 'I have handed it over' }).check();
  await activate(author);

  const begins = startOfDay(day, 'Pacific/Auckland') ?? 0;
  await house.live(begins - house.now() - 10 * MINUTE);
  await author.reload();
  await expect(row(author)).toContainText(/Watching.*\d minutes?/);
  expect(telephones.received).toEqual([]);
  await house.live(20 * MINUTE);
  await author.reload();
  await expect(row(author)).toContainText('wait for the administrator’s permission');
  expect(telephones.received).toEqual([]);
  const admin = await stranger(browser, quiet);
  await enterAsResident(admin, house, 'otto');
  const claimed = await admin.request.post(`${house.url}/api/admin/claim`, {
    data: { token: house.setupToken },
  });
  expect(claimed.ok()).toBe(true);
  await admin.goto(`${house.url}/outbox`);
  await expect(admin.getByText('Withheld', { exact: true })).toBeVisible();
  await expect(admin.getByRole('main')).toContainText('One message waits for your permission');
  await author.goto(`${house.url}/settings`);
  const number = await author.getByLabel('Account number').inputValue();
  await author.goBack();
  await admin.getByLabel('Find an account by its number').fill(number);
  await admin.getByRole('button', { name: 'Find' }).click();
  await admin
    .getByRole('status')
    .getByRole('button', { name: /^Permit/ })
    .click();
  await expectToast(admin, 'Permission given');
  await expect(admin.getByRole('button', { name: /^Withdraw/ })).toHaveCount(2);
  await house.live(MINUTE);
  await expect.poll(() => telephones.received.length).toBe(1);
  const [text] = telephones.received;
  expect(text?.to).toBe('+447700900123');
  const recipient = await stranger(browser, quiet, PHONE);
  await recipient.goto(linkIn(text?.body));
  await recipient.getByLabel('Passphrase').fill('plum cake on a stone wall');
  await readAsRecipient(recipient);
  await author.reload();
  await expect(row(author)).toContainText(/Handed over for delivery .* Opened /);
});

test('by hand, to another vault: it waits there, and says which vault it came from', async ({
  page: author,
  house,
  browser,
  quiet,
}) => {
  const recipient = await stranger(browser, quiet, PHONE);
  await enterAsResident(recipient, house, 'otto');
  await openScrolls(recipient, house);
  await recipient.getByRole('button', { name: 'Show my address' }).click();
  const address = recipient.getByText(/^(?:[0-9a-f]{4} ?){8}$/);
  const theirs = (await address.textContent()) ?? '';

  await enterAsResident(author, house);
  await openScrolls(author, house);
  await author.getByRole('button', { name: 'Show my address' }).click();
  const mine = (await author.getByText(/^(?:[0-9a-f]{4} ?){8}$/).textContent()) ?? '';
  await write(author, 'manual');
  await author.getByLabel('Recipient').selectOption('whisper');
  await author.getByLabel('Vault address').fill(theirs);
  await expect(author.getByText('This vault is known here')).toBeVisible();
  await create(author);
  await row(author).getByRole('button', { name: 'Activate Watch' }).click();
  await activate(author);
  await row(author).getByRole('button', { name: 'Release now' }).click();
  await author.getByRole('alertdialog').getByRole('button', { name: 'Release now' }).click();
  await house.live(MINUTE);

  await recipient.goto(house.url);
  await expect(recipient.getByRole('heading', { name: 'A whisper was left for you' })).toBeVisible();
  await recipient.getByRole('link', { name: 'Go and read' }).click();
  await recipient.getByRole('button', { name: /^Read/ }).click();
  const letter = recipient.getByRole('dialog', { name: TITLE });
  await expect(letter).toContainText('Under the third stone');
  await expect(letter).toContainText(`From vault ${mine}`);
  await author.reload();
  await expect(row(author)).toContainText(/Left in their vault .* Opened /);

  await pressEscape(recipient);
  await recipient.getByRole('button', { name: /^Delete the whisper/ }).click();
  const question = recipient.getByRole('alertdialog', { name: 'Delete this whisper?' });
  await expect(question).toContainText('What its author has of it stays theirs, and they are not told.');
  await question.getByRole('button', { name: 'Delete it' }).click();
  await expectToast(recipient, 'Whisper Deleted');
  await expect(recipient.getByRole('heading', { name: 'Left for you' })).toHaveCount(0);
  await recipient.reload();
  await expect(recipient.getByRole('heading', { name: 'A new scroll' })).toBeVisible();
  await expect(recipient.getByRole('heading', { name: 'Left for you' })).toHaveCount(0);
  await author.reload();
  await expect(row(author)).toContainText(/Left in their vault .* Opened /);
  await row(author).getByRole('button', { name: TITLE, exact: true }).click();
  await expect(author.getByRole('dialog', { name: TITLE })).toContainText('Under the third stone');
});

test('a touch counts as life once an hour has passed since the last; an open tab counts as nothing', async ({
  page,
  house,
}) => {
  await page.clock.install({ time: house.now() });
  const pass = async (milliseconds: number) => {
    await house.live(milliseconds);
    await page.clock.fastForward(milliseconds);
  };
  await enterAsResident(page, house);
  await leaveScroll(page, house, await sealScroll(), { days: 2 });
  const list = page.getByRole('main').getByRole('listitem');
  const touch = () => page.getByRole('heading', { name: 'Active Legacies' }).click();
  const signs: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/proof-of-life')) signs.push(request.method());
  });
  await openScrolls(page, house);
  await expect(list).toContainText('Watching');
  const first = page.waitForResponse('**/api/proof-of-life');
  await touch();
  await first;

  await pass(30 * HOUR);
  await page.reload();
  await expect(list).toContainText(/Remaining(18|19|20) hours/);
  const second = page.waitForResponse('**/api/proof-of-life');
  await touch();
  expect((await second).ok()).toBe(true);
  await touch();
  await page.reload();
  await expect(list).toContainText(/Remaining(2 days|1 day, 2\d hours)/);
  expect(signs).toEqual(['POST', 'POST']);

  await pass(2 * DAY - SLACK);
  await page.reload();
  await expect(list).toContainText('Watching');
  await pass(2 * SLACK);
  await page.reload();
  await expect(list).toContainText('Released');
  expect(signs).toEqual(['POST', 'POST']);
});

test('what holds a scroll back is said: an outage, and warnings that no mail server takes', async ({
  page,
  house,
  couriers: { post },
}) => {
  await enterAsResident(page, house);
  const data = { address: 'author@example.org' };
  expect((await page.request.put(`${house.url}/api/warning-address`, { data })).ok()).toBe(true);
  await house.live(MINUTE);
  const [asked] = await mails(post, /come here/, 1);
  const token = linkIn(asked?.mail.text).split('#')[1];
  const press = await page.request.post(`${house.url}/api/presses`, { data: { token } });
  expect(press.ok()).toBe(true);
  await leaveScroll(page, house, await sealScroll(), { days: 1, warning: 'mail' });
  const list = page.getByRole('main').getByRole('listitem');

  post.behave('refuses for now');
  await house.live(DAY + SLACK);
  await openScrolls(page, house);
  await expect(list).toContainText('No mail server has accepted a warning to you yet.');
  await expect(list).toContainText(/Last warning.*It waits to be sent\..*451/);

  house.advance(5 * HOUR);
  await house.live(MINUTE);
  await page.goto(house.url);
  await expect(page.getByRole('heading', { name: 'The switch holds' })).toBeVisible();
  await openScrolls(page, house);
  await expect(list).toContainText('Silence releases nothing for three days after that.');
  post.behave('accepts');
  await house.live(2 * DAY);
  await page.reload();
  await expect(list).toContainText(/Last warning.*It was accepted by the mail server\./);
  await expect(list).toContainText('Silence releases nothing for three days after that.');
  await house.live(DAY + SLACK);
  await page.reload();
  await expect(list).toContainText('Released');
});

test('what could not be delivered is tried again by the keeper, who also lets a paused switch work', async ({
  page,
  house,
  couriers: { post },
}) => {
  await enterAsResident(page, house);
  const claimed = await page.request.post(`${house.url}/api/admin/claim`, {
    data: { token: house.setupToken },
  });
  expect(claimed.ok()).toBe(true);
  post.behave('refuses for good');
  await (await leaveScroll(page, house, await sealScroll())).release();
  await house.live(MINUTE);
  await openScrolls(page, house);
  const list = page.getByRole('main').getByRole('listitem');
  await expect(list).toContainText(/It could not be delivered\..*550/);
  await page.goto(`${house.url}/outbox`);
  await expect(page.getByText('Failed', { exact: true })).toBeVisible();
  post.behave('accepts');
  await page.getByRole('button', { name: /^Try again/ }).click();
  await house.live(MINUTE);
  await mails(post, /was left for you/, 1);
  await page.reload();
  await expect(page.getByText('Sent', { exact: true })).toBeVisible();
  await openScrolls(page, house);
  await expect(list).toContainText('Handed over for delivery');

  await leaveScroll(page, house, await sealScroll(), { days: 1 });
  await house.restart(() => rmSync(join(house.dataDir, 'switch.journal')));
  await page.reload();
  await expect(list.first()).toContainText('The switch of this house is paused');
  await page.goto(house.url);
  await expect(page.getByRole('heading', { name: 'The switch is paused' })).toBeVisible();
  await page.getByRole('link', { name: 'Look, and confirm' }).click();
  await page.getByRole('button', { name: 'Confirm this database' }).click();
  await page.getByRole('button', { name: 'Let it work' }).click();
  await expectToast(page, 'The switch works again');
  await expect(page.getByText('For 3 days more, silence releases nothing')).toBeVisible();
  await house.live(2 * DAY);
  await openScrolls(page, house);
  await expect(list.first()).toContainText('Silence releases nothing for three days after that.');
  await house.live(DAY + SLACK);
  await page.reload();
  await expect(list.first()).toContainText('Released');
});
