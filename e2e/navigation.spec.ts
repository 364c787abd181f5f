// Getting about by keyboard alone, in one journey: the chambers in the head, the palette, the keys, the lock in two tabs.
// What each of them does in detail is tested below the browser (shell/navigation.test.tsx, locking.test.tsx).
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, test } from './instance.ts';
import { callsOf, enterAsMember } from './member.ts';
import { lookAt, SIZES, takePicture } from './pictures.ts';
import { pressEscape } from './rites.ts';

const SECRET = 'The bell under the lake';

/** Nothing sticks out sideways at a width, or with letters twice as large. */
async function expectNoSideways(page: Page, what: string): Promise<void> {
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(sideways, what).toBeLessThanOrEqual(0);
}

test('a member gets about, seals, finds and locks without a pointer', async ({
  page,
  instance,
  context,
  quiet,
}) => {
  await enterAsMember(page, instance);
  const { keyboard } = page;
  // A recovery method: without one the vault would not lock.
  const call = callsOf(page, instance);
  const { keyFingerprint: fingerprint, id } = await call<{ keyFingerprint: string; id: string }>(
    'GET',
    '/api/auth/user',
  );
  await call('POST', '/api/encryption-key/words', { fingerprint });
  await page.evaluate((slot) => localStorage.removeItem(slot), `latebra.device:${id}`);
  await page.reload();

  await test.step('a chamber is reached by its link in the head, a new entry by n, and sealed by Ctrl+Enter', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Memory Vault' }).focus();
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Memory Vault', level: 1 })).toBeVisible();
    await keyboard.press('n');
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
    await keyboard.type(SECRET);
    await keyboard.press('Tab');
    await keyboard.type('Every winter it rings for nobody.');
    await keyboard.press('Control+Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('button', { name: new RegExp(SECRET) }).first()).toBeVisible();
    await lookAt(page, 'head');
    // Side by side at every width that has a row of chambers, for the eye and for the keyboard.
    const head = page.getByRole('navigation', { name: 'Chambers' });
    for (const width of [960, 1376, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const heights = await Promise.all(
        [head.getByRole('button', { name: 'Lock' }), head.getByRole('link', { name: 'Leave' })].map(
          async (control) => Math.round((await control.boundingBox())?.y ?? 0),
        ),
      );
      expect(new Set(heights).size, `Lock and Leave at ${width}: ${heights}`).toBe(1);
      const settings = head.getByRole('link', { name: 'Sacred Settings' });
      expect((await settings.innerText()).trim(), `Settings at ${width}`).toBe('Sacred Settings');
    }
    await head.getByRole('button', { name: 'Lock' }).focus();
    await keyboard.press('Tab');
    await expect(head.getByRole('link', { name: 'Leave' })).toBeFocused();
  });

  await test.step('the question of the device is asked, and answered', async () => {
    const banner = page.locator('[data-banner]');
    for (const [name, size] of Object.entries(SIZES)) {
      await page.setViewportSize(size);
      await expect(banner).toHaveText(/Until you answer, it locks after 30 minutes\./);
      expect((await banner.boundingBox())?.height, name).toBeLessThanOrEqual(64);
      // Nothing of it is cut off.
      const [whole = 0, shown = 1] = await banner
        .getByRole('status')
        .evaluate(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight]);
      expect(whole, name).toBeLessThanOrEqual(shown);
    }
    await lookAt(page, 'device-banner');
    await page.getByRole('button', { name: 'Answer' }).focus();
    await keyboard.press('Enter');
    await lookAt(page, 'device-question');
    await page.getByRole('button', { name: 'Mine alone' }).focus();
    await keyboard.press('Enter');
    await expect(banner).toBeHidden();
  });

  await test.step('the slash leads to the search, and the question mark to the list of keys', async () => {
    await keyboard.press('/');
    await expect(page.getByRole('searchbox')).toBeFocused();
    // Past the order of the list, in which letters choose.
    for (const key of ['Tab', 'Tab', '?']) await keyboard.press(key);
    await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
    await lookAt(page, 'key-list');
    await pressEscape(page);
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await test.step('the palette finds what was written, from another screen, and opens it', async () => {
    await keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await keyboard.type('settings');
    await expect(page.getByRole('option')).toHaveCount(1);
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Sacred Settings', level: 1 })).toBeVisible();
    await keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await keyboard.type('winter');
    await expect(page.getByRole('option')).toHaveText([/The bell under the lake.*Every winter it rings/]);
    await lookAt(page, 'palette-found');
    await keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('Every winter it rings for nobody.');
    await expect(page).toHaveURL(/\/memory-vault\/[^/]+$/);
    await pressEscape(page);
    await keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await keyboard.type('xyzzy');
    await expect(page.getByText('Nothing here has these words.')).toBeVisible();
    await lookAt(page, 'palette-nothing');
    await pressEscape(page);
  });

  await test.step('the head fits every width, also with letters twice as large', async () => {
    for (const width of [1366, 1100, 768]) {
      await page.setViewportSize({ width, height: 900 });
      await takePicture(page, `head-${width}`);
      await expectNoSideways(page, `${width} wide`);
    }
    await page.setViewportSize(SIZES.wide);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '237.5%';
    });
    await takePicture(page, 'head-large-letters');
    await expectNoSideways(page, 'large letters');
    await page.setViewportSize(SIZES.narrow);
    await expectNoSideways(page, 'large letters on a phone');
    await takePicture(page, 'narrow-large-letters');
    await page.evaluate(() => document.documentElement.removeAttribute('style'));
    await page.getByRole('button', { name: 'Open the menu' }).focus();
    await keyboard.press('Enter');
    await takePicture(page, 'narrow-fold');
    expect(await axeFindings(page)).toEqual([]);
    await keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Memory Vault' })).toBeFocused();
    await keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Open the menu' })).toBeFocused();
    await page.setViewportSize(SIZES.wide);
  });

  await test.step('the lock takes the words off every tab', async () => {
    const other = await context.newPage();
    await other.goto(`${instance.url}/memory-vault`);
    await expect(other.getByText(SECRET).first()).toBeVisible();
    await page.bringToFront();
    await page.getByRole('button', { name: 'Lock' }).focus();
    await keyboard.press('Enter');
    for (const tab of [page, other]) {
      await expect(tab.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible();
      expect(await tab.content()).not.toContain(SECRET);
    }
    await lookAt(page, 'locked');
    await other.close();
  });
  expect(quiet.said).toEqual([]);
});
