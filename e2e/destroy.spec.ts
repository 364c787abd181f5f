// Destroying a vault: what is said before, and that nothing of it stays, in the house or in the browser.
import { axeFindings } from './axe.ts';
import { expect, test } from './house.ts';
import { answerQuestions, beginByPassphrase, openMemoryVault, pressEscape, sealMemory } from './rites.ts';

const MINUTE = 60 * 1000;
const PASSPHRASE = 'plum cake on a stone wall';

test('a destroyed vault leaves nothing in the house, in this browser or in its other tabs', async ({
  page,
  context,
  house,
  quiet,
}) => {
  quiet.expect(/status of 40[13]/);
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'The orchard', 'Ladders.');
  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Half a thought');
  await pressEscape(page);
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((name) => name.includes('draft'))))
    .toBe(true);
  await page.evaluate(() => {
    sessionStorage.setItem('latebra.redemption:x', '1');
    localStorage.setItem('latebra.vault-key:another-account', 'kept');
  });
  const second = await context.newPage();
  await second.goto(`${house.url}/memory-vault`);
  await expect(second.getByRole('button', { name: 'The orchard' }).first()).toBeVisible();

  await page.goto(`${house.url}/settings`);
  await page.getByRole('button', { name: 'Destroy Vault' }).click();
  const question = page.getByRole('alertdialog', { name: 'Destroy the vault?' });
  await expect(question).toContainText('Backups that the keeper of this house has made');
  await expect(question.getByRole('textbox')).toBeFocused();
  const deed = question.getByRole('button', { name: 'Destroy Vault' });
  await expect(deed).toBeDisabled();
  await question.getByRole('textbox').fill('destroy');
  await expect(deed).toBeDisabled();
  const violations = await axeFindings(page);
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  await page.screenshot({ path: 'test-results/pictures/wide-destroy.png' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: 'test-results/pictures/narrow-destroy.png' });
  await page.setViewportSize({ width: 1440, height: 900 });
  // What can be taken along is offered first.
  await question.getByRole('button', { name: 'Export everything first' }).click();
  await expect(question).toBeHidden();
  await expect(page.getByRole('dialog')).toBeVisible();
  await pressEscape(page);
  await page.getByRole('button', { name: 'Destroy Vault' }).click();
  await question.getByRole('textbox').fill('DESTROY');

  house.advance(11 * MINUTE);
  await deed.click();
  const proof = page.getByRole('dialog', { name: 'Is it still you?' });
  await proof.getByLabel('Passphrase').fill(PASSPHRASE);
  await proof.getByRole('button', { name: 'Prove it' }).click();

  await expect(page.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
  await expect(second.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
  expect(
    await page.evaluate(() =>
      [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((name) =>
        name.startsWith('latebra.'),
      ),
    ),
  ).toEqual(['latebra.vault-key:another-account']);
  expect((await page.request.get(`${house.url}/api/auth/user`)).status()).toBe(401);

  // The name is free again, and what begins under it is empty.
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  await openMemoryVault(page);
  await expect(page.getByText('Nothing is kept here yet')).toBeVisible();
});

test('a vault that could not be destroyed is still there, and says why', async ({ page, house, quiet }) => {
  quiet.expect(/ERR_FAILED|net::/);
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  await page.goto(`${house.url}/settings`);
  await page.getByRole('button', { name: 'Destroy Vault' }).click();
  await page.route('**/api/vault/destroy', (route) => route.abort());
  const question = page.getByRole('alertdialog', { name: 'Destroy the vault?' });
  await question.getByRole('textbox').fill('DESTROY');
  await question.getByRole('textbox').press('Enter');
  await expect(question.getByRole('alert')).toContainText('could not be reached');
  await pressEscape(page);
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: 'Destroy Vault' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sacred Settings', level: 1 })).toBeVisible();
});
