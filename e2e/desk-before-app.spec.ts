// The desk before the app has come: the document shows it where the vault opens by itself, and nowhere else, as the app then does, and
// its line takes words from the beginning.
import type { Page } from '@playwright/test';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember, untilDrawn } from './member.ts';
import { SIZES } from './pictures.ts';

// The app comes from the server: what is on its way is held up there.
test.use({ serviceWorkers: 'block' });

/** Opens an address while the app is still on its way. @returns lets it come, and waits until it has drawn itself */
async function openBeforeApp(page: Page, instance: TestInstance, path = '/'): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(instance.url + path, { waitUntil: 'commit' });
  return async () => {
    release();
    await untilDrawn(page);
    await page.unrouteAll();
  };
}

const lineIn = (page: Page) => page.getByRole('textbox', { name: 'Write a memory' });

/** Pictures of all that the document shows of the desk, once its letters are there; of the page around it, nothing. */
async function picturesOf(page: Page): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready);
  const pictures: string[] = [];
  for (const part of ['header', '[data-bar]', 'h1', 'textarea', 'textarea + p']) {
    const { x, y, width, height } = (await page.locator(part).boundingBox()) as DOMRect;
    const clip = { x: x + 2, y: y + 2, width: width - 4, height: height - 4 };
    pictures.push(`${part} ${(await page.screenshot({ clip, animations: 'disabled' })).toString('base64')}`);
  }
  return pictures;
}

test('it looks as the app then draws it, wide and narrow, dark and light', async ({ page, instance }) => {
  await enterAsMember(page, instance);
  for (const [size, viewport] of Object.entries(SIZES))
    for (const theme of ['dark', 'light']) {
      await page.evaluate((theme) => localStorage.setItem('latebra.look', JSON.stringify({ theme })), theme);
      await page.setViewportSize(viewport);
      const letAppCome = await openBeforeApp(page, instance);
      await expect(lineIn(page)).toBeVisible();
      const before = await picturesOf(page);
      await letAppCome();
      expect(await picturesOf(page), `${size}, ${theme}`).toEqual(before);
    }
});

test('what is typed into its line goes on in the app’s, at the same place', async ({
  page,
  instance,
  quiet,
}) => {
  await enterAsMember(page, instance);
  const letAppCome = await openBeforeApp(page, instance);
  const line = lineIn(page);
  await line.click();
  await page.keyboard.type('The bell the lake');
  for (const _ of 'the lake') await page.keyboard.press('ArrowLeft');
  // What only the app can answer waits for it: it is no press that does nothing, and leaves the page where it is.
  await expect(page.locator('header > [inert]')).toHaveCount(1);
  await letAppCome();
  await expect(line).toBeFocused();
  await page.keyboard.type('under ');
  await expect(line).toHaveValue('The bell under the lake');
  await page.getByRole('button', { name: 'New Memory' }).click();
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Memory' })).toHaveValue(
    'The bell under the lake',
  );
  expect(quiet.said).toEqual([]);
});

test('a vault that is locked, and every other page, say that something is on its way', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance);
  const shown = async () => {
    await expect(page.getByRole('status')).toHaveText('One moment');
    await expect(lineIn(page)).toHaveCount(0);
  };
  const letAppCome = await openBeforeApp(page, instance, '/settings');
  await shown();
  await letAppCome();
  await page.evaluate(() => {
    for (const slot of Object.keys(localStorage).filter((name) => name.startsWith('latebra.vault-key')))
      localStorage.removeItem(slot);
  });
  const letUnlockCome = await openBeforeApp(page, instance);
  await shown();
  await letUnlockCome();
  await expect(page.getByRole('heading', { name: 'Unlock', exact: false })).toBeVisible();
});

test.describe('in an app that a device keeps', () => {
  test.use({ serviceWorkers: 'allow' });

  test('what was typed before its session turned out to have ended is there after the next sign-in', async ({
    page,
    context,
    instance,
    quiet,
  }) => {
    await enterAsMember(page, instance);
    await expect.poll(() => page.evaluate(async () => (await caches.match('/')) !== undefined)).toBe(true);
    // The same address once more would be a reload, which asks the server for its document.
    await page.goto(`${instance.url}/robots.txt`);
    const cookies = await context.cookies();
    await context.clearCookies();
    quiet.expect(/401/);
    // Nothing holds up what a kept app asks: it is typed as soon as the line is there.
    await page.addInitScript(() => {
      const watch = new MutationObserver(() => {
        const line = document.querySelector<HTMLTextAreaElement>('#root textarea');
        if (!line) return;
        line.value = 'The bell under the lake';
        watch.disconnect();
      });
      watch.observe(document, { childList: true, subtree: true });
    });
    await page.goto(instance.url);
    await expect(page.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
    await context.addCookies(cookies);
    const again = await context.newPage();
    await again.goto(instance.url);
    await untilDrawn(again);
    await expect(lineIn(again)).toHaveValue('The bell under the lake');
  });
});
