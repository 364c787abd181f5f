// Sacred Keys as only a browser shows them: one made by keyboard and read on another device, and their look. What their
// form, list and dialogs do is told in src/web/chambers/sacred-keys/page.test.tsx.
import type { Page } from '@playwright/test';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast, pressEscape, rowOf } from './rites.ts';
import { keyIn, postMemory } from './sealing.ts';
import { breakSeal, stranger } from './sharing.ts';

const TITLE = 'The bell under the lake';
const WORDS = 'It still rings.';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** Somebody with these memories, before their empty list of keys. */
async function openKeys(page: Page, instance: TestInstance, ...titles: string[]): Promise<void> {
  await enterAsMember(page, instance, 'agnes', '/sacred-keys');
  const key = await keyIn(page);
  for (const title of titles) await postMemory(page, instance, key, title, WORDS);
  await expect(page.getByText('No key has been made yet')).toBeVisible();
}

const create = (page: Page) => page.getByRole('button', { name: 'Create Sacred Key' });

test('by keyboard a key is made, its link copied, the focus given back; its reader reads once, and its owner sees it', async ({
  page,
  instance,
  browser,
  quiet,
}) => {
  await openKeys(page, instance, TITLE);
  await create(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Content type')).toBeFocused();
  await page.keyboard.type('Mem');
  await expect(page.getByLabel('Specific entry')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Specific entry')).toBeFocused();
  await page.keyboard.type('The bell');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Passphrase', { exact: false })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectToast(page, 'Sacred Key Created', 'Its link is on your clipboard.');
  await expect(page.getByRole('textbox', { name: 'Link' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Link Copied');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  // The focus is given back a moment after the dialog has gone, to where the first of the two came from.
  await expect(create(page)).toBeFocused();
  await expect(rowOf(page, TITLE)).toContainText('Active');

  const reader = await stranger(browser, quiet);
  await reader.goto(link);
  await breakSeal(reader, [TITLE, WORDS]);
  // The list that was open knows nothing of it yet; whoever comes back to it does.
  await page.getByRole('link', { name: 'Latebra' }).click();
  await page
    .getByRole('main')
    .getByRole('link', { name: /Sacred Keys/ })
    .click();
  await expect(rowOf(page, TITLE)).toContainText(/Used.*Opened on \d+ \w+ \d{4}, \d\d:\d\d/);
});

test('every view, wide and narrow: a picture, no axe finding, nothing sideways', async ({
  page,
  instance,
}) => {
  const look = (name: string) => lookAt(page, `keys-${name}`);
  const long = 'A title that goes on for much longer than anybody would expect of a title, and then some';
  const chooseEntry = async (title: string) => {
    await create(page).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Content type').selectOption({ label: 'Memory' });
    const entry = dialog.getByLabel('Specific entry');
    await entry.selectOption((await entry.locator('option', { hasText: title }).getAttribute('value')) ?? '');
  };
  const submit = () => create(page).last().click();
  await openKeys(page, instance, TITLE, long);
  await look('empty');
  await create(page).click();
  await submit();
  await expectToast(page, 'Incomplete Key Request');
  await look('incomplete');
  await pressEscape(page);
  await chooseEntry(long);
  await page.getByRole('button', { name: 'Choose six words for me' }).click();
  await expect(page.getByText('Write these down before you go on:')).toBeVisible();
  await look('dialog');
  await submit();
  await expectToast(page, 'Sacred Key Created');
  await look('link');
  await page.getByRole('button', { name: 'Done' }).click();
  await chooseEntry(TITLE);
  await submit();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(rowOf(page, TITLE)).toContainText('Active');
  await look('list');
  await rowOf(page, TITLE).getByRole('button', { name: 'Revoke' }).click();
  await look('revoke');
});
