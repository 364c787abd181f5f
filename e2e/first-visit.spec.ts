// From the first visit to the first memory, and back again in another browser by each way there is.
import { type Browser, expect, type Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { addAuthenticator, copyPasskeys, type TestInstance, test } from './instance.ts';
import { lookAt } from './pictures.ts';
import {
  answerDevice,
  answerQuestions,
  beginByPasskey,
  beginByPassphrase,
  expectToast,
  forgetEverything,
  keepWords,
  openMemoryVault,
  readMemory,
  sealMemory,
} from './rites.ts';

const TITLE = 'The bell under the lake';
const WORDS = 'It still rings.\n\nEvery winter.';

async function sealOne(page: Page): Promise<void> {
  await openMemoryVault(page);
  await sealMemory(page, TITLE, WORDS);
}

/** A browser that has never seen this server, at its gate. */
async function otherBrowser(browser: Browser, instance: TestInstance): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(instance.url);
  await page.getByRole('link', { name: 'Enter' }).first().click();
  await expect(page.getByRole('heading', { name: 'The gate' })).toBeVisible();
  return page;
}

async function expectReadable(page: Page): Promise<void> {
  await openMemoryVault(page);
  await readMemory(page, TITLE, ['It still rings.', 'Every winter.']);
}

// By each of the two ways in, everything moves as it does for whoever asks for no less; keyboard.spec.ts moves as well.
test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a stranger touches a passkey, answers, keeps the words, seals a memory and reads it', async ({
    page,
    instance,
    quiet,
  }) => {
    await beginByPasskey(page, instance);
    await answerQuestions(page);
    await keepWords(page);
    await expect(page.getByText('Recovery: your ways back')).toBeHidden();
    await openMemoryVault(page);
    await expect(page.getByText('Nothing is kept here yet')).toBeVisible();
    await sealMemory(page, TITLE, WORDS);
    await readMemory(page, TITLE, ['It still rings.']);
    await page.reload();
    await readMemory(page, TITLE, ['Every winter.']);
    await page.goto(instance.url);
    await expect(page.getByRole('main').getByRole('link', { name: /Memory Vault/ })).toContainText('1 entry');
    expect(quiet.said).toEqual([]);
  });

  test('a name and a passphrase make a vault, and enter and open it in another browser', async ({
    page,
    instance,
    browser,
  }) => {
    await beginByPassphrase(page, instance, 'Ágnes  of the Lake', 'plum cake on a stone wall');
    await answerQuestions(page);
    await sealOne(page);

    const other = await otherBrowser(browser, instance);
    await other.getByRole('button', { name: 'A name and a passphrase' }).click();
    await other.getByLabel('Name').fill('ágnes of the lake');
    await other.getByLabel('Passphrase').fill('plum cake on a stone wall');
    await other.getByRole('button', { name: 'Enter', exact: true }).click();
    await expect(other.getByRole('heading', { name: 'Is this device yours alone?' })).toBeVisible();
    await lookAt(other, 'whose-device');
    await answerDevice(other);
    await expectReadable(other);
  });
});

test('the twenty-four words enter and open the vault in another browser', async ({
  page,
  instance,
  browser,
}) => {
  await beginByPasskey(page, instance);
  await answerQuestions(page);
  const words = await keepWords(page);
  await sealOne(page);

  const other = await otherBrowser(browser, instance);
  await other.getByRole('button', { name: 'The twenty-four words' }).click();
  await other
    .getByLabel('The twenty-four words')
    .fill(words.map((word, i) => `${i + 1}. ${word.toUpperCase()}`).join('\n'));
  await other.getByRole('button', { name: 'Enter', exact: true }).click();
  await answerDevice(other);
  await expectReadable(other);
});

test('a passkey enters and opens the vault with one touch in a browser that knows nothing', async ({
  page,
  instance,
}) => {
  await beginByPasskey(page, instance);
  await answerQuestions(page);
  await sealOne(page);

  // What a synced or portable authenticator meets elsewhere: the same passkey, and not one trace of the server.
  await forgetEverything(page);
  await page.goto(instance.url);
  await page.getByRole('link', { name: 'Enter' }).first().click();
  await page.getByRole('button', { name: 'Enter with a passkey' }).click();
  await answerDevice(page);
  await expectReadable(page);
});

test('a passkey whose authenticator keeps no secrets signs in, and the passphrase opens the vault', async ({
  page,
  instance,
  browser,
}) => {
  await addAuthenticator(page, { prf: false });
  await page.goto(`${instance.url}/enter`);
  await page.getByRole('button', { name: 'First time here' }).click();
  await page.getByRole('button', { name: 'Begin with a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'One more touch' })).toBeVisible();
  await page.getByRole('button', { name: 'Touch it again' }).click();
  await expect(page.getByRole('heading', { name: /^This passkey signs you in/ })).toBeVisible();
  await page.getByRole('button', { name: 'Go on' }).click();
  await answerQuestions(page);
  await page.getByRole('button', { name: 'Choose one' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('agnes');
  await page.getByLabel('Passphrase', { exact: true }).fill('plum cake on a stone wall');
  await page.getByLabel('Repeat passphrase').fill('plum cake on a stone wall');
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Passphrase kept');
  await sealOne(page);

  const other = await otherBrowser(browser, instance);
  await copyPasskeys(page, other, { prf: false });
  await other.getByRole('button', { name: 'Enter with a passkey' }).click();
  await answerDevice(other);
  await expect(other.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible();
  await other.getByLabel('Passphrase').fill('not this one, surely');
  await other.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(
    other.getByRole('alert').getByText(/^That passphrase does not open what this server sent of your key\./),
  ).toBeVisible();
  await other.getByLabel('Passphrase').fill('plum cake on a stone wall');
  await other.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expectReadable(other);
});

test('the Enter door never makes a vault', async ({ page, instance, quiet }) => {
  quiet.expect(/status of 401/);
  await addAuthenticator(page);
  await page.goto(`${instance.url}/enter`);
  await page.getByRole('button', { name: 'A name and a passphrase' }).click();
  await page.getByLabel('Name').fill('nobody at all');
  await page.getByLabel('Passphrase').fill('plum cake on a stone wall');
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('The name or the passphrase is wrong.');
  expect((await page.request.get(`${instance.url}/api/auth/user`)).status()).toBe(401);
});

test('a door that is pressed before the app has come opens when it comes, also after it could not be fetched', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED/);
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  let isCut = true;
  await page.route(/\/assets\/index-[\w-]+\.js$/, async (route) => {
    if (isCut) return route.abort();
    await held;
    return route.continue();
  });
  await page.goto(`${instance.url}/enter`);
  const door = (name: string | RegExp) => page.getByRole('button', { name });
  await door('The twenty-four words').click();
  await expect(door('The twenty-four words (not loaded, try again)')).toBeVisible();
  isCut = false;
  await door(/^The twenty-four words/).click();
  await expect(page.locator('button[aria-busy="true"]')).toHaveText('The twenty-four words');
  expect(await axeFindings(page)).toEqual([]);
  letThrough();
  await expect(page.getByLabel('The twenty-four words')).toBeVisible();
});
