// The Myth Builder as only a browser shows it: the real Loom in its worker, words that stream, the keyboard, and the look. What
// it does with forms, drafts, errors and lists is told in src/web/chambers/myth-builder.
import type { Page } from '@playwright/test';
import { openStoryService } from '../src/testing/story-service.ts';
import { expect, openInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt, takePicture } from './pictures.ts';
import { expectToast, pressEscape, rowOf } from './rites.ts';
import { keyIn, postMemory, postSealed } from './sealing.ts';

const DAY = 24 * 60 * 60 * 1000;

const BEES = `My grandmother kept bees behind the old rectory. Every morning she walked out in a torn blue coat and spoke to the hives before she spoke to anyone else.

We ate plum cake on the stone wall, and she told me about the flooded village and the bell that still rings under the lake. When she died the hives were silent for a week, and then I heard them again.`;

const form = (page: Page) => page.getByRole('dialog');

/** What the Loom weaves is its own tests' matter: here it is only in the words of its source. */
test('a story is woven by keyboard in a worker, changed, sealed, read, and looks as it should', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/myth-builder');
  await expect(page.getByText('No myth has been made yet')).toBeVisible();
  await lookAt(page, 'myths-empty');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));

  await page.getByRole('button', { name: 'Create Sacred Myth' }).focus();
  await page.keyboard.press('Enter');
  await expect(form(page).getByLabel('Story type')).toBeFocused();
  await expect(form(page).getByText('The Loom makes it, from your own words.')).toBeVisible();
  // Type-ahead of the browser's own list.
  await page.keyboard.type('Sacred');
  await page.keyboard.press('Tab');
  await expect(form(page).getByLabel('Source')).toBeFocused();
  await page.keyboard.insertText(BEES);
  await lookAt(page, 'myths-words');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(form(page).getByRole('button', { name: 'Make the story' })).toBeFocused();
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { name: 'Before it is sealed' });
  await expect(heading).toBeVisible();
  await expect(heading.locator('span')).toBeFocused();
  await expect(form(page).getByLabel('Story')).toHaveValue(/torn blue coat/);
  await lookAt(page, 'myths-draft');
  await form(page).getByLabel('Title').fill('The hives');
  await expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).filter((slot) => slot.includes('draft')).length),
    )
    .toBe(1);
  await page.reload();
  await expect(form(page).getByLabel('Title')).toHaveValue('The hives');
  expect(sent.filter((body) => body !== '')).toEqual([]);
  await form(page).getByRole('button', { name: 'Seal Myth' }).click();
  await expectToast(page, 'Myth Created');
  await expect(page.getByRole('heading', { name: 'The hives' })).toBeVisible();
  await lookAt(page, 'myths-reader');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(rowOf(page, 'The hives')).toHaveCount(1);
});

test('a model is agreed to, writes before the reader’s eyes, and is stopped; every state has its look', async ({
  page,
  quiet,
}) => {
  quiet.expect(/status of 502/);
  const service = await openStoryService();
  const instance = await openInstance({ LLM_BASE_URL: service.url, LLM_MODEL: 'llama3' });
  try {
    await enterAsMember(page, instance, 'agnes', '/myth-builder');
    const key = await keyIn(page);
    const past = (days: number) => ({ createdAt: new Date(Date.now() - days * DAY).toISOString() });
    const moment = (personName: string, encryptedContent: string, eventType: string, days: number) =>
      postSealed(
        page,
        instance,
        '/api/relationship-entries',
        'relationship',
        key,
        { personName, encryptedContent },
        { eventType, emotionalWeight: 4, ...past(days) },
      );
    await moment(
      'Nora',
      'She said it on the ferry, in the rain, and neither of us had a coat.',
      'confession',
      900,
    );
    await moment('Nora', 'The last morning. She asked for the window to be opened.', 'ending', 40);
    await postMemory(
      page,
      instance,
      key,
      'The allotment',
      'Nora grew leeks there that nobody ate.',
      past(500),
    );
    await postMemory(page, instance, key, 'Later', 'Of Nora.', {
      timeLockUntil: new Date(Date.now() + DAY).toISOString(),
    });
    await page.reload();
    await page.getByRole('button', { name: 'Create Sacred Myth' }).click();
    await form(page).getByLabel('Story type').selectOption({ label: 'Eulogy' });
    await form(page).getByLabel('For whom').fill('Nora');
    await expect(form(page).getByText('2 chosen. Not offered: 1 is time-locked.')).toBeVisible();
    await form(page)
      .getByRole('checkbox', { name: /The allotment/ })
      .check();
    await form(page).getByRole('radio', { name: 'A language model' }).check();
    await lookAt(page, 'myths-eulogy', { fullPage: true });
    const consent = form(page).getByRole('group', { name: 'Who makes the story' });
    await takePicture(consent, 'wide-myths-consent');
    await form(page)
      .getByRole('checkbox', { name: /^I agree that llama3 at 127/ })
      .check();

    const long = Array.from({ length: 40 }, (_, i) => `She opened the window for the ${i + 1}. time. `);
    service.behave({ says: ['The Open Window', '\n\n', ...long, '\n\n', ...long], ends: 'hangs' });
    await form(page).getByRole('button', { name: 'Send the words' }).click();
    await expect(page.getByRole('heading', { name: 'Being written' })).toBeVisible();
    await expect(form(page).getByText('for the 40. time.').last()).toBeVisible();
    await lookAt(page, 'myths-writing');
    await pressEscapeInVain(page);
    await form(page).getByRole('button', { name: 'Stop' }).click();
    await service.left();
    await expect(form(page).getByText('It is not finished')).toBeVisible();
    await form(page).getByRole('button', { name: 'Discard', exact: true }).click();
    await lookAt(page, 'myths-discard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard it' }).click();

    service.behave({ status: 500 });
    await form(page).getByRole('button', { name: 'Send the words' }).click();
    await expect(form(page).getByRole('alert')).toContainText('could not be reached');
    await lookAt(page, 'myths-failed');
    await form(page).getByRole('button', { name: 'Let the Loom make it' }).click();
    await expect(
      form(page).getByText('Made by the Loom, from your words and lines of its own.'),
    ).toBeVisible();
    await pressEscape(page);

    const mythOf = (title: string, storyType: string, days: number, details: object) =>
      postSealed(
        page,
        instance,
        '/api/myth-stories',
        'myth',
        key,
        { title, encryptedContent: `Of ${title}.`, details: JSON.stringify({ ...details, v: 1 }) },
        { storyType, ...past(days) },
      );
    await mythOf('The Open Window', 'eulogy', 1, {
      made: { by: 'model', writer: 'llama3', tone: 'requiem' },
    });
    await mythOf('The hives', 'biography', 20, {
      made: { by: 'loom', tone: 'melancholy' },
      tags: ['bees', 'home'],
    });
    await mythOf('محمد عبد الرحمن', 'relationship', 300, { made: { by: 'loom' } });
    await mythOf('A title that goes on '.repeat(20), 'breakup', 400, { tags: ['a tag'.repeat(7)] });
    await page.reload();
    await expect(rowOf(page, 'The Open Window')).toHaveCount(1);
    await lookAt(page, 'myths-list');
    await page.getByRole('searchbox').fill('nothing like this');
    await expect(page.getByText('No myth holds these words.')).toBeVisible();
  } finally {
    await page.close();
    await instance.stop();
    await service.close();
  }
});

/** Words are on their way: only Stop ends that. */
async function pressEscapeInVain(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Being written' })).toBeVisible();
}
