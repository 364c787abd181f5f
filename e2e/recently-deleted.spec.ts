// Deleting by mouse and keyboard, undoing it, and Recently deleted as it looks. What it does is told in
// src/web/chambers/recently-deleted/page.test.tsx.
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast } from './rites.ts';
import { keyIn, postMemory, postSealed } from './sealing.ts';

const YEAR = 365 * 24 * 60 * 60 * 1000;

test('a memory is deleted, undone, deleted again, restored, and deleted for good', async ({
  page,
  instance,
}) => {
  await enterAsMember(page, instance, 'agnes', '/memory-vault');
  const key = await keyIn(page);
  await postMemory(page, instance, key, 'The orchard', 'Ladders.');
  await postMemory(
    page,
    instance,
    key,
    'A title that goes on for much longer than anybody would expect of a title, and then some, and then a little',
    'Long.',
  );
  const until = new Date(Date.now() + YEAR).toISOString();
  await postMemory(page, instance, key, 'For the wedding', 'Not yet.', { timeLockUntil: until });
  const ferry = { personName: 'Nora', encryptedContent: 'On the ferry.' };
  const weight = { eventType: 'confession', emotionalWeight: 4 };
  const path = '/api/relationship-entries';
  const moment = await postSealed(page, instance, path, 'relationship', key, ferry, weight);
  expect((await page.request.delete(`${instance.url}${path}/${moment.id}`)).status()).toBe(204);
  await page.reload();
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(3);
  const remove = async (title: string | RegExp) => {
    await page.getByRole('button', { name: title }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
    await expectToast(page, 'Memory Deleted');
  };
  await page.getByRole('button', { name: 'Delete The orchard' }).click();
  await lookAt(page, 'delete-question');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expect(rows).toHaveCount(2);
  await lookAt(page, 'deleted-toast');
  // F8 leads to what is said in passing, so that a keyboard reaches it.
  await page.keyboard.press('F8');
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expectToast(page, 'Restored');
  await expect(rows).toHaveCount(3);

  for (const title of ['Delete The orchard', /^Delete A title/, 'Delete For the wedding'])
    await remove(title);
  await page.getByRole('link', { name: 'Recently deleted' }).click();
  await expect(page).toHaveURL(/\/recently-deleted$/);
  await expect(rows).toHaveCount(4);
  await expect(rows.first()).toContainText('Locked until');
  await lookAt(page, 'recently-deleted');
  await page.getByRole('button', { name: 'Restore The orchard' }).click();
  await expectToast(page, 'Memory Restored');
  await page.getByRole('button', { name: 'Delete now Confession with Nora' }).click();
  await lookAt(page, 'delete-now-question');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete now' }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Delete all now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete all now' }).click();
  await expect(page.getByText('Nothing is deleted')).toBeVisible();
  await lookAt(page, 'recently-deleted-empty');
  await page.goto(`${instance.url}/memory-vault`);
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('The orchard');
});
