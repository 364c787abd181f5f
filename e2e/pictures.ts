// What a journey shows on its way, wide and narrow from one page: a picture to look at (test-results/pictures), no axe
// finding, nothing that scrolls sideways.
import type { Locator, Page, Request } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect } from './instance.ts';

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

/** What a page is fetching, and how much it has asked for so far. */
interface Traffic {
  underWay: Set<Request>;
  begun: number;
}

const traffics = new WeakMap<Page, Traffic>();

function watchTraffic(page: Page): Traffic {
  const traffic: Traffic = { underWay: new Set(), begun: 0 };
  page.on('request', (request) => {
    // What the document before was still fetching may never be said to have ended.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) traffic.underWay.clear();
    // A model writes for as long as it likes.
    if (request.url().endsWith('/api/story-drafts')) return;
    traffic.underWay.add(request);
    traffic.begun += 1;
  });
  const ended = (request: Request) => traffic.underWay.delete(request);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return traffic;
}

/** What follows an answer, or the width by script, has followed it by then. */
const twoFrames = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/**
 * Waits until a page has all that it shows. Playwright's own sign of it takes half a second of quiet each time; it is
 * waited for once, since nobody has counted what was asked for before.
 */
async function untilQuiet(page: Page): Promise<void> {
  const traffic = traffics.get(page);
  if (!traffic) {
    traffics.set(page, watchTraffic(page));
    return page.waitForLoadState('networkidle');
  }
  await page.waitForLoadState('load');
  for (let begun = -1; begun !== traffic.begun || traffic.underWay.size > 0; ) {
    begun = traffic.begun;
    await expect.poll(() => traffic.underWay.size, { intervals: [20] }).toBe(0);
    await twoFrames(page);
  }
}

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
    await takePicture(page, `${size}-${name}`, { fullPage });
    const violations = await axeFindings(page);
    expect(violations.map(({ id, nodes }) => `${size} ${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways, `${size} ${name} does not scroll sideways`).toBeLessThanOrEqual(0);
  }
}
