// The landing: what it weighs, how soon it is seen. What Lighthouse says of it and of the black scroll. And what the app's
// first load weighs.
import lighthouse from 'lighthouse';
import { serveBarePage } from './bare-page.mjs';
import { countBytes, launchBrowser } from './browser.mjs';
import { median, startInstance } from './instance.mjs';
import { makeLink } from './opening.mjs';
import { addAuthenticator, becomeMember, writeMemory } from './person.mjs';

const ROUNDS = 9;
const DEBUG_PORT = 9333;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

/** The time of the largest paint of a page that is opened for the first time, in milliseconds. */
async function largestPaint(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.largestPaint = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.largestPaint = entry.startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  // A busy machine may have nothing painted yet when the network has come to rest.
  const time = await page.waitForFunction(() => globalThis.largestPaint, null, { polling: 50 });
  const taken = await time.jsonValue();
  await context.close();
  return taken;
}

/** The landing and a bare page in turns: medians in milliseconds. */
async function firstPaints(browser, url) {
  const bare = await serveBarePage();
  const paints = { landing: [], bare: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [landing, beside] = [await largestPaint(browser, url), await largestPaint(browser, bare.url)];
    // The first one warms up.
    if (round === 0) continue;
    paints.landing.push(landing);
    paints.bare.push(beside);
  }
  bare.stop();
  return { landing: median(paints.landing), bare: median(paints.bare) };
}

/**
 * The bytes of scripts that somebody waits for who is signed in: asked for before the dashboard is there. And of those that
 * are asked for by the page itself afterwards, for which nobody waits.
 */
async function firstLoad(page, url) {
  const { scripts } = await countBytes(page);
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      // What the document shows of the desk is there before the app.
      if (!document.querySelector('h1') || document.querySelector('header [inert]')) return;
      globalThis.thereAt = performance.now();
      watch.disconnect();
    });
    watch.observe(document, { childList: true, subtree: true });
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { name: 'The chambers' }).waitFor();
  await page.waitForLoadState('networkidle');
  const late = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime > globalThis.thereAt)
      .map(({ name }) => name),
  );
  const sum = (entries) => entries.reduce((all, [, bytes]) => all + bytes, 0);
  return {
    first: sum([...scripts].filter(([address]) => !late.includes(address))),
    afterwards: sum([...scripts].filter(([address]) => late.includes(address))),
  };
}

const JUDGED = ['performance', 'accessibility', 'best-practices', 'seo'];

/** What Lighthouse says of a page as a phone shows it: a row of the table. */
async function judge(what, url, judged = JUDGED) {
  const report = await lighthouse(url, {
    ...{ port: DEBUG_PORT, output: 'json', logLevel: 'error' },
    onlyCategories: judged,
  });
  const scores = Object.values(report.lhr.categories).map(({ title, score }) => [
    title,
    Math.round(score * 100),
  ]);
  return {
    what: `${what}, Lighthouse mobile`,
    measured: scores.map(([title, score]) => `${title} ${score}`).join(', '),
    target: `100 in all ${judged.length === 4 ? 'four' : 'three'}`,
    met: scores.length === judged.length && scores.every(([, score]) => score === 100),
  };
}

export async function measurePages() {
  const instance = await startInstance();
  const browser = await launchBrowser([`--remote-debugging-port=${DEBUG_PORT}`]);

  const visitor = await (await browser.newContext()).newPage();
  const landing = await countBytes(visitor);
  await visitor.goto(instance.url, { waitUntil: 'networkidle' });

  const paint = await firstPaints(browser, instance.url);

  const landingJudged = await judge('landing', instance.url);
  const scrollJudged = await judge('black scroll', `${instance.url}/black-scroll`);

  // Nobody is to find these by searching.
  const unsearched = JUDGED.slice(0, 3);
  const gateJudged = await judge('the gate', `${instance.url}/enter`, unsearched);

  const context = await browser.newContext();
  const member = await context.newPage();
  await addAuthenticator(member);
  await becomeMember(member, instance.url);
  await writeMemory(member, instance.url);
  const { link } = await makeLink(member, instance.url);
  const linkJudged = await judge('a one-time link', link, unsearched);
  const app = await firstLoad(await context.newPage(), instance.url);

  await browser.close();
  await instance.stop();
  return [
    {
      what: 'landing, JavaScript on the wire',
      measured: kilobytes(landing.script),
      target: '≤ 20 KB',
      met: landing.script <= 20_000,
    },
    {
      what: 'landing, everything on the wire',
      measured: kilobytes(landing.all),
      target: '≤ 90 KB',
      met: landing.all <= 90_000,
    },
    {
      what: 'landing, LCP',
      measured: `${Math.round(paint.landing)} ms (a bare page ${Math.round(paint.bare)} ms)`,
      target: '≤ 120 ms',
      met: paint.landing <= 120,
    },
    landingJudged,
    scrollJudged,
    gateJudged,
    linkJudged,
    {
      what: 'signed-in app, JavaScript of the first load',
      measured: `${kilobytes(app.first)} (and ${kilobytes(app.afterwards)} once the dashboard is there and the page has nothing to do)`,
      target: '≤ 90 KB',
      met: app.first <= 90_000,
    },
  ];
}
