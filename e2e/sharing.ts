// Steps around one-time links: leaving words for somebody without the owner's screens, and opening them elsewhere.
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { type LeftWords, leaveWords as leaveWordsBy } from '../src/web/testing/one-time-links.ts';
import { type ConsoleWatch, expect, type TestInstance } from './instance.ts';
import { callsOf } from './member.ts';

export { WORDS } from '../src/web/testing/one-time-links.ts';

/** Leaves words under a one-time link, as the account that a page is signed in to. */
export const leaveWords = (
  owner: Page,
  instance: Pick<TestInstance, 'url'>,
  options?: Parameters<typeof leaveWordsBy>[1],
): Promise<LeftWords> => leaveWordsBy(callsOf(owner, instance), options);

/** A page of somebody who has never been here, on another device; its console is watched as well. */
export async function stranger(
  browser: Browser,
  quiet: ConsoleWatch,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  quiet.watch(context);
  return context.newPage();
}

/** Presses, and finds these words. */
export async function breakSeal(page: Page, words: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Open and read' }).click();
  for (const part of words) await expect(page.getByRole('article')).toContainText(part);
}
