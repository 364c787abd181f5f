// The landing: what it weighs, how soon it is seen. What Lighthouse says of it and of the black scroll. And what the app's
// first load weighs.
import lighthouse from 'lighthouse';
import { countBytes, launchBrowser } from './browser.mjs';
import { median, startInstance } from './instance.mjs';
import { addAuthenticator, becomeMember } from './person.mjs';

const ROUNDS = 9;
const DEBUG_PORT = 9333;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

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
  const time = await page.evaluate(() => globalThis.largestPaint);
  await context.close();
  return time;
}

/** What Lighthouse says of a page as a phone shows it: a row of the table. */
async function judge(what, url) {
  const report = await lighthouse(url, { port: DEBUG_PORT, output: 'json', logLevel: 'error' });
  const scores = Object.values(report.lhr.categories).map(({ title, score }) => [
    title,
    Math.round(score * 100),
  ]);
  return {
    what: `${what}, Lighthouse mobile`,
    measured: scores.map(([title, score]) => `${title} ${score}`).join(', '),
    target: '100 in all four',
    met: scores.length === 4 && scores.every(([, score]) => score === 100),
  };
}

export async function measurePages() {
  const instance = await startInstance();
  const browser = await launchBrowser([`--remote-debugging-port=${DEBUG_PORT}`]);

  const visitor = await (await browser.newContext()).newPage();
  const landing = await countBytes(visitor);
  await visitor.goto(instance.url, { waitUntil: 'networkidle' });

  await largestPaint(browser, instance.url);
  const paints = [];
  for (let round = 0; round < ROUNDS; round += 1) paints.push(await largestPaint(browser, instance.url));
  const paint = median(paints);

  const landingJudged = await judge('landing', instance.url);
  const scrollJudged = await judge('black scroll', `${instance.url}/black-scroll`);

  const context = await browser.newContext();
  const member = await context.newPage();
  await addAuthenticator(member);
  await becomeMember(member, instance.url);
  const page = await context.newPage();
  const app = await countBytes(page);
  await page.goto(instance.url, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { name: 'The chambers' }).waitFor();

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
    { what: 'landing, LCP', measured: `${Math.round(paint)} ms`, target: '< 120 ms', met: paint < 120 },
    landingJudged,
    scrollJudged,
    {
      what: 'signed-in app, JavaScript of the first load',
      measured: kilobytes(app.script),
      target: '≤ 90 KB',
      met: app.script <= 90_000,
    },
  ];
}
