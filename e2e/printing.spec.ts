// What a printer gets: every word of what is read, without buttons, over as many pages as it takes; and a book of a list.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { findPdfToText } from '../scripts/find-programs.mjs';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { takePicture } from './pictures.ts';
import { sealMemory } from './rites.ts';

const pdfToText = findPdfToText();
test.skip(pdfToText === null, 'pdftotext is not installed');

/** Words that each stand once in a text, so that none can be lost unseen. */
const numbered = (count: number, sign: string) =>
  Array.from({ length: count }, (_, i) => `${sign}${i}${i % 90 === 89 ? '.\n\n' : ''}`).join(' ');

/** The pages of what is printed now, as a program of others reads them. */
async function printedPages(page: Page, name: string): Promise<string[]> {
  mkdirSync('test-results/pictures', { recursive: true });
  const path = `test-results/pictures/${name}.pdf`;
  await page.pdf({ format: 'A4', path, preferCSSPageSize: true });
  const { stdout } = spawnSync(pdfToText ?? '', ['-layout', path, '-'], { encoding: 'utf8' });
  return stdout.split('\f').filter((text) => text.trim() !== '');
}

const wordsIn = (pages: readonly string[]) => new Set(pages.join(' ').split(/\s+/));

test('a memory of 5,000 words is printed whole, with its title and page numbers, and without a button', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const text = numbered(5000, 'word');
  // A drop capital stands apart from the rest of its word.
  await sealMemory(page, 'The long orchard', `Once ${text}`);
  await page
    .getByRole('button', { name: /The long orchard/ })
    .first()
    .click();
  const reader = page.getByRole('dialog', { name: 'The long orchard' });
  await expect(reader.getByText('word4999')).toBeVisible();
  await expect(reader.getByRole('button', { name: 'Print' })).toBeVisible();
  const pages = await printedPages(page, 'printed-memory');
  expect(pages.length).toBeGreaterThan(5);
  const words = wordsIn(pages);
  const lost = text.split(/\s+/).filter((word) => word !== '' && !words.has(word));
  expect(lost).toEqual([]);
  expect(pages[0]).toContain('The long orchard');
  for (const [i, printed] of pages.entries())
    expect(printed.trimEnd().split('\n').at(-1)?.trim()).toBe(String(i + 1));
  for (const control of ['Edit', 'Delete', 'Share', 'Copy text', 'Print', 'Close', 'New Memory'])
    expect(words.has(control)).toBe(false);
});

test('a list is printed as a book: a title page, contents, and every entry whole', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  await sealMemory(page, 'The orchard', `Ladders, **many** of them.\n\n${numbered(600, 'ladder')}`);
  await sealMemory(page, 'The ferry', `Once ${numbered(300, 'ferry')}`);
  // The printer of a test is the PDF that it makes, while the browser believes it is still being asked.
  await page.evaluate(() => {
    window.print = () => {};
  });
  await page.getByRole('button', { name: 'Print' }).click();
  const dialog = page.getByRole('dialog', { name: 'Print' });
  await expect(dialog.getByLabel('What to print')).toHaveValue('shown');
  await takePicture(page, 'wide-print-dialog');
  await dialog.getByRole('button', { name: 'Print 2 entries' }).click();
  await expect(page.locator('[data-book]')).toBeAttached();
  const pages = await printedPages(page, 'printed-book');
  expect(pages[0]).toContain('Memory Vault');
  expect(pages[0]).toContain('2 entries');
  expect(pages[1]).toContain('Contents');
  expect(pages[1]).toContain('1. The orchard');
  expect(pages[1]).toContain('2. The ferry');
  const words = wordsIn(pages);
  for (let i = 0; i < 600; i += 1) expect(words.has(`ladder${i}`) || words.has(`ladder${i}.`)).toBe(true);
  for (let i = 0; i < 300; i += 1) expect(words.has(`ferry${i}`) || words.has(`ferry${i}.`)).toBe(true);
  expect(words.has('**many**')).toBe(false);
  expect(words.has('Close')).toBe(false);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.locator('[data-book]')).toHaveCount(0);
});
