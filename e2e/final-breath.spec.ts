// The Final Breath as only a browser shows it: one journey by keyboard, through a reload and an attempt to leave, with its
// look; and two tabs. What it does with drafts, errors, leases and keys is told in
// src/web/chambers/final-breath/page.test.tsx.
import type { Page } from '@playwright/test';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { dismissToast, expectToast, pressEscape } from './rites.ts';

const MINUTE = 60 * 1000;
const WORDS = [
  'If you are reading this, then I have let it go at last.',
  'I was never angry about the boat. I was afraid, and it looked the same from where you stood. The key is under the third stone, and everything in the blue box is yours.',
  'Forgive me the winter. Keep the bees.',
];

const field = (page: Page) => page.getByRole('textbox', { name: 'Your final breath' });
const button = (page: Page, name: string) => page.getByRole('button', { name });
const article = (page: Page) => page.getByRole('article');

/** Loses the answer to the next release, which arrives. What the page asks for at once must not meet the end of a route. */
async function loseRelease(page: Page): Promise<void> {
  let isLost = false;
  await page.route('**/api/final-breath/read', async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    expect((await route.fetch()).status()).toBe(200);
    await route.abort('connectionreset');
  });
}

const breathOf = async (page: Page, instance: TestInstance) =>
  (await page.request.get(`${instance.url}/api/final-breath`)).json();

test.beforeEach(({ page, instance }) => enterAsMember(page, instance, 'agnes', '/final-breath'));

test('by keyboard alone it is written, sealed, released through a reload, held on to, and silenced', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_RESET/);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await lookAt(page, 'breath-none');
  await button(page, 'Begin the Final Rite').focus();
  await press('Enter');
  await expect(field(page)).toBeFocused();
  await lookAt(page, 'breath-writing');
  await page.keyboard.insertText(WORDS.join('\n\n'));
  await expect(button(page, 'Seal Final Breath')).toBeEnabled();
  // Past the link to what is for others.
  await press('Tab', 'Tab');
  await expect(button(page, 'Seal Final Breath')).toBeFocused();
  await press('Enter');
  await expectToast(page, 'Final Breath Sealed');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await dismissToast(page);
  await lookAt(page, 'breath-sealed');

  await button(page, 'Delete it unread').focus();
  await press('Enter');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await lookAt(page, 'breath-burn-question');
  await pressEscape(page);
  await expect(button(page, 'Delete it unread')).toBeFocused();
  await loseRelease(page);
  await press('Shift+Tab', 'Enter');
  await expect(button(page, 'Not yet')).toBeFocused();
  await lookAt(page, 'breath-release-question');
  await press('Tab', 'Enter');
  await expectToast(page, 'Failed to Release', 'The server could not be reached.');
  await expect(page.getByRole('heading', { name: 'Released, and not yet read' })).toBeFocused();
  await dismissToast(page);
  await lookAt(page, 'breath-awaiting');

  // What lets this tab ask again outlives the page, and the tab has ten minutes.
  instance.advance(9 * MINUTE);
  await page.reload();
  await button(page, 'Show its words').focus();
  await press('Enter');
  await expect(article(page)).toContainText('Keep the bees.');
  await expect(article(page)).toContainText('Erased from this server');
  await expect(page.getByRole('heading', { name: 'Your final breath' })).toBeFocused();
  await press('Tab');
  await expect(button(page, 'Silence')).toBeFocused();
  expect(await breathOf(page, instance)).toBeNull();

  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await dismissToast(page);
  await lookAt(page, 'breath-released');

  await button(page, 'Silence').focus();
  await press('Enter');
  await expect(page.getByRole('heading', { name: 'Final Breath' })).toBeFocused();
  await press('Tab', 'Tab');
  await expect(button(page, 'Begin the Final Rite')).toBeFocused();
  // Nothing asks any more.
  await page.reload();
  await expect(button(page, 'Begin the Final Rite')).toBeVisible();
});

test('of two tabs one seals and one has the words, and the other is told', async ({
  page,
  context,
  instance,
  quiet,
}) => {
  quiet.expect(/status of (409|410)|ERR_CONNECTION_RESET/);
  const second = await context.newPage();
  await second.goto(`${instance.url}/final-breath`);
  for (const [tab, words] of [
    [page, 'The one.'],
    [second, 'The other one.'],
  ] as const) {
    await button(tab, 'Begin the Final Rite').click();
    await field(tab).fill(words);
  }
  await button(page, 'Seal Final Breath').click();
  await expectToast(page, 'Final Breath Sealed');
  await button(second, 'Seal Final Breath').click();
  await expectToast(second, 'Failed to Seal Final Breath', 'A final breath is sealed already.');

  await button(second, 'Release Final Breath').click();
  await expect(second.getByRole('alertdialog')).toBeVisible();
  // The first one's words are on their way while the second asks.
  await loseRelease(page);
  await button(page, 'Release Final Breath').click();
  await button(page, 'Release it').click();
  await expectToast(page, 'Failed to Release');
  await button(second, 'Release it').click();
  await expectToast(second, 'Failed to Release', 'This breath was released before. It is gone.');
  await expect(second.getByRole('heading', { name: 'It was released before' })).toBeVisible();
  await button(page, 'Show its words').click();
  await expect(article(page)).toContainText('The one.');
  await expect(article(page)).toContainText('Erased from this server');
  await button(second, 'Look again').click();
  await expect(field(second)).toHaveValue('The other one.');
});
