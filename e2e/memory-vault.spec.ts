// The Memory Vault as people use it: writing, finding, changing, losing nothing.
import type { Page } from '@playwright/test';
import { expect, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import { expectToast, openMemoryVault, readMemory, rowOf, sealMemory } from './rites.ts';

/** Lets the first memory that is sent arrive, and drops the answer to it. */
async function loseFirstAnswer(page: Page): Promise<void> {
  let lost = false;
  await page.route('**/api/memory-entries', async (route) => {
    if (route.request().method() !== 'POST' || lost) return route.continue();
    lost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
}

test.beforeEach(async ({ page, house }) => {
  await enterAsResident(page, house);
  await openMemoryVault(page);
});

test('a memory needs a title and words', async ({ page, quiet }) => {
  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('   ');
  await page.getByRole('textbox', { name: 'Memory' }).fill('Words');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expectToast(page, 'Incomplete Memory', 'Please provide both a title and content for your memory.');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(quiet.said).toEqual([]);
});

test('a draft survives a reload, sealed, and can be discarded', async ({ page }) => {
  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Half a thought');
  await page.getByRole('textbox', { name: 'Memory' }).fill('that was never');
  await expect
    .poll(() =>
      page.evaluate(
        () => Object.keys(localStorage).filter((slot) => slot.startsWith('latebra.draft')).length,
      ),
    )
    .toBe(1);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Half a thought');
  await page.reload();
  await page.getByRole('button', { name: 'New Memory' }).click();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Half a thought');
  await expect(page.getByRole('textbox', { name: 'Memory' })).toHaveValue('that was never');
  await page.getByRole('button', { name: 'Discard it' }).click();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('');
  await page.reload();
  await page.getByRole('button', { name: 'New Memory' }).click();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('');
});

test('the search finds words in titles and contents, without accents or case, and the slash key leads there', async ({
  page,
}) => {
  await sealMemory(page, 'Café by the harbour', 'Herring and rain.');
  await sealMemory(page, 'The orchard', 'Ladders in an apple tree.');
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox');
  await expect(search).toBeFocused();
  await search.fill('CAFE herring');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('Café by the harbour');
  await expect(page.getByText('1 found')).toBeVisible();
  await search.fill('submarine');
  await expect(page.getByText('No memory holds these words.')).toBeVisible();
  await search.press('Escape');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
});

test('a memory can be changed, and a lock put on it later', async ({ page }) => {
  await sealMemory(page, 'The orchard', 'Ladders.');
  await rowOf(page, 'The orchard').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Memory' }).fill('Ladders, and wasps.');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await readMemory(page, 'The orchard', ['Ladders, and wasps.']);
  await rowOf(page, 'The orchard').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Time lock').selectOption({ label: '1 day' });
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(rowOf(page, 'The orchard')).toContainText('Locked until');
  await page.reload();
  await expect(rowOf(page, 'The orchard')).toContainText('Locked until');
});

test('when two tabs change one memory, both texts are kept', async ({ page, context, house, quiet }) => {
  quiet.expect(/status of 409/);
  await sealMemory(page, 'The orchard', 'Ladders.');
  const second = await context.newPage();
  await second.goto(`${house.url}/memory-vault`);
  await rowOf(second, 'The orchard').getByRole('button').first().click();
  await second.getByRole('button', { name: 'Edit' }).click();
  await second.getByRole('textbox', { name: 'Memory' }).fill('Written in the second tab.');

  await rowOf(page, 'The orchard').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Memory' }).fill('Written in the first tab.');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();

  await second.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(second.getByRole('alert')).toContainText('This memory was changed elsewhere');
  await expect(second.getByRole('alert')).toContainText('Written in the first tab.');
  await expect(second.getByRole('textbox', { name: 'Memory' })).toHaveValue('Written in the second tab.');
  await second.getByRole('button', { name: 'Keep both' }).click();
  await expect(second.getByRole('dialog')).toBeHidden();
  await expect(second.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await second.getByRole('searchbox').fill('first tab');
  await expect(second.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await second.getByRole('searchbox').fill('second tab');
  await expect(second.getByRole('main').getByRole('listitem')).toHaveCount(1);
});

test('a memory is deleted after a question, locked or not, and one deleted elsewhere crashes nothing', async ({
  page,
  context,
  house,
  quiet,
}) => {
  quiet.expect(/status of 404/);
  await sealMemory(page, 'Locked away', 'No.', '1 year');
  await sealMemory(page, 'The orchard', 'Ladders.');
  const second = await context.newPage();
  await second.goto(`${house.url}/memory-vault`);
  await expect(second.getByRole('main').getByRole('listitem')).toHaveCount(2);

  await page.getByRole('button', { name: 'Delete Locked away' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  for (const title of ['Locked away', 'The orchard']) {
    await page.getByRole('button', { name: `Delete ${title}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
    await expect(rowOf(page, title)).toHaveCount(0);
  }
  await expect(page.getByText('Nothing is kept here yet')).toBeVisible();

  await second.getByRole('button', { name: 'Delete The orchard' }).click();
  await second.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expectToast(second, 'Memory is gone');
  await expect(rowOf(second, 'The orchard')).toHaveCount(0);
});

test('a cut connection loses nothing that was written', async ({ page, context, quiet }) => {
  quiet.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The orchard');
  await page.getByRole('textbox', { name: 'Memory' }).fill('Ladders.');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expectToast(page, 'Failed to Seal Memory', 'The house could not be reached.');
  await expect(page.getByRole('textbox', { name: 'Memory' })).toHaveValue('Ladders.');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(rowOf(page, 'The orchard')).toHaveCount(1);
});

test('an answer that is lost on its way does not keep a memory twice', async ({ page, quiet }) => {
  quiet.expect(/ERR_CONNECTION_RESET|status of 409/);
  await loseFirstAnswer(page);
  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The orchard');
  await page.getByRole('textbox', { name: 'Memory' }).fill('Ladders.');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expectToast(page, 'Failed to Seal Memory');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.reload();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
});

test('when a lost first try was locked, what was written since is not taken for kept', async ({
  page,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_RESET|status of 409/);
  await loseFirstAnswer(page);
  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The orchard');
  await page.getByRole('textbox', { name: 'Memory' }).fill('Ladders.');
  await page.getByLabel('Time lock').selectOption({ label: '1 year' });
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expectToast(page, 'Failed to Seal Memory', 'The house could not be reached.');
  await page.getByRole('textbox', { name: 'Memory' }).fill('Ladders, and wasps.');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expectToast(page, 'Failed to Seal Memory', 'Your first version had arrived after all');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.reload();
  await expect(rowOf(page, 'The orchard')).toHaveCount(2);
});

test('a lock that is chosen after a lost first try is really set', async ({ page, quiet }) => {
  quiet.expect(/ERR_CONNECTION_RESET|status of 409/);
  await loseFirstAnswer(page);
  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The orchard');
  await page.getByRole('textbox', { name: 'Memory' }).fill('Ladders.');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expectToast(page, 'Failed to Seal Memory');
  await page.getByLabel('Time lock').selectOption({ label: '1 year' });
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  await expectToast(page, 'Memory Sealed', /It opens on/);
  await page.reload();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(rowOf(page, 'The orchard')).toContainText('Locked until');
});

test('a draft that was begun on an older version shows the newer one before it replaces it', async ({
  page,
  house,
  browser,
}) => {
  await sealMemory(page, 'The orchard', 'Ladders.');
  await rowOf(page, 'The orchard').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Memory' }).fill('Begun and left.');
  await page.getByRole('button', { name: 'Cancel' }).click();

  // The same vault on another device: the same session and key, another storage.
  const device = await browser.newContext({ storageState: await page.context().storageState() });
  const second = await device.newPage();
  await second.goto(`${house.url}/memory-vault`);
  await second.evaluate(() => {
    for (const slot of Object.keys(localStorage)) {
      if (slot.startsWith('latebra.draft')) localStorage.removeItem(slot);
    }
  });
  await rowOf(second, 'The orchard').getByRole('button').first().click();
  await second.getByRole('button', { name: 'Edit' }).click();
  await second.getByRole('textbox', { name: 'Memory' }).fill('Written meanwhile.');
  await second.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(second.getByRole('dialog')).toBeHidden();

  await page.reload();
  await rowOf(page, 'The orchard').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByRole('textbox', { name: 'Memory' })).toHaveValue('Begun and left.');
  await expect(page.getByRole('alert')).toContainText('Written meanwhile.');
  await page.getByRole('button', { name: 'Keep both' }).click();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
});

test('what another key has sealed stays listed, unreadable, and says so', async ({ page, house }) => {
  await sealMemory(page, 'The orchard', 'Ladders.');
  await page.evaluate(() => localStorage.clear());
  await page.goto(house.url);
  await page.getByRole('button', { name: 'I have none of these' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'Make a new key' })).toBeDisabled();
  await question.getByLabel('Type UNREADABLE to go on').fill('UNREADABLE');
  await question.getByRole('button', { name: 'Make a new key' }).click();
  await expectToast(page, 'Encryption Key Regenerated');
  await openMemoryVault(page);
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('Unreadable with this key');
  await page.getByRole('main').getByRole('listitem').getByRole('button').first().click();
  await expectToast(
    page,
    'Failed to Decrypt',
    'Unable to decrypt this memory. Your encryption key may have changed.',
  );
  await sealMemory(page, 'After', 'Readable.');
  await readMemory(page, 'After', ['Readable.']);
});

test('strange writing comes back as it was written', async ({ page }) => {
  const strange = '<script>alert(1)</script> ‮right to left‬ 🜁 \u0000? e\u0301 漢字\n\n\n   indented\ttab';
  await sealMemory(page, '"><img src=x onerror=alert(1)>', strange.replace('\u0000', ''));
  await page.reload();
  await page.getByRole('main').getByRole('listitem').getByRole('button').first().click();
  const reader = page.getByRole('dialog');
  await expect(reader).toContainText('<script>alert(1)</script>');
  await expect(reader).toContainText('漢字');
  await expect(reader).toContainText('indented');
});
