// The key in its browser, and the sessions around it: device lock, idle lock, fresh proofs, other tabs, other people.
import { axeFindings } from './axe.ts';
import { expect, test } from './house.ts';
import {
  answerQuestions,
  beginByPasskey,
  beginByPassphrase,
  expectToast,
  forgetEverything,
  keepWords,
  openMemoryVault,
  proveWords,
  readMemory,
  rowOf,
  sealMemory,
} from './rites.ts';

const MINUTE = 60 * 1000;
const PASSPHRASE = 'plum cake on a stone wall';

const storedKeys = (page: import('@playwright/test').Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((slot) => slot.startsWith('latebra.vault-key')));

test('"keep no key on this device" takes it out of storage, and fifteen idle minutes out of memory', async ({
  page,
  house,
}) => {
  await page.clock.install();
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'The orchard', 'Ladders.');
  await page.getByRole('link', { name: 'Sacred Settings', exact: true }).click();
  await page.getByLabel('Keep no key on this device').check();
  expect(await storedKeys(page)).toEqual([]);

  await page.getByRole('link', { name: 'Latebra' }).click();
  await openMemoryVault(page);
  await readMemory(page, 'The orchard', ['Ladders.']);
  await page.clock.fastForward(14 * MINUTE);
  await page.mouse.click(5, 5);
  await page.clock.fastForward(14 * MINUTE);
  await expect(rowOf(page, 'The orchard')).toBeVisible();
  await page.clock.fastForward(2 * MINUTE);
  await expect(page.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible();
  await expect(page.getByText('The orchard')).toHaveCount(0);

  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(rowOf(page, 'The orchard')).toBeVisible();
  expect(await storedKeys(page)).toEqual([]);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible();
});

test('a first key that cannot be brought to the house is said to have failed, and is made when tried again', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/status of 503/);
  const data = { name: 'agnes', authKey: 'A'.repeat(43) };
  expect((await page.request.post(`${house.url}/api/gate/passphrase/begin`, { data })).status()).toBe(201);
  // As an account that a provider signs in looks: nothing it has could wrap the key.
  await page.route('**/api/auth/user', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), name: null } });
  });
  await page.route('**/api/encryption-key', (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto(house.url);
  await expectToast(page, 'Failed to Generate Key', 'The house is out of reach just now.');
  await expect(page.getByRole('alert')).toContainText('A key could not be made.');
  await page.unroute('**/api/encryption-key');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
  expect(await storedKeys(page)).toHaveLength(1);
});

test('after ten minutes the key’s surroundings want a fresh proof, and go on by themselves', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/status of 40[13]/);
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  house.advance(11 * MINUTE);
  await proveWords(page);
  const proof = page.getByRole('dialog', { name: 'Is it still you?' });
  await proof.getByLabel('Passphrase').fill('somebody else entirely');
  await proof.getByRole('button', { name: 'Prove it' }).click();
  await expect(proof.getByRole('alert')).toBeVisible();
  await proof.getByLabel('Passphrase').fill(PASSPHRASE);
  await proof.getByRole('button', { name: 'Prove it' }).click();
  await expect(proof).toBeHidden();
  await expectToast(page, 'The words are yours');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a second tab is at home at once, and locks when the first takes the key away', async ({
  page,
  context,
  house,
}) => {
  await beginByPasskey(page, house);
  await answerQuestions(page);
  const second = await context.newPage();
  await second.goto(`${house.url}/memory-vault`);
  await expect(second.getByText('Nothing is kept here yet')).toBeVisible();
  await page.evaluate(() => {
    for (const slot of Object.keys(localStorage)) localStorage.removeItem(slot);
  });
  await expect(second.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible();
});

test('two accounts in one browser keep their keys apart, and a stale tab can write into neither', async ({
  page,
  context,
  house,
  quiet,
}) => {
  quiet.expect(/status of 409/);
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'Of Agnes', 'Hers.');

  // Meanwhile, in another tab of the same browser, somebody else signs in.
  const second = await context.newPage();
  await second.goto(`${house.url}/api/logout`);
  await beginByPassphrase(second, house, 'boris', PASSPHRASE);
  await answerQuestions(second);
  await openMemoryVault(second);
  expect(await storedKeys(second)).toHaveLength(2);

  await page.getByRole('button', { name: 'New Memory' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Into the wrong vault');
  await page.getByRole('textbox', { name: 'Memory' }).fill('No.');
  await page.getByRole('button', { name: 'Seal Memory' }).click();
  // The first tab finds itself in the second account and shows that one's vault.
  await expect(page.getByText('Nothing is kept here yet')).toBeVisible();
  const entries = await (await page.request.get(`${house.url}/api/memory-entries`)).json();
  expect(entries).toEqual([]);

  await second.goto(`${house.url}/api/logout`);
  await second.goto(`${house.url}/enter`);
  await second.getByRole('button', { name: 'A name and a passphrase' }).click();
  await second.getByRole('textbox', { name: 'Name' }).fill('agnes');
  await second.getByLabel('Passphrase').fill(PASSPHRASE);
  await second.getByRole('button', { name: 'Enter', exact: true }).click();
  await openMemoryVault(second);
  await readMemory(second, 'Of Agnes', ['Hers.']);
});

test('leaving says where the key stays, and takes it along only when asked', async ({ page, house }) => {
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await page.getByRole('link', { name: 'Leave' }).click();
  const leave = page.getByRole('dialog', { name: 'Leave' });
  await expect(leave).toContainText('Your key stays in this browser');
  await leave.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
  expect(await storedKeys(page)).toHaveLength(1);
  expect((await page.request.get(`${house.url}/api/auth/user`)).status()).toBe(401);

  await page.goto(`${house.url}/enter`);
  await page.getByRole('button', { name: 'Enter with a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
  await page.getByRole('link', { name: 'Leave' }).click();
  await leave.getByLabel('Take my key from this browser too').check();
  await leave.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
  expect(await storedKeys(page)).toEqual([]);
});

test('a session is ended elsewhere by whoever proves who they are, and leads back to the threshold', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  quiet.expect(/status of 401/);
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${house.url}/enter`);
  await other.getByRole('button', { name: 'A name and a passphrase' }).click();
  await other.getByRole('textbox', { name: 'Name' }).fill('agnes');
  await other.getByLabel('Passphrase').fill(PASSPHRASE);
  await other.getByRole('button', { name: 'Enter', exact: true }).click();
  await other.getByRole('link', { name: 'Sacred Settings', exact: true }).click();
  house.advance(11 * MINUTE);
  await other.getByRole('button', { name: 'End it' }).click();
  const proof = other.getByRole('dialog', { name: 'Is it still you?' });
  await proof.getByLabel('Passphrase').fill(PASSPHRASE);
  await proof.getByRole('button', { name: 'Prove it' }).click();
  await expect(proof).toBeHidden();
  await expect(other.getByRole('button', { name: 'End it' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
});

test('somebody sees who tried and who entered, and on which device, and a failure to fetch it is said', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/status of (401|500)/);
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  for (let i = 0; i < 3; i += 1) {
    const answer = await page.request.post(`${house.url}/api/gate/passphrase/enter`, {
      data: { name: 'agnes', authKey: 'B'.repeat(43) },
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' },
    });
    expect(answer.status()).toBe(401);
  }
  await page.goto(`${house.url}/settings`);
  const section = page.getByRole('region', { name: 'Account activity' });
  const list = section.getByRole('list', { name: 'Account activity' });
  await expect(list.getByRole('listitem').first()).toContainText('A wrong passphrase was tried at the gate');
  await expect(list.getByRole('listitem').first()).toContainText(
    /3 times within the hour, last on .*, Firefox on Windows/,
  );
  await expect(list).toContainText('Account created with a passphrase');
  await expect(list).toContainText('The vault key was created');
  const violations = await axeFindings(page);
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  for (const [size, viewport] of Object.entries({
    wide: { width: 1440, height: 900 },
    narrow: { width: 390, height: 844 },
  })) {
    await page.setViewportSize(viewport);
    await section.scrollIntoViewIfNeeded();
    await page.screenshot({ path: `test-results/pictures/${size}-account-activity.png` });
  }
  await page.route('**/api/activity', (route) => route.fulfill({ status: 500, body: '' }));
  await page.reload();
  await expect(section.getByRole('alert')).toContainText('This could not be fetched');
  await page.unroute('**/api/activity');
  await section.getByRole('button', { name: 'Try again' }).click();
  await expect(list).toBeVisible();
});

test('the set-up token makes one keeper, once', async ({ page, house, browser, quiet }) => {
  quiet.expect(/status of 403/);
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await page.getByRole('link', { name: 'Sacred Settings', exact: true }).click();
  await page.getByLabel('Set-up token').fill('not-the-token');
  await page.getByRole('button', { name: 'Take the keys' }).click();
  await expect(page.getByText('That set-up token is not valid, or was already used.')).toBeVisible();
  await page.getByLabel('Set-up token').fill(house.setupToken ?? '');
  await page.getByRole('button', { name: 'Take the keys' }).click();
  await expect(page.getByText('You keep this house.')).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await beginByPassphrase(other, house, 'boris', PASSPHRASE);
  await answerQuestions(other);
  await other.getByRole('link', { name: 'Sacred Settings', exact: true }).click();
  await other.getByLabel('Set-up token').fill(house.setupToken ?? '');
  await other.getByRole('button', { name: 'Take the keys' }).click();
  await expect(other.getByText('That set-up token is not valid, or was already used.')).toBeVisible();
});

test('words of another vault, misspelt words and wrong order each get their own sentence', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/status of 401/);
  await beginByPasskey(page, house);
  await answerQuestions(page);
  const words = await keepWords(page);
  await forgetEverything(page);
  await page.goto(`${house.url}/enter`);
  await page.getByRole('button', { name: 'The twenty-four words' }).click();
  const field = page.getByLabel('The twenty-four words');
  const enter = page.getByRole('button', { name: 'Enter', exact: true });

  await field.fill(words.slice(1).join(' '));
  await enter.click();
  await expect(page.getByText('There are 23 words here; twenty-four are needed.')).toBeVisible();
  await field.fill(['abandonn', ...words.slice(1)].join(' '));
  await enter.click();
  await expect(page.getByText('Word 1, “abandonn”, is not on the list.')).toBeVisible();
  await field.fill(`${'abandon '.repeat(23)}art`);
  await enter.click();
  await expect(page.getByText('These twenty-four words do not open anything here.')).toBeVisible();
  await field.fill(words.join(' '));
  await enter.click();
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
});

test('a server that has exchanged the envelope is not believed', async ({ page, house, browser }) => {
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${house.url}/enter`);
  // The envelope of another vault's public keys, with this vault's own wraps.
  const stranger = await (await browser.newContext()).newPage();
  await beginByPassphrase(stranger, house, 'boris', PASSPHRASE);
  await expect(stranger.getByLabel('What are you hiding?')).toBeVisible();
  const foreign = await (await stranger.request.get(`${house.url}/api/encryption-key`)).json();
  await other.route('**/api/encryption-key', async (route) => {
    const answer = await route.fetch();
    const kept = await answer.json();
    kept.clientKey.recipient = foreign.clientKey.recipient;
    await route.fulfill({ response: answer, json: kept });
  });
  await other.getByRole('button', { name: 'A name and a passphrase' }).click();
  await other.getByRole('textbox', { name: 'Name' }).fill('agnes');
  await other.getByLabel('Passphrase').fill(PASSPHRASE);
  await other.getByRole('button', { name: 'Enter', exact: true }).click();
  await expect(other.getByText(/Stop\. What this server keeps of your key does not match/)).toBeVisible();
  expect(await storedKeys(other)).toEqual([]);
});

test('a browser that stores nothing still opens the vault, and says that the key will leave', async ({
  page,
  house,
}) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await expectToast(page, 'This browser keeps nothing');
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
  await page.reload();
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
});

test('the only copy of a key leaves its browser by no button', async ({ page, house, quiet }) => {
  quiet.expect(/status of 40[0-9]/);
  await beginByPasskey(page, house);
  await answerQuestions(page);
  // A new key after everything was lost: no way back exists yet.
  await page.evaluate(() => localStorage.clear());
  await page.goto(house.url);
  await page.getByRole('button', { name: 'I have none of these' }).click();
  await page.getByLabel('Type UNREADABLE to go on').fill('UNREADABLE');
  await page.getByRole('button', { name: 'Make a new key' }).click();
  await expect(page.getByRole('heading', { name: 'Your ways back' })).toBeVisible();

  await page.getByRole('link', { name: 'Leave' }).click();
  const leave = page.getByRole('dialog', { name: 'Leave' });
  await expect(leave.getByLabel('Take my key from this browser too')).toBeDisabled();
  await expect(leave).toContainText('This browser holds the only copy of your key.');
  await leave.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('link', { name: 'Sacred Settings', exact: true }).click();
  await expect(page.getByLabel('Keep no key on this device')).toBeDisabled();
  await page.getByRole('button', { name: 'Sign out and take the key along' }).click();
  await expect(leave.getByLabel('Take my key from this browser too')).not.toBeChecked();
  await leave.getByRole('button', { name: 'Stay' }).click();
  expect(await storedKeys(page)).toHaveLength(1);
});

test('the last way back is named before it is removed, and has to be typed; another one is not', async ({
  page,
  house,
}) => {
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await page.getByRole('link', { name: 'Sacred Settings', exact: true }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('It is the last way back to your key.');
  await expect(question.getByRole('button', { name: 'Remove it' })).toBeDisabled();
  await question.getByLabel('Type LAST to go on').fill('LAST');
  await expect(question.getByRole('button', { name: 'Remove it' })).toBeEnabled();
  await question.getByRole('button', { name: 'Cancel' }).click();

  await keepWords(page);
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(question).toContainText('It will neither sign you in nor open the vault.');
  await question.getByRole('button', { name: 'Remove it' }).click();
  await expectToast(page, 'Passkey removed');
});

test('leaving in one tab empties the others', async ({ page, context, house, quiet }) => {
  // Back leads to a chamber, which is no place for a visitor.
  quiet.expect(/status of 40[14]/);
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'The orchard', 'Ladders.');
  const second = await context.newPage();
  await second.goto(`${house.url}/memory-vault`);
  await rowOf(second, 'The orchard').getByRole('button').first().click();
  await expect(second.getByRole('dialog')).toContainText('Ladders.');
  await page.getByRole('link', { name: 'Leave' }).click();
  await page.getByRole('dialog', { name: 'Leave' }).getByRole('button', { name: 'Leave' }).click();
  await expect(second.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
  await expect(second.getByText('Ladders.')).toHaveCount(0);
  await second.goBack();
  await expect(second.getByText('Ladders.')).toHaveCount(0);
});
