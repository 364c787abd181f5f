// How a page looks, wide and narrow: a picture, what axe finds, and whether anything stands out sideways.
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect } from './house.ts';

export const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

/** Takes a picture of what is shown in both sizes, runs axe on it, and expects that it does not scroll sideways. */
export async function lookBothWays(
  page: Page,
  name: string,
  { fullPage = false }: { fullPage?: boolean } = {},
): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path: `test-results/pictures/${size}-${name}.png`, fullPage });
    const violations = await axeFindings(page);
    expect(violations.map(({ id, nodes }) => `${name}, ${size}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways, `${name}, ${size}: does not scroll sideways`).toBeLessThanOrEqual(0);
  }
}
