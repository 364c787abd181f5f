// Legacy scrolls as their author uses them: written, handed over, set to watch, changed, released, deleted.
import type { Page } from '@playwright/test';
import { vaultAddress } from '../src/crypto/vault-address.ts';
import { axeFindings } from './axe.ts';
import { expect, type TestHouse, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import { expectToast, rowOf } from './rites.ts';
import { stranger } from './sharing.ts';

const TITLE = 'Where the key lies';
const LETTER = 'Under the third stone from the gate.\n\nForgive me the rest.';

const openScrolls = async (page: Page, house: TestHouse) => {
  await page.goto(`${house.url}/legacy-scroll`);
  await expect(page.getByRole('heading', { name: 'Active Legacies' })).toBeVisible();
};
const create = (page: Page) => page.getByRole('button', { name: 'Create Legacy Scroll' });

/** Writes a letter that watches for silence, up to its recipient. */
async function write(page: Page, title = TITLE, days = '90'): Promise<void> {
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('textbox', { name: 'Letter' }).fill(LETTER);
  await page.getByLabel('Days of silence').fill(days);
}

/** Makes a scroll with a key card, and puts the card aside. Returns its link. */
async function makeScroll(page: Page, title = TITLE): Promise<string> {
  await write(page, title);
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
const press = (page: Page, title: string, word: string) =>
  rowOf(page, title)
    .getByRole('button', { name: new RegExp(`^${word}`) })
    .click();

test('a letter is written, handed over and watched; its card stays through edits and dies with a new one', async ({
  page,
  house,
}) => {
  await enterAsResident(page, house);
  await openScrolls(page, house);
  await expect(page.getByText('Nothing is held back yet')).toBeVisible();
  await expect(page.getByText(/its operator could withhold it, or, together with your/)).toBeVisible();

  // What is missing is said at the field, and nothing that was written is lost.
  await page.getByRole('textbox', { name: 'Letter' }).fill(LETTER);
  await create(page).click();
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await expect(page.getByText('Say who shall have it.')).toBeVisible();
  await write(page);
  await page.reload();
  await expect(page.getByText('What you had begun to write is still here.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Letter' })).toHaveValue(LETTER);
  await page.getByLabel('Email address').fill('agnes@example.org');
  await expect(page.getByText('This house sends no mail.')).toBeVisible();

  const sent: string[] = [];
  page.on('request', (made) => sent.push(`${made.url()} ${made.postData()}`));
  await create(page).click();
  await expectToast(page, 'Legacy Scroll Created');
  const link = await putCardAside(page, 'I have handed it over');
  expect(link).toMatch(new RegExp(`^${house.url}/legacy/[A-Za-z0-9_-]{22}#[A-Za-z0-9_-]{43}$`));

  const dialog = page.getByRole('dialog', { name: 'Activate Watch' });
  await expect(dialog.getByRole('checkbox', { name: 'I have handed it over' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Activate Watch' }).click();
  await expect(dialog.getByText('Choose how you are warned before it is released.')).toBeVisible();
  await dialog.getByLabel('Warnings').selectOption({ label: 'On the dashboard only' });
  await dialog.getByRole('button', { name: 'Activate Watch' }).click();
  await expectToast(page, 'Legacy Scroll Activated');
  const row = rowOf(page, TITLE);
  await expect(row.getByRole('article')).toBeFocused();
  for (const words of ['Watching', 'After 90 days of silence', 'agnes@example.org', /\d\d days/]) {
    await expect(row).toContainText(words);
  }
  await page.getByRole('button', { name: 'Still here' }).first().click();
  await expectToast(page, 'Still Here');

  await press(page, TITLE, 'Edit words');
  const edit = page.getByRole('dialog', { name: 'Edit the words' });
  await expect(edit.getByLabel('Trigger')).toBeDisabled();
  await edit.getByRole('textbox', { name: 'Letter' }).fill('Under the fourth stone.');
  await edit.getByRole('button', { name: 'Seal the change' }).click();
  await expectToast(page, 'Legacy Scroll Changed');
  await press(page, TITLE, 'Key card');
  expect(await putCardAside(page, 'Done')).toBe(link);

  await press(page, TITLE, 'New card');
  await expect(page.getByText('The old card is dead at once, and the watch stops')).toBeVisible();
  await page.getByRole('button', { name: 'Make it' }).click();
  const other = await putCardAside(page, 'Later');
  expect(other.split('#')[0]).toBe(link.split('#')[0]);
  expect(other).not.toBe(link);
  await expect(row).toContainText('Dormant');
  await page.reload();
  await page.getByRole('button', { name: TITLE, exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Under the fourth stone.');
  for (const secret of [link, other]) expect(sent.join('\n')).not.toContain(secret.split('#')[1]);
  expect(sent.join('\n')).not.toContain('stone');
});

test('by hand: watched, disarmed, released after a question, deleted after another', async ({
  page,
  house,
}) => {
  await enterAsResident(page, house);
  await openScrolls(page, house);
  await page.getByRole('textbox', { name: 'Title' }).fill(TITLE);
  await page.getByRole('textbox', { name: 'Letter' }).fill(LETTER);
  await page.getByLabel('Days of silence').fill('3');
  await page.getByLabel('Trigger').selectOption('manual');
  await page.getByLabel('Recipient').selectOption('sms');
  // The browser's language is British English.
  await expect(page.getByLabel('Country')).toHaveValue('GB');
  await page.getByLabel('Country').selectOption('HU');
  await page.getByLabel('Phone number').fill('07700 900123 900123');
  await page.getByLabel('How the key reaches them').selectOption('passphrase');
  await create(page).click();
  await expect(page.getByText('This is not a phone number in the country above.')).toBeVisible();
  await page.getByLabel('Phone number').fill('07700 900123');
  await page.getByLabel('Country').selectOption('GB');
  await expect(page.getByText('Kept as +447700900123.')).toBeVisible();
  await create(page).click();
  await expect(page.getByText(/Use 12 characters or more/)).toBeVisible();
  await page.getByRole('button', { name: 'Choose six words for me' }).click();
  await expect(page.getByText('Write these down before you go on')).toBeVisible();
  await create(page).click();
  const row = rowOf(page, TITLE);
  await expect(row).toContainText('by text message, opened with a passphrase');
  const [scroll] = await (await page.request.get(`${house.url}/api/legacy-scrolls`)).json();
  expect(scroll.recipientAddress).toBe('+447700900123');

  const activate = async () => {
    await press(page, TITLE, 'Activate Watch');
    const dialog = page.getByRole('dialog', { name: 'Activate Watch' });
    const said = dialog.getByRole('checkbox', { name: 'I have handed it over' });
    if (!(await said.isChecked())) {
      await dialog.getByRole('button', { name: 'Activate Watch' }).click();
      await expect(dialog.getByText('Hand it over first.')).toBeVisible();
      await said.check();
    }
    await dialog.getByRole('button', { name: 'Activate Watch' }).click();
    await expect(row).toContainText('Watching');
  };
  await activate();
  await press(page, TITLE, 'Disarm');
  await expectToast(page, 'Watch Disarmed');
  await expect(row).toContainText('Dormant');
  await activate();
  await press(page, TITLE, 'Release now');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release now' }).click();
  await expectToast(page, 'Legacy Scroll Released', 'waits in the outbox');
  await expect(row.getByRole('article')).toBeFocused();
  await expect(row).toContainText('Released');
  await expect(row).toContainText('It waits to be delivered.');
  await press(page, TITLE, 'Delete');
  await expect(page.getByText('Its address leads nowhere any more')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expect(page.getByText('Nothing is held back yet')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Active Legacies' })).toBeFocused();
});

test('a whisper is sealed to a vault that is known, and takes a key card where none is', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  quiet.expect(/status of 404/);
  const other = await stranger(browser, quiet);
  await enterAsResident(other, house, 'otto');
  const { clientKey } = await (await other.request.get(`${house.url}/api/encryption-key`)).json();
  const address = await vaultAddress(clientKey.recipient, clientKey.verifyingKey);
  await openScrolls(other, house);
  await other.getByRole('button', { name: 'Show my address' }).click();
  await expect(other.getByText(address.match(/.{4}/g)?.join(' ') ?? '')).toBeVisible();
  await expect(other.getByRole('status').filter({ hasText: address.slice(0, 4) })).toBeFocused();

  await enterAsResident(page, house);
  await openScrolls(page, house);
  await write(page, 'To nobody here');
  await page.getByLabel('Recipient').selectOption('whisper');
  await page.getByLabel('Vault address').fill('0'.repeat(32));
  await expect(page.getByText('Such a whisper takes a key card only.')).toBeVisible();
  await create(page).click();
  await putCardAside(page, 'Later');
  await write(page, 'To the other house');
  await page.getByLabel('Recipient').selectOption('whisper');
  await page.getByLabel('Vault address').fill(address);
  await expect(page.getByText('This vault is known here')).toBeVisible();
  await create(page).click();
  const row = rowOf(page, 'To the other house');
  await expect(row).toContainText('sealed to their vault');
  await expect(row.getByRole('button', { name: /^Key card/ })).toHaveCount(0);
  await press(page, 'To the other house', 'Edit');
  const edit = page.getByRole('dialog', { name: 'Edit Legacy Scroll' });
  await edit.getByRole('textbox', { name: 'Letter' }).fill('Another wording.');
  await edit.getByRole('button', { name: 'Seal the change' }).click();
  await expectToast(page, 'Legacy Scroll Changed');

  // A draft of another recipient lies about when the watch begins: the words stay with the vault that the row names.
  await press(page, 'To the other house', 'Edit');
  await edit.getByLabel('Vault address').fill('0'.repeat(32));
  await page.keyboard.press('Escape');
  await press(page, 'To the other house', 'Activate Watch');
  const dialog = page.getByRole('dialog', { name: 'Activate Watch' });
  await dialog.getByLabel('Warnings').selectOption('dashboard');
  await dialog.getByRole('button', { name: 'Activate Watch' }).click();
  await press(page, 'To the other house', 'Edit words');
  const words = page.getByRole('dialog', { name: 'Edit the words' });
  await expect(words.getByText('What you had begun to write')).toBeVisible();
  const saved = page.waitForRequest((made) => made.method() === 'PATCH');
  await words.getByRole('button', { name: 'Seal the change' }).click();
  expect((await saved).postDataJSON()).toMatchObject({
    recipientAddress: address,
    access: { kind: 'vault' },
  });
  await expectToast(page, 'Legacy Scroll Changed');
});

test('a change made elsewhere meanwhile is shown beside one’s own, and both can be kept', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/status of 409/);
  await enterAsResident(page, house);
  await openScrolls(page, house);
  await makeScroll(page);
  const tab = await page.context().newPage();
  await openScrolls(tab, house);
  // The card that stands open is the one that counts, and says so when another tab has made it anew.
  await press(tab, TITLE, 'New card');
  await tab.getByRole('button', { name: 'Make it' }).click();
  const link = await putCardAside(tab, 'Later');
  await press(page, TITLE, 'Key card');
  await expect(page.getByRole('alert')).toContainText('replaced by a newer one');
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

for (const [size, viewport] of Object.entries({
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
})) {
  test.describe(`at ${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport });

    test('every view: a picture, no axe finding, nothing sideways', async ({ page, house, quiet }) => {
      async function look(name: string, fullPage = false): Promise<void> {
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await page.screenshot({ path: `test-results/pictures/${size}-legacy-${name}.png`, fullPage });
        const violations = await axeFindings(page);
        expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(sideways, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
      }
      const long = `${'A title that goes on for longer than anybody would expect of one. '.repeat(5)}${'unbroken'.repeat(20)}`;
      await enterAsResident(page, house);
      await openScrolls(page, house);
      await create(page).click();
      await look('missing', true);
      await write(page, long);
      await page.getByLabel('Email address').fill(`${'agnes'.repeat(12)}@example.org`);
      await create(page).click();
      await expect(page.getByRole('dialog', { name: 'The key card' })).toBeVisible();
      await look('card');
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByText('A key for a letter')).toBeVisible();
      await expect(page.getByText('A title that goes on').first()).toBeHidden();
      await page.screenshot({ path: `test-results/pictures/${size}-legacy-printed.png` });
      // Dark on white, as cameras want it.
      const printed = page.locator('[data-printed]');
      await expect(printed.locator('rect')).toHaveCSS('fill', 'rgb(255, 255, 255)');
      await expect(printed.locator('path')).toHaveCSS('fill', 'rgb(0, 0, 0)');
      await page.emulateMedia({ media: 'screen' });
      await page.getByRole('button', { name: 'I have handed it over' }).click();
      const dialog = page.getByRole('dialog', { name: 'Activate Watch' });
      await dialog.getByLabel('Warnings').selectOption({ label: 'By mail' });
      await dialog.getByLabel('Warning address').fill('me@example.org');
      await dialog.getByRole('button', { name: 'Ask for the press' }).click();
      await expect(dialog.getByText('Not proved yet')).toBeVisible();
      await look('activate-asked');
      await dialog.getByLabel('Warnings', { exact: true }).selectOption({ label: 'On the dashboard only' });
      await dialog.getByRole('button', { name: 'Activate Watch' }).click();
      await expect(dialog).toBeHidden();
      await makeScroll(page);
      await look('list', true);
      await press(page, TITLE, 'Edit');
      await look('edit');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await press(page, TITLE, 'New card');
      await look('new-card');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: TITLE, exact: true }).click();
      await look('reader');
      quiet.expect(/status of 502/);
      await page.route('**/api/legacy-scrolls?*', (route) => route.fulfill({ status: 502, body: 'no' }));
      await page.reload();
      await expect(page.getByRole('heading', { name: 'This could not be fetched' })).toBeVisible();
      await look('failed');
    });
  });
}
