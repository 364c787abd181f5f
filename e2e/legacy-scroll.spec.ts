// Legacy scrolls as only a browser shows them to their author: in two tabs, on paper, and their look. What the form, the
// list and the dialogs do is told in src/web/chambers/legacy-scroll/page.test.tsx.
import type { Page } from '@playwright/test';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt, SIZES, takePicture } from './pictures.ts';
import { expectToast, rowOf } from './rites.ts';

const TITLE = 'Where the key lies';
const LETTER = 'Under the third stone from the gate.\n\nForgive me the rest.';

const openScrolls = async (page: Page, instance: TestInstance) => {
  await page.goto(`${instance.url}/legacy-scroll`);
  await expect(page.getByRole('heading', { name: 'Active Legacies' })).toBeVisible();
};
const create = (page: Page) => page.getByRole('button', { name: 'Seal the letter' });

/** This server sends no mail, so that mail is chosen and agreed to. */
async function chooseEmail(page: Page): Promise<void> {
  await expect(page.getByText(/^Nothing is sent to anybody\./)).toBeVisible();
  await page.getByLabel('Recipient').selectOption('email');
  await page.getByRole('checkbox', { name: /^Yes, I know/ }).check();
}

/** Writes a letter that watches for silence, up to its recipient. */
async function write(page: Page, title = TITLE, days = '90'): Promise<void> {
  const begin = page.getByRole('button', { name: 'Write a letter' });
  await expect(begin.or(page.getByRole('textbox', { name: 'Title' })).first()).toBeVisible();
  if (await begin.isVisible()) await begin.click();
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('textbox', { name: 'Letter' }).fill(LETTER);
  await page.getByLabel('Days without activity').fill(days);
}

/** Makes a scroll with a key card, and puts the card aside. Returns its link. */
async function makeScroll(page: Page, title = TITLE): Promise<string> {
  await write(page, title);
  await chooseEmail(page);
  await page.getByLabel('Email address').fill('agnes@example.org');
  await create(page).click();
  return putCardAside(page, 'Later');
}

/** Reads the link off the card that stands open. */
async function putCardAside(page: Page, word: string): Promise<string> {
  const card = page.getByRole('dialog', { name: 'The key card' });
  const link = await card.getByRole('textbox', { name: 'Link' }).inputValue();
  await card.getByRole('button', { name: word, exact: true }).click();
  return link;
}

/** Presses what a row offers. */
async function press(page: Page, title: string, word: string): Promise<void> {
  await rowOf(page, title).getByRole('button', { name: /More/ }).click();
  await rowOf(page, title)
    .getByRole('button', { name: new RegExp(`^${word}`) })
    .click();
}

test('a change made elsewhere meanwhile is shown beside one’s own, and both can be kept', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 409/);
  await enterAsMember(page, instance, 'agnes', '/legacy-scroll');
  await makeScroll(page);
  const tab = await page.context().newPage();
  await openScrolls(tab, instance);
  // The card that stands open is the one that counts, and says so when another tab has made it anew.
  await press(tab, TITLE, 'New card');
  await tab.getByRole('button', { name: 'Make it' }).click();
  const link = await putCardAside(tab, 'Later');
  await press(page, TITLE, 'Key card');
  await expect(page.getByText(/^This card was replaced by a newer one/)).toBeVisible();
  expect(await putCardAside(page, 'Later')).toBe(link);

  for (const [where, words] of [
    [tab, 'Written in the other tab.'],
    [page, 'Written here.'],
  ] as const) {
    await press(where, TITLE, 'Edit');
    await where.getByRole('dialog').getByRole('textbox', { name: 'Letter' }).fill(words);
  }
  await tab.getByRole('button', { name: 'Seal the change' }).click();
  await expectToast(tab, 'Legacy Scroll Changed');
  await page.getByRole('button', { name: 'Seal the change' }).click();
  await expect(page.getByRole('alert')).toContainText('Written in the other tab.');
  await page.getByRole('button', { name: 'Keep both' }).click();
  await expectToast(page, 'Legacy Scroll Created');
  await putCardAside(page, 'Later');
  await expect(page.getByRole('button', { name: TITLE, exact: true })).toHaveCount(2);
});

test('every view, wide and narrow: a picture, no axe finding, nothing sideways', async ({
  page,
  instance,
  quiet,
}) => {
  const look = (name: string, fullPage = false) => lookAt(page, `legacy-${name}`, { fullPage });
  const long = `${'A title that goes on for longer than anybody would expect of one. '.repeat(5)}${'unbroken'.repeat(20)}`;
  await enterAsMember(page, instance, 'agnes', '/legacy-scroll');
  await create(page).click();
  await look('missing', true);
  await write(page, long);
  await chooseEmail(page);
  await page.getByLabel('Email address').fill(`${'agnes'.repeat(12)}@example.org`);
  await page.getByLabel('Your name').fill('Agnes of the Lake');
  await page.getByRole('button', { name: 'Add a recipient' }).click();
  const second = page.getByRole('group', { name: 'Recipient 2' });
  await expect(second.getByLabel('What you call them')).toBeFocused();
  await second.getByLabel('Recipient').selectOption('email');
  await second.getByRole('checkbox', { name: /^Yes, I know/ }).check();
  await second.getByLabel('Email address').fill('ben@example.org');
  await second.getByLabel('They are told').selectOption('if-unopened');
  await look('two-recipients', true);
  await create(page).click();
  await expect(page.getByRole('dialog', { name: 'The key card' })).toBeVisible();
  await look('card');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('A key for a letter')).toBeVisible();
  await expect(page.getByText('A title that goes on').first()).toBeHidden();
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await takePicture(page, `${size}-legacy-printed`);
  }
  // Dark on white, as cameras want it.
  const printed = page.locator('[data-printed]');
  await expect(printed.locator('rect')).toHaveCSS('fill', 'rgb(255, 255, 255)');
  await expect(printed.locator('path')).toHaveCSS('fill', 'rgb(0, 0, 0)');
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'I have handed them over' }).click();
  const dialog = page.getByRole('dialog', { name: 'Activate Watch' });
  await dialog.getByLabel('Warnings').selectOption({ label: 'By mail' });
  await dialog.getByLabel('Warning address').fill('me@example.org');
  await dialog.getByRole('button', { name: 'Send confirmation link' }).click();
  await expect(dialog.getByText('Not confirmed yet')).toBeVisible();
  await look('activate-asked');
  await dialog.getByLabel('Warnings', { exact: true }).selectOption({ label: 'On the dashboard only' });
  await dialog.getByRole('button', { name: 'Activate Watch' }).click();
  await expect(dialog).toBeHidden();
  await makeScroll(page);
  await look('list', true);
  await press(page, TITLE, 'Edit');
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('edit');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await press(page, TITLE, 'New card');
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('new-card');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: TITLE, exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Forgive me the rest.');
  await look('reader');
  quiet.expect(/status of 502/);
  await page.route('**/api/legacy-scrolls?*', (route) => route.fulfill({ status: 502, body: 'no' }));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This could not be fetched' })).toBeVisible();
  await look('failed');
});

test('who is warned, and the contact: pictures, no axe finding, nothing sideways', async ({
  page,
  instance,
}) => {
  const at = '2026-11-20T10:00:00.000Z';
  const answers: Record<string, object> = {
    '/api/warning-address': { address: 'agnes@example.org', provedAt: at, request: null },
    '/api/second-warning': { channel: null, address: null, provedAt: null, request: null },
    '/api/trusted-contact': { contact: null },
  };
  for (const [path, json] of Object.entries(answers))
    await page.route(`**${path}`, (route) => route.fulfill({ json: answers[path] ?? json }));
  const place = (name: string) => page.getByRole('heading', { name, level: 3 }).locator('xpath=..');
  await enterAsMember(page, instance, 'agnes', '/legacy-scroll');
  const look = async (name: string, of: string) => {
    await lookAt(page, `legacy-${name}`, { sizes: {} });
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await lookAt(page, `legacy-${name}`, { sizes: { [size]: viewport } });
      await takePicture(place(of), `${size}-legacy-${name}`);
    }
  };
  await look('unnamed', 'Trusted contact');
  await page.getByRole('button', { name: 'Add a second address or a phone number' }).click();
  await page.getByLabel('How the second warning reaches you').selectOption('sms');
  await expect(page.getByLabel('Phone number')).toBeVisible();
  await page.getByRole('button', { name: 'Send confirmation link there' }).click();
  await look('second-field', 'Warnings');
  await page.getByRole('button', { name: 'Name a trusted contact' }).click();
  await page.getByRole('button', { name: 'Name them' }).click();
  await expect(page.getByText('Enter the name of your contact.')).toBeVisible();
  await look('contact-fields', 'Trusted contact');

  answers['/api/second-warning'] = {
    ...{ channel: 'sms', address: '+447700900123', provedAt: null },
    request: { state: 'waiting', why: null },
  };
  answers['/api/trusted-contact'] = {
    contact: {
      ...{ name: 'Benedikta of the Upper Mill', address: `${'ben'.repeat(18)}@example.org` },
      ...{ authorName: 'Agnes', namedAt: at, postponedAt: at, postponedFor: 26 * 24 * 3_600_000 },
      told: { at, state: 'sent', why: null },
    },
  };
  await page.reload();
  await expect(page.getByText(/postponed your letters/)).toBeVisible();
  await look('second', 'Warnings');
  await look('contact', 'Trusted contact');
});
