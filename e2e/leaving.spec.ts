// What a browser's own folder has of somebody: nothing that can be read while the vault is locked, and nothing of ours once they have
// left. The browser is a whole one, with a profile on the disk.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../scripts/chromium.mjs';
import { findLightChromium } from '../scripts/find-programs.mjs';
import { expect, openInstance, test } from './instance.ts';
import { enterAsMember, keepWords } from './member.ts';
import { expectToast, rowOf } from './rites.ts';
import { keyIn, postMemory } from './sealing.ts';

/** In no file of the app. */
const CANARY = 'zwergmispelquillwort';

const openProfile = (folder: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, {
    executablePath: findLightChromium() ?? '',
    args: CHROMIUM_FLAGS,
    serviceWorkers: 'allow',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

/** The files of a folder that have a word, in any of the ways in which browsers write texts. */
function filesWith(folder: string, word: string): string[] {
  const forms = [Buffer.from(word, 'utf8'), Buffer.from(word, 'utf16le')];
  return filesIn(folder).filter((path) => {
    if (statSync(path).size === 0) return false;
    const bytes = readFileSync(path);
    return forms.some((form) => bytes.includes(form));
  });
}

const databases = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name).sort());
const cacheNames = (page: Page) => page.evaluate(() => caches.keys());
const isKept = (page: Page) => page.evaluate(async () => (await caches.match('/')) !== undefined);
const headsKept = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open('latebra-lists');
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const asking = database.transaction('blocks').objectStore('blocks').count();
    const count = await new Promise<number>((resolve) => {
      asking.onsuccess = () => resolve(asking.result);
    });
    database.close();
    return count;
  });

test('a locked vault is not readable in the folder of its browser, and a vault that was left is not there', async () => {
  const instance = await openInstance();
  const profile = mkdtempSync(join(tmpdir(), 'latebra-profile-'));
  let context = await openProfile(profile);
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await enterAsMember(page, instance, 'agnes', '/memory-vault');
    await keepWords(page, instance);
    await postMemory(page, instance, await keyIn(page), `The ${CANARY}`, `Words of the ${CANARY}.`);
    await page.reload();
    await expect(rowOf(page, CANARY)).toBeVisible();
    await expect.poll(() => isKept(page), { timeout: 120_000 }).toBe(true);
    await expect.poll(() => headsKept(page)).toBeGreaterThan(1);

    // One entry waits, and one is half written.
    await page.getByRole('button', { name: 'New Memory' }).first().click();
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    const form = page.getByRole('dialog');
    await form.getByLabel('Title').fill(`Waits, ${CANARY}`);
    await form.getByRole('textbox', { name: 'Memory' }).fill(`What waits of the ${CANARY}.`);
    await form.getByRole('button', { name: 'Seal Memory' }).click();
    await expectToast(page, 'It waits on this device');
    await context.setOffline(false);
    await context.route('**/api/memory-entries', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'New Memory' }).first().click();
    await form.getByRole('textbox', { name: 'Memory' }).fill(`Half a ${CANARY}`);
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).some((name) => name.includes('draft'))))
      .toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await expect(page.getByRole('heading', { name: /^Unlock/ })).toBeVisible();
    await context.close();

    // The browser has written what it writes. What is sealed is there, and so is the key's absence.
    expect(filesIn(profile).length).toBeGreaterThan(20);
    expect(filesWith(profile, 'latebra-waiting')).not.toEqual([]);
    expect(filesWith(profile, CANARY)).toEqual([]);

    context = await openProfile(profile);
    const again = context.pages()[0] ?? (await context.newPage());
    const other = await context.newPage();
    await other.goto(`${instance.url}/robots.txt`);
    // A tab that has a database open, and does not close it for anybody.
    await other.evaluate(async () => {
      const opening = indexedDB.open('latebra-lists');
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      Object.assign(window, { held: opening.result });
    });
    await again.goto(instance.url);
    await again.getByRole('link', { name: 'Leave' }).first().click();
    await again.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await again.waitForURL(/#signed-out/);
    // The page of the landing is loaded anew where only what stands behind # has changed.
    await expect.poll(() => cacheNames(again).catch(() => null)).toEqual([]);
    await again.waitForLoadState('networkidle');
    // It is empty as long as the other tab has it, and gone with that.
    const left = await other.evaluate(async () => {
      const held = (window as unknown as { held: IDBDatabase }).held;
      const asking = held.transaction('blocks').objectStore('blocks').count();
      return new Promise((resolve) => {
        asking.onsuccess = () => resolve(asking.result);
      });
    });
    expect(left).toBe(0);
    await other.close();
    // What waits stays, sealed, until its author signs in here again.
    await expect
      .poll(async () => (await databases(again)).filter((name) => !name?.startsWith('latebra-waiting')))
      .toEqual([]);
    expect(await again.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(
      0,
    );
    expect(
      await again.evaluate(() =>
        Object.keys(localStorage).filter((name) => /kept-user|vault-key:/.test(name)),
      ),
    ).toEqual([]);
  } finally {
    await context.close().catch(() => {});
    await instance.stop();
    rmSync(profile, { recursive: true, force: true });
  }
});
