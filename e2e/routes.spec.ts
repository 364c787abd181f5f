// What stands at the served addresses for whoever is not inside, and two tabs that come in at once. Who finds which screen
// is told in server/features/documents/documents.test.ts and src/web/routes.test.tsx.
import { expect, test } from './instance.ts';
import { answerQuestions } from './rites.ts';

test('a visitor finds a 404 that shows the way in', async ({ page, instance, quiet }) => {
  quiet.expect(/status of 404/);
  await page.goto(`${instance.url}/memory-vault`);
  await expect(page.getByText('404')).toBeVisible();
  await page.getByRole('link', { name: 'Enter' }).last().click();
  await expect(page.getByRole('heading', { name: 'The gate' })).toBeVisible();
});

test('the landing reads without JavaScript, and loads none', async ({ browser, instance }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await page.goto(instance.url);
  await expect(page.getByRole('heading', { name: 'Sacred Memory' })).toBeVisible();
  await expect(page.getByText('Three questions. No return.').first()).toBeVisible();
  for (const section of ['The token economy', 'The thirteen holders', 'The infrastructure']) {
    await expect(page.getByRole('main').getByText(section, { exact: true })).toBeVisible();
  }
  for (const link of await page.getByRole('link').all()) {
    const href = (await link.getAttribute('href')) ?? '';
    if (href.startsWith('#')) continue;
    expect(
      (await page.request.get(new URL(href, instance.url).href)).status(),
      `${href} leads somewhere`,
    ).toBe(200);
  }
  // What only a script could answer is not offered.
  await expect(page.getByRole('button', { name: 'thirteen.sh' })).toHaveCount(0);
  expect(scripts).toEqual([]);
});

test('two tabs that make the first key at once end with one key that both have', async ({
  page,
  context,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 409/);
  // An account that has signed up elsewhere and has no key yet.
  await page.request.post(`${instance.url}/api/gate/passphrase/begin`, {
    data: { name: 'agnes', authKey: 'A'.repeat(43) },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  // As an account that a provider signs in looks: nothing it has could wrap the key, and whether it is new is asked.
  await context.route('**/api/auth/user', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), name: null } });
  });
  const second = await context.newPage();
  await Promise.all([page.goto(instance.url), second.goto(instance.url)]);
  const tabs = [page, second].map((tab) => tab.getByRole('button', { name: 'Make my vault' }));
  for (const make of tabs) await expect(make).toBeVisible();
  // One that hears of the other's key in time goes on by itself.
  await Promise.all(tabs.map((make) => make.or(make.page().getByLabel('What are you hiding?')).click()));
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
  await expect(second.getByLabel('What are you hiding?')).toBeVisible();
  await answerQuestions(page);
  await second.reload();
  await expect(second.getByRole('heading', { name: 'The chambers' })).toBeVisible();
});
