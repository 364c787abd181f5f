// Ghost Mode as only a browser shows it: one journey by keyboard, with its look, and two tabs. What it does with readings,
// hours, drafts, errors and keys is told in src/web/chambers/ghost-mode/page.test.tsx.
import type { Locator, Page } from '@playwright/test';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast, pressEscape } from './rites.ts';
import { keyIn, postSealed } from './sealing.ts';

const HOUR = 60 * 60 * 1000;

const rows = (page: Page): Locator => page.getByRole('main').getByRole('listitem');
const door = (row: Locator): Locator => row.getByRole('button', { name: /readings?/ });
const reader = (page: Page): Locator => page.getByRole('dialog', { name: 'A ghost thought' });
const lastQuestion = (page: Page): Locator =>
  page.getByRole('alertdialog', { name: 'This is the last reading' });

interface Thought {
  content: string;
  maxReads: number | null;
  hours: number;
}

/** Thoughts as the page would seal them, the oldest first; shows them. */
async function seal(page: Page, instance: TestInstance, thoughts: readonly Thought[]): Promise<void> {
  const key = await keyIn(page);
  for (const { content, maxReads, hours } of thoughts) {
    const clear = { maxReads, expiresAt: new Date(instance.now() + hours * HOUR).toISOString() };
    await postSealed(
      page,
      instance,
      '/api/ghost-entries',
      'ghost',
      key,
      { encryptedContent: content },
      clear,
    );
  }
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
}

test.beforeEach(({ page, instance }) => enterAsMember(page, instance, 'agnes', '/ghost-mode'));

test('by keyboard alone a thought is written, read for the last time, and vanishes; every state is fit to be seen', async ({
  page,
  instance,
}) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await expect(page.getByText('No thought lingers here')).toBeVisible();
  await lookAt(page, 'ghost-empty');
  await page.getByRole('button', { name: 'Ghost Thought' }).focus();
  await press('Enter');
  await expect(page.getByRole('textbox', { name: 'Thought' })).toBeFocused();
  await lookAt(page, 'ghost-dialog');
  await page.keyboard.type('By keyboard.');
  await press('Tab');
  await expect(page.getByLabel('May be read')).toBeFocused();
  await press('Tab', 'Tab', 'Tab');
  await expect(page.getByRole('button', { name: 'Seal the thought' })).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Ghost Thought' })).toBeFocused();
  await press('Tab');
  await expect(door(rows(page))).toBeFocused();
  await press('Enter');
  await expect(lastQuestion(page).getByRole('button', { name: 'Not now' })).toBeFocused();
  await press('Tab', 'Enter');
  await expect(reader(page)).toContainText('By keyboard.');
  await expectToast(page, 'Final Reading', /will vanish when you close it/);
  await lookAt(page, 'ghost-final-reading');
  await pressEscape(page);
  await expect(reader(page)).toBeHidden();
  await expect(rows(page)).toContainText('Vanished');

  await seal(page, instance, [
    { content: 'Open.', maxReads: null, hours: 168 },
    {
      content:
        'I walked to the end of the pier tonight and said it aloud, to nobody, in the rain. It did not sound like me.\n\nTomorrow I shall not remember the words. That is what they are for.',
      maxReads: 5,
      hours: 24,
    },
    { content: 'Soon.', maxReads: 3, hours: 1 },
    { content: 'Once.', maxReads: 1, hours: 24 },
  ]);
  await lookAt(page, 'ghost-list');
  await door(rows(page).nth(2)).click();
  await expect(reader(page)).toContainText('said it aloud');
  await lookAt(page, 'ghost-reader');
  await pressEscape(page);
  await door(rows(page).nth(0)).click();
  await expect(lastQuestion(page)).toBeVisible();
  await lookAt(page, 'ghost-last-question');
});

test('two tabs count each other’s readings, and of two that race for the last one has the words', async ({
  page,
  context,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 404/);
  await seal(page, instance, [{ content: 'Only one of you.', maxReads: 2, hours: 24 }]);
  const second = await context.newPage();
  await second.goto(`${instance.url}/ghost-mode`);
  await door(rows(second)).click();
  await expect(reader(second)).toContainText('Only one of you.');
  await pressEscape(second);
  await expect(reader(second)).toBeHidden();
  // The first tab still shows 0 of 2: its next reading would be the last nevertheless.
  await expect(rows(page)).toContainText('0 of 2 readings');
  for (const tab of [page, second]) {
    await door(rows(tab)).click();
    await expect(lastQuestion(tab)).toBeVisible();
  }
  await Promise.all(
    [page, second].map((tab) =>
      lastQuestion(tab).getByRole('button', { name: 'Read it for the last time' }).click(),
    ),
  );
  for (const tab of [page, second]) await expect(lastQuestion(tab)).toBeHidden();
  const readers = [page, second].map(reader);
  const shown = await Promise.all(readers.map((dialog) => dialog.isVisible()));
  expect(shown.filter(Boolean)).toHaveLength(1);
  const [winner, loser] = shown[0] ? [page, second] : [second, page];
  await expect(reader(winner)).toContainText('Only one of you.');
  await expect(rows(loser)).toContainText('Vanished');
});
