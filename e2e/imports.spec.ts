// Importing files as only a browser shows it: the real worker under the real policy, files from a disk, what it looks like
// wide and narrow, the keyboard. What each format becomes is told in src/web/imports/, what goes wrong in
// src/web/chambers/imports/page.test.tsx.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BACKUP_PASSWORD, encryptedBackup } from '../src/web/imports/testing/encrypted-backup.ts';
import { fixtures } from '../src/web/imports/testing/fixtures.ts';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';

const fileOf = (name: string, text?: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text ?? fixtures[name] ?? ''),
});

/** A conversation of so many messages, ten a day. */
function conversation(count: number): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const day = new Date(Date.UTC(2022, 0, 1 + Math.floor(i / 10))).toISOString().slice(0, 10);
    const [year, month, date] = day.split('-');
    return `${date}.${month}.${year?.slice(2)}, 10:${String(i % 60).padStart(2, '0')} - ${i % 2 ? 'Nora' : 'Tom'}: We walked along the harbour, ${i} steps`;
  });
  return lines.join('\n');
}

test('two files become memories in a real worker, by keyboard, once', async ({ page, instance }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url(), request.postData() ?? ''));
  await enterAsMember(page, instance, 'agnes', '/imports');
  await lookAt(page, 'imports', { fullPage: true });

  const files = [
    fileOf('Journal.zip'),
    fileOf('Export-1.zip'),
    fileOf('WhatsApp Chat with Nora.txt', conversation(200)),
    fileOf('photo.jpg', '\u0000\u0001'),
  ];
  const choose = page.getByRole('button', { name: 'Choose files' });
  const chooser = page.waitForEvent('filechooser');
  await choose.press('Enter');
  await (await chooser).setFiles(files);
  await expect(page.getByText('22 of 22 memories, 29 June 2017 to 31 December 2023')).toBeVisible();
  await page.getByText('things are left out').click();
  await lookAt(page, 'imports-preview');
  const box = page.getByRole('listitem').getByRole('checkbox').first();
  await box.press('Space');
  await expect(page.getByText('21 of 22 memories')).toBeVisible();
  await box.press('Space');
  await page.getByRole('button', { name: 'Import 22 memories' }).press('Enter');
  await expect(page.getByText('22 memories were sealed in this browser')).toBeVisible();
  await lookAt(page, 'imports-done');

  await page.getByRole('link', { name: 'Open the Memory Vault' }).click();
  await expect(page.getByPlaceholder('Search 22 memories, in this browser only')).toBeVisible();

  await page.goto(`${instance.url}/imports`);
  await page.getByLabel('Files to import').setInputFiles(files);
  await expect(page.getByText('22 are here already and stay as they are.')).toBeVisible();
  expect(sent.filter((text) => /harbour|Nora|The lake|day-one/.test(text))).toEqual([]);
});

test('a folder is read from the disk, and an encrypted backup is opened by its password', async ({
  page,
  instance,
}, testInfo) => {
  const folder = testInfo.outputPath('Vault');
  mkdirSync(join(folder, 'Trips'), { recursive: true });
  writeFileSync(join(folder, 'The lake.md'), 'Warm.');
  writeFileSync(join(folder, 'Trips', 'The train.md'), 'Late.');
  await enterAsMember(page, instance, 'agnes', '/imports');
  await page.getByLabel('Folder to import').setInputFiles(folder);
  await expect(page.getByText('2 of 2 memories')).toBeVisible();
  await page.getByRole('button', { name: 'Close without importing' }).click();

  await page
    .getByLabel('Files to import')
    .setInputFiles(fileOf('backup.txt', JSON.stringify(encryptedBackup)));
  const password = page.getByLabel('Password in Standard Notes');
  await password.fill('another one');
  await password.press('Enter');
  await expect(page.getByText('This password does not open the backup.')).toBeVisible();
  await expect(password).toBeFocused();
  await lookAt(page, 'imports-locked', { fullPage: true });
  await password.fill(BACKUP_PASSWORD);
  await password.press('Enter');
  await expect(page.getByText('1 of 1 memory')).toBeVisible();
});
