// What people do here, as steps that tests are told in.
import type { Locator, Page } from '@playwright/test';
import { addAuthenticator, expect, type TestInstance } from './instance.ts';

export const ANSWERS = ['A bell under a lake', 'My sister', 'The house, not the letters'];

/** Through the first door by passkey, up to the first question. */
export async function beginByPasskey(page: Page, instance: Pick<TestInstance, 'url'>): Promise<void> {
  await addAuthenticator(page);
  await page.goto(instance.url);
  await page.getByRole('link', { name: 'Begin the Ritual' }).first().click();
  await page.getByRole('button', { name: 'Begin with a passkey' }).click();
}

/** Through the first door by a name and a passphrase, up to the first question. */
export async function beginByPassphrase(
  page: Page,
  instance: TestInstance,
  name: string,
  passphrase: string,
): Promise<void> {
  await page.goto(`${instance.url}/enter`);
  await page.getByRole('button', { name: 'First time here' }).click();
  await page.getByRole('button', { name: 'Begin with a name and a passphrase' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await page.getByLabel('Repeat passphrase').fill(passphrase);
  await page.getByRole('button', { name: 'Make the vault' }).click();
}

/** Says, once somebody has come in where nobody has said so before, that others use this device. */
export const answerDevice = (page: Page) => page.getByRole('button', { name: 'Others use it' }).click();

/** Answers the three questions and arrives at the chambers. */
export async function answerQuestions(page: Page, answers = ANSWERS): Promise<void> {
  const [first = '', second = '', third = ''] = answers;
  await page.getByLabel('What are you hiding?').fill(first);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Who do you trust?').fill(second);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('What would you burn to keep it safe?').fill(third);
  await page.getByRole('button', { name: 'Enter the Vault' }).click();
  // Side by side: a toast leaves after five seconds, whether or not the page behind it has arrived.
  await Promise.all([
    expectToast(page, 'Welcome to Your Latebra', 'Your sacred vault has been prepared.'),
    expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible(),
  ]);
}

/** Adds a passkey that signs in and opens the vault, in the settings. */
export async function addPasskey(page: Page): Promise<void> {
  await addAuthenticator(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make a passkey' }).click();
  await expectToast(page, 'Passkey added');
}

/** Seals a memory in the vault's page, with one of the lock options by its label. */
export async function sealMemory(
  page: Page,
  title: string,
  content: string,
  lock?: string,
  tags?: string,
): Promise<void> {
  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('textbox', { name: 'Memory' }).fill(content);
  if (lock) await page.getByLabel('Time lock').selectOption({ label: lock });
  if (tags) await page.getByRole('textbox', { name: 'Tags' }).fill(tags);
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: title }).first()).toBeVisible();
}

/** Opens the Memory Vault from the dashboard. */
export async function openMemoryVault(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('link', { name: /Memory Vault/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Memory Vault', level: 1 })).toBeVisible();
}

/** Writes the words of a dialog down and answers for three of them. Returns all twenty-four. */
export async function proveWords(page: Page, of = 'The twenty-four words'): Promise<string[]> {
  await page.getByRole('button', { name: 'Write them down' }).click();
  const dialog = page.getByRole('dialog', { name: of });
  await expect(dialog.getByRole('listitem')).toHaveCount(24);
  const words = (await dialog.getByRole('listitem').allTextContents()).map((text) =>
    text.replace(/^\d+/, '').trim(),
  );
  await dialog.getByRole('button', { name: 'I have written them down' }).click();
  for (const field of await dialog.getByRole('textbox').all()) {
    const label = await field.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent ?? '');
    await field.fill(words[Number(/\d+/.exec(label)?.[0]) - 1] ?? '');
  }
  await dialog.getByRole('button', { name: 'Prove it' }).click();
  return words;
}

/** As `proveWords`, until the server has noted it. */
export async function keepWords(page: Page): Promise<string[]> {
  const words = await proveWords(page);
  await expect(page.getByRole('dialog')).toBeHidden();
  return words;
}

/** Expects a toast with this title and, if given, these words beneath it. */
export async function expectToast(page: Page, title: string, words?: string | RegExp): Promise<void> {
  const toast = page.getByRole('region', { name: /Notifications/ });
  await expect(toast.getByText(title, { exact: true })).toBeVisible();
  if (words) await expect(toast).toContainText(words);
}

/** Puts a toast away that would stand in the picture; by itself it leaves after five seconds. */
export async function dismissToast(page: Page): Promise<void> {
  const dismiss = page
    .getByRole('region', { name: /Notifications/ })
    .getByRole('button', { name: 'Dismiss' });
  // On a busy machine it may have left before it is pressed.
  await dismiss
    .first()
    .click({ timeout: 6000 })
    .catch(() => {});
  await expect(dismiss).toHaveCount(0);
}

/** Opens a memory from the list, finds these words in it, and closes it. */
export async function readMemory(page: Page, title: string, words: string[]): Promise<void> {
  await page.getByRole('button', { name: title }).first().click();
  const reader = page.getByRole('dialog');
  for (const part of words) await expect(reader).toContainText(part);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(reader).toBeHidden();
}

/** Leaves a browser as if it had never been here; its authenticator stays. */
export async function forgetEverything(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies();
}

/** The row of the Memory Vault that shows this title. */
export function rowOf(page: Page, title: string): Locator {
  return page.getByRole('main').getByRole('listitem').filter({ hasText: title });
}

/** Presses Esc once a dialog has the focus: until it has, the key goes to the page behind it. */
export async function pressEscape(page: Page): Promise<void> {
  const focused = page.locator('[role="dialog"]:focus-within, [role="alertdialog"]:focus-within');
  await expect(focused).not.toHaveCount(0);
  await page.keyboard.press('Escape');
}
