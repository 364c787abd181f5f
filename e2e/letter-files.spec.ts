// Files of a letter as only browsers show them: added by its author, released, and looked at by whoever has the card. What they do
// with mishaps is told in src/web/chambers/legacy-scroll/letter-files.test.tsx.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast, rowOf } from './rites.ts';
import { stranger } from './sharing.ts';

const TITLE = 'Where the key lies';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const dialog = (page: Page) => page.getByRole('dialog').last();

/** A picture with something in it, from the sources. */
const garden = readFileSync(new URL('../src/web/chambers/help/pictures/family.webp', import.meta.url));
const text = Buffer.from('The list of hives, 1958.\n'.repeat(400));

async function download(page: Page): Promise<Buffer> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download/ }).click(),
  ]);
  return readFileSync(await saved.path());
}

test('a picture and a text are sealed with a letter, and reach whoever has its card as they were', async ({
  page: author,
  instance,
  browser,
  quiet,
}) => {
  await enterAsMember(author, instance, 'agnes', '/legacy-scroll');
  await author.getByRole('textbox', { name: 'Title' }).fill(TITLE);
  await author.getByRole('textbox', { name: 'Letter' }).fill('Under the third stone from the gate.');
  await author.getByLabel('Photos and files to add').setInputFiles([
    { name: 'The garden.webp', mimeType: 'image/webp', buffer: garden },
    { name: 'Hives, 1958.txt', mimeType: 'text/plain', buffer: text },
  ]);
  await expect(author.getByText(/Ready$/)).toHaveCount(2);
  await lookAt(author, 'letter-form-with-files', { fullPage: true });
  await author.getByLabel('When').selectOption('manual');
  await author.getByRole('button', { name: 'Seal the letter' }).click();
  await expectToast(author, 'Legacy Scroll Created');
  const card = author.getByRole('dialog', { name: 'The key card' });
  const link = await card.getByRole('textbox', { name: 'Link' }).inputValue();
  await card.getByRole('button', { name: 'I have handed it over' }).click();
  await author
    .getByRole('dialog', { name: 'Activate Watch' })
    .getByRole('button', { name: 'Activate Watch' })
    .click();
  await expectToast(author, 'Legacy Scroll Activated');
  await rowOf(author, TITLE).getByRole('button', { name: /More/ }).click();
  await author.getByRole('button', { name: /^Release now/ }).click();
  await author.getByRole('alertdialog').getByRole('button', { name: 'Release now' }).click();
  await expectToast(author, 'Legacy Scroll Released');

  const reader = await stranger(browser, quiet, { viewport: { width: 390, height: 844 } });
  await reader.goto(link);
  await reader.getByRole('button', { name: 'Open the scroll' }).click();
  await expect(reader.getByRole('article')).toContainText('Under the third stone');
  await reader.getByRole('button', { name: 'View The garden.webp' }).click();
  const shownWidth = () =>
    dialog(reader)
      .getByRole('img')
      .evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await expect.poll(shownWidth).toBeGreaterThan(100);
  expect(sha256(await download(reader))).toBe(sha256(garden));
  await dialog(reader).getByRole('button', { name: 'Next' }).click();
  expect(sha256(await download(reader))).toBe(sha256(text));
  await reader.keyboard.press('Escape');
  await lookAt(reader, 'opened-letter-with-files', { fullPage: true });
});
