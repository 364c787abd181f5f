// A legacy scroll from the first word to the last look, with a mail server and the switch at work, and what a browser
// says of life: only a person's own touch. The other triggers and recipients, and what holds a scroll back, are told in
// src/web/chambers/legacy-scroll/watch.test.tsx.
import type { Page } from '@playwright/test';
import { CONTACT_DECLINED } from '../src/shared/nouns/trusted-contact.ts';
import { expect, type TestInstance } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast, rowOf } from './rites.ts';
import { leaveScroll, sealScroll } from './scrolls.ts';
import { stranger } from './sharing.ts';
import { linkIn, mails, test } from './transports.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A sign of life counts from up to two ticks later, and the tests' heart ticks every hour. */
const SLACK = 3 * HOUR;
const PHONE = { viewport: { width: 390, height: 844 } };
const TITLE = 'Where the key lies';
const WORDS = 'Under the third stone from the gate.\n\nForgive me the rest.';

const row = (page: Page) => rowOf(page, TITLE);

async function openScrolls(page: Page, instance: TestInstance): Promise<void> {
  await page.goto(`${instance.url}/legacy-scroll`);
  await expect(page.getByRole('heading', { name: 'Active Legacies' })).toBeVisible();
}

test('silence, to a mailbox: warned and answered by mail, then nobody answers any more', async ({
  page: author,
  instance,
  transports: { post },
  browser,
  quiet,
}) => {
  await enterAsMember(author, instance, 'agnes', '/legacy-scroll');
  await author.getByRole('textbox', { name: 'Title' }).fill(TITLE);
  await author.getByRole('textbox', { name: 'Letter' }).fill(WORDS);
  await author.getByLabel('Days without activity').fill('6');
  await author.getByLabel('Email address').fill('agnes@example.org');
  await author.getByLabel('Your name').fill('Ada of the Mill');
  await author.getByRole('button', { name: 'Seal the letter' }).click();
  await expectToast(author, 'Legacy Scroll Created');
  const card = author.getByRole('dialog', { name: 'The key card' });
  const key = (await card.getByRole('textbox', { name: 'Link' }).inputValue()).split('#')[1] ?? '';
  await card.getByRole('button', { name: 'I have handed it over' }).click();
  const dialog = author.getByRole('dialog', { name: 'Activate Watch' });
  await dialog.getByLabel('Warnings').selectOption({ label: 'By mail' });
  await dialog.getByLabel('Warning address').fill('author@example.org');
  await dialog.getByRole('button', { name: 'Send confirmation link' }).click();
  await expect(dialog.getByText('Not confirmed yet')).toBeVisible();

  await instance.live(MINUTE);
  const [asked] = await mails(post, /^Confirm this address for warnings/, 1);
  const mailbox = await stranger(browser, quiet, PHONE);
  await mailbox.goto(linkIn(asked?.mail.text));
  await mailbox.getByRole('button', { name: 'Let warnings come here' }).click();
  await expect(mailbox.getByRole('heading', { name: 'Warnings will come here' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Look again' }).click();
  await expect(dialog.getByText('Confirmed', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Activate Watch' }).click();
  await expectToast(author, 'Legacy Scroll Activated');
  await expect(row(author)).toContainText('Watching');
  await author.goto('about:blank');

  await instance.live(3 * DAY - SLACK);
  await mails(post, /is due/, 0);
  await instance.live(2 * SLACK);
  const [warning] = await mails(post, /is due in 3 days/, 1);
  expect(warning?.recipient).toBe('author@example.org');
  await openScrolls(author, instance);
  await expect(row(author)).toContainText('It was accepted by the mail server.');
  await mailbox.goto(linkIn(warning?.mail.text));
  await mailbox.getByRole('button', { name: 'I am still here' }).click();
  await expect(mailbox.getByText('Two more links count in a row')).toBeVisible();
  await author.reload();
  await expect(row(author)).toContainText(/Watching.*[56] days/);
  await expect(row(author)).not.toContainText('Last warning');

  await instance.live(6 * DAY + SLACK);
  await mails(post, /is due/, 3);
  const [release] = await mails(post, /was left for you/, 1);
  expect(release?.recipient).toBe('agnes@example.org');
  for (const secret of [key, TITLE]) expect(JSON.stringify(release?.mail)).not.toContain(secret);
  expect(release?.mail.text).toContain('They give their name as “Ada of the Mill”');
  await instance.live(3 * DAY + SLACK);
  const [reminder] = await mails(post, /^Reminder: a letter/, 1);
  expect(linkIn(reminder?.mail.text)).toBe(linkIn(release?.mail.text));
  const recipient = await stranger(browser, quiet, PHONE);
  await recipient.goto(linkIn(release?.mail.text));
  await recipient.getByLabel('The key, or the link, on your card').fill(key);
  await recipient.getByRole('button', { name: 'Use this card' }).click();
  await recipient.getByRole('button', { name: 'Open the scroll' }).click();
  for (const words of [TITLE, 'Under the third stone']) {
    await expect(recipient.getByRole('article')).toContainText(words);
  }
  expect(instance.log.join('\n')).not.toContain(linkIn(release?.mail.text).split('/').pop());
  await author.reload();
  await expect(row(author)).toContainText('Released');
  await expect(row(author)).toContainText(/Handed over for delivery .* Opened /);
});

test('a touch counts as life once an hour has passed since the last; an open tab counts as nothing', async ({
  page,
  instance,
}) => {
  await page.clock.install({ time: instance.now() });
  const pass = async (milliseconds: number) => {
    await instance.live(milliseconds);
    await page.clock.fastForward(milliseconds);
  };
  await enterAsMember(page, instance, 'agnes', '/legacy-scroll');
  const list = page.getByRole('main').getByRole('listitem');
  const touch = () => page.getByRole('heading', { name: 'Active Legacies' }).click();
  const signs: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/proof-of-life')) signs.push(request.method());
  });
  // No scroll of this vault watches yet; one may at any time, by a press on another device.
  const first = page.waitForResponse('**/api/proof-of-life');
  await touch();
  expect((await first).ok()).toBe(true);
  await leaveScroll(page, instance, await sealScroll(), { days: 2 });

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

test('a trusted contact postpones by the link in a mail, and by another wants to be asked no more', async ({
  page: author,
  instance,
  transports: { post },
  browser,
  quiet,
}) => {
  await enterAsMember(author, instance, 'agnes', '/legacy-scroll');
  await author.getByRole('button', { name: 'Name a trusted contact' }).click();
  await author.getByLabel('Their name').fill('Ben');
  await author.getByLabel('Their mail address').fill('ben@example.org');
  await author.getByLabel('Your name, as that mail gives it').fill('Agnes of the Mill');
  await author.getByRole('button', { name: 'Name them' }).click();
  await expect(author.getByText('ben@example.org')).toBeVisible();
  await leaveScroll(author, instance, await sealScroll(), { days: 6 });
  await author.goto('about:blank');
  const contact = await stranger(browser, quiet, PHONE);
  const heading = (name: string) => expect(contact.getByRole('heading', { name, level: 1 })).toBeVisible();
  const linkAfter = (words: string, text = '') => linkIn(text.slice(text.indexOf(words)));

  await instance.live(3 * DAY + SLACK);
  const [asked] = await mails(post, /^You are asked before letters are sent/, 1);
  expect(asked?.recipient).toBe('ben@example.org');
  await contact.goto(linkAfter('Postpone by', asked?.mail.text));
  await heading('Postpone the letters?');
  await lookAt(contact, 'contact-asked');
  await contact.getByRole('button', { name: 'Postpone by thirty days' }).click();
  await heading('The letters are postponed');
  await lookAt(contact, 'contact-postponed');

  await contact.goto(linkAfter('Do not ask me any more', asked?.mail.text));
  await heading('Be asked no more?');
  await lookAt(contact, 'contact-decline');
  await openScrolls(author, instance);
  await expect(author.getByText(/postponed/i).first()).toBeVisible();
  await contact.getByRole('button', { name: 'Do not ask me any more' }).click();
  await heading('You are asked no more');
  await lookAt(contact, 'contact-declined');
  await contact.reload();
  await heading('You are asked no more');
  await author.reload();
  await expect(author.getByText(CONTACT_DECLINED)).toBeVisible();
  await author.getByText(CONTACT_DECLINED).scrollIntoViewIfNeeded();
  await lookAt(author, 'contact-declined-author');
});
