// A device of one owner without its server, as only a browser shows it: the app starts from what its service worker keeps, shows
// and finds what is kept, and goes on afterwards; and whoever leaves takes all of it along.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../scripts/chromium.mjs';
import { findChromium } from '../scripts/find-programs.mjs';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { rowOf } from './rites.ts';
import { keyIn, postMemory } from './sealing.ts';

test.use({ serviceWorkers: 'allow' });

/** Whether the app is kept whole: its document comes last. */
const isKept = (page: Page) => page.evaluate(async () => (await caches.match('/')) !== undefined);
const controlled = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null);
const leftBehind = (page: Page) =>
  page.evaluate(async () => ({
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));

/** A member whose device keeps the app and a list of two memories. */
async function withTwoMemories(page: Page, instance: Parameters<typeof enterAsMember>[1]) {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const key = await keyIn(page);
  await postMemory(page, instance, key, 'The orchard', 'Ladders in an apple tree.');
  await postMemory(page, instance, key, 'The harbour', 'Herring and rain.');
  await page.reload();
  await expect(rowOf(page, 'The orchard')).toBeVisible();
  await expect.poll(() => isKept(page), { timeout: 120_000 }).toBe(true);
  await expect.poll(() => controlled(page)).toBe(true);
}

test('the vault opens, lists and finds while its server is down, and is whole once that is back', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|Failed to fetch/);
  await withTwoMemories(page, instance);
  let up = () => {};
  const down = new Promise<void>((resolve) => {
    up = resolve;
  });
  const back = instance.restart(() => down);
  await expect.poll(() => page.request.get(instance.url).catch(() => null)).toBeNull();

  await page.goto(`${instance.url}/memory-vault`);
  await expect(rowOf(page, 'The orchard')).toBeVisible();
  await page.reload();
  await expect(rowOf(page, 'The harbour')).toBeVisible();
  const line = page.locator('[data-banner]');
  await expect(line).toContainText('No connection: what you see is from');
  await page.getByRole('searchbox').fill('herring');
  await expect(rowOf(page, 'The harbour')).toBeVisible();
  await expect(rowOf(page, 'The orchard')).toHaveCount(0);
  await page.goto(`${instance.url}/`);
  await expect(page.getByText('Herring and rain.')).toBeVisible();
  // What needs the server says so.
  await page.goto(`${instance.url}/ghost-mode`);
  await expect(page.getByRole('alert')).toContainText('The server could not be reached');

  up();
  await back;
  await line.getByRole('button', { name: 'Try again' }).click();
  await expect(line).toHaveCount(0);
});

/** How many files below a folder have a word, as browsers write texts. */
const filesWith = (folder: string, word: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    const bytes = readFileSync(path);
    return bytes.includes(word) || bytes.includes(Buffer.from(word, 'utf16le'));
  });

test('no word of a vault is on the disk, and whoever leaves takes lists and app along', async ({
  instance,
}) => {
  const profile = mkdtempSync(join(tmpdir(), 'latebra-profile-'));
  const executablePath = findChromium() ?? '';
  const open = () => chromium.launchPersistentContext(profile, { executablePath, args: CHROMIUM_FLAGS });
  try {
    let context = await open();
    let page = await context.newPage();
    await withTwoMemories(page, instance);
    await context.close();
    expect(filesWith(profile, 'latebra-lists')).not.toEqual([]);
    for (const word of ['orchard', 'Herring']) expect(filesWith(profile, word)).toEqual([]);

    context = await open();
    page = await context.newPage();
    await page.goto(`${instance.url}/memory-vault`);
    await expect(rowOf(page, 'The orchard')).toBeVisible();
    await page.getByRole('link', { name: 'Leave' }).click();
    await page.getByRole('dialog', { name: 'Leave' }).getByRole('button', { name: 'Leave' }).click();
    await expect(page.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
    await expect.poll(() => leftBehind(page)).toEqual({ caches: [], databases: [], workers: 0 });
    await context.close();
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});
