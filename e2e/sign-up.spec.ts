// Who may create an account: the administrator's switch, invitations handed over as links, and what the gate says.
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { addAuthenticator, expect, openInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { takePicture } from './pictures.ts';
import { answerQuestions, expectToast } from './rites.ts';

const PASSPHRASE = 'plum cake on a stone wall';

/** Pictures at both sizes, and no axe finding. */
async function look(page: Page, name: string): Promise<void> {
  const violations = await axeFindings(page);
  expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await takePicture(page, `narrow-${name}`);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(sideways, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await takePicture(page, `wide-${name}`);
}

test('a server closes, invites one person by a link, and takes the invitation back from another', async ({
  page,
  instance,
  browser,
  quiet,
}) => {
  quiet.expect(/status of 403/);
  await enterAsMember(page, instance, 'agnes', '/administration');
  await page.getByLabel('Set-up token').fill(instance.setupToken ?? '');
  await page.getByRole('button', { name: 'Become administrator' }).click();
  const section = page.getByRole('region', { name: 'New accounts' });
  await expect(section.getByText('No invitation was made yet.')).toBeVisible();
  await section.getByLabel('Who may create an account').selectOption({ label: 'Nobody' });
  await expectToast(page, 'New accounts', 'Nobody can create an account now');

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${instance.url}/enter`);
  await other.getByRole('button', { name: 'First time here' }).click();
  await expect(other.getByText('This server takes no new accounts.')).toBeVisible();
  await expect(other.getByRole('button', { name: /^Begin with/ })).toHaveCount(0);
  await look(other, 'sign-up-closed');

  await section.getByLabel('Who may create an account').selectOption({ label: 'Whoever has an invitation' });
  await expect(section.getByText('They count only while')).toHaveCount(0);
  await section.getByRole('button', { name: 'Make an invitation' }).click();
  const made = page.getByRole('dialog', { name: 'An invitation' });
  const link = await made.getByLabel('Link').inputValue();
  expect(link).toMatch(/\/enter\?invited#invitation=[\w-]{43}$/);
  await look(page, 'sign-up-invitation-made');
  await made.getByRole('button', { name: 'Done' }).click();
  await section.getByRole('button', { name: 'Make an invitation' }).click();
  const revoked = await made.getByLabel('Link').inputValue();
  await made.getByRole('button', { name: 'Done' }).click();
  await section
    .getByRole('button', { name: /^Revoke the invitation/ })
    .first()
    .click();
  await expectToast(page, 'Invitation revoked');

  await other.goto(`${instance.url}/enter`);
  await other.getByRole('button', { name: 'First time here' }).click();
  await expect(other.getByRole('button', { name: 'Begin with a name and a passphrase' })).toBeDisabled();
  await other.getByLabel('Invitation').fill(revoked);
  await other.getByRole('button', { name: 'Begin with a name and a passphrase' }).click();
  await expect(other.getByRole('alert')).toContainText('This invitation is not valid');
  await look(other, 'sign-up-invitation');

  await other.goto(link);
  await expect(other.getByLabel('Invitation')).toHaveValue(/^[\w-]{43}$/);
  const sent: string[] = [];
  other.on('request', (request) => sent.push(request.url()));
  await other.getByRole('button', { name: 'Begin with a name and a passphrase' }).click();
  await other.getByRole('textbox', { name: 'Name' }).fill('boris');
  await other.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await other.getByLabel('Repeat passphrase').fill(PASSPHRASE);
  await other.getByRole('button', { name: 'Make the vault' }).click();
  await expect(other.getByLabel('What are you hiding?')).toBeVisible();
  const secret = link.split('=')[1] ?? '';
  expect(sent.join()).not.toContain(secret);
  expect(instance.log.join()).not.toContain(secret);

  await page.reload();
  await expect(section.getByText('Used', { exact: true })).toBeVisible();
  await expect(section.getByText('Revoked', { exact: true })).toBeVisible();
  await section.scrollIntoViewIfNeeded();
  await look(page, 'sign-up-settings');

  for (let i = 0; i < 3; i += 1) {
    await section.getByRole('button', { name: 'Make an invitation' }).click();
    await made.getByRole('button', { name: 'Done' }).click();
  }
  await expect(section.getByText('3 are open.')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await section.getByText('3 are open.').scrollIntoViewIfNeeded();
  await look(page, 'sign-up-many');
  await section.getByRole('button', { name: 'Revoke all open invitations' }).click();
  await look(page, 'sign-up-revoke-all');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke all' }).click();
  await expectToast(page, '3 invitations revoked', 'Their links create no account any more.');
  await expect(section.getByText('Unused', { exact: true })).toHaveCount(0);
  await expect(section.getByText('Revoked', { exact: true })).toHaveCount(4);
  await expect(section.getByRole('button', { name: /^Revoke/ })).toHaveCount(0);
});

test('a fresh server that takes no accounts lets in whoever has its set-up token, as its administrator', async ({
  page,
}) => {
  const instance = await openInstance({ SIGN_UP: 'closed' });
  try {
    await page.goto(`${instance.url}/enter`);
    await page.getByRole('button', { name: 'First time here' }).click();
    await page.getByLabel('Set-up token').fill(instance.setupToken ?? '');
    await look(page, 'sign-up-set-up');
    await page.getByRole('button', { name: 'Begin with a name and a passphrase' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('agnes');
    await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
    await page.getByLabel('Repeat passphrase').fill(PASSPHRASE);
    await page.getByRole('button', { name: 'Make the vault' }).click();
    await answerQuestions(page);
    await page.goto(`${instance.url}/administration`);
    const section = page.getByRole('region', { name: 'New accounts' });
    await expect(section.getByLabel('Who may create an account')).toBeDisabled();
    await expect(section.getByText('Set by SIGN_UP in the configuration of this server.')).toBeVisible();
    await section.scrollIntoViewIfNeeded();
    await look(page, 'sign-up-by-configuration');
  } finally {
    await page.close();
    await instance.stop();
  }
});

test('a passkey is made by an invitation', async ({ page, instance, browser }) => {
  await enterAsMember(page, instance, 'agnes', '/administration');
  await page.getByLabel('Set-up token').fill(instance.setupToken ?? '');
  await page.getByRole('button', { name: 'Become administrator' }).click();
  const section = page.getByRole('region', { name: 'New accounts' });
  await section.getByLabel('Who may create an account').selectOption({ label: 'Whoever has an invitation' });
  await section.getByRole('button', { name: 'Make an invitation' }).click();
  const link = await page.getByRole('dialog').getByLabel('Link').inputValue();
  const other = await (await browser.newContext()).newPage();
  await addAuthenticator(other);
  await other.goto(link);
  await other.getByRole('button', { name: 'Begin with a passkey' }).click();
  await expect(other.getByLabel('What are you hiding?')).toBeVisible();
});
