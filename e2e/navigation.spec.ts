// Getting about by keyboard alone, in one journey: the chambers in the head, the palette, the keys, the lock in two tabs.
// What each of them does in detail is tested below the browser (shell/navigation.test.tsx, locking.test.tsx).
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, test } from './instance.ts';
import { enterAsMember, keepWords } from './member.ts';
import { lookAt, SIZES, takePicture } from './pictures.ts';
import { pressEscape } from './rites.ts';

const SECRET = 'The bell under the lake';

/** Nothing sticks out sideways at a width, or with letters twice as large. */
async function expectNoSideways(page: Page, what: string): Promise<void> {
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(sideways, what).toBeLessThanOrEqual(0);
}

/** The head is one row: what stands in it is as high as one place, and on a phone the places are one row at the foot. */
async function expectOneRow(page: Page, what: string): Promise<void> {
  const nav = page.getByRole('navigation', { name: 'Chambers' });
  const boxes = await nav.locator('a, button').evaluateAll((all) =>
    all
      .map((one) => one.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ top, bottom, left, right, width, height }) => ({ top, bottom, left, right, width, height })),
  );
  expect(boxes.length, what).toBeGreaterThan(7);
  const { height = 0 } = (await nav.boundingBox()) ?? {};
  const lines = new Set(boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2 / 12)));
  expect(lines.size, `${what}: ${JSON.stringify(boxes)}`).toBeLessThanOrEqual(2);
  const rem = await page.evaluate(() =>
    Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
  );
  expect(height, what).toBeLessThanOrEqual(4 * rem + 1.5);
  for (const box of boxes) {
    expect(Math.min(box.width, box.height), `${what}: ${JSON.stringify(box)}`).toBeGreaterThanOrEqual(24);
    // None lies over another.
    for (const other of boxes)
      if (other !== box && Math.abs(other.top - box.top) < 30)
        expect(other.left >= box.right - 0.5 || other.right <= box.left + 0.5, what).toBe(true);
  }
}

test('a member gets about, seals, finds and locks without a pointer', async ({
  page,
  instance,
  context,
  quiet,
}) => {
  test.slow();
  await enterAsMember(page, instance);
  const { keyboard } = page;
  // A recovery method: without one the vault would not lock.
  await keepWords(page, instance);
  await page.evaluate(() => {
    for (const slot of Object.keys(localStorage))
      if (slot.startsWith('latebra.device:')) localStorage.removeItem(slot);
  });
  await page.reload();

  const head = page.getByRole('navigation', { name: 'Chambers' });
  await test.step('a chamber is reached by More in the head, a new entry by n, and sealed by Ctrl+Enter', async () => {
    await head.getByRole('button', { name: 'More' }).focus();
    await keyboard.press('Enter');
    await expect(head.getByRole('link', { name: 'Memory Vault' })).toBeVisible();
    await lookAt(page, 'more');
    await keyboard.press('Tab');
    await expect(head.getByRole('link', { name: 'Memory Vault' })).toBeFocused();
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
    // Past the head, what a list begins with is near.
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'New Memory' })).toBeFocused();
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
    await expect(page.getByRole('option', { selected: true })).toContainText('Sacred Settings');
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
    await page.goto(`${instance.url}/memory-vault`);
    await expect(page.getByText(SECRET).first()).toBeVisible();
    for (const size of ['', 'largest'])
      for (const width of [1440, 1200, 960, 959, 390, 320]) {
        await page.evaluate((chosen) => document.documentElement.setAttribute('data-size', chosen), size);
        await page.setViewportSize({ width, height: 844 });
        await takePicture(page, `head-${width}${size}`);
        const what = `${width} wide ${size}`;
        await expectNoSideways(page, what);
        await expectOneRow(page, what);
      }
    await page.evaluate(() => document.documentElement.removeAttribute('data-size'));
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
    await head.getByRole('button', { name: 'More' }).focus();
    await keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'Memory Vault' })).toBeVisible();
    await takePicture(page, 'narrow-more');
    expect(await axeFindings(page)).toEqual([]);
    await keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Memory Vault' })).toBeFocused();
    await keyboard.press('Escape');
    await expect(head.getByRole('button', { name: 'More' })).toBeFocused();
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
