// What a journey shows on its way, wide and narrow from one page: a picture to look at (test-results/pictures), no axe
// finding, nothing that scrolls sideways.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect } from './instance.ts';
import { twoFrames, untilQuiet } from './traffic.ts';

export const SIZES = {
  narrow: { width: 390, height: 844 },
  wide: { width: 1440, height: 900 },
};

interface Look {
  /** Whether the picture shows all of the page. */
  fullPage?: boolean;
  /** Left out: both. */
  sizes?: Partial<typeof SIZES>;
}

/**
 * Takes a picture to look at. None is taken in CI, where nobody does: they take a quarter of the time of a look, and no
 * test asks anything of them.
 * @param name of its file, without the ending
 */
export async function takePicture(
  shown: Page | Locator,
  name: string,
  options: Pick<Look, 'fullPage'> = {},
): Promise<void> {
  if (process.env.CI) return;
  await shown.screenshot({ path: `test-results/pictures/${name}.png`, ...options });
}

/** What fades in has other colours meanwhile. What goes on for ever is left alone. */
const endOfFading = (page: Page) =>
  page.evaluate(async () => {
    const fading = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
    await Promise.allSettled(fading.map(({ finished }) => finished));
  });

/** Looks at what is shown in both sizes; leaves the page wide. */
export async function lookAt(
  page: Page,
  name: string,
  { fullPage = false, sizes = SIZES }: Look = {},
): Promise<void> {
  await untilQuiet(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await expect(page.locator('head > title')).toHaveCount(1);
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await twoFrames(page);
    await endOfFading(page);
    await takePicture(page, `${size}-${name}`, { fullPage });
    const violations = await axeFindings(page);
    expect(violations.map(({ id, nodes }) => `${size} ${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways, `${size} ${name} does not scroll sideways`).toBeLessThanOrEqual(0);
  }
}
