// Writing without a connection: it waits on this device, is sent by itself, and can be opened again until then. What becomes of
// every mishap on the way is told in src/web/vault/entries/waiting.test.tsx.
import { readFileSync } from 'node:fs';
import type { BrowserContext } from '@playwright/test';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast } from './rites.ts';
import { keyIn, postMemory } from './sealing.ts';

/** Holds up what is sent to an address. @returns lets it arrive, and all that follows */
async function holdUp(context: BrowserContext, address: string): Promise<() => void> {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(address, async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  return release;
}

test('what is written without a connection waits, survives a closed page, can be written on, and arrives once', async ({
  page,
  context,
  instance,
  quiet,
}) => {
  quiet.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  await postMemory(page, instance, await keyIn(page), 'The orchard', 'Ladders.');
  await page.reload();
  const form = page.getByRole('dialog');
  const words = form.getByRole('textbox', { name: 'Memory' });
  const seal = () => form.getByRole('button', { name: 'Seal Memory' }).click();
  const waits = page.getByRole('heading', { name: 'One entry waits on this device' });
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasNot: page.getByText('which waits') });

  await page.getByRole('button', { name: 'New Memory' }).first().click();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await form.getByLabel('Title').fill('On the mountain');
  await words.fill('No mast in sight.');
  await seal();
  await expectToast(page, 'It waits on this device');
  await expect(waits).toBeVisible();
  await lookAt(page, 'waiting');

  // The server does not answer the page that is opened next: what waits is shown, and written on.
  const writes = '**/api/memory-entries';
  await context.route(writes, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await context.setOffline(false);
  await page.reload();
  await expect(waits).toBeVisible();
  await page.getByRole('button', { name: 'Open On the mountain, which waits' }).click();
  await expect(words).toHaveValue('No mast in sight.');
  await words.fill('No mast in sight, and no wind.');
  await seal();
  // What is written after the try that failed waits as well.
  await words.fill('No mast in sight, no wind, and nobody.');
  await form.getByRole('button', { name: 'Keep it on this device and send it later' }).click();
  await expectToast(page, 'It waits on this device');
  await expect(waits).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a sealed copy' }).click();
  const copy = await (await saved).path();
  expect(readFileSync(copy, 'utf8')).not.toContain('wind');
  await context.unroute(writes);
  // It is also sent by itself: nothing arrives before the press.
  const letArrive = await holdUp(context, writes);
  await page.getByRole('button', { name: 'Send now' }).click();
  letArrive();
  await expectToast(page, 'Sealed in your vault');
  await expect(waits).toBeHidden();
  await page.reload();
  await expect(rows).toHaveCount(2);
  await rows.filter({ hasText: 'On the mountain' }).getByRole('button').first().click();
  await expect(form).toContainText('No mast in sight, no wind, and nobody.');
  expect(await page.evaluate(() => localStorage.getItem('latebra.waiting'))).toBeNull();

  // What has arrived meanwhile is kept once, when its copy is taken in.
  quiet.expect(/409 \(Conflict\)/);
  await page.goto(`${instance.url}/settings`);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  // What is said next takes the place of what was said.
  const letItArrive = await holdUp(context, writes);
  await page.getByLabel('Archive', { exact: true }).setInputFiles(copy);
  await expectToast(page, 'It Waits On This Device', '1 entry waits again');
  letItArrive();
  await expectToast(page, 'Sealed in your vault');
  await page.goto(`${instance.url}/memory-vault`);
  await expect(waits).toBeHidden();
  await expect(rows).toHaveCount(2);
});
