// Leaving with everything, and coming back with it: the archive, sealed and readable, and what stays behind.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { openArchive } from '../src/crypto/archive.ts';
import { axeFindings } from './axe.ts';
import { expect, type TestHouse, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import { ANSWERS, expectToast, openMemoryVault, sealMemory } from './rites.ts';

/** An archive's passphrase is stretched for seconds, and for many more on a busy machine. */
const STRETCHING = 90_000;
const PASSPHRASE = 'six words for one archive alone';
const texts = new Map([
  ['A bell under the lake', 'It still rings.\n\tTwice, on Sundays. 🜏'],
  ['سرّ', 'Right to left, e\u0301 composed late, and “quotes”.'],
  ['Long', 'All of it, word for word. '.repeat(20_000)],
]);

async function sealAll(page: Page): Promise<void> {
  await openMemoryVault(page);
  for (const [title, content] of texts) await sealMemory(page, title, content);
}

const openSettings = (page: Page, house: TestHouse) => page.goto(`${house.url}/settings`);

/** Exports and returns the file's bytes. */
async function exportAs(page: Page, form: 'sealed' | 'readable'): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByLabel('Form')).toBeVisible();
  await dialog.getByLabel('Form').selectOption(form);
  if (form === 'sealed') {
    await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByLabel('Once more').fill(PASSPHRASE);
  }
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: `Export ${form}` }).click(),
  ]);
  await Promise.all([expectToast(page, 'Export Initiated'), expect(dialog).toBeHidden()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

interface Entry {
  title: string;
  content: string;
  sealId: string;
  createdAt: string;
  updatedAt: string;
}

/** What an unsealed archive says of the entries. */
function entriesIn(zip: Uint8Array): {
  memories: Entry[];
  relationships: Entry[];
  answers: Record<string, string> | null;
} {
  return JSON.parse(Buffer.from(unzipSync(zip)['entries.json'] ?? []).toString('utf8'));
}

/** When a row was last changed is when it was brought in. */
const withoutChange = ({ updatedAt: _, ...entry }: Entry) => entry;

async function recordMoment(page: Page, house: TestHouse): Promise<void> {
  await page.goto(`${house.url}/relationship-ledger`);
  await page.getByRole('main').getByRole('button', { name: 'Record Moment' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Person').fill('Nora');
  await dialog.getByLabel('Kind').selectOption({ label: 'Confession' });
  await dialog.getByLabel('What happened').fill('She said it on the ferry.');
  await dialog.getByRole('radio', { name: 'Intense' }).check();
  await dialog.getByRole('button', { name: 'Record Moment' }).click();
  await expect(dialog).toBeHidden();
}

test.describe.configure({ timeout: 240_000 });

test('a vault is exported, destroyed, and comes back byte for byte in a new account, once', async ({
  page,
  house,
}, testInfo) => {
  await enterAsResident(page, house);
  await sealAll(page);
  await sealMemory(page, 'For later', 'Not yet.', '1 year');
  await recordMoment(page, house);
  await openSettings(page, house);
  const sealed = await exportAs(page, 'sealed');
  expect(sealed.name).toMatch(/^latebra-\d{4}-\d\d-\d\d\.zip\.age$/);
  const zip = await openArchive(sealed.bytes, PASSPHRASE);
  const entries = entriesIn(zip);
  expect(new Map(entries.memories.map(({ title, content }) => [title, content]))).toEqual(texts);
  expect(entries.relationships).toMatchObject([
    { personName: 'Nora', eventType: 'confession', emotionalWeight: 4, content: 'She said it on the ferry.' },
  ]);
  expect(entries.answers).toMatchObject({ question1: ANSWERS[0], question3: ANSWERS[2] });
  const readMe = Buffer.from(unzipSync(zip)['README.md'] ?? []).toString('utf8');
  expect(readMe).toMatch(/Locked until .*: For later/);
  expect(readMe).not.toContain('Not yet.');
  const { activity } = JSON.parse(Buffer.from(unzipSync(zip)['activity.json'] ?? []).toString('utf8')) as {
    activity: { kind: string }[];
  };
  expect(activity.map(({ kind }) => kind)).toContain('account-created');
  await page.reload();
  const told = page.getByRole('list', { name: 'Account activity' });
  await expect(told.getByText('Everything was exported')).toBeVisible();

  await page.getByRole('button', { name: 'Destroy Vault' }).click();
  const question = page.getByRole('alertdialog', { name: 'Destroy the vault?' });
  await question.getByLabel('Type DESTROY to go on').fill('DESTROY');
  await question.getByRole('button', { name: 'Destroy Vault' }).click();
  await expect(page.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();

  const file = testInfo.outputPath(sealed.name);
  writeFileSync(file, sealed.bytes);
  await enterAsResident(page, house);
  await openSettings(page, house);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await dialog.getByLabel('Archive', { exact: true }).setInputFiles(file);
  await dialog.getByLabel('Passphrase of the archive').fill(PASSPHRASE);
  await dialog.getByRole('button', { name: 'Open' }).click();
  await expect(dialog).toContainText('3 memories and 1 moment with people.', { timeout: STRETCHING });
  await expect(dialog).toContainText('signed by another vault');
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Bring in 4' }).click();
  await Promise.all([expectToast(page, 'Import Complete', '4 of 4 entries'), expect(dialog).toBeHidden()]);

  const again = await exportAs(page, 'readable');
  expect(again.name).toMatch(/\.zip$/);
  const { memories, relationships } = entriesIn(again.bytes);
  expect(memories.map(withoutChange)).toEqual(entries.memories.map(withoutChange));
  expect(relationships.map(withoutChange)).toEqual(entries.relationships.map(withoutChange));

  await page.getByRole('button', { name: 'Import', exact: true }).click();
  writeFileSync(testInfo.outputPath(again.name), again.bytes);
  await dialog.getByLabel('Archive', { exact: true }).setInputFiles(testInfo.outputPath(again.name));
  await expect(dialog).toContainText('There is nothing to bring in.');
  await expect(dialog).toContainText('signed by this vault.');
});

test('what is no archive, was changed, or has another passphrase is refused in a sentence', async ({
  page,
  house,
}, testInfo) => {
  await enterAsResident(page, house);
  await openMemoryVault(page);
  await sealMemory(page, 'A bell', 'It rings.');
  await openSettings(page, house);
  const { bytes } = await exportAs(page, 'readable');
  const sealed = await exportAs(page, 'sealed');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  const offer = async (name: string, content: Uint8Array) => {
    const path = testInfo.outputPath(name);
    writeFileSync(path, content);
    await dialog.getByLabel('Archive', { exact: true }).setInputFiles(path);
  };
  await offer('letter.zip', Buffer.from('Dear reader'));
  await expect(dialog.getByRole('alert')).toContainText('no archive of a Latebra vault');
  await offer('cut.zip', bytes.subarray(0, bytes.length - 40));
  await expect(dialog.getByRole('alert')).toBeVisible();
  await offer('sealed.zip.age', sealed.bytes);
  await dialog.getByLabel('Passphrase of the archive').fill('another passphrase altogether');
  await dialog.getByRole('button', { name: 'Open' }).click();
  await expect(dialog.getByRole('alert')).toContainText('That passphrase does not open this archive', {
    timeout: STRETCHING,
  });
});

test('an import that was cut off goes on where it ended', async ({
  page,
  house,
  quiet,
  browser,
}, testInfo) => {
  quiet.expect(/ERR_FAILED/);
  await enterAsResident(page, house);
  await sealAll(page);
  await openSettings(page, house);
  const { bytes } = await exportAs(page, 'readable');
  const file = testInfo.outputPath('archive.zip');
  writeFileSync(file, bytes);

  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  await enterAsResident(elsewhere, house, 'berta');
  await openSettings(elsewhere, house);
  let allowed = 1;
  await elsewhere.route('**/api/memory-entries', (route) =>
    route.request().method() !== 'POST' || allowed-- > 0 ? route.continue() : route.abort(),
  );
  await elsewhere.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = elsewhere.getByRole('dialog', { name: 'Import' });
  await dialog.getByLabel('Archive', { exact: true }).setInputFiles(file);
  await dialog.getByRole('button', { name: 'Bring in 3' }).click();
  await expect(dialog.getByRole('alert')).toContainText('could not be reached');
  await expect(dialog.getByRole('alert')).toContainText('1 entry was brought in before that, and stays.');
  await elsewhere.unroute('**/api/memory-entries');
  await dialog.getByRole('button', { name: 'Bring in 2' }).click();
  await expect(dialog).toBeHidden();
  const rows = await (await other.request.get(`${house.url}/api/memory-entries`)).json();
  expect(rows).toHaveLength(3);
  await other.close();
});
