// Installed: the app in a window of its own, without a browser's chrome, on a phone that draws over the edges of the page. What has to be
// done there by nothing but the page: going home and loading it anew. It takes a whole browser: what the devtools say of a window's kind
// is not believed by stylesheets.
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../scripts/chromium.mjs';
import { findChromium } from '../scripts/find-programs.mjs';
import { screens } from '../src/shared/screens.ts';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt, SIZES } from './pictures.ts';

/** What a phone covers, in CSS pixels: its clock above, the line at its foot. */
const INSETS = { top: 47, topMax: 47, bottom: 34, bottomMax: 34 };

/** The window of an installed app. */
const openInstalled = ({ url }: TestInstance): Promise<BrowserContext> =>
  chromium.launchPersistentContext('', {
    executablePath: findChromium() ?? '',
    // The window of an app is one of a whole browser, which needs no screen either.
    headless: false,
    args: [...CHROMIUM_FLAGS, '--headless=new', `--app=${url}/robots.txt`],
    viewport: SIZES.narrow,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });

const moreIn = (page: Page) => page.getByRole('button', { name: 'More', exact: true });
const reloadIn = (page: Page) => page.getByRole('button', { name: 'Reload', exact: true });

test('an installed app has a way home on each screen, loads anew, and lies beneath nothing that a phone draws', async ({
  page: ofBrowser,
  instance,
}) => {
  test.slow();
  await enterAsMember(ofBrowser, instance, 'bela');
  await moreIn(ofBrowser).click();
  await expect(ofBrowser.getByRole('link', { name: 'Help' })).toBeVisible();
  await expect(reloadIn(ofBrowser), 'a browser has one of its own').toBeHidden();
  await ofBrowser.close();

  const context = await openInstalled(instance);
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await enterAsMember(page, instance, 'agnes', '/memory-vault');
    const narrow = { sizes: { narrow: SIZES.narrow } };
    const devtools = await context.newCDPSession(page);
    const cover = (insets: Partial<typeof INSETS>) =>
      devtools.send('Emulation.setSafeAreaInsetsOverride', { insets });
    await cover(INSETS);

    await test.step('nothing lies beneath what a phone draws', async () => {
      const free = SIZES.narrow.height - INSETS.bottom;
      const home = page.getByRole('navigation', { name: 'Chambers' }).getByRole('link', { name: 'Latebra' });
      const top = async () => (await home.boundingBox())?.y ?? 0;
      await expect.poll(top).toBeGreaterThanOrEqual(INSETS.top);
      const search = await page.getByRole('button', { name: 'Search' }).boundingBox();
      expect(search?.y).toBeGreaterThan(free / 2);
      expect((search?.y ?? 0) + (search?.height ?? 0)).toBeLessThanOrEqual(free + 1);
      await lookAt(page, 'standalone-list', narrow);
      await page.getByRole('link', { name: 'Write' }).click();
      const box = await page.getByRole('dialog').boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(INSETS.top);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(free);
      await lookAt(page, 'standalone-form', narrow);
    });

    await test.step('it can be loaded anew', async () => {
      await page.goto(instance.url);
      await moreIn(page).click();
      await expect(reloadIn(page)).toBeVisible();
      await lookAt(page, 'standalone-more', narrow);
      await page.setViewportSize(SIZES.narrow);
      await page.evaluate(() => Object.assign(window, { isTheSame: true }));
      await reloadIn(page).click();
      const isTheSame = () =>
        page.evaluate(() => Reflect.get(window, 'isTheSame') ?? false).catch(() => true);
      await expect.poll(isTheSame).toBe(false);
    });

    await test.step('each screen leads home, or to the gate, which does', async () => {
      const ways = page.locator('a:is([href="/"], [href="/enter"]):visible');
      const ends: string[] = [];
      for (const [path, standings] of Object.entries(screens)) {
        if (path.includes('{') || !(standings as readonly string[]).includes('member')) continue;
        await page.goto(`${instance.url}${path}`);
        const isLed = ways.first().waitFor({ timeout: 10_000 });
        await isLed.catch(() => ends.push(path));
      }
      expect(ends).toEqual([]);
    });

    await test.step('on a desktop', async () => {
      await cover({});
      await page.setViewportSize(SIZES.wide);
      await page.goto(instance.url);
      await moreIn(page).click();
      await expect(reloadIn(page)).toBeVisible();
      await lookAt(page, 'standalone-desk', { sizes: { wide: SIZES.wide } });
    });
  } finally {
    await context.close();
  }
});
