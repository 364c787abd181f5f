// A vault that is full: what is refused is said, nothing that was typed is lost, and an import goes on where it stopped.
import { readFileSync, writeFileSync } from 'node:fs';
import { axeFindings } from './axe.ts';
import { expect, openHouse, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import { expectToast, openMemoryVault, sealMemory } from './rites.ts';

/** A resident has a key and three answers: room for two more rows. */
const ROWS = '4';
const FULL = 'Your vault is full: 4 of 4 items. Delete something, or ask the administrator for more room.';

test('a memory that a full vault refuses keeps its words, across a reload, until there is room', async ({
  page,
  quiet,
}) => {
  quiet.expect(/status of 409/);
  const house = await openHouse({ QUOTA_ROWS: ROWS });
  await enterAsResident(page, house);
  await openMemoryVault(page);
  await sealMemory(page, 'A bell', 'It rings.');
  await sealMemory(page, 'A ferry', 'It leaves.');
  await page.getByRole('button', { name: 'New Memory' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Title' }).fill('The last one');
  await dialog.getByRole('textbox', { name: 'Memory' }).fill('Every word of it.');
  await dialog.getByRole('button', { name: 'Seal Memory' }).click();
  await expectToast(page, 'Failed to Seal Memory', FULL);
  await expect(dialog.getByRole('textbox', { name: 'Memory' })).toHaveValue('Every word of it.');

  // The draft is kept in this browser, sealed.
  await page.reload();
  await page.getByRole('button', { name: 'New Memory' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveValue('The last one');
  await expect(dialog.getByRole('textbox', { name: 'Memory' })).toHaveValue('Every word of it.');
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(stored).not.toContain('Every word of it.');

  await page.goto(`${house.url}/settings`);
  const storage = page.getByRole('region', { name: 'Storage' });
  await expect(storage.getByRole('progressbar', { name: 'Items stored' })).toHaveAttribute(
    'aria-valuetext',
    '4 of 4',
  );
  await expect(storage.getByRole('progressbar', { name: 'Space used' })).toHaveAttribute(
    'aria-valuetext',
    /^\d+\.\d KB of 1\.0 GB$/,
  );
  await expect(storage).toContainText('Your vault is full. You can read, export and delete what is here.');
  expect(await axeFindings(page)).toEqual([]);
  for (const [name, width, height] of [
    ['wide', 1440, 900],
    ['narrow', 390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await storage.scrollIntoViewIfNeeded();
    await page.screenshot({ path: `test-results/pictures/${name}-settings-storage.png` });
  }

  await page.setViewportSize({ width: 1440, height: 900 });
  const [first] = await (await page.request.get(`${house.url}/api/memory-entries`)).json();
  expect((await page.request.delete(`${house.url}/api/memory-entries/${first.id}`)).status()).toBe(204);
  await page.goto(`${house.url}/memory-vault`);
  await page.getByRole('button', { name: 'New Memory' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Memory' })).toHaveValue('Every word of it.');
  await dialog.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'The last one' }).first()).toBeVisible();
  await house.stop();
});

test('an import into a vault that becomes full says what it brought in, and goes on once there is room', async ({
  page,
  quiet,
}, testInfo) => {
  quiet.expect(/status of 409/);
  const house = await openHouse();
  await enterAsResident(page, house);
  await openMemoryVault(page);
  for (const title of ['One', 'Two', 'Three']) await sealMemory(page, title, 'Words.');
  await page.goto(`${house.url}/settings`);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByLabel('Form').selectOption('readable');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export readable' }).click(),
  ]);
  const archive = testInfo.outputPath('archive.zip');
  writeFileSync(archive, readFileSync(await file.path()));
  await house.stop();

  const small = await openHouse({ QUOTA_ROWS: ROWS });
  await page.context().clearCookies();
  await enterAsResident(page, small);
  await page.goto(`${small.url}/settings`);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await dialog.getByLabel('Archive', { exact: true }).setInputFiles(archive);
  await dialog.getByRole('button', { name: 'Bring in 3' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    `The import stopped. ${FULL} 2 entries were brought in before that, and stay. You can go on with the rest later.`,
  );
  await expect(dialog.getByRole('button', { name: 'Bring in 1' })).toBeEnabled();
  const [first] = await (await page.request.get(`${small.url}/api/memory-entries`)).json();
  await page.request.delete(`${small.url}/api/memory-entries/${first.id}`);
  await dialog.getByRole('button', { name: 'Bring in 1' }).click();
  await expect(dialog).toBeHidden();
  await small.stop();
});
