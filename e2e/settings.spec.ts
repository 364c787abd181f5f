// Sacred Settings: the answers read again, what a provider gave, the passphrase taken away, and no dead buttons.
import { axeFindings } from './axe.ts';
import { expect, test } from './house.ts';
import {
  ANSWERS,
  addPasskey,
  answerQuestions,
  beginByPasskey,
  beginByPassphrase,
  expectToast,
} from './rites.ts';

const PASSPHRASE = 'plum cake on a stone wall';

test('the three answers are hidden until somebody asks for them, and can be hidden again', async ({
  page,
  house,
}) => {
  await beginByPasskey(page, house);
  await answerQuestions(page, ['A bell\nunder a lake', ANSWERS[1] ?? '', ANSWERS[2] ?? '']);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.goto(`${house.url}/settings`);
  const answers = page.getByRole('region', { name: 'The three answers' });
  await expect(answers.getByRole('button', { name: 'Read them again' })).toBeVisible();
  expect(asked).not.toContain('GET /api/onboarding');
  await answers.getByRole('button', { name: 'Read them again' }).click();
  await expect(answers.getByRole('term')).toHaveText([
    'What are you hiding?',
    'Who do you trust?',
    'What would you burn to keep it safe?',
  ]);
  await expect(answers.getByRole('definition')).toHaveText(
    ['A bell\nunder a lake', ANSWERS[1] ?? '', ANSWERS[2] ?? ''],
    {
      useInnerText: true,
    },
  );
  const violations = await axeFindings(page);
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  await page.screenshot({ path: 'test-results/pictures/wide-settings-answers.png', fullPage: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: 'test-results/pictures/narrow-settings-answers.png', fullPage: true });
  await answers.getByRole('button', { name: 'Hide them' }).click();
  await expect(answers.getByText(ANSWERS[1] ?? '')).toHaveCount(0);
});

test('answers that do not open, and answers that are not there, are told apart', async ({ page, house }) => {
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await page.goto(`${house.url}/settings`);
  const answers = page.getByRole('region', { name: 'The three answers' });
  await page.route('**/api/onboarding', async (route) => {
    const answer = await route.fetch();
    const row = await answer.json();
    await route.fulfill({ response: answer, json: { ...row, question1: row.question2 } });
  });
  await answers.getByRole('button', { name: 'Read them again' }).click();
  await expect(answers.getByRole('alert')).toContainText('Your answers cannot be opened.');
  await page.unroute('**/api/onboarding');
  await page.route('**/api/onboarding', (route) => route.fulfill({ json: null }));
  await answers.getByRole('button', { name: 'Hide them' }).click();
  await answers.getByRole('button', { name: 'Read them again' }).click();
  await expect(answers.getByText('The three questions have not been answered yet.')).toBeVisible();
});

test('without a provider the profile says that nothing is kept, in the same three fields', async ({
  page,
  house,
}) => {
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await page.goto(`${house.url}/settings`);
  const profile = page.getByRole('region', { name: 'Profile' });
  await expect(profile).toContainText('This server keeps no e-mail, first name or last name.');
  for (const label of ['E-mail', 'First name', 'Last name']) {
    await expect(profile.getByLabel(label)).toHaveValue('');
    await expect(profile.getByLabel(label)).toHaveAttribute('placeholder', 'Not kept here');
    await expect(profile.getByLabel(label)).not.toBeEditable();
  }
});

test('what a provider gave is shown and cannot be typed over; nothing is sold where nothing is for sale', async ({
  page,
  house,
}) => {
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await page.route('**/api/auth/user', async (route) => {
    const answer = await route.fetch();
    const user = { ...(await answer.json()), email: 'ada@example.org', firstName: 'Ada', lastName: null };
    await route.fulfill({ response: answer, json: user });
  });
  await page.goto(`${house.url}/settings`);
  for (const [label, value] of [
    ['E-mail', 'ada@example.org'],
    ['First name', 'Ada'],
    ['Last name', ''],
  ] as const) {
    await expect(page.getByLabel(label)).toHaveValue(value);
    await expect(page.getByLabel(label)).not.toBeEditable();
  }
  const subscription = page.getByRole('region', { name: 'Payment and Subscription' });
  await expect(subscription).toContainText(
    'Payments are not configured in this house. Every feature is open.',
  );
  await expect(subscription.getByRole('button')).toHaveCount(0);
  await expect(subscription.getByRole('link')).toHaveCount(0);
});

test('a passphrase is taken away when something else signs in, and not before', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/status of 409/);
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  await page.goto(`${house.url}/settings`);
  await page.getByRole('button', { name: 'Remove the passphrase' }).click();
  const question = page.getByRole('alertdialog', { name: 'Remove name and passphrase?' });
  await expect(question).toContainText('It is the last way back to your key.');
  await question.getByRole('textbox').fill('LAST');
  await question.getByRole('button', { name: 'Remove it' }).click();
  await expect(question.getByRole('alert')).toHaveText(
    'This is the only way to sign in that is left. Add another one first.',
  );
  await question.getByRole('button', { name: 'Cancel' }).click();

  await addPasskey(page);
  await page.getByRole('button', { name: 'Remove the passphrase' }).click();
  await expect(question).toContainText('The name agnes and its passphrase');
  await question.getByRole('button', { name: 'Remove it' }).click();
  await expectToast(page, 'Passphrase removed');
  await expect(page.getByRole('button', { name: 'Remove the passphrase' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Choose one' })).toBeVisible();
  expect((await (await page.request.get(`${house.url}/api/auth/user`)).json()).name).toBeNull();
});

test('the browser is asked once not to clear what it keeps', async ({ page, house }) => {
  await page.addInitScript(() => {
    const asked = { times: 0 };
    Object.assign(window, { asked });
    navigator.storage.persisted = async () => asked.times > 0;
    navigator.storage.persist = async () => {
      asked.times += 1;
      return true;
    };
  });
  await beginByPasskey(page, house);
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { asked: { times: number } }).asked.times)).toBe(1);
});

test('the administrator reads that a proxy was not declared, and what to do about it', async ({
  page,
  house,
}) => {
  await beginByPasskey(page, house);
  await answerQuestions(page);
  const claimed = await page.request.post(`${house.url}/api/admin/claim`, {
    data: { token: house.setupToken },
  });
  expect(claimed.ok()).toBe(true);
  await page.goto(`${house.url}/settings`);
  const notice = page.getByRole('region', { name: 'Undeclared proxy' });
  await expect(page.getByRole('region', { name: 'Keeper' })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await page.request.get(`${house.url}/api/auth/user`, { headers: { 'x-forwarded-for': '203.0.113.1' } });
  await page.reload();
  await expect(notice.getByRole('listitem')).toHaveText(/^(127\.0\.0\.1|::1)$/);
  await expect(notice).toContainText(/add (127\.0\.0\.1|::1) to TRUSTED_PROXIES in the configuration/);
  await expect(notice).not.toContainText('203.0.113.1');
  const violations = await axeFindings(page);
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  await notice.scrollIntoViewIfNeeded();
  await page.setViewportSize({ width: 1440, height: 900 });
  await notice.screenshot({ path: 'test-results/pictures/wide-settings-proxy.png' });
  await page.setViewportSize({ width: 390, height: 844 });
  await notice.screenshot({ path: 'test-results/pictures/narrow-settings-proxy.png' });
});
