// Passphrases where they are chosen: weak ones are refused, and what a server may not decide about them.
import type { Page } from '@playwright/test';
import { expect, type TestHouse, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import { answerQuestions, beginByPassphrase, openMemoryVault, sealMemory } from './rites.ts';

const PASSPHRASE = 'plum cake on a stone wall';

/** Begins under a name while the server gives every name one salt; returns the key that is sent to sign in. */
async function keyUnderOneSalt(page: Page, house: TestHouse, name: string): Promise<string> {
  await page.route('**/api/gate/passphrase/salt', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), salt: 'AAAAAAAAAAAAAAAAAAAAAA' } });
  });
  const sent = page.waitForRequest('**/api/gate/passphrase/begin');
  await beginByPassphrase(page, house, name, PASSPHRASE);
  return ((await sent).postDataJSON() as { authKey: string }).authKey;
}

test('a server that gives every name one salt gets another key for each', async ({
  page,
  house,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage();
  const agnes = await keyUnderOneSalt(page, house, 'agnes');
  const boris = await keyUnderOneSalt(other, house, 'boris');
  expect(agnes).toMatch(/^[\w-]{43}$/);
  expect(boris).not.toBe(agnes);
});

const CHECK = /\/assets\/strength-worker-[\w-]+\.js$/;
const WEAK = 'aaaaaaaaaaaa';
const ADVICE = 'Repeated characters like "aaa" are easy to guess.';

/** The gate's form for a new name and passphrase. */
async function openBeginning(page: Page, house: TestHouse): Promise<void> {
  await page.goto(`${house.url}/enter`);
  await page.getByRole('button', { name: 'First time here' }).click();
  await page.getByRole('button', { name: 'Begin with a name and a passphrase' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('agnes');
}

async function type(page: Page, passphrase: string): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await page.getByLabel('Once more').fill(passphrase);
}

test('a weak passphrase is advised against while it is typed, and refused when it is sent', async ({
  page,
  house,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(house.url);
  await openBeginning(page, house);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => CHECK.test(path))).toEqual([]);

  await type(page, WEAK);
  const advice = page.locator('[data-strength]');
  await expect(advice).toContainText(`Easy to guess. ${ADVICE}`);
  await expect(advice).toHaveAttribute('aria-live', 'polite');
  expect(asked.filter((path) => CHECK.test(path))).toHaveLength(1);
  await page.getByRole('button', { name: 'Make the vault' }).click();
  await expect(page.getByText(`This is too easy to guess. ${ADVICE}`)).toBeVisible();
  await type(page, 'agnes agnes agnes');
  await expect(advice).toContainText('Easy to guess.');
  expect(asked.filter((path) => path.startsWith('/api/gate/'))).toEqual([]);

  await type(page, PASSPHRASE);
  await expect(advice).toHaveText('Hard to guess.');
  await page.getByRole('button', { name: 'Make the vault' }).click();
  await answerQuestions(page);
});

test('without the strength check nothing but six chosen words is taken, until it can be loaded', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED/);
  await page.route(CHECK, (route) => route.abort());
  await openBeginning(page, house);
  await type(page, PASSPHRASE);
  await page.getByRole('button', { name: 'Make the vault' }).click();
  await expect(page.getByText('could not be checked').first()).toBeVisible();
  await page.unroute(CHECK);
  await page.getByRole('button', { name: 'Make the vault' }).click();
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
});

test('six chosen words need no check', async ({ page, house }) => {
  await page.route(CHECK, (route) => route.abort());
  await openBeginning(page, house);
  await page.getByRole('button', { name: 'Choose six words for me' }).click();
  await page.getByRole('button', { name: 'Make the vault' }).click();
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
});

test('weak passphrases are refused wherever one is chosen', async ({ page, house }) => {
  await enterAsResident(page, house);
  const refused = page.getByText('This is too easy to guess.');

  await page.goto(`${house.url}/settings`);
  await page.getByRole('button', { name: 'Export' }).click();
  await type(page, WEAK);
  await page.getByRole('button', { name: 'Export sealed' }).click();
  await expect(refused).toBeVisible();

  await page.goto(house.url);
  await page.getByRole('button', { name: 'Choose one' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('agnes');
  await type(page, WEAK);
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(refused).toBeVisible();

  await page.goto(house.url);
  await openMemoryVault(page);
  await sealMemory(page, 'The bell', 'It still rings.');
  await page.goto(`${house.url}/sacred-keys`);
  await page.getByRole('button', { name: 'Create Sacred Key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Content type').selectOption('memory');
  const entry = dialog.getByLabel('Specific entry');
  const option = entry.locator('option', { hasText: 'The bell' });
  await expect(option).toHaveCount(1);
  await entry.selectOption({ label: (await option.textContent()) ?? '' });
  await dialog.getByLabel('Passphrase', { exact: false }).fill(WEAK);
  await dialog.getByRole('button', { name: 'Create Sacred Key' }).click();
  await expect(refused).toBeVisible();

  await page.goto(`${house.url}/legacy-scroll`);
  await page.getByRole('textbox', { name: 'Title' }).fill('For later');
  await page.getByRole('textbox', { name: 'Letter' }).fill('It was never dry.');
  await page.getByLabel('Trigger').selectOption('manual');
  await page.getByLabel('Email address').fill('boris@example.org');
  await page.getByLabel('How the key reaches them').selectOption('passphrase');
  await type(page, WEAK);
  await page.getByRole('button', { name: 'Create Legacy Scroll' }).click();
  await expect(refused).toBeVisible();
});
