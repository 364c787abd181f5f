// Guardians as a whole journey in real browsers: a kit is made and printed, two of its three sheets ask for the vault, the wait
// passes, and its words open it. What stops a wait is told in src/server/deadman/routes/guardian-kits/.
import { spawnSync } from 'node:child_process';
import type { Browser, Page } from '@playwright/test';
import { findPdfToText } from '../scripts/find-programs.mjs';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { answerDevice } from './rites.ts';

const pdfToText = findPdfToText();
const DAY = 24 * 60 * 60 * 1000;
const GUARDIANS = ['Imre', 'Ada', 'Noor'];

/** Makes a kit in the settings; answers the dialog from which its sheets are printed. */
async function makeSheets(page: Page, guardians: readonly string[]) {
  await page.getByRole('button', { name: 'Make a kit' }).click();
  const form = page.getByRole('dialog', { name: 'Make a kit' });
  await form.getByLabel('Name of the kit').fill('The family');
  for (const [i, name] of guardians.entries()) {
    if (i > 2) await form.getByRole('button', { name: 'Another guardian' }).click();
    await form.getByLabel(`Guardian ${i + 1}`).fill(name);
  }
  await lookAt(page, 'guardians-new-kit');
  await form.getByRole('button', { name: 'Make the sheets' }).click();
  const sheets = page.getByRole('dialog', { name: 'The sheets of “The family”' });
  await expect(sheets.getByText(guardians.at(-1) ?? '')).toBeVisible();
  return sheets;
}

/** The words of each sheet of a new kit, as the printer gets them. */
async function makeKit(page: Page): Promise<string[]> {
  const sheets = await makeSheets(page, GUARDIANS);
  await lookAt(page, 'guardians-sheets');
  const words = await page
    .locator('[data-printed] section')
    .evaluateAll((sections) =>
      sections.map((section) =>
        [...(section.querySelector('ol')?.children ?? [])]
          .map(({ textContent }) => (textContent ?? '').replace(/^\d+/, ''))
          .join(' '),
      ),
    );
  await sheets.getByRole('button', { name: 'I have handed them over' }).click();
  return words;
}

async function bringTogether(page: Page, instance: TestInstance, [one, , three]: string[]): Promise<void> {
  await page.goto(`${instance.url}/sheets`);
  await page.getByLabel('The words of a sheet').fill(three ?? '');
  await page.getByLabel('Sheet 2').fill(one ?? '');
  await expect(page.getByText('These sheets are enough.')).toBeVisible();
}

async function inAnother(browser: Browser, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  await work(await context.newPage());
  await context.close();
}

test('two of three guardians open a vault once its wait is over', async ({ page, instance, browser }) => {
  test.setTimeout(240_000);
  await enterAsMember(page, instance, 'agnes', '/settings/recovery');
  const words = await makeKit(page);
  await expect(page.getByText('Nobody has asked')).toBeVisible();
  await lookAt(page, 'guardians-kits');

  await inAnother(browser, async (theirs) => {
    await bringTogether(theirs, instance, words);
    await lookAt(theirs, 'guardians-before-asking');
    await theirs.getByRole('button', { name: 'Ask for the vault' }).click();
    await expect(theirs.getByRole('heading', { name: 'It opens in about 14 days' })).toBeVisible();
    await lookAt(theirs, 'guardians-waiting');
  });
  await page.reload();
  await expect(page.getByText(/^Asked for on .*, opens in about 14 days$/)).toBeVisible();
  await lookAt(page, 'guardians-asked');
  await page.goto(instance.url);
  await expect(page.getByRole('heading', { name: 'Your guardians ask for your vault' })).toBeVisible();
  await lookAt(page, 'guardians-notice');

  // No mail leaves this server, so that it is two weeks late.
  await instance.live(29 * DAY);
  await inAnother(browser, async (theirs) => {
    await bringTogether(theirs, instance, words);
    await theirs.getByRole('button', { name: 'Ask for the vault' }).click();
    const shown = theirs.getByRole('list', { name: 'Your words' }).getByRole('listitem');
    await expect(shown).toHaveCount(24);
    await lookAt(theirs, 'guardians-open');
    const typed = (await shown.allTextContents()).map((text) => text.replace(/^\d+/, '')).join(' ');
    const [opened] = await Promise.all([
      theirs.waitForEvent('popup'),
      theirs.getByRole('link', { name: 'Open the vault here' }).click(),
    ]);
    await opened.getByRole('button', { name: 'The twenty-four words' }).click();
    await opened.getByLabel('The twenty-four words').fill(typed);
    await opened.getByRole('button', { name: 'Enter', exact: true }).click();
    await answerDevice(opened);
    await expect(opened.getByRole('heading', { name: 'The chambers' })).toBeVisible();
  });
});

test('each sheet is one page of A4 or Letter, within what printers print on, also of nine guardians', async ({
  page,
  instance,
}, testInfo) => {
  test.skip(pdfToText === null, 'poppler is not installed');
  await enterAsMember(page, instance, 'agnes', '/settings/recovery');
  await makeSheets(
    page,
    Array.from({ length: 9 }, (_, i) => `Guardian with a long name, the ${i + 1}th of nine`),
  );
  for (const format of ['A4', 'Letter'] as const) {
    const path = testInfo.outputPath(`${format}.pdf`);
    await page.pdf({ format, path, preferCSSPageSize: true });
    const { stdout } = spawnSync(pdfToText ?? '', ['-bbox', path, '-'], { encoding: 'utf8' });
    const pages = stdout.split('<page ').slice(1);
    expect(pages).toHaveLength(9);
    for (const words of pages) {
      const numbers = (name: string) =>
        [...words.matchAll(new RegExp(` ?${name}="([-\\d.]+)"`, 'g'))].map(([, value]) => Number(value));
      // In points: a third of an inch at each side, which any printer leaves free.
      expect(Math.min(...numbers('yMin'), ...numbers('xMin'))).toBeGreaterThan(24);
      const [height = 0] = numbers('height');
      expect(Math.max(...numbers('yMax'))).toBeLessThan(height - 24);
    }
  }
});
