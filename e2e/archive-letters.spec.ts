// Letters in an archive: those of one's own scrolls, and whispers that were left for the vault. And who signed it.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { axeFindings } from './axe.ts';
import { expect, type TestHouse, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import { expectToast, openMemoryVault, sealMemory } from './rites.ts';
import { stranger } from './sharing.ts';

test.describe.configure({ timeout: 240_000 });

const openSettings = (page: Page, house: TestHouse) => page.goto(`${house.url}/settings`);

async function exportReadable(page: Page, path: string): Promise<Record<string, string>> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByLabel('Form').selectOption('readable');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export readable' }).click(),
  ]);
  const bytes = readFileSync(await file.path());
  writeFileSync(path, bytes);
  const files = Object.entries(unzipSync(bytes));
  return Object.fromEntries(files.map(([name, content]) => [name, Buffer.from(content).toString('utf8')]));
}

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import' });

async function offer(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await importDialog(page).getByLabel('Archive', { exact: true }).setInputFiles(path);
}

/** Writes a letter, as the form of the chamber has it. */
async function writeLetter(
  page: Page,
  title: string,
  content: string,
  recipient: () => Promise<void>,
): Promise<void> {
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('textbox', { name: 'Letter' }).fill(content);
  await page.getByLabel('Trigger').selectOption('manual');
  await recipient();
  await page.getByRole('button', { name: 'Create Legacy Scroll' }).click();
  await expectToast(page, 'Legacy Scroll Created');
}

test('letters and whispers are in the export, are named before the vault is destroyed, and come back', async ({
  page,
  house,
  browser,
  quiet,
}, testInfo) => {
  // Otto writes to Agnes's vault; she writes a letter of her own.
  await enterAsResident(page, house);
  await page.goto(`${house.url}/legacy-scroll`);
  await page.getByRole('button', { name: 'Show my address' }).click();
  const address = (await page.getByText(/^(?:[0-9a-f]{4} ?){8}$/).textContent()) ?? '';
  await writeLetter(page, 'For Ada', 'The key hangs behind the clock.', async () => {
    await page.getByLabel('Email address').fill('ada@example.org');
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Later' }).click();
  const otto = await stranger(browser, quiet);
  await enterAsResident(otto, house, 'otto');
  await otto.goto(`${house.url}/legacy-scroll`);
  await writeLetter(otto, 'Under the stairs', 'Look there, and forgive me.', async () => {
    await otto.getByLabel('Recipient').selectOption('whisper');
    await otto.getByLabel('Vault address').fill(address);
    await expect(otto.getByText('This vault is known here')).toBeVisible();
  });
  await otto.getByRole('main').getByRole('button', { name: 'Activate Watch' }).click();
  await otto.getByRole('dialog').getByRole('button', { name: 'Activate Watch' }).click();
  await otto.getByRole('main').getByRole('button', { name: 'Release now' }).click();
  await otto.getByRole('alertdialog').getByRole('button', { name: 'Release now' }).click();
  await expect(otto.getByRole('main').getByRole('listitem').first()).toContainText('Released');

  await openSettings(page, house);
  await page.getByRole('button', { name: 'Destroy Vault' }).click();
  const question = page.getByRole('alertdialog', { name: 'Destroy the vault?' });
  await expect(question).toContainText(
    'You lose 1 letter that you wrote as legacy scrolls and 1 whisper left for you.',
  );
  await page.keyboard.press('Escape');

  // To look at what an export would hold opens no whisper; to make it does, and says so before.
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText(
    'You have not opened 1 whisper yet. Exporting opens it',
  );
  expect(await axeFindings(page)).toEqual([]);
  const whispers = async () => (await page.request.get(`${house.url}/api/whispers`)).json();
  expect(await whispers()).toMatchObject([{ openedAt: null }]);
  await page.keyboard.press('Escape');
  const archive = testInfo.outputPath('archive.zip');
  const files = await exportReadable(page, archive);
  expect(await whispers()).toMatchObject([{ openedAt: expect.any(String) }]);
  const entries = JSON.parse(files['entries.json'] ?? '{}');
  expect(entries.letters).toMatchObject([
    { title: 'For Ada', content: 'The key hangs behind the clock.', state: 'dormant' },
  ]);
  expect(entries.whispers).toMatchObject([
    { title: 'Under the stairs', content: 'Look there, and forgive me.' },
  ]);
  const named = Object.keys(files);
  expect(named.some((name) => /^letters\/.*for-ada\.md$/.test(name))).toBe(true);
  expect(named.some((name) => /^whispers\/.*under-the-stairs\.md$/.test(name))).toBe(true);

  const other = await stranger(browser, quiet);
  await enterAsResident(other, house, 'berta');
  await openSettings(other, house);
  await offer(other, archive);
  const dialog = importDialog(other);
  await expect(dialog).toContainText('1 letter and 1 whisper.');
  await expect(dialog).toContainText('Letters come back as legacy scrolls that do not watch');
  expect(await axeFindings(other)).toEqual([]);
  await other.screenshot({ path: 'test-results/pictures/wide-import-letters.png' });
  await other.setViewportSize({ width: 390, height: 844 });
  await other.screenshot({ path: 'test-results/pictures/narrow-import-letters.png' });
  await other.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole('button', { name: 'Bring in 2' }).click();
  await Promise.all([expectToast(other, 'Import Complete', '2 of 2 entries'), expect(dialog).toBeHidden()]);
  await other.goto(`${house.url}/legacy-scroll`);
  const row = other.getByRole('main').getByRole('listitem').first();
  await expect(row).toContainText('For Ada');
  await expect(row).toContainText('ada@example.org');
  await expect(row).toContainText('Dormant');
  await other.goto(`${house.url}/memory-vault`);
  await other.getByRole('button', { name: 'Under the stairs' }).first().click();
  await expect(other.getByRole('dialog')).toContainText('Look there, and forgive me.');
  await expect(other.getByRole('dialog')).toContainText('A whisper from the vault');

  // Once more there is nothing to bring in, here or where the whisper still is one.
  await openSettings(other, house);
  await offer(other, archive);
  await expect(dialog).toContainText('There is nothing to bring in.');
  await openSettings(page, house);
  await offer(page, archive);
  await expect(importDialog(page)).toContainText('There is nothing to bring in.');
});

test('who signed an archive is said by the key in this browser, whatever the server says', async ({
  page,
  house,
  browser,
  quiet,
}, testInfo) => {
  await enterAsResident(page, house);
  await openMemoryVault(page);
  await sealMemory(page, 'A bell', 'It rings.');
  await openSettings(page, house);
  const archive = testInfo.outputPath('archive.zip');
  await exportReadable(page, archive);
  const theirs = await (await page.request.get(`${house.url}/api/encryption-key`)).json();

  const other = await stranger(browser, quiet);
  await enterAsResident(other, house, 'berta');
  await openSettings(other, house);
  await other.route('**/api/encryption-key', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: theirs }) : route.continue(),
  );
  await offer(other, archive);
  await expect(importDialog(other)).toContainText('signed by another vault');
  await openSettings(page, house);
  await offer(page, archive);
  await expect(importDialog(page)).toContainText('signed by this vault.');
});

test('the reading of an archive shows how far it is, and ends at once', async ({ page, house }, testInfo) => {
  await enterAsResident(page, house);
  await openMemoryVault(page);
  await sealMemory(page, 'A bell', 'It rings.');
  await openSettings(page, house);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const exporting = page.getByRole('dialog', { name: 'Export' });
  await exporting.getByLabel('Passphrase', { exact: true }).fill('six words for one archive alone');
  await exporting.getByLabel('Once more').fill('six words for one archive alone');
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: 120_000 }),
    exporting.getByRole('button', { name: 'Export sealed' }).click(),
  ]);
  const archive = testInfo.outputPath('archive.zip.age');
  writeFileSync(archive, readFileSync(await file.path()));

  await offer(page, archive);
  const dialog = importDialog(page);
  await dialog.getByLabel('Passphrase of the archive').fill('six words for one archive alone');
  await dialog.getByRole('button', { name: 'Open' }).click();
  const bar = dialog.getByRole('progressbar', { name: 'Unsealing the archive' });
  await expect(bar).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(bar).toBeHidden();
  // Nothing of it comes after all: the dialog asks for a file again, and the next press closes it.
  await expect(dialog.getByLabel('Archive', { exact: true })).toBeEnabled();
  await expect.poll(() => page.workers().length).toBe(0);
  await expect(dialog.getByRole('alert')).toBeHidden();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
});
