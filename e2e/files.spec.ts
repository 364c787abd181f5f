// Files of an entry as only a browser shows them: chosen, sealed, sent, fetched again and looked at, wide and narrow. What they do
// with mishaps is told in src/web/vault/files/*.test.tsx.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt, takePicture } from './pictures.ts';
import { rowOf } from './rites.ts';
import { breakSeal, stranger } from './sharing.ts';

const form = (page: Page) => page.getByRole('dialog').last();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const shownWidth = (page: Page) =>
  form(page)
    .getByRole('img')
    .evaluate((image) => (image as HTMLImageElement).naturalWidth);

async function download(page: Page): Promise<Buffer> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download/ }).click(),
  ]);
  return readFileSync(await saved.path());
}

/** A picture with something in it, from the sources. */
const garden = readFileSync(new URL('../src/web/chambers/help/pictures/family.webp', import.meta.url));

/** Writes a memory with a picture of this very page, another one, and a text. */
async function writeWithFiles(page: Page) {
  const rectory = await page.screenshot();
  const text = Buffer.from('The list of hives, 1958.\n'.repeat(400));
  await page.getByRole('button', { name: 'New Memory' }).click();
  await form(page).getByLabel('Title').fill('The bees behind the rectory');
  await form(page)
    .getByRole('textbox', { name: 'Memory' })
    .fill(
      'Every morning she walked out in a torn blue coat and spoke to the hives before she spoke to anyone else.',
    );
  await page.getByLabel('Photos and files to add').setInputFiles([
    { name: 'The rectory.png', mimeType: 'image/png', buffer: rectory },
    { name: 'The garden.webp', mimeType: 'image/webp', buffer: garden },
    { name: 'Hives, 1958.txt', mimeType: 'text/plain', buffer: text },
  ]);
  await expect(form(page).getByText(/Ready$/)).toHaveCount(3);
  return { rectory, text };
}

const seal = (page: Page) => form(page).getByRole('button', { name: 'Seal Memory' }).click();
const readIt = (page: Page) => rowOf(page, 'The bees behind the rectory').getByRole('button').first().click();

test.beforeEach(({ page, instance }) => enterAsMember(page, instance, 'agnes', '/memory-vault'));

test('a picture and a text are sealed with a memory, downloaded as they were, and taken away', async ({
  page,
}) => {
  const { rectory, text } = await writeWithFiles(page);
  await seal(page);
  await expect(rowOf(page, 'The bees behind the rectory')).toContainText('3 files');
  await page.reload();
  await readIt(page);
  await form(page).getByRole('button', { name: 'View The rectory.png' }).click();
  await expect.poll(() => shownWidth(page)).toBe(1440);
  expect(sha256(await download(page))).toBe(sha256(rectory));
  await page.keyboard.press('ArrowRight');
  await expect(form(page)).toContainText('The garden.webp');
  await form(page).getByRole('button', { name: 'Next' }).click();
  await expect(form(page)).toContainText('Files of this kind are not shown here');
  expect(sha256(await download(page))).toBe(sha256(text));
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Edit' }).click();
  await form(page).getByRole('button', { name: 'Remove The garden.webp' }).click();
  await expect(form(page)).toContainText('One file is erased once this is sealed.');
  await seal(page);
  await expect(rowOf(page, 'The bees behind the rectory')).toContainText('2 files');
  await readIt(page);
  await expect(page.getByRole('button', { name: 'View The rectory.png' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'View The garden.webp' })).toBeHidden();
});

test('a one-time link shows them to whoever opens it, without an account, in a page of its own', async ({
  page,
  browser,
  quiet,
}) => {
  const { rectory, text } = await writeWithFiles(page);
  await seal(page);
  await readIt(page);
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(form(page).getByRole('checkbox', { name: 'Its 3 files go along' })).toBeChecked();
  await lookAt(page, 'link-with-files');
  await form(page).getByRole('button', { name: 'Make a one-time link' }).click();
  const link = await form(page).getByRole('textbox', { name: 'Link' }).inputValue();

  const reader = await stranger(browser, quiet);
  await reader.goto(link);
  await breakSeal(reader, ['spoke to the hives', 'can be fetched until']);
  await reader.getByRole('button', { name: 'View The rectory.png' }).click();
  await expect.poll(() => shownWidth(reader)).toBe(1440);
  expect(sha256(await download(reader))).toBe(sha256(rectory));
  await form(reader).getByRole('button', { name: 'Next' }).click();
  await form(reader).getByRole('button', { name: 'Next' }).click();
  expect(sha256(await download(reader))).toBe(sha256(text));
  await reader.keyboard.press('Escape');
  await lookAt(reader, 'opened-link-with-files');
});

test('where what reads and sends files cannot be fetched, nothing that was chosen is lost, and nothing leaves unread', async ({
  page,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED/);
  let cut = 'uploads';
  await page.route(/\/assets\/(uploads|webp)-[\w-]+\.js$/, (route) =>
    route.request().url().includes(`/${cut}-`) ? route.abort() : route.continue(),
  );
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/files')) sent.push(request.method());
  });
  await page.getByRole('button', { name: 'New Memory' }).click();
  await form(page).getByLabel('Title').fill('The bees behind the rectory');
  await form(page).getByRole('textbox', { name: 'Memory' }).fill('She spoke to them first.');
  await page
    .getByLabel('Photos and files to add')
    .setInputFiles([{ name: 'The garden.webp', mimeType: 'image/webp', buffer: garden }]);
  const problem = page.getByRole('alert').filter({ hasText: 'A part of this page could not be fetched.' });
  await expect(problem).toBeVisible();
  await expect(form(page)).toContainText('The garden.webp');
  await expect(form(page).getByRole('button', { name: 'Waits for 1 file' })).toBeVisible();

  cut = 'webp';
  await problem.getByRole('button', { name: 'Try again' }).click();
  const again = form(page).getByRole('button', { name: 'Go on with The garden.webp' });
  await expect(again).toBeVisible();
  expect(sent).toEqual([]);
  cut = 'nothing';
  await again.click();
  await expect(form(page).getByText(/Ready$/)).toBeVisible();
  await seal(page);
  await expect(rowOf(page, 'The bees behind the rectory')).toContainText('1 file');
});

test('files look right in a form, beneath the words and in the viewer', async ({ page }) => {
  await writeWithFiles(page);
  const field = form(page).getByRole('region', { name: /^Photos and files/ });
  await expect(field.getByRole('listitem').first().locator('img')).toBeVisible();
  await takePicture(field, 'files-field');
  await seal(page);
  await readIt(page);
  await expect(form(page).getByRole('button', { name: 'View The garden.webp' })).toBeVisible();
  await lookAt(page, 'files-gallery');
  await form(page).getByRole('button', { name: 'View The garden.webp' }).click();
  await expect.poll(() => shownWidth(page)).toBeGreaterThan(100);
  await lookAt(page, 'files-viewer');
});
