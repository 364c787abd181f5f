// Two tabs with the same form, as only a browser has them: each writes to a draft of its own, both outlive tabs that are
// killed, and the list says which of them is open where. The rules are told in src/web/vault/entries/draft-slots.test.tsx.
import type { Browser, Page } from '@playwright/test';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';

const form = (page: Page) => page.getByRole('dialog');
const title = (page: Page) => form(page).getByRole('textbox', { name: 'Title' });
const words = (page: Page) => form(page).getByRole('textbox', { name: 'Memory' });
const slots = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((slot) => slot.startsWith('latebra.draft:'))
      .map((slot) => slot.split(':')[2])
      .sort(),
  );

/** Ends every process that shows a page, without a word to any of them. */
async function killTabs(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
  await session.detach();
}

test('two tabs write at once and are killed: both texts are there, listed, opened and discarded', async ({
  page,
  browser,
  context,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  await page.goto(`${instance.url}/memory-vault/new`);
  // Whoever writes first has the first draft, and a form that opens meanwhile looks for one before it is written in.
  await expect(title(page)).toBeVisible();
  await title(page).pressSequentially('The orchard');
  await expect.poll(() => slots(page)).toEqual(['memory']);
  const second = await context.newPage();
  await second.goto(`${instance.url}/memory-vault/new`);
  await title(second).pressSequentially('The harbour');
  await Promise.all([
    words(page).pressSequentially('Ladders in an apple tree, and wasps. '.repeat(3)),
    words(second).pressSequentially('Herring and rain, and a rope that sang. '.repeat(3)),
  ]);
  await expect.poll(() => slots(page)).toEqual(['memory', 'memory~2']);
  // Each is kept a moment after the last key.
  await page.waitForFunction(() => new Promise((later) => setTimeout(() => later(true), 800)));

  const crashed = Promise.all([page, second].map((tab) => tab.waitForEvent('crash')));
  await killTabs(browser);
  await crashed;

  const [third, fourth, fifth] = [await context.newPage(), await context.newPage(), await context.newPage()];
  await third.goto(`${instance.url}/memory-vault/new`);
  await expect(words(third)).toHaveValue('Ladders in an apple tree, and wasps. '.repeat(3));
  await fourth.goto(`${instance.url}/memory-vault/new`);
  await expect(words(fourth)).toHaveValue('Herring and rain, and a rope that sang. '.repeat(3));

  const drafts = fifth.getByRole('region', { name: 'Drafts' });
  await fifth.goto(`${instance.url}/memory-vault`);
  await expect(drafts.getByText('Open in another tab')).toHaveCount(2);
  await third.close();
  await fourth.close();
  await fifth.reload();
  await expect(drafts.getByRole('button', { name: /^Open the draft/ })).toHaveCount(2);
  await lookAt(fifth, 'drafts-in-the-chamber');
  await drafts.getByRole('button', { name: 'Discard the draft The orchard' }).click();
  await expect(drafts.getByRole('button', { name: 'Bring it back' })).toBeFocused();
  await lookAt(fifth, 'draft-discarded');
  await drafts.getByRole('button', { name: 'Bring it back' }).click();
  await drafts.getByRole('button', { name: 'Open the draft The harbour' }).click();
  await expect(title(fifth)).toHaveValue('The harbour');
  await form(fifth).getByRole('button', { name: 'Discard it' }).click();
  await expect(form(fifth).getByRole('button', { name: 'Bring it back' })).toBeFocused();
  await lookAt(fifth, 'draft-discarded-in-its-form');
  await form(fifth).getByRole('button', { name: 'Bring it back' }).click();
  await expect(title(fifth)).toHaveValue('The harbour');
  await form(fifth).getByRole('button', { name: 'Cancel' }).click();
  await fifth.goto(instance.url);
  await expect(drafts.getByRole('listitem')).toHaveCount(2);
  await lookAt(fifth, 'drafts-on-the-desk', { fullPage: true });
});
