// When something happened, and its tags: written, sorted by, found by, changed, and passed on only as far as a reader wants.
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, test } from './house.ts';
import { enterAsResident } from './resident.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const names = (page: Page) => page.getByRole('main').getByRole('listitem');
/** Row by row: the day, and what comes with it. */
const rowTexts = async (page: Page) =>
  (await names(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));

interface Written {
  title: string;
  day?: string;
  time?: string;
  tags?: string;
}

async function fillIn(page: Page, { day, time, tags }: Omit<Written, 'title'>): Promise<void> {
  if (day !== undefined) await dialog(page).getByLabel('When it happened').fill(day);
  if (time !== undefined) await dialog(page).getByLabel('At what time').fill(time);
  if (tags !== undefined) await dialog(page).getByLabel('Tags').fill(tags);
}

async function sealWith(page: Page, { title, ...details }: Written): Promise<void> {
  await page.getByRole('button', { name: 'New Memory' }).click();
  await dialog(page).getByLabel('Title').fill(title);
  await dialog(page).getByRole('textbox', { name: 'Memory' }).fill(`What there is to say of ${title}.`);
  await fillIn(page, details);
  await dialog(page).getByRole('button', { name: 'Seal Memory' }).click();
  await expect(dialog(page)).toBeHidden();
}

test('a memory says when it happened, is sorted by it, and is found by its tags', async ({ page, house }) => {
  await enterAsResident(page, house);
  await page.goto(`${house.url}/memory-vault`);
  await sealWith(page, { title: 'The garden gate', day: '2019-05-17', time: '14:30', tags: 'garden, Agnes' });
  await sealWith(page, { title: 'Written today' });
  await sealWith(page, { title: 'The flood', day: '1997-07-20' });
  const ordered = [/Written today/, /17 May 2019 The garden gate.*garden · Agnes/, /20 July 1997 The flood/];
  const inOrder = async () => {
    await expect(names(page)).toHaveCount(3);
    const texts = await rowTexts(page);
    ordered.forEach((expected, i) => {
      expect(texts[i]).toMatch(expected);
    });
  };
  await inOrder();
  await page.reload();
  await inOrder();

  await page.getByLabel('Search your memories').fill('agnes');
  await expect(names(page)).toHaveCount(1);
  await page
    .getByRole('button', { name: /The garden gate/ })
    .first()
    .click();
  await expect(dialog(page)).toContainText('Happened 17 May 2019, 14:30');
  await expect(dialog(page)).toContainText('garden · Agnes');
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(dialog(page).getByLabel('When it happened')).toHaveValue('2019-05-17');
  await fillIn(page, { day: '2999-01-01' });
  await dialog(page).getByRole('button', { name: 'Seal Memory' }).click();
  await expect(dialog(page)).toContainText('Choose a moment in the past');
  expect(await axeFindings(page)).toEqual([]);
  await fillIn(page, { day: '', tags: 'Agnes' });
  await dialog(page).getByRole('button', { name: 'Seal Memory' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(names(page)).toHaveText([/The garden gate/]);
  await expect(names(page)).not.toContainText('2019');
});

test('a moment stands in the ledger, and on a person’s line, where it happened', async ({ page, house }) => {
  await enterAsResident(page, house);
  await page.goto(`${house.url}/relationship-ledger`);
  for (const [content, day] of [
    ['On the ferry.', ''],
    ['At school.', '1999-09-01'],
  ] as const) {
    await page.getByRole('main').getByRole('button', { name: 'Record Moment' }).click();
    await dialog(page).getByLabel('Person').fill('Nora');
    await dialog(page).getByLabel('Kind').selectOption({ label: 'Beginning' });
    await dialog(page).getByLabel('What happened').fill(content);
    await fillIn(page, { day, tags: day && 'school' });
    await dialog(page).getByRole('button', { name: 'Record Moment' }).click();
    await expect(dialog(page)).toBeHidden();
  }
  await page.getByRole('tab', { name: 'People' }).click();
  await page.getByRole('button', { name: /Nora/ }).click();
  await expect(page.getByText(/2 moments, from 1 September 1999/)).toBeVisible();
  expect((await rowTexts(page)).at(-1)).toMatch(/1 September 1999.*school/);
});

test('a one-time link tells its reader when it was, and no tags', async ({ page, house, browser }) => {
  await enterAsResident(page, house);
  await page.goto(`${house.url}/memory-vault`);
  await sealWith(page, { title: 'The garden gate', day: '2019-05-17', tags: 'private' });
  await page.goto(`${house.url}/sacred-keys`);
  await page.getByRole('button', { name: 'Create Sacred Key' }).click();
  await dialog(page).getByLabel('Content type').selectOption({ label: 'Memory' });
  await dialog(page).getByLabel('Specific entry').selectOption({ index: 1 });
  await dialog(page).getByRole('button', { name: 'Create Sacred Key' }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  const reader = await (await browser.newContext()).newPage();
  await reader.goto(link);
  await reader.getByRole('button', { name: /Break the seal/i }).click();
  await expect(reader.getByText('Happened 17 May 2019')).toBeVisible();
  await expect(reader.getByText('private')).toHaveCount(0);
  await reader.context().close();
});
