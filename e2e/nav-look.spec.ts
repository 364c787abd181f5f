import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
test('look', async ({ page, instance }) => {
  await enterAsMember(page, instance);
  for (const [w, h] of [[1440, 900], [1366, 768], [1100, 800], [960, 800], [768, 1024], [390, 844]]) {
    await page.setViewportSize({ width: w!, height: h! });
    await page.goto(`${instance.url}/relationship-ledger`);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: `/tmp/nav-look/head-${w}.png` });
    if (w! < 1000 && w! !== 960) {
      await page.getByRole('button', { name: 'Open the menu' }).click();
      await page.screenshot({ path: `/tmp/nav-look/fold-${w}.png` });
    }
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await page.screenshot({ path: `/tmp/nav-look/palette-${w}.png` });
    await page.keyboard.type('xyzzy');
    await page.waitForTimeout(400);
    await page.screenshot({ path: `/tmp/nav-look/none-${w}.png` });
  }
});
