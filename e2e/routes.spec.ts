// The route table in its three standings, with the statuses that programs read, and what stands there meanwhile.
import { screens } from '../src/shared/screens.ts';
import { expect, test } from './house.ts';
import { answerQuestions, beginByPassphrase, forgetEverything } from './rites.ts';

test('a visitor finds the landing, the gate, and otherwise a 404 that shows the way in', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/status of 404/);
  for (const path of [
    '/memory-vault',
    '/settings',
    '/no-such-chamber',
    '/enter/',
    '/assets/none.js',
    '/api/none',
  ]) {
    expect((await page.request.get(`${house.url}${path}`)).status(), path).toBe(404);
  }
  await page.goto(`${house.url}/memory-vault`);
  await expect(page.getByText('404')).toBeVisible();
  await page.getByRole('link', { name: 'Enter' }).last().click();
  await expect(page.getByRole('heading', { name: 'The gate' })).toBeVisible();
  expect((await page.request.get(house.url)).status()).toBe(200);
});

test('the landing reads without JavaScript, and loads none', async ({ browser, house }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await page.goto(house.url);
  await expect(page.getByRole('heading', { name: 'Sacred Memory' })).toBeVisible();
  await expect(page.getByText('Three questions. No return.').first()).toBeVisible();
  for (const section of ['The token economy', 'The thirteen holders', 'The infrastructure']) {
    await expect(page.getByText(section, { exact: true })).toBeVisible();
  }
  for (const link of await page.getByRole('link').all()) {
    const href = (await link.getAttribute('href')) ?? '';
    if (href.startsWith('#')) continue;
    expect((await page.request.get(new URL(href, house.url).href)).status(), `${href} leads somewhere`).toBe(
      200,
    );
  }
  expect(scripts).toEqual([]);
});

test('an initiate finds the questions at the root and nothing else', async ({ page, house, quiet }) => {
  quiet.expect(/status of 404/);
  await beginByPassphrase(page, house, 'agnes', 'plum cake on a stone wall');
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
  expect((await page.request.get(`${house.url}/memory-vault`)).status()).toBe(404);
  await page.goto(`${house.url}/memory-vault`);
  await expect(page.getByText('404')).toBeVisible();
  await page.goto(house.url);

  // Previous is hidden on the first step, and Continue wants an answer that is not blank.
  const carryOn = page.getByRole('button', { name: 'Continue' });
  await expect(page.getByRole('button', { name: 'Previous' })).toHaveCount(0);
  await expect(carryOn).toBeDisabled();
  await page.getByLabel('What are you hiding?').fill('   ');
  await expect(carryOn).toBeDisabled();
  await page.getByLabel('What are you hiding?').fill('A bell');
  await carryOn.click();
  await expect(page.getByLabel('Who do you trust?')).toBeFocused();
  await expect(page.getByLabel('Who do you trust?')).toHaveAttribute('rows', '8');
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByLabel('What are you hiding?')).toHaveValue('A bell');
  // What was answered survives a reload.
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((slot) => slot.startsWith('latebra.draft')),
  );
  await page.reload();
  await expect(page.getByLabel('What are you hiding?')).toHaveValue('A bell');
});

test('a failing ritual says why, and keeps the answers', async ({ page, house, quiet }) => {
  quiet.expect(/status of 500/);
  await beginByPassphrase(page, house, 'agnes', 'plum cake on a stone wall');
  await page.route('**/api/onboarding', (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong here.', code: 'internal' } }),
  );
  for (const [question, button] of [
    ['What are you hiding?', 'Continue'],
    ['Who do you trust?', 'Continue'],
    ['What would you burn to keep it safe?', 'Enter the Vault'],
  ] as const) {
    await page.getByLabel(question).fill('An answer');
    await page.getByRole('button', { name: button }).click();
  }
  await expect(page.getByText('Ritual Failed', { exact: true })).toBeVisible();
  await expect(page.getByLabel('What would you burn to keep it safe?')).toHaveValue('An answer');
});

test('a resident finds the chambers, a spinner before them, and 404 elsewhere', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/status of 404/);
  await beginByPassphrase(page, house, 'agnes', 'plum cake on a stone wall');
  await answerQuestions(page);
  const chambers = Object.keys(screens).filter((path) => path !== '/enter' && !path.includes('{'));
  expect(chambers).toContain('/memory-vault');
  for (const path of chambers) {
    expect((await page.request.get(`${house.url}${path}`)).status(), path).toBe(200);
  }
  expect((await page.request.get(`${house.url}/no-such-chamber`)).status()).toBe(404);
  await page.goto(`${house.url}/no-such-chamber`);
  await expect(page.getByText('404')).toBeVisible();

  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route('**/api/auth/user', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(house.url);
  await expect(page.getByRole('status').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'The chambers' })).toHaveCount(0);
  letThrough();
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
});

test('a house that does not answer says so, and tries again when asked', async ({ page, house, quiet }) => {
  quiet.expect(/ERR_CONNECTION_RESET/);
  await beginByPassphrase(page, house, 'agnes', 'plum cake on a stone wall');
  await answerQuestions(page);
  let broken = true;
  await page.route('**/api/memory-entries*', (route) =>
    broken ? route.abort('connectionreset') : route.continue(),
  );
  await page.goto(`${house.url}/memory-vault`);
  await expect(page.getByRole('alert')).toContainText('The house could not be reached.');
  broken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Nothing is kept here yet')).toBeVisible();
});

test('two tabs that make the first key at once end with one key that both have', async ({
  page,
  context,
  house,
  quiet,
}) => {
  quiet.expect(/status of 409/);
  // An account that has signed up elsewhere and has no key yet.
  await page.request.post(`${house.url}/api/gate/passphrase/begin`, {
    data: { name: 'agnes', authKey: 'A'.repeat(43) },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  // As an account that a provider signs in looks: nothing it has could wrap the key, so none is asked for.
  await context.route('**/api/auth/user', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), name: null } });
  });
  const second = await context.newPage();
  await Promise.all([page.goto(house.url), second.goto(house.url)]);
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
  await expect(second.getByLabel('What are you hiding?')).toBeVisible();
  await answerQuestions(page);
  await second.reload();
  await expect(second.getByRole('heading', { name: 'The chambers' })).toBeVisible();
  await forgetEverything(second);
});
