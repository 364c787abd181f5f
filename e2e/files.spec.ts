// Files of an entry as only a browser shows them: chosen, sealed, sent, fetched again and looked at, wide and narrow. What they do
// with mishaps is told in src/web/vault/files/*.test.tsx.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { rowOf } from './rites.ts';

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

/** Pictures with something in them, of this very app. */
async function photographs(page: Page) {
  const landing = await page.screenshot();
  await page.goto('/help');
  return { landing, help: await page.screenshot() };
}

test('a picture and a text are sealed with a memory, looked at, downloaded as they were, and taken away', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const { landing, help } = await photographs(page);
  await page.goto(`${instance.url}/memory-vault`);
  const text = Buffer.from('The list of hives, 1958.\n'.repeat(400));
  await page.getByRole('button', { name: 'New Memory' }).click();
  await form(page).getByLabel('Title').fill('The bees behind the rectory');
  await form(page)
    .getByRole('textbox', { name: 'Memory' })
    .fill(
      'Every morning she walked out in a torn blue coat and spoke to the hives before she spoke to anyone else.',
    );
  await page.getByLabel('Photos and files to add').setInputFiles([
    { name: 'The rectory.png', mimeType: 'image/png', buffer: landing },
    { name: 'The garden.png', mimeType: 'image/png', buffer: help },
    { name: 'Hives, 1958.txt', mimeType: 'text/plain', buffer: text },
  ]);
  await expect(form(page).getByText('Ready')).toHaveCount(3);
  await expect(form(page).getByRole('listitem').first().locator('img')).toBeVisible();
  await form(page).getByRole('listitem').last().scrollIntoViewIfNeeded();
  await lookAt(page, 'files-form');
  await form(page).getByRole('button', { name: 'Seal Memory' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(rowOf(page, 'The bees behind the rectory')).toContainText('3 files');
  await lookAt(page, 'files-row');

  await page.reload();
  await rowOf(page, 'The bees behind the rectory').getByRole('button').first().click();
  await form(page).getByRole('button', { name: 'View The garden.png' }).scrollIntoViewIfNeeded();
  await lookAt(page, 'files-gallery');
  await form(page).getByRole('button', { name: 'View The rectory.png' }).click();
  await expect.poll(() => shownWidth(page)).toBe(1440);
  await lookAt(page, 'files-viewer');
  expect(sha256(await download(page))).toBe(sha256(landing));
  await page.keyboard.press('ArrowRight');
  await expect(form(page)).toContainText('The garden.png');
  await form(page).getByRole('button', { name: 'Next' }).click();
  await expect(form(page)).toContainText('Files of this kind are not shown here');
  await lookAt(page, 'files-viewer-text');
  expect(sha256(await download(page))).toBe(sha256(text));
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Edit' }).click();
  await form(page).getByRole('button', { name: 'Remove The garden.png' }).click();
  await expect(form(page)).toContainText('One file is erased once this is sealed.');
  await form(page).getByRole('button', { name: 'Seal Memory' }).click();
  await expect(page.getByRole('button', { name: 'View The garden.png' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'View The rectory.png' })).toBeVisible();
});
