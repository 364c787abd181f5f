// A device of one owner without its server, as only a browser shows it: the app starts from what its service worker keeps, shows
// and finds what is kept, and goes on afterwards.
import type { Page } from '@playwright/test';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { rowOf } from './rites.ts';
import { keyIn, postMemory } from './sealing.ts';

test.use({ serviceWorkers: 'allow' });

/** Whether the app is kept whole: its document comes last. */
const isKept = (page: Page) => page.evaluate(async () => (await caches.match('/')) !== undefined);
const controlled = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null);
/** How many lists are kept: each has a head. */
const listsKept = (page: Page) =>
  page.evaluate(async () => {
    const ofRequest = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await ofRequest(indexedDB.open('latebra-lists'));
    const keys = await ofRequest(database.transaction('blocks').objectStore('blocks').getAllKeys());
    database.close();
    return keys.filter((key) => (key as string[]).length === 3).length;
  });

/** A member whose device keeps the app and a list of two memories. */
async function withTwoMemories(page: Page, instance: Parameters<typeof enterAsMember>[1]) {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const key = await keyIn(page);
  await postMemory(page, instance, key, 'The orchard', 'Ladders and zwergmispel.');
  await postMemory(page, instance, key, 'The harbour', 'Herring and quillwort.');
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
  // The desk shows the latest of every list.
  await page.goto(`${instance.url}/`);
  await expect(page.getByText('Herring and quillwort.')).toBeVisible();
  await expect.poll(() => listsKept(page)).toBe(3);
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
  await page.getByRole('searchbox').fill('quillwort');
  await expect(rowOf(page, 'The harbour')).toBeVisible();
  await expect(rowOf(page, 'The orchard')).toHaveCount(0);
  await page.goto(`${instance.url}/`);
  await expect(page.getByText('Herring and quillwort.')).toBeVisible();
  // What needs the server says so.
  await page.goto(`${instance.url}/ghost-mode`);
  await expect(page.getByRole('alert')).toContainText('The server could not be reached');

  up();
  await back;
  await line.getByRole('button', { name: 'Try again' }).click();
  await expect(line).toHaveCount(0);
});
