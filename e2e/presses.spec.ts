// How many presses it takes to do what people come for, from anywhere (docs/interface.md). A press is a click or a touch, or a key
// that does what one would do; typing words is none. What the browser itself asks, as before it prints, is not counted.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { SIZES } from './pictures.ts';
import { pressEscape } from './rites.ts';
import { keyIn, postMemory } from './sealing.ts';

/** Presses, counted. */
class Hand {
  presses = 0;
  async press(control: Locator): Promise<void> {
    await control.click();
    this.presses += 1;
  }
}

const SCREENS = [
  '/',
  '/memory-vault',
  '/relationship-ledger/people',
  '/legacy-scroll',
  '/settings',
  '/book',
  '/whisper',
];

const head = (page: Page) => page.getByRole('navigation', { name: 'Chambers' });
const main = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });

for (const [size, viewport] of Object.entries(SIZES))
  test(`${size}: an entry is written from anywhere with two presses, and the way back leads there`, async ({
    page,
    instance,
  }) => {
    await page.setViewportSize(viewport);
    await enterAsMember(page, instance);
    for (const screen of SCREENS) {
      await page.goto(instance.url + screen);
      await expect(main(page)).toBeVisible();
      const hand = new Hand();
      await hand.press(head(page).getByRole('link', { name: 'Write' }));
      // The title has the focus; Enter, which is typed, leads on to the words.
      await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
      await page.keyboard.type(`Written from ${screen}`);
      await page.keyboard.press('Enter');
      await page.keyboard.type('We missed the last tram.');
      await hand.press(page.getByRole('button', { name: 'Seal Memory' }));
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(page).toHaveURL(instance.url + screen);
      expect(hand.presses, screen).toBe(2);
    }
    await page.goto(`${instance.url}/memory-vault`);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(SCREENS.length);
  });

for (const [size, viewport] of Object.entries(SIZES))
  test(`${size}: an entry is found and printed from anywhere with four presses`, async ({
    page,
    instance,
  }) => {
    await page.setViewportSize(viewport);
    await enterAsMember(page, instance, 'agnes', '/memory-vault');
    await postMemory(
      page,
      instance,
      await keyIn(page),
      'Porto',
      'We missed the last tram and it was the best part.',
    );
    await page.addInitScript(() => {
      let printed = 0;
      window.print = () => {
        printed += 1;
        document.documentElement.dataset.printed = String(printed);
      };
    });
    // Pages that visitors see as well stand outside of the vault, and search nothing of it.
    for (const screen of ['/', '/memory-vault', '/settings']) {
      await page.goto(instance.url + screen);
      await expect(main(page)).toBeVisible();
      const hand = new Hand();
      await hand.press(head(page).getByRole('button', { name: 'Search' }));
      await expect(page.getByRole('combobox', { name: 'Search or go to' })).toBeFocused();
      await page.keyboard.type('last tram');
      await hand.press(page.getByRole('option', { name: /Porto/ }));
      await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Print' }));
      await expect(page.locator('html')).toHaveAttribute('data-printed', '1');
      expect(hand.presses, screen).toBeLessThanOrEqual(4);
      await pressEscape(page);
      await expect(page).toHaveURL(instance.url + screen);
    }
  });

for (const [size, viewport] of Object.entries(SIZES))
  test(`${size}: a letter to two people is written, handed over and watched with eight presses`, async ({
    page,
    instance,
  }) => {
    await page.setViewportSize(viewport);
    await enterAsMember(page, instance);
    const hand = new Hand();
    const called = page.getByLabel('What you call them');
    await hand.press(head(page).getByRole('link', { name: 'Letters' }));
    await hand.press(page.getByRole('textbox', { name: 'Title' }));
    await page.keyboard.type('For later');
    await page.getByRole('textbox', { name: 'Letter' }).pressSequentially('The kettle is yours.');
    await called.pressSequentially('Mira');
    await hand.press(page.getByRole('button', { name: 'Add a recipient' }));
    await expect(called.last()).toBeFocused();
    await page.keyboard.type('Theo');
    await hand.press(page.getByLabel('Days without activity'));
    await page.keyboard.type('90');
    await hand.press(page.getByRole('button', { name: 'Seal the letter' }));
    const card = page.getByRole('dialog', { name: 'The key card for Mira' });
    await hand.press(card.getByRole('button', { name: 'I have handed them over' }));
    const watch = page.getByRole('dialog', { name: 'Activate Watch' });
    await watch.getByLabel('Warnings').selectOption('dashboard');
    hand.presses += 1;
    await hand.press(watch.getByRole('button', { name: 'Activate Watch' }));
    await expect(page.getByRole('article')).toContainText('Watching');
    await expect(page.getByRole('article')).toContainText('Mira');
    expect(hand.presses).toBe(8);
  });

test('the bar of a phone hides nothing of a page’s foot, and a toast stands above it', async ({
  page,
  instance,
}) => {
  await page.setViewportSize(SIZES.narrow);
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const key = await keyIn(page);
  for (let i = 0; i < 12; i += 1) await postMemory(page, instance, key, `Memory ${i}`, 'Of a long summer.');
  await page.reload();
  const bar = page.locator('[data-bar]');
  const top = async () => (await bar.boundingBox())?.y ?? 0;
  for (const screen of SCREENS) {
    await page.goto(instance.url + screen);
    await expect(main(page)).toBeVisible();
    // What is still being fetched makes the page longer.
    const overlap = async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      const box = await page.locator('main').boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0) - (await top());
    };
    await expect.poll(overlap, { message: screen }).toBeLessThanOrEqual(1);
    for (const place of await bar.locator('a, button').all()) {
      const { width = 0, height = 0 } = (await place.boundingBox()) ?? {};
      expect(Math.min(width, height), screen).toBeGreaterThanOrEqual(44);
    }
  }
  // The last row is reached by keyboard, and seen.
  await page.goto(`${instance.url}/memory-vault`);
  const last = page.getByRole('button', { name: 'Delete Memory 0' });
  await last.focus();
  const { y = 0, height = 0 } = (await last.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(await top());
  // A dialog lies over the bar.
  await page.getByRole('button', { name: 'New Memory' }).click();
  const seal = page.getByRole('button', { name: 'Seal Memory' });
  await expect(page.getByRole('dialog')).toBeVisible();
  const above = await seal.evaluate((button) => {
    const { bottom, left, width } = button.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, window.innerHeight - 4);
    return { bottom, isCovered: at?.closest('[data-bar]') === null };
  });
  expect(above.isCovered).toBe(true);
  await seal.click();
  const toast = page.locator('[data-toasts] li');
  await expect(toast).toBeVisible();
  await toast.hover();
  const told = await toast.boundingBox();
  expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThanOrEqual(await top());
});

test('a phone’s home indicator has its own room beneath the bar and the buttons of a form', async ({
  page,
  instance,
}) => {
  await page.setViewportSize(SIZES.narrow);
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const client = await page.context().newCDPSession(page);
  const before = await page.locator('[data-bar] a').first().boundingBox();
  await client.send(
    'Emulation.setSafeAreaInsetsOverride' as never,
    { insets: { bottom: 34, bottomMax: 34 } } as never,
  );
  await expect
    .poll(async () => ((await page.locator('[data-bar] a').first().boundingBox())?.y ?? 0) - (before?.y ?? 0))
    .toBe(-34);
  await page.getByRole('button', { name: 'New Memory' }).click();
  const seal = page.getByRole('button', { name: 'Seal Memory' });
  await expect(seal).toBeVisible();
  const { y = 0, height = 0 } = (await seal.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(SIZES.narrow.height - 34);
});
