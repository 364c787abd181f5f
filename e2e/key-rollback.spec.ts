// A server that shows another key than the one a browser has seen, and rows that it plants under an older key: what people
// are told, what they can do, and that nothing is overwritten or sealed anew by itself.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { newSealId, seal } from '../src/crypto/seal.ts';
import { loadSqlite } from '../src/server/db/sqlite-driver.ts';
import { beginResealing, changeKey, openSettings, writeNewWords } from './another-key.ts';
import { axeFindings } from './axe.ts';
import { expect, type TestHouse, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import {
  answerQuestions,
  beginByPassphrase,
  expectToast,
  keepWords,
  openMemoryVault,
  pressEscape,
  readMemory,
  rowOf,
  sealMemory,
} from './rites.ts';
import { type HandKey, keyIn, memoryRows } from './sealing.ts';

const BetterSqlite3 = await loadSqlite();

const PASSPHRASE = 'plum cake on a stone wall';

/** The keys that stand in this browser, by the names of their slots. */
const slots = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries(
      Object.entries({ ...localStorage })
        .filter(([name]) => name.startsWith('latebra.vault-key'))
        .map(([name, value]) => [name.split(':')[0], value]),
    ),
  );

/** Copies the data folder while the house is down, and gives back what restores it. */
async function backUp(house: TestHouse): Promise<() => Promise<void>> {
  const backup = mkdtempSync(join(tmpdir(), 'latebra-backup-'));
  await house.restart(() => cpSync(house.dataDir, backup, { recursive: true }));
  return () =>
    house.restart(() => {
      for (const name of readdirSync(house.dataDir)) rmSync(join(house.dataDir, name), { recursive: true });
      cpSync(backup, house.dataDir, { recursive: true });
    });
}

async function look(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries({
    wide: { width: 1440, height: 900 },
    narrow: { width: 390, height: 844 },
  })) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path: `test-results/pictures/${size}-${name}.png`, fullPage: true });
    const violations = await axeFindings(page);
    expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
  }
}

test('after a restored backup the newer key is not overwritten: it is put back, or the older one is used on its owner’s word', async ({
  page,
  house,
  quiet,
}) => {
  test.setTimeout(300_000);
  quiet.expect(/status of 40[0-9]|ERR_CONNECTION|Failed to fetch|net::/);
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'The orchard', 'Ladders.');
  const older = await keyIn(page);
  const restore = await backUp(house);
  await page.goto(house.url);
  await openSettings(page);
  await beginResealing(page);
  await writeNewWords(page);
  await changeKey(page);
  const newer = await keyIn(page);
  expect(newer.hex).not.toBe(older.hex);

  await restore();
  await page.goto(house.url);
  const refused = page.getByRole('heading', { name: 'The server shows an older key' });
  await expect(refused).toBeVisible();
  await expect(page.getByText('Key number 2')).toBeVisible();
  await expect(page.getByText('Key number 1')).toBeVisible();
  expect(await slots(page)).toEqual({ 'latebra.vault-key': newer.hex });
  await look(page, 'older-key');
  // Nothing has changed for having been looked at.
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect(refused).toBeVisible();
  expect(await slots(page)).toEqual({ 'latebra.vault-key': newer.hex });

  await page.getByRole('button', { name: 'Put the newer key back' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Put it back' }).click();
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
  await openMemoryVault(page);
  await readMemory(page, 'The orchard', ['Ladders.']);
  await expect(page.getByText('Arrived from outside')).toHaveCount(0);
  // What the restored rows lie under is needed less and less, as after any change of the key.
  await expect
    .poll(async () => (await memoryRows(page, house)).map(({ keyFingerprint }) => keyFingerprint))
    .toEqual([newer.fingerprint]);

  await restore();
  await page.goto(house.url);
  await expect(refused).toBeVisible();
  await page.getByRole('button', { name: 'Use the older key' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Use it' }).click();
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await openMemoryVault(page);
  await readMemory(page, 'The orchard', ['Ladders.']);
  expect(await slots(page)).toEqual({
    'latebra.vault-key': older.hex,
    'latebra.vault-key-next': newer.hex,
  });
});

test('a key that the key before did not vouch for is shown as what it is, and accepted on its owner’s word alone', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  test.setTimeout(300_000);
  quiet.expect(/status of 40[0-9]/);
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  const known = await keyIn(page);
  const enter = async (where: Page) => {
    await where.goto(`${house.url}/enter`);
    await where.getByRole('button', { name: 'A name and a passphrase' }).click();
    await where.getByRole('textbox', { name: 'Name' }).fill('agnes');
    await where.getByLabel('Passphrase').fill(PASSPHRASE);
    await where.getByRole('button', { name: 'Enter', exact: true }).click();
  };
  const other = await (await browser.newContext()).newPage();
  await enter(other);
  await expect(other.getByRole('heading', { name: 'The chambers' })).toBeVisible();
  await other.evaluate(() => localStorage.clear());
  await other.goto(house.url);
  await other.getByRole('button', { name: 'I have none of these' }).click();
  await other.getByLabel('Type UNREADABLE to go on').fill('UNREADABLE');
  await other.getByRole('button', { name: 'Make a new key' }).click();
  await expect(other.getByRole('heading', { name: 'Your ways back' })).toBeVisible();
  const words = await keepWords(other);
  const made = await keyIn(other);

  // That ended the session here.
  await enter(page);
  await page.getByRole('textbox', { name: 'The twenty-four words' }).fill(words.join(' '));
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(
    page.getByRole('heading', { name: 'This vault has a key that the key before did not vouch for' }),
  ).toBeVisible();
  expect(await slots(page)).toEqual({ 'latebra.vault-key': known.hex });
  await look(page, 'unvouched-key');
  await page.getByRole('button', { name: 'Accept this key' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Accept it' }).click();
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
  expect(await slots(page)).toEqual({ 'latebra.vault-key': made.hex, 'latebra.vault-key-next': known.hex });
  await other.close();
});

/** Puts a memory into the database that is sealed under any key at all. */
async function plant(house: TestHouse, key: HandKey, title: string): Promise<void> {
  const sealId = newSealId();
  const sealed = (field: string, text: string) =>
    seal(text, key.contentKey, { kind: 'memory', field, sealId });
  const [name, content] = [await sealed('title', title), await sealed('encryptedContent', 'Not hers.')];
  const db = new BetterSqlite3(join(house.dataDir, 'latebra.db'));
  db.prepare(
    `insert into memory_entries (account_id, title, encrypted_content, seal_id, key_fingerprint, created_at, updated_at, version)
     select id, ?, ?, ?, ?, ?, ?, 1 from accounts`,
  ).run(name, content, sealId, key.fingerprint, house.now(), house.now());
  db.close();
}

test('a memory that a server plants under a key of the ring is shown as arrived from outside, and sealed anew by no one but its reader', async ({
  page,
  house,
}) => {
  await enterAsResident(page, house);
  await openMemoryVault(page);
  await sealMemory(page, 'The orchard', 'Ladders.');
  const leaked = await keyIn(page);
  await openSettings(page);
  await beginResealing(page);
  await writeNewWords(page);
  await changeKey(page);
  const key = await keyIn(page);
  await plant(house, leaked, 'A debt');

  const resealed: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/reseal')) resealed.push(request.postData() ?? '');
  });
  await page.goto(`${house.url}/memory-vault`);
  await expect(rowOf(page, 'A debt')).toContainText('Arrived from outside');
  await expect(rowOf(page, 'The orchard')).not.toContainText('Arrived from outside');
  await look(page, 'outside-list');
  await page.getByRole('button', { name: 'A debt' }).first().click();
  const reader = page.getByRole('dialog');
  await expect(reader).toContainText('somebody who has the older key may have put it there');
  await expect(reader).toContainText('Not hers.');
  await look(page, 'outside-reader');
  await pressEscape(page);

  // The next change of the key does not take it along either.
  await page.goto(`${house.url}/settings`);
  await page.getByRole('button', { name: 'Regenerate', exact: true }).click();
  await page.getByRole('button', { name: 'Re-seal everything' }).click();
  const found = page.getByRole('dialog', { name: 'What was found' });
  await expect(found).toContainText('Arrived from outside1 entry');
  await found.getByRole('button', { name: 'Cancel' }).click();
  expect(resealed).toEqual([]);
  const fingerprints = async () =>
    (await memoryRows(page, house)).map(({ keyFingerprint }) => keyFingerprint).sort();
  expect(await fingerprints()).toEqual([leaked.fingerprint, key.fingerprint].sort());

  await page.goto(`${house.url}/memory-vault`);
  await page.getByRole('button', { name: 'A debt' }).first().click();
  await page.getByRole('button', { name: 'Seal it as mine' }).click();
  await expectToast(page, 'Sealed under your key');
  await expect(page.getByRole('dialog')).not.toContainText('Arrived from outside');
  expect(resealed).toHaveLength(1);
  expect(await fingerprints()).toEqual([key.fingerprint, key.fingerprint]);
});
