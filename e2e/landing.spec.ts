// The landing page as only a browser shows it: its pictures, which are of real screens; what it fetches, and when; its example; and
// how long it is on a phone. What it says is told in src/web/chambers/landing/page.test.tsx.
import type { Locator, Page } from '@playwright/test';
import { expect, type TestInstance, test } from './instance.ts';
import { keepPicture } from './kept-pictures.ts';
import { enterAsMember } from './member.ts';
import { lookAt, SIZES, takePicture } from './pictures.ts';
import { keyIn, postMemory } from './sealing.ts';
import { leaveWords } from './sharing.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Of each picture, in CSS pixels; `uses.tsx` names it as well. */
const SIZE = { width: 480, height: 256 };
/** They are drawn finer than they are shown. */
const SCALE = 1.5;

const picture = (page: Page, name: string, top: number) =>
  keepPicture(page, `landing/pictures/${name}`, {
    quality: 46,
    most: 12_000,
    clip: { x: 0, y: top, ...SIZE, scale: SCALE },
  });

/** Where a picture of something begins on its page: a little above it. It is scrolled far above the bar of a phone. */
const above = (place: Locator): Promise<number> =>
  place.evaluate((element) => {
    window.scrollTo(0, element.getBoundingClientRect().top + window.scrollY - 100);
    return Math.round(element.getBoundingClientRect().top + window.scrollY) - 8;
  });

async function writeLetter(page: Page, { url }: Pick<TestInstance, 'url'>): Promise<void> {
  await page.goto(`${url}/legacy-scroll`);
  await page.getByRole('textbox', { name: 'Title' }).fill('For Theo, on your eighteenth birthday');
  await page
    .getByRole('textbox', { name: 'Letter' })
    .fill('You are four, and you have just put my glasses into the soup.');
  await page.getByLabel('What you call them').fill('Theo');
  await page.getByLabel('Days without activity').fill('90');
  await page.getByRole('button', { name: 'Seal the letter' }).click();
  await page
    .getByRole('dialog', { name: 'The key card for Theo' })
    .getByRole('button', { name: 'I have handed it over' })
    .click();
  const watch = page.getByRole('dialog', { name: 'Activate Watch' });
  await watch.getByLabel('Warnings').selectOption('dashboard');
  await watch.getByRole('button', { name: 'Activate Watch' }).click();
  await expect(page.getByRole('article')).toContainText('Watching');
}

test('the pictures of the landing page are of screens as they are', async ({ browser, instance }) => {
  // As wide as a large phone.
  const context = await browser.newContext({
    viewport: { width: SIZE.width, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await enterAsMember(page, instance);
  const key = await keyIn(page);
  const post = (title: string, text: string, happenedOn: string, timeLockUntil: string | null = null) =>
    postMemory(page, instance, key, title, text, { timeLockUntil }, { happenedOn });
  await post('The first school', 'Ladders in the trees behind it, and a radio on the wall.', '2024-10-14');
  await post('Porto', 'We missed the last tram, and it was the best part.', '2025-05-17');
  const inAYear = new Date(instance.now() + 365 * DAY).toISOString();
  await post('For the day you are eighteen', 'You are four.', '2026-02-03', inAYear);
  await post('The kettle on the second floor', 'She laughed before I had finished.', '2026-05-21');
  await page.goto(`${instance.url}/memory-vault`);
  const first = page.getByRole('heading', { name: '2026' });
  await expect(first).toBeVisible();
  await picture(page, 'diary', await above(first));

  await writeLetter(page, instance);
  await picture(page, 'letter', await above(page.getByRole('article')));

  const { link } = await leaveWords(page, instance, {
    entry: {
      v: 1,
      entryType: 'memory',
      title: 'Porto',
      content: 'We missed the last tram, and it was the best part.',
      createdAt: new Date().toISOString(),
    },
  });
  const reader = await context.newPage();
  await reader.goto(link);
  await reader.getByRole('button', { name: 'Open and read' }).click();
  await expect(reader.getByRole('article')).toContainText('the last tram');
  await picture(reader, 'link', await above(reader.getByRole('heading', { name: 'Porto' })));
});

/** What a page has fetched: addresses with their bytes on the wire. */
async function watchWire(page: Page): Promise<Map<string, number>> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  const addresses = new Map<string, string>();
  const wire = new Map<string, number>();
  client.on('Network.responseReceived', ({ requestId, response }) => {
    addresses.set(requestId, new URL(response.url).pathname);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    wire.set(addresses.get(requestId) ?? '', encodedDataLength);
  });
  return wire;
}

for (const [size, viewport] of Object.entries(SIZES))
  test(`${size}: nothing is fetched before it is wanted, and the pictures come when somebody is near`, async ({
    page,
    instance,
  }) => {
    await page.setViewportSize(viewport);
    const wire = await watchWire(page);
    await page.goto(instance.url, { waitUntil: 'networkidle' });
    const sum = (of: RegExp) =>
      [...wire].reduce((all, [path, bytes]) => (of.test(path) ? all + bytes : all), 0);
    expect(sum(/./)).toBeLessThanOrEqual(90_000);
    expect(sum(/\.js$/)).toBeLessThanOrEqual(20_000);
    for (const shown of await page.getByRole('main').getByRole('img').all()) {
      await shown.scrollIntoViewIfNeeded();
      await expect
        .poll(() => shown.evaluate((img) => (img as HTMLImageElement).naturalWidth))
        .toBe(SIZE.width * SCALE);
    }
    expect(sum(/\.webp$/)).toBeGreaterThan(0);
    // Also where a browser fetches what is still far away.
    expect(sum(/./)).toBeLessThanOrEqual(90_000);
  });

test('the example opens without an account, and sends nothing', async ({ page, instance }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.goto(instance.url);
  await page.getByRole('link', { name: /^Open an example first/ }).click();
  const open = page.getByRole('button', { name: 'Open the example' });
  await expect(open).toBeInViewport();
  await page.waitForLoadState('networkidle');
  await takePicture(page, 'landing-example-shut');
  expect(asked.filter((call) => call.endsWith('.js'))).toHaveLength(1);
  asked.length = 0;
  await open.click();
  await expect(page.getByRole('heading', { name: 'The bell under the lake' })).toBeFocused();
  await expect(page.getByRole('main')).toContainText('It still rings.');
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((call) => !/^GET \/assets\/[\w.-]+$/.test(call))).toEqual([]);
  await lookAt(page, 'landing-example');
});

test('on a phone it is read with a few turns of the thumb', async ({ page, instance }) => {
  await page.setViewportSize(SIZES.narrow);
  await page.goto(instance.url);
  // Parts far below the window are laid out when somebody comes near them.
  await page.evaluate(() => {
    for (const part of document.querySelectorAll<HTMLElement>('main > div'))
      part.style.contentVisibility = 'visible';
  });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThanOrEqual(4_240);
});
