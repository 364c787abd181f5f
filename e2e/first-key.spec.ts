// The first key's envelope when the network fails in that very moment, with a real passkey and a real passphrase. Every
// way in which it can fail is told in src/web/chambers/gate/first-key.test.tsx.
import { addAuthenticator, expect, test } from './instance.ts';
import {
  answerDevice,
  answerQuestions,
  beginByPasskey,
  beginByPassphrase,
  expectToast,
  forgetEverything,
} from './rites.ts';

const ENVELOPE = '**/api/encryption-key';

test('a first key by passkey is finished after a reload by one touch, and one touch opens it from nothing', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED/);
  await page.route(ENVELOPE, (route) => route.abort());
  await beginByPasskey(page, instance);
  await expectToast(page, 'Failed to Generate Key');
  await page.unroute(ENVELOPE);
  await page.goto(instance.url);
  await page.getByRole('button', { name: 'Touch the passkey' }).click();
  await answerQuestions(page);
  // What is asked for without a session is refused, and the console says so.
  await page.waitForLoadState('networkidle');
  await forgetEverything(page);
  await page.goto(`${instance.url}/enter`);
  await page.getByRole('button', { name: 'Enter with a passkey' }).click();
  await answerDevice(page);
  await expect(page.getByRole('heading', { name: 'The chambers' })).toBeVisible();
});

test('a first key by passphrase is finished by the same press', async ({ page, instance, quiet }) => {
  quiet.expect(/ERR_FAILED/);
  await page.route(ENVELOPE, (route) => route.abort());
  await beginByPassphrase(page, instance, 'agnes', 'plum cake on a stone wall');
  await expectToast(page, 'Failed to Generate Key');
  await page.unroute(ENVELOPE);
  await page.getByRole('button', { name: 'Make the vault' }).click();
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
});

test('a passkey that yields no secret is named, and its owner decides to go on without', async ({
  page,
  instance,
}) => {
  await addAuthenticator(page, { prf: false });
  await page.goto(`${instance.url}/enter`);
  await page.getByRole('button', { name: 'First time here' }).click();
  await page.getByRole('button', { name: 'Begin with a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'One more touch' })).toBeVisible();
  await page.goto(instance.url);
  await page.getByRole('button', { name: 'Touch the passkey' }).click();
  await expect(page.getByText('cannot open the vault')).toBeVisible();
  await page.getByRole('button', { name: 'Make the key without it' }).click();
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
});
