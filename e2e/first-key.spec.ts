// The first key's envelope when the network or the server fails in that very moment: the account is made once, the
// same press goes on, and the key never stands there without a way back.
import type { Page } from '@playwright/test';
import { addAuthenticator, expect, type TestHouse, test } from './house.ts';
import {
  answerQuestions,
  beginByPasskey,
  beginByPassphrase,
  expectToast,
  forgetEverything,
} from './rites.ts';

const PASSPHRASE = 'plum cake on a stone wall';

type Fault = 'aborted' | 'answered 500' | 'lost after it was stored';

/** Makes the first envelope that this page sends fail. Returns how many were sent, and how often an account was made. */
async function failOnce(page: Page, fault: Fault): Promise<{ envelopes: number; accounts: number }> {
  const seen = { envelopes: 0, accounts: 0 };
  await page.route(/\/api\/gate\/(passphrase|passkey)\/begin$/, async (route) => {
    seen.accounts += 1;
    await route.continue();
  });
  await page.route('**/api/encryption-key', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    seen.envelopes += 1;
    if (seen.envelopes > 1) return route.continue();
    if (fault === 'answered 500') return route.fulfill({ status: 500, body: '' });
    if (fault === 'lost after it was stored') await route.fetch();
    return route.abort();
  });
  return seen;
}

/** Enters from nothing and arrives at the vault: what was wrapped at the beginning opens it. */
async function enterAgain(page: Page, house: TestHouse): Promise<void> {
  await forgetEverything(page);
  await page.goto(`${house.url}/enter`);
  await page.getByRole('button', { name: 'A name and a passphrase' }).click();
  await page.getByLabel('Name').fill('agnes');
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
}

for (const fault of ['aborted', 'answered 500', 'lost after it was stored'] as const) {
  test(`a first key by passphrase is finished by the same press when its envelope was ${fault}`, async ({
    page,
    house,
    quiet,
  }) => {
    quiet.expect(/ERR_FAILED|status of 500|status of 409/);
    await addAuthenticator(page);
    const seen = await failOnce(page, fault);
    await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
    await expectToast(page, 'Failed to Generate Key');
    await expect(page.getByLabel('Passphrase', { exact: true })).toBeDisabled();
    await page.getByRole('button', { name: 'Make the vault' }).click();
    await answerQuestions(page);
    expect(seen).toEqual({ envelopes: 2, accounts: 1 });
    await enterAgain(page, house);
  });
}

test('an account whose own answer was lost is entered by the same press', async ({ page, house, quiet }) => {
  quiet.expect(/ERR_FAILED|status of 409/);
  await addAuthenticator(page);
  let lost = 0;
  await page.route('**/api/gate/passphrase/begin', async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await expect(page.getByRole('alert').first()).toBeVisible();
  await page.getByRole('button', { name: 'Make the vault' }).click();
  await answerQuestions(page);
  await enterAgain(page, house);
});

test('a first key by passkey is finished by the same press', async ({ page, house, quiet }) => {
  quiet.expect(/ERR_FAILED/);
  const seen = await failOnce(page, 'aborted');
  await beginByPasskey(page, house);
  await expectToast(page, 'Failed to Generate Key');
  await expect(page.getByRole('button', { name: 'Back to the gate' })).toBeHidden();
  await page.getByRole('button', { name: 'Begin with a passkey' }).click();
  await answerQuestions(page);
  expect(seen).toEqual({ envelopes: 2, accounts: 1 });

  await forgetEverything(page);
  await page.goto(`${house.url}/enter`);
  await page.getByRole('button', { name: 'Enter with a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
});

test('after a reload the passphrase is asked for again before a key is made', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED|status of 401/);
  await addAuthenticator(page);
  const seen = await failOnce(page, 'aborted');
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await expectToast(page, 'Failed to Generate Key');
  await page.goto(house.url);
  await expect(page.getByRole('heading', { name: 'One step is left' })).toBeVisible();
  expect(seen.envelopes).toBe(1);
  await page.getByLabel('Passphrase', { exact: true }).fill('not this one, surely');
  await page.getByRole('button', { name: 'Make the key' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  expect(seen.envelopes).toBe(1);
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Make the key' }).click();
  await answerQuestions(page);
  await enterAgain(page, house);
});

test('after a reload the passkey is asked for again before a key is made', async ({ page, house, quiet }) => {
  quiet.expect(/ERR_FAILED/);
  await failOnce(page, 'aborted');
  await beginByPasskey(page, house);
  await expectToast(page, 'Failed to Generate Key');
  await page.goto(house.url);
  await page.getByRole('button', { name: 'Touch the passkey' }).click();
  await answerQuestions(page);

  await forgetEverything(page);
  await page.goto(`${house.url}/enter`);
  await page.getByRole('button', { name: 'Enter with a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
});

test('a passkey that yields no secret is named, and its owner decides to go on without', async ({
  page,
  house,
}) => {
  await addAuthenticator(page, { prf: false });
  await page.goto(`${house.url}/enter`);
  await page.getByRole('button', { name: 'First time here' }).click();
  await page.getByRole('button', { name: 'Begin with a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'One more touch' })).toBeVisible();
  await page.goto(house.url);
  await page.getByRole('button', { name: 'Touch the passkey' }).click();
  await expect(page.getByText('it cannot open a vault')).toBeVisible();
  await page.getByRole('button', { name: 'Make the key without it' }).click();
  await answerQuestions(page);
  await expect(page.getByText('Your ways back')).toBeVisible();
});
