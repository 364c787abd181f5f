// The light theme and the sizes of letters: from the first paint, in every tab, and without an axe finding.
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { keyIn, postMemory } from './sealing.ts';

const GROUPS = ['appearance', 'account', 'recovery', 'devices', 'plan', 'data'];
const SCREENS = ['/', '/memory-vault', '/legacy-scroll', '/quantum-security', '/settings', '/book'];

test('a chosen look is there before anything is painted, and in every tab', async ({ page, instance }) => {
  test.slow();
  await enterAsMember(page, instance, 'agnes', '/settings');
  await postMemory(page, instance, await keyIn(page), 'Porto', 'We missed the last tram.', {
    timeLockUntil: new Date(Date.now() + 400 * 24 * 60 * 60 * 1000).toISOString(),
  });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await ground();
  const other = await page.context().newPage();
  await other.goto(`${instance.url}/memory-vault`);
  await page.getByLabel('Theme', { exact: true }).selectOption('Light');
  await page.getByLabel('Text size').selectOption('Largest');
  expect(await ground()).not.toBe(dark);
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(other.locator('html')).toHaveAttribute('data-size', 'largest');
  await other.close();

  await test.step('it stands before the body does', async () => {
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return;
        observer.disconnect();
        Object.assign(window, { themeAtFirst: document.documentElement.dataset.theme });
      }).observe(document, { childList: true, subtree: true });
    });
    for (const address of ['/settings', '/enter']) {
      await page.goto(`${instance.url}${address}`);
      expect(await page.evaluate(() => Reflect.get(window, 'themeAtFirst')), address).toBe('light');
    }
  });

  for (const address of SCREENS)
    await test.step(`${address} in light`, async () => {
      await page.goto(`${instance.url}${address}`);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      await lookAt(page, `light-${address.slice(1) || 'desk'}`, { fullPage: true });
    });

  await test.step('the largest letters fit, also into windows that are neither wide nor narrow', async () => {
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    for (const address of [...SCREENS, ...GROUPS.map((group) => `/settings/${group}`)]) {
      await page.goto(`${instance.url}${address}`);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      for (const width of [640, 960, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(sideways, `${address} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
    await page.goto(`${instance.url}/memory-vault/new`);
    const seal = page.getByRole('button', { name: 'Seal Memory' });
    await expect(seal).toBeVisible();
    // A phone at 200 %.
    await page.setViewportSize({ width: 195, height: 422 });
    expect((await seal.boundingBox())?.x, 'a button of a dialog on a phone').toBeGreaterThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('the device may decide', async () => {
    await page.goto(`${instance.url}/settings`);
    await page.getByLabel('Theme', { exact: true }).selectOption('As this device has it');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  });
});
