// A server that goes back to an older key, because a backup of it was restored, and one that plants rows under an older
// key: what people see in a real browser. The rules are told in src/web/vault/key/key-rollback.test.tsx and rollback.test.ts.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createClientKey } from '../src/crypto/client-key.ts';
import { newSealId } from '../src/crypto/seal.ts';
import { generateVaultKey, vaultKeyToHex } from '../src/crypto/vault-key.ts';
import { wordsFromKey } from '../src/crypto/words.ts';
import { SqliteConnection } from '../src/server/db/sqlite-driver.ts';
import { sealRow } from '../src/web/vault/entries/testing/sealing.ts';
import { beginResealing, changeKey, writeNewWords } from './another-key.ts';
import { backUp } from './backup.ts';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { replaceKey } from './older-key.ts';
import { lookAt } from './pictures.ts';
import { openMemoryVault, readMemory, rowOf } from './rites.ts';
import { type HandKey, keyIn, memoryRows, postMemory } from './sealing.ts';

/** The keys that stand in this browser, by the names of their slots. */
const slots = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries(
      Object.entries({ ...localStorage })
        .filter(([name]) => name.startsWith('latebra.vault-key'))
        .map(([name, value]) => [name.split(':')[0], value]),
    ),
  );

/** Unlocks the vault by the words of a key. */
async function unlockWith(page: Page, key: Uint8Array): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible();
  await page.getByRole('textbox', { name: 'The twenty-four words' }).fill(wordsFromKey(key).join(' '));
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}

test('after a restored backup the newer key is not overwritten, and neither is it by a key that nobody vouches for', async ({
  page,
  instance,
  quiet,
}) => {
  test.setTimeout(300_000);
  quiet.expect(/status of 40[0-9]|ERR_CONNECTION|Failed to fetch|net::/);
  await enterAsMember(page, instance, 'agnes', '/settings');
  const older = await keyIn(page);
  await postMemory(page, instance, older, 'The orchard', 'Ladders.');
  // A part of the app that is fetched while the server is down cannot be had before the page is loaded anew.
  const fetched = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  await expect.poll(fetched).toContainEqual(expect.stringContaining('/api/book'));
  await page.waitForLoadState('networkidle');
  const restore = await backUp(instance);
  await beginResealing(page);
  await writeNewWords(page);
  await changeKey(page);
  const newer = await keyIn(page);
  expect(newer.hex).not.toBe(older.hex);

  await restore();
  await page.goto(instance.url);
  const refused = page.getByRole('heading', { name: 'The server shows an older key' });
  await expect(refused).toBeVisible();
  await expect(page.getByText('Key number 2')).toBeVisible();
  await expect(page.getByText('Key number 1')).toBeVisible();
  expect(await slots(page)).toEqual({ 'latebra.vault-key': newer.hex });
  await lookAt(page, 'older-key', { fullPage: true });
  // Nothing has changed for having been looked at.
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect(refused).toBeVisible();
  expect(await slots(page)).toEqual({ 'latebra.vault-key': newer.hex });

  await page.getByRole('button', { name: 'Put the newer key back' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Put it back' }).click();
  await openMemoryVault(page);
  await readMemory(page, 'The orchard', ['Ladders.']);
  await expect(page.getByText('Arrived from outside')).toHaveCount(0);
  // What the restored rows lie under is needed less and less, as after any change of the key.
  await expect
    .poll(async () => (await memoryRows(page, instance)).map(({ keyFingerprint }) => keyFingerprint))
    .toEqual([newer.fingerprint]);

  await restore();
  await page.goto(instance.url);
  await expect(refused).toBeVisible();
  await page.getByRole('button', { name: 'Use the older key' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Use it' }).click();
  await unlockWith(page, Buffer.from(older.hex, 'hex'));
  await openMemoryVault(page);
  await readMemory(page, 'The orchard', ['Ladders.']);
  expect(await slots(page)).toEqual({
    'latebra.vault-key': older.hex,
    'latebra.vault-key-next': newer.hex,
  });

  // Another device that has none of the recovery methods begins with a new key.
  const made = generateVaultKey();
  const data = {
    clientKey: await createClientKey(made, { generation: 2, before: null }),
    previousFingerprint: older.fingerprint,
  };
  const answer = await page.request.post(`${instance.url}/api/encryption-key`, { data });
  expect(answer.status(), await answer.text()).toBe(201);
  await page.goto(instance.url);
  await unlockWith(page, made);
  await expect(
    page.getByRole('heading', { name: 'This vault has a key that the key before did not vouch for' }),
  ).toBeVisible();
  expect((await slots(page))['latebra.vault-key']).toBe(older.hex);
  await lookAt(page, 'unvouched-key', { fullPage: true });
  await page.getByRole('button', { name: 'Accept this key' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Accept it' }).click();
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
  expect((await slots(page))['latebra.vault-key']).toBe(vaultKeyToHex(made));
});

/** Puts a memory into the database that is sealed under any key at all. */
async function plant(instance: TestInstance, key: HandKey, title: string): Promise<void> {
  const sealId = newSealId();
  const texts = { title, encryptedContent: 'Not hers.' };
  const sealed = await sealRow(key.contentKey, 'memory', sealId, texts);
  const { title: name, encryptedContent: content } = sealed;
  const db = new SqliteConnection(join(instance.dataDir, 'latebra.db'));
  db.prepare(
    `insert into memory_entries (account_id, title, encrypted_content, seal_id, key_fingerprint, created_at, updated_at, version)
     select id, ?, ?, ?, ?, ?, ?, 1 from accounts`,
  ).run([name, content, sealId, key.fingerprint, instance.now(), instance.now()]);
  db.close();
}

test('a memory that arrived from outside looks like one, in the list and open', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const leaked = await keyIn(page);
  await replaceKey(page, instance);
  await postMemory(page, instance, await keyIn(page), 'The orchard', 'Ladders.');
  await plant(instance, leaked, 'A debt');
  await page.reload();
  await expect(rowOf(page, 'A debt')).toContainText('Arrived from outside');
  await expect(rowOf(page, 'The orchard')).not.toContainText('Arrived from outside');
  await lookAt(page, 'outside-list', { fullPage: true });
  await page.getByRole('button', { name: 'A debt' }).first().click();
  await expect(page.getByRole('dialog')).toContainText(
    'somebody who has the older key may have put it there',
  );
  await lookAt(page, 'outside-reader', { fullPage: true });
});

test('a memory that the server has changed looks like one, in the list, in what is said and open', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const key = await keyIn(page);
  const timeLockUntil = '2026-05-03T00:00:00.000Z';
  await postMemory(page, instance, key, 'The orchard', 'Ladders, and wasps.', { timeLockUntil });
  await postMemory(page, instance, key, 'The well', 'It was never dry.');
  const db = new SqliteConnection(join(instance.dataDir, 'latebra.db'));
  db.prepare(
    'update memory_entries set version = 3, time_lock_until = null where time_lock_until is not null',
  ).run();
  db.close();
  await page.reload();
  await expect(rowOf(page, 'Changed on the server')).toBeVisible();
  await lookAt(page, 'changed-list', { fullPage: true });
  await page.getByRole('button', { name: /See what was changed/ }).click();
  const said = page.getByRole('dialog');
  await expect(said).toContainText('The server shows an older version (1) as the newest (3).');
  await expect(said).toContainText('Its lock date was 3 May 2026, 02:00 when you sealed it.');
  await lookAt(page, 'changed-said', { fullPage: true });
  await said.getByRole('button', { name: 'Open as it was sealed' }).click();
  await expect(page.getByRole('dialog', { name: 'The orchard' })).toContainText('Ladders, and wasps.');
  await lookAt(page, 'changed-reader', { fullPage: true });
});
