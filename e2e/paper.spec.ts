// Paper, on paper: what a printer gets, read by the words of others, and scanned back by the app in a browser.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { Page, TestInfo } from '@playwright/test';
import { findPdfToText } from '../scripts/find-programs.mjs';
import { axeFindings } from './axe.ts';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { takePicture } from './pictures.ts';
import { keyIn, memoryRows, openRow, postMemory } from './sealing.ts';

const pdfToText = findPdfToText();
test.skip(pdfToText === null, 'poppler is not installed');

const run = (command: string, args: readonly string[]) => spawnSync(command, args, { encoding: 'utf8' });

/** Words that each stand once in a text. */
const numbered = (count: number, sign: string) =>
  Array.from({ length: count }, (_, i) => `${sign}${i}${i % 60 === 59 ? '.\n\n' : ''}`).join(' ');

/** What is printed now, as a PDF; its pages as words, and as a scanner of 150 dots to an inch gives them. */
async function printed(page: Page, testInfo: TestInfo, format: 'A4' | 'Letter') {
  const path = testInfo.outputPath(`${format}.pdf`);
  await page.pdf({ format, path, preferCSSPageSize: true });
  const words = run('pdftotext', ['-layout', path, '-'])
    .stdout.split('\f')
    .filter((text) => text.trim() !== '');
  const scans = testInfo.outputPath(format);
  run('pdftoppm', ['-r', '150', '-png', '-gray', path, scans]);
  const folder = testInfo.outputPath('.');
  const pictures = readdirSync(folder)
    .filter((name) => name.startsWith(`${format}-`) && name.endsWith('.png'))
    .sort()
    .map((name) => `${folder}/${name}`);
  return { words, pictures };
}

test('sheets are printed within A4 and Letter, and any of them that are enough are scanned back', async ({
  page,
  instance,
}, testInfo) => {
  test.setTimeout(240_000);
  await enterAsMember(page, instance, 'agnes', '/settings/data');
  const key = await keyIn(page);
  const texts = new Map(
    ['orchard', 'ferry', 'bell'].map((word) => [`The ${word}`, `Once ${numbered(700, word)} — déjà 🜏`]),
  );
  for (const [title, text] of texts) await postMemory(page, instance, key, title, text);
  await page.evaluate(() => {
    window.print = () => {};
  });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('dialog', { name: 'Export' }).getByLabel('Form').selectOption('paper');
  await page.getByRole('button', { name: 'Choose entries' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paper' });
  await dialog.getByLabel('Which entries').selectOption('kind memory');
  const button = dialog.getByRole('button', { name: /^Print \d+ sheets$/ });
  await expect(button).toBeEnabled();
  const count = Number(/\d+/.exec((await button.textContent()) ?? '')?.[0]);
  expect((await axeFindings(page)).map(({ id }) => id)).toEqual([]);
  await takePicture(page, 'wide-paper-dialog');
  let pictures: string[] = [];
  // Nothing flows over, whatever the printer measures. The fonts of this machine have no 🜏.
  for (const format of ['Letter', 'A4'] as const) {
    await button.click();
    await expect(page.locator('[data-paper]')).toBeAttached();
    const sheets = await printed(page, testInfo, format);
    expect(sheets.words).toHaveLength(count);
    for (const [at, text] of sheets.words.entries())
      expect(text).toContain(`Sheet ${at + 1} of ${count}, of the vault paper of`);
    const all = new Set(sheets.words.join(' ').split(/\s+/));
    for (const text of texts.values())
      expect(text.split(/\s+/).filter((word) => word !== '🜏' && !all.has(word))).toEqual([]);
    expect(sheets.words.at(-1)).toContain('sys.stdout.buffer.write(zlib.decompress(packed, -15))');
    pictures = sheets.pictures;
    // Some browsers say by themselves that they have printed.
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(page.locator('[data-paper]')).toHaveCount(0);
  }
  expect(pictures).toHaveLength(count);

  await page.goto(`${instance.url}/imports`);
  const paper = page.getByRole('region', { name: 'From paper' });
  const photographs = paper.getByLabel('Photographs of paper');
  const lost = Math.floor(0.3 * (count - 1));
  await photographs.setInputFiles(pictures.slice(lost, lost + 1));
  await expect(paper.getByText(/more codes? (?:is|are) needed/)).toBeVisible();
  await takePicture(page, 'wide-paper-read');
  await photographs.setInputFiles(pictures.slice(lost + 1));
  await expect(paper.getByText('that is enough')).toBeVisible({ timeout: 120_000 });
  expect((await axeFindings(page)).map(({ id }) => id)).toEqual([]);
  await paper.getByRole('button', { name: 'See what it says' }).click();
  await page.getByRole('button', { name: 'Import 3 memories' }).click();
  await expect(page.getByRole('heading', { name: 'Imported', exact: true })).toBeVisible();
  const rows = await Promise.all((await memoryRows(page, instance)).map((row) => openRow(row, key)));
  for (const [title, text] of texts)
    expect(rows.filter((row) => row[0] === title).map((row) => row[1])).toEqual([text, text]);
});
