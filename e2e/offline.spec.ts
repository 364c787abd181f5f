// A device of one owner without its server, as only a browser shows it: the app starts from what its service worker keeps, shows
// and finds what is kept, and goes on afterwards.
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { splitSecret } from '../src/crypto/guardian-kit.ts';
import { sheetToText, wordsFromSheet } from '../src/crypto/guardian-sheet.ts';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
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
async function withTwoMemories(page: Page, instance: TestInstance) {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const key = await keyIn(page);
  await postMemory(page, instance, key, 'The orchard', 'Ladders and zwergmispel.');
  await postMemory(page, instance, key, 'The harbour', 'Herring and quillwort.');
  await page.reload();
  await expect(rowOf(page, 'The orchard')).toBeVisible();
  await expect.poll(() => isKept(page), { timeout: 120_000 }).toBe(true);
  await expect.poll(() => controlled(page)).toBe(true);
}

/** Stops the server until `up` is called; it is there once `back` resolves. */
function takeDown(instance: TestInstance) {
  let up = () => {};
  const down = new Promise<void>((resolve) => {
    up = resolve;
  });
  return { back: instance.restart(() => down), up: () => up() };
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
  const { up, back } = takeDown(instance);
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

test('a guardian’s sheet is checked while the server is down, typed or by its code', async ({
  page,
  instance,
  quiet,
}) => {
  // The document that is kept names who is signed in as what comes next, and here nobody asks for that.
  quiet.expect(/\/api\/auth\/user was preloaded using link preload but not used/);
  quiet.expect(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|Failed to fetch/);
  const [one, two] = await splitSecret(randomBytes(32), 3, 2);
  if (!one || !two) throw new Error('there are no sheets');
  await withTwoMemories(page, instance);
  const { up, back } = takeDown(instance);
  await expect.poll(() => page.request.get(instance.url).catch(() => null)).toBeNull();

  await page.goto(`${instance.url}/sheets`);
  const words = wordsFromSheet(one);
  const first = page.getByLabel('The words of a sheet');
  await first.fill([...words.slice(0, -1), words[0] === 'abandon' ? 'zoo' : 'abandon'].join(' '));
  await expect(first).toHaveAttribute('aria-invalid', 'true');
  await first.fill(words.join(' '));
  await expect(page.getByText(/^This sheet is whole/)).toBeVisible();
  await lookAt(page, 'a sheet without a server');
  // Its code brings it into the first field, and takes it out of the address.
  await page.goto('about:blank');
  await page.goto(`${instance.url}/sheets#${sheetToText(two)}`);
  await expect(page.getByText(/^This sheet is whole/)).toBeVisible();
  expect(new URL(page.url()).hash).toBe('');
  up();
  await back;
});

test('a file that is kept opens while the server is down, and goes from the device with a press', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|Failed to fetch/);
  await withTwoMemories(page, instance);
  const form = page.getByRole('dialog').last();
  await page.getByRole('button', { name: 'New Memory' }).first().click();
  await form.getByLabel('Title').fill('The garden');
  await form.getByRole('textbox', { name: 'Memory' }).fill('Before the wall was built.');
  const garden = new URL('../src/web/chambers/help/pictures/family.webp', import.meta.url).pathname;
  await page.getByLabel('Photos and files to add').setInputFiles(garden);
  await expect(form.getByText(/Ready$/)).toHaveCount(1);
  await form.getByRole('button', { name: 'Seal Memory' }).click();
  const readIt = () => rowOf(page, 'The garden').getByRole('button').first().click();
  await readIt();
  await page.getByRole('button', { name: 'Keep on this device' }).click();
  await expect(page.getByText('Kept on this device: it opens without a connection.')).toBeVisible();
  await lookAt(page, 'a file that is kept');

  const { up, back } = takeDown(instance);
  await expect.poll(() => page.request.get(instance.url).catch(() => null)).toBeNull();
  await page.goto(`${instance.url}/memory-vault`);
  await readIt();
  await page.getByRole('button', { name: 'View family.webp' }).click();
  const picture = page.getByRole('dialog').last().getByRole('img', { name: 'family.webp' });
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(100);
  up();
  await back;

  await page.goto(`${instance.url}/settings/devices`);
  await expect(page.getByText(/^One file opens without a connection/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove it from this device' }).click();
  await expect(page.getByText(/^One file opens without a connection/)).toHaveCount(0);
});
