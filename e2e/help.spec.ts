// The guide and the page on privacy, which everybody reads without a script; and the guide's pictures, which are of real
// screens (kept-pictures.ts).
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, type TestInstance, test } from './instance.ts';
import { keepPicture } from './kept-pictures.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { keepWords, pressEscape, sealMemory } from './rites.ts';

const picture = (page: Page, name: string) =>
  keepPicture(page, `help/pictures/${name}`, { quality: 72, most: 60_000 });

const entries = [
  ['The first school', 'Ladders in the trees behind it, and a radio on the wall.'],
  ['Porto', 'We missed the last tram, and it was the best part.'],
  ['For the day you are eighteen', 'You are four, and you have just put my glasses into the soup.', '1 year'],
  ['The kettle on the second floor', 'She laughed before I had finished, and the whole landing heard it.'],
] as const;

/** Scrolls so that something stands at the window's top. */
const beginAt = (place: Locator) =>
  place.evaluate((element) => window.scrollTo(0, element.getBoundingClientRect().top + window.scrollY - 24));

async function fillVault(page: Page, { url }: Pick<TestInstance, 'url'>): Promise<void> {
  await page.goto(`${url}/memory-vault`);
  for (const [title, text, lock] of entries) {
    if (lock === undefined) {
      await sealMemory(page, title, text);
      continue;
    }
    await page.getByRole('button', { name: 'New Memory' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
    await page.getByRole('textbox', { name: 'Memory' }).fill(text);
    await page.getByLabel('Time lock').selectOption({ label: lock });
    await page.getByRole('button', { name: 'Seal Memory' }).click();
    await page.getByRole('button', { name: 'Lock it' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  }
}

test('the pictures of the guide are of screens as they are', async ({ browser, instance }) => {
  const context = await browser.newContext({
    viewport: { width: 800, height: 780 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await enterAsMember(page, instance, 'agnes', '/administration');
  await page.getByLabel('Set-up token').fill(instance.setupToken ?? '');
  await page.getByRole('button', { name: 'Become administrator' }).click();
  await page.getByLabel(/^Whom it is for/).fill('Aunt Ines');
  await page.getByRole('button', { name: 'Make an invitation' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await picture(page, 'family');
  await pressEscape(page);

  await fillVault(page, instance);
  await expect(page.getByRole('listitem').filter({ hasText: 'eighteen' })).toBeVisible();
  await page
    .getByRole('button', { name: /kettle/ })
    .first()
    .scrollIntoViewIfNeeded();
  await picture(page, 'lock');

  await page.goto(`${instance.url}/memory-vault/new`);
  await page.getByRole('textbox', { name: 'Title' }).fill('The bell under the lake');
  await page
    .getByRole('textbox', { name: 'Memory' })
    .fill(
      'My grandmother kept bees behind the old rectory. Every morning she spoke to the hives before she spoke to anyone else.',
    );
  await picture(page, 'write');
  await pressEscape(page);

  await page.goto(`${instance.url}/sacred-keys/new`);
  const key = page.getByRole('dialog');
  await key.getByLabel('Content type').selectOption({ label: 'Memory' });
  await key.getByLabel('Specific entry').selectOption({ index: 1 });
  await key.getByRole('button', { name: /^Create/ }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await picture(page, 'share');

  await page.goto(`${instance.url}/legacy-scroll/new`);
  await page.getByLabel('Title').fill('For Theo, on your eighteenth birthday');
  await page
    .getByRole('textbox', { name: 'Letter' })
    .fill(
      'You are four, and you have just put my glasses into the soup. I would not have missed a day of it.',
    );
  await beginAt(page.getByRole('heading', { name: 'A new letter' }));
  await picture(page, 'letters');

  await page.goto(`${instance.url}/settings/recovery`);
  await keepWords(page);
  await beginAt(page.getByRole('heading', { name: 'Recovery: ways back' }));
  await picture(page, 'recovery');

  const phone = await browser.newContext({
    storageState: await context.storageState(),
    viewport: { width: 390, height: 640 },
    reducedMotion: 'reduce',
  });
  const small = await phone.newPage();
  await small.goto(`${instance.url}/memory-vault`);
  await expect(small.getByText('We missed the last tram')).toBeAttached();
  await picture(small, 'phone');
});

test.describe('everybody reads, without a script,', () => {
  test.use({ javaScriptEnabled: false });

  for (const [path, title] of [
    ['/help', 'Help'],
    ['/privacy', 'Privacy'],
  ] as const) {
    test(`the page at ${path}`, async ({ page, instance }) => {
      await page.goto(instance.url + path);
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
      for (const link of await page.getByRole('navigation', { name: 'The guide' }).getByRole('link').all()) {
        const to = (await link.getAttribute('href')) ?? '';
        await expect(page.locator(to).getByRole('heading')).toHaveText((await link.textContent()) ?? '');
      }
    });
  }
});

test('the guide is found by the palette, shows its pictures, and axe finds nothing in it', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or go to' }).fill('password');
  const opened = page.context().waitForEvent('page');
  await page.getByRole('option', { name: 'Coming back to your vault' }).click();
  const guide = await opened;
  await expect(guide).toHaveURL(/\/help#recovery$/);
  await expect(guide.getByRole('heading', { name: 'Coming back to your vault' })).toBeInViewport();
  for (const shown of await guide.getByRole('img').all()) {
    await shown.scrollIntoViewIfNeeded();
    await expect
      .poll(() => shown.evaluate((img) => (img as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(300);
  }
  await lookAt(guide, 'help', { fullPage: true });
  await guide.goto(`${instance.url}/privacy`);
  await lookAt(guide, 'privacy', { fullPage: true });
  expect(await axeFindings(guide)).toEqual([]);
});
