// What a journey shows on its way, wide and narrow from one page: a picture to look at (test-results/pictures), no axe
// finding, nothing that scrolls sideways.
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect } from './instance.ts';

export const SIZES = {
  narrow: { width: 390, height: 844 },
  wide: { width: 1440, height: 900 },
};

/** Looks at what is shown in both sizes; leaves the page wide. */
export async function lookAt(
  page: Page,
  name: string,
  { fullPage = false }: { fullPage?: boolean } = {},
): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await page.screenshot({ path: `test-results/pictures/${size}-${name}.png`, fullPage });
    const violations = await axeFindings(page);
    expect(violations.map(({ id, nodes }) => `${size} ${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways, `${size} ${name} does not scroll sideways`).toBeLessThanOrEqual(0);
  }
}
