// What pages are fetching, counted from their beginning: a page is quiet once nothing is under way. Playwright's own sign of it
// never comes where a worker was ended while its script was on its way, or had it before anybody listened: nobody is told how that
// request ends.
import { type Browser, expect, type Page, type Request } from '@playwright/test';

/** What a page is fetching, and how much it has asked for so far. */
interface Traffic {
  underWay: Set<Request>;
  begun: number;
}

const traffics = new WeakMap<Page, Traffic>();

/** Watches every page that a browser opens from now on. */
export function watchPages(browser: Browser): void {
  browser.on('context', (context) => context.on('page', watchTraffic));
}

function watchTraffic(page: Page): Traffic {
  const traffic: Traffic = { underWay: new Set(), begun: 0 };
  traffics.set(page, traffic);
  const { underWay } = traffic;
  page.on('request', (request) => {
    // What the document before was still fetching may never be said to have ended.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) underWay.clear();
    // A worker here is one script, and what it does shows on the page.
    if (/worker[\w-]*\.js$/.test(request.url())) return;
    // A model writes for as long as it likes.
    if (request.url().endsWith('/api/story-drafts')) return;
    underWay.add(request);
    traffic.begun += 1;
  });
  const ended = (request: Request) => underWay.delete(request);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return traffic;
}

/** What follows an answer, or the width by script, has followed it by then. */
export const twoFrames = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/** Waits until a page has all that it shows. */
export async function untilQuiet(page: Page): Promise<void> {
  const traffic = traffics.get(page) ?? watchTraffic(page);
  await page.waitForLoadState('load');
  for (let begun = -1; begun !== traffic.begun || traffic.underWay.size > 0; ) {
    begun = traffic.begun;
    await expect.poll(() => traffic.underWay.size, { intervals: [20] }).toBe(0);
    await twoFrames(page);
  }
}
