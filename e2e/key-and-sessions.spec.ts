// What only a browser shows of the key and the sessions around it: other tabs, a page that is gone, and time that passes.
// What each screen says is told in src/web/shell/key-and-sessions.test.tsx.
import type { Page } from '@playwright/test';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember, keepWords } from './member.ts';
import { openMemoryVault, readMemory, rowOf } from './rites.ts';
import { keyIn, postMemory } from './sealing.ts';

const MINUTE = 60 * 1000;

const storedKeys = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((slot) => slot.startsWith('latebra.vault-key')));

/** Somebody whose words are written down and who has sealed one memory. */
async function enterWithOrchard(page: Page, instance: TestInstance): Promise<string> {
  await enterAsMember(page, instance);
  const words = await keepWords(page, instance);
  await postMemory(page, instance, await keyIn(page), 'The orchard', 'Ladders.');
  return words;
}

async function unlockByWords(page: Page, words: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible();
  await page.getByLabel('The twenty-four words').fill(words);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}

test('under device lock the key leaves storage at once, memory after fifteen idle minutes, and with the page', async ({
  page,
  instance,
}) => {
  await page.clock.install();
  const words = await enterWithOrchard(page, instance);
  await page.goto(`${instance.url}/settings`);
  const activity = page.getByRole('region', { name: 'Account activity' });
  await expect(activity.getByRole('list')).toContainText('Account created with a passphrase');
  await page.getByLabel('Keep no key on this device').check();
  expect(await storedKeys(page)).toEqual([]);

  await page.getByRole('link', { name: 'Latebra' }).click();
  await openMemoryVault(page);
  await readMemory(page, 'The orchard', ['Ladders.']);
  await page.clock.fastForward(14 * MINUTE);
  await page.mouse.click(5, 5);
  await page.clock.fastForward(14 * MINUTE);
  await expect(rowOf(page, 'The orchard')).toBeVisible();
  await page.clock.fastForward(2 * MINUTE);
  await expect(page.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible();
  await expect(page.getByText('The orchard')).toHaveCount(0);

  await unlockByWords(page, words);
  await expect(rowOf(page, 'The orchard')).toBeVisible();
  expect(await storedKeys(page)).toEqual([]);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible();
});

test('another tab is at home at once, locks when the key is taken away, and is emptied when the first one leaves', async ({
  page,
  context,
  instance,
  quiet,
}) => {
  // Back leads to a chamber, which is no place for a visitor.
  quiet.expect(/status of 40[14]/);
  const words = await enterWithOrchard(page, instance);
  const second = await context.newPage();
  await second.goto(`${instance.url}/memory-vault`);
  await expect(rowOf(second, 'The orchard')).toBeVisible();
  await page.evaluate(() => {
    for (const slot of Object.keys(localStorage)) localStorage.removeItem(slot);
  });
  await unlockByWords(second, words);
  await rowOf(second, 'The orchard').getByRole('button').first().click();
  await expect(second.getByRole('dialog')).toContainText('Ladders.');

  await page.getByRole('link', { name: 'Leave' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave' });
  await leaving.getByRole('checkbox', { name: 'Remove my key from this browser as well' }).check();
  await leaving.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
  expect(await storedKeys(page)).toEqual([]);
  // With the key goes what it opens.
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  await expect.poll(databases).not.toContain('latebra-lists');
  expect((await page.request.get(`${instance.url}/api/auth/user`)).status()).toBe(401);
  await expect(second.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
  await expect(second.getByText('Ladders.')).toHaveCount(0);
  await second.goBack();
  await expect(second.getByText('Ladders.')).toHaveCount(0);
});

test('two accounts in one browser keep their keys apart, and a stale tab can write into neither', async ({
  page,
  context,
  instance,
  quiet,
}) => {
  // What is asked for while nobody is signed in is refused, a chamber as well, as is what the first tab asks for in the name of its own
  // account.
  quiet.expect(/status of 40[149]/);
  const words = await enterWithOrchard(page, instance);
  await openMemoryVault(page);

  // Meanwhile, in another tab of the same browser, somebody else signs in. The first one hears nothing
  // of it before it sends what is written there.
  let wake = () => {};
  const awake = new Promise<void>((resolve) => {
    wake = resolve;
  });
  await page.route('**/api/**', async (route) => {
    await awake;
    await route.continue();
  });
  const second = await context.newPage();
  await second.goto(`${instance.url}/api/logout`);
  await enterAsMember(second, instance, 'boris', '/memory-vault');
  expect(await storedKeys(second)).toHaveLength(2);

  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Into the wrong vault');
  await page.getByRole('textbox', { name: 'Memory' }).fill('No.');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  wake();
  // The first tab finds itself in the second account and shows that one's vault.
  await expect(page.getByText('Nothing is kept here yet')).toBeVisible();
  expect(await (await page.request.get(`${instance.url}/api/memory-entries`)).json()).toEqual([]);

  await second.goto(`${instance.url}/api/logout`);
  await second.goto(`${instance.url}/enter`);
  await second.getByRole('button', { name: 'The twenty-four words' }).click();
  await second.getByLabel('The twenty-four words').fill(words);
  await second.getByRole('button', { name: 'Enter', exact: true }).click();
  await openMemoryVault(second);
  await readMemory(second, 'The orchard', ['Ladders.']);
});
