// The page of the kit, as `npm run dev` serves it: every piece stands there, nothing is wrong with any.
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { createServer, type ViteDevServer } from 'vite';
import { axeFindings } from './axe.ts';
import { expect, test } from './instance.ts';
import { takePicture } from './pictures.ts';

// One server, in one worker: what it makes of the sources is made once.
test.describe.configure({ mode: 'default' });

let vite: ViteDevServer;

test.beforeAll(async () => {
  vite = await createServer({
    configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
    logLevel: 'error',
    server: { port: 0, strictPort: false },
  });
  await vite.listen();
});
test.afterAll(() => vite.close());
// The app asks who is here before it knows which screen is wanted, and no server stands behind this one.
test.beforeEach(({ quiet }) => quiet.expect(/status of 502/));

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Vite makes each file ready when it is first asked for, and what they share before all others: on a busy machine that takes a while. */
async function openKit(page: Page): Promise<void> {
  test.slow();
  await page.goto(`${vite.resolvedUrls?.local[0]}kit`);
  await expect(page.getByRole('heading', { name: 'The kit' })).toBeVisible({ timeout: 60_000 });
}

test('the kit shows every piece, and axe finds nothing', async ({ page, quiet }) => {
  await openKit(page);
  for (const piece of ['Signs', 'Buttons', 'Badges', 'Fields', 'Layers', 'Waiting', 'Rooms']) {
    await expect(page.getByRole('heading', { name: new RegExp(piece, 'i') }).first()).toBeVisible();
  }
  await takePicture(page, 'wide-kit-whole', { fullPage: true });
  const violations = await axeFindings(page);
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  expect(quiet.said).toEqual([]);
});

test('a toast leaves by itself after five seconds, one at a time, and by a swipe of fifty pixels', async ({
  page,
}) => {
  await page.clock.install();
  await openKit(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  const region = page.getByRole('region', { name: /Notifications/ });
  const speak = page.getByRole('button', { name: /toast/i }).first();
  await speak.click();
  await expect(region.getByRole('listitem')).toHaveCount(1);
  expect((await region.getByRole('listitem').boundingBox())?.width).toBeLessThanOrEqual(420);
  await speak.click();
  await expect(region.getByRole('listitem')).toHaveCount(1);
  await page.mouse.move(10, 10);
  await page.clock.runFor(5_200);
  await expect(region.getByRole('listitem')).toHaveCount(0);

  await speak.click();
  const box = await region.getByRole('listitem').boundingBox();
  if (!box) throw new Error('there is no toast to swipe');
  const swipe = async (distance: number) => {
    await page.mouse.move(box.x + 60, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 60 + distance, box.y + box.height / 2, { steps: 8 });
    await page.mouse.up();
  };
  await swipe(40);
  await expect(region.getByRole('listitem')).toHaveCount(1);
  await swipe(70);
  await page.clock.runFor(400);
  await expect(region.getByRole('listitem')).toHaveCount(0);
});

test('a tooltip comes after 700 milliseconds of rest, and on focus at once', async ({ page }) => {
  await page.clock.install();
  await page.goto(`${vite.resolvedUrls?.local[0]}kit`);
  const button = page.getByRole('button', { name: 'A tooltip', exact: true });
  await button.scrollIntoViewIfNeeded();
  await page.clock.pauseAt(Date.now() + 60_000);
  await button.hover();
  await page.clock.runFor(600);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await page.clock.runFor(200);
  await expect(page.getByRole('tooltip')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
});
