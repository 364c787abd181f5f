// What somebody waits for who opens the app: the dashboard, a one-time link and its words, a form to write in, a link that
// is made. Times are taken in the page, from its navigation on; what is pressed is pressed as soon as it can be.
import { serveBarePage } from './bare-page.mjs';
import { launchBrowser } from './browser.mjs';
import { median, startInstance } from './instance.mjs';
import { addAuthenticator, becomeMember, makeItOwn, writeMemory } from './person.mjs';

const ROUNDS = 9;
const SLOW_ROUNDS = 3;
const VIEW = { width: 1440, height: 900 };
/** What Chromium's tools call slow 4G, and a machine a quarter as fast. */
const SLOW = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWDOWN = 4;

/**
 * Watches the page from its beginning: the largest paint, how many requests followed upon one another, and what was there
 * when. Each step is a selector, the text that must be in it, and whether it is pressed.
 */
function watch(steps) {
  const seen = { largest: 0, element: '', at: [] };
  globalThis.seen = seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      seen.largest = entry.startTime;
      seen.element = entry.element?.textContent?.slice(0, 40) ?? '';
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  const left = [...steps];
  const look = () => {
    const { selector, text = '', press } = left[0] ?? {};
    const found =
      selector &&
      [...document.querySelectorAll(selector)].find((element) => element.textContent?.includes(text));
    if (found) {
      seen.at.push(performance.now());
      left.shift();
      if (press) found.click();
    }
    if (left.length > 0) requestAnimationFrame(look);
  };
  if (left.length > 0) requestAnimationFrame(look);
}

/** Waits until a page's device keeps the app, whose document comes last. */
async function untilKept(page) {
  const isKept = () => page.evaluate(async () => (await caches.match('/')) !== undefined);
  while (!(await isKept())) await page.waitForTimeout(200);
}

/**
 * A page of this context that opens an address and takes these steps: in an empty cache, or as the device keeps the app.
 * @throws Error where the device was to keep it and does not
 */
async function visit(context, url, steps, { slow = false, slowdown = SLOWDOWN, isKept = false } = {}) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  if (!isKept) await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (slow) {
    await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW });
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  }
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.addInitScript(watch, steps);
  const document = await page.goto(url);
  if (document?.fromServiceWorker() !== isKept)
    throw new Error('the document is not from where it was to be');
  await page.waitForFunction((count) => globalThis.seen.at.length >= count, steps.length, { polling: 50 });
  await page.waitForLoadState('networkidle');
  // The paint is told of some time after it, on a busy machine long after, and now and then not at all.
  const told = page.waitForFunction(() => globalThis.seen.largest > 0, null, { polling: 50, timeout: 5000 });
  await told.catch(() => {});
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name) => 1000 * (metrics.find((one) => one.name === name)?.value ?? 0);
  const seen = await page.evaluate(() => globalThis.seen);
  await page.close();
  return { ...seen, script: metric('ScriptDuration'), task: metric('TaskDuration') };
}

async function someRounds(rounds, work) {
  const all = [];
  for (let round = 0; round < rounds; round += 1) all.push(await work());
  return all;
}

/** As many rounds of which the browser has told a largest paint. @throws Error when it tells of hardly any */
async function paintedRounds(rounds, work) {
  const painted = [];
  for (let tries = 0; painted.length < rounds; tries += 1) {
    if (tries === 3 * rounds) throw new Error('the browser tells of no paint');
    const round = await work();
    if (round.largest > 0) painted.push(round);
  }
  return painted;
}

const DASHBOARD = [{ selector: 'h1', text: 'The chambers' }];
const OPENED = [{ selector: 'form button[type=submit]', press: true }, { selector: 'article' }];
const WRITING = [
  { selector: 'main button', text: 'New Memory', press: true },
  { selector: '[role=dialog] input:focus, [role=dialog] textarea:focus' },
];

/** Makes a link to the only memory by the chamber's own dialog: how long from the press until it is shown, and the link. */
export async function makeLink(page, url) {
  await page.goto(`${url}/sacred-keys`);
  await page.getByRole('button', { name: 'Create Sacred Key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Content type').selectOption('memory');
  const entries = dialog.getByLabel('Specific entry', { exact: false });
  await entries.selectOption({ index: 1 });
  await page.waitForLoadState('networkidle');
  return page.evaluate(async () => {
    const linkShown = () =>
      [...document.querySelectorAll('[role=dialog] input, [role=dialog] p, [role=dialog] code')]
        .map(
          (element) =>
            /https?:\S+\/share\/[\w-]{22}#[\w-]{43}/.exec(element.value ?? element.textContent)?.[0],
        )
        .find(Boolean);
    const began = performance.now();
    document.querySelector('[role=dialog] button[type=submit]').click();
    while (!linkShown()) await new Promise((resolve) => requestAnimationFrame(resolve));
    return { took: performance.now() - began, link: linkShown() };
  });
}

/** All rounds of all lines against one running server. */
export async function openEverything(url, { rounds = ROUNDS, slowRounds = SLOW_ROUNDS } = {}) {
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: VIEW });
  await context.grantPermissions(['clipboard-write']).catch(() => {});
  const page = await context.newPage();
  await addAuthenticator(page);
  await becomeMember(page, url);
  await writeMemory(page, url);
  const home = await paintedRounds(rounds, () => visit(context, url, DASHBOARD));
  const slow = await paintedRounds(slowRounds, () => visit(context, url, DASHBOARD, { slow: true }));
  const writing = await someRounds(rounds, () => visit(context, `${url}/memory-vault`, WRITING));
  const links = await someRounds(rounds, () => makeLink(page, url));
  const words = [];
  for (const { link } of links) {
    const stranger = await browser.newContext({ viewport: VIEW });
    words.push(await visit(stranger, link, OPENED));
    await stranger.close();
  }
  // A second visit, on a device that keeps the app and its lists. Last, as from then on nothing comes to an empty cache.
  await makeItOwn(page);
  await page.goto(url);
  await untilKept(page);
  const again = { isKept: true, slowdown: 1 };
  const bare = await serveBarePage();
  const kept = await paintedRounds(rounds, async () => ({
    ...(await visit(context, url, DASHBOARD, again)),
    beside: (await visit(context, bare.url, [])).largest,
  }));
  bare.stop();
  const keptSlow = await paintedRounds(slowRounds, () =>
    visit(context, url, DASHBOARD, { ...again, slow: true }),
  );
  await browser.close();
  return { home, slow, kept, keptSlow, writing, links, words };
}

const row = (what, times, target, beside = '') => {
  const measured = median(times);
  return {
    what,
    measured: `${Math.round(measured)} ms${beside}`,
    target: `≤ ${target} ms`,
    met: measured <= target,
  };
};

export async function measureOpening() {
  const instance = await startInstance();
  const { home, slow, kept, keptSlow, writing, links, words } = await openEverything(instance.url);
  await instance.stop();
  const largest = (rounds) => rounds.map((round) => round.largest);
  const bare = median(kept.map(({ beside }) => beside));
  const last = (rounds) => rounds.map(({ at }) => at.at(-1));
  return [
    row('dashboard, LCP', largest(home), 200),
    row('dashboard, LCP on slow 4G with a quarter of the CPU', largest(slow), 900),
    row('dashboard, second visit, LCP', largest(kept), 150, ` (a bare page ${Math.round(bare)} ms)`),
    row('dashboard, second visit, LCP on slow 4G', largest(keptSlow), 400),
    row('one-time link: from the address to the words, first visit', last(words), 350),
    row('signed in: from the address to a form ready to write in', last(writing), 350),
    row(
      'signed in: from the press to a link',
      links.map(({ took }) => took),
      150,
    ),
  ];
}
