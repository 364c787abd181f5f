// The whole way by keyboard alone: no pointer is used in this file.
import type { Page } from '@playwright/test';
import { addAuthenticator, expect, test } from './instance.ts';
import { ANSWERS, pressEscape } from './rites.ts';

/** Tabs until something of this role and name has the focus; fails after a while. */
async function tabTo(
  page: Page,
  role: 'button' | 'link' | 'textbox' | 'combobox',
  name: string | RegExp,
): Promise<void> {
  const target = page.getByRole(role, { name }).first();
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${name}`);
}

async function press(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  await tabTo(page, role, name);
  await page.keyboard.press('Enter');
}

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('from the threshold to a sealed memory, read and closed, without a pointer', async ({
  page,
  instance,
  quiet,
}) => {
  await addAuthenticator(page);
  await page.goto(instance.url);
  await press(page, 'link', 'Begin the Ritual');
  await press(page, 'button', 'Begin with a passkey');
  for (const [i, answer] of ANSWERS.entries()) {
    await tabTo(
      page,
      'textbox',
      ['What are you hiding?', 'Who do you trust?', 'What would you burn to keep it safe?'][i] ?? '',
    );
    await page.keyboard.type(answer);
    await press(page, 'button', i < 2 ? 'Continue' : 'Enter the Vault');
  }
  await press(page, 'link', /Memory Vault/);
  await press(page, 'button', 'New Memory');
  // The dialog takes the focus, keeps it, and gives it back.
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Every letter.');
  await tabTo(page, 'combobox', 'Time lock');
  await page.keyboard.type('No');
  await press(page, 'button', 'Seal Memory');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'New Memory' })).toBeFocused();

  await press(page, 'button', /By keyboard/);
  await expect(page.getByRole('dialog')).toContainText('Every letter.');
  await pressEscape(page);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: /By keyboard/ }).first()).toBeFocused();

  // F8 leads to what the server has just said, and Escape back.
  await press(page, 'button', 'New Memory');
  await press(page, 'button', 'Seal Memory');
  await expect(page.getByText('Incomplete Memory', { exact: true })).toBeVisible();
  await page.keyboard.press('F8');
  await expect(page.getByRole('region', { name: /Notifications/ }).locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByText('Incomplete Memory', { exact: true })).toBeHidden();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');

  await press(page, 'link', 'Leave');
  await press(page, 'button', 'Leave');
  await expect(page.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
  expect(quiet.said).toEqual([]);
});

test('the first Tab offers to skip the navigation', async ({ page, instance }) => {
  await page.goto(instance.url);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
});
