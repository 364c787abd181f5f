// The rite of another key, as steps that tests are told in.
import type { Page } from '@playwright/test';
import { expect } from './instance.ts';
import { expectToast, proveWords } from './rites.ts';

export const dialogNamed = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Opens the settings from the navigation. */
export async function openSettings(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sacred Settings', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Sacred Settings', level: 1 })).toBeVisible();
}

/** From the settings to the step in which a recovery method is proved. */
export async function beginResealing(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Regenerate', exact: true }).click();
  await page.getByRole('button', { name: 'Re-seal everything' }).click();
  await dialogNamed(page, 'What was found').getByRole('button', { name: 'Go on' }).click();
}

/** Proves a passkey for the new key. */
export async function touchPasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Touch it' }).click();
  await expect(page.getByText('Confirmed for the new key.')).toBeVisible();
}

/** Writes the new words down and answers for three of them, so that this many ways are proved. Returns all. */
export async function writeNewWords(page: Page, ways = 1): Promise<string[]> {
  const words = await proveWords(page, 'The new twenty-four words');
  await expect(page.getByText('Confirmed for the new key.')).toHaveCount(ways);
  return words;
}

/** Presses the button that changes the key, and waits until it has changed. */
export async function changeKey(page: Page, words?: string): Promise<void> {
  await page.getByRole('button', { name: 'Change the key' }).click();
  await expectToast(page, 'Encryption Key Regenerated', words);
  await expect(page.getByRole('dialog')).toBeHidden();
}
