// A one-time link as only a browser shows it: pasted over a broken one, opened by keyboard in one of two browsers after
// the answer was lost, and its look. What else becomes of it is told in src/web/chambers/share/page.test.tsx.
import type { Page } from '@playwright/test';
import { PASSPHRASE_PARAMS } from '../src/crypto/passphrase.ts';
import { expect, test } from './instance.ts';
import { signUpMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { leaveWords, stranger, WORDS } from './sharing.ts';

const BREAK = { name: 'Open and read' };
const PASSPHRASE = 'plum cake on the stone wall';

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { name })).toBeVisible();

test.beforeEach(({ page, instance }) => signUpMember(page, instance).then(() => {}));

test('the first who breaks the seal gets the words in their tab, also after a lost answer and a reload', async ({
  page: owner,
  instance,
  browser,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_RESET|status of 410/);
  const { link, keyId, secret } = await leaveWords(owner, instance, { passphrase: PASSPHRASE });
  const first = await stranger(browser, quiet, { permissions: ['clipboard-read', 'clipboard-write'] });
  const second = await stranger(browser, quiet);
  const sent: string[] = [];
  first.on('request', (request) => sent.push(`${request.url()} ${request.postData()}`));
  await first.goto(link.replace(/#.*/, ''));
  await heading(first, 'This link is not whole');
  await first.goto(link);
  await second.goto(link);
  await second.getByLabel('Passphrase').fill(PASSPHRASE);

  await first.route(
    '**/redeem',
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await expect(first.getByRole('button', BREAK)).toBeVisible();
  await first.keyboard.press('Tab');
  await expect(first.getByLabel('Passphrase')).toBeFocused();
  await first.keyboard.type(PASSPHRASE);
  await first.keyboard.press('Enter');
  await expect(first.getByRole('alert')).toContainText('this tab can still fetch the words for ten minutes');
  expect(first.url()).toBe(link);
  await second.getByRole('button', BREAK).click();
  await heading(second, 'This link was opened before');

  await first.reload();
  await heading(first, 'The words did not arrive');
  await first.getByLabel('Passphrase').fill(PASSPHRASE);
  const acknowledged = first.waitForResponse('**/acknowledge');
  await first.keyboard.press('Enter');
  await expect(first.getByRole('article')).toBeFocused();
  expect((await acknowledged).status()).toBe(204);
  expect(first.url()).toBe(`${instance.url}/share/${keyId}`);
  await first.keyboard.press('Tab');
  await expect(first.getByRole('button', { name: 'Copy the words' })).toBeFocused();
  await first.keyboard.press('Enter');
  await expect(first.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await first.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${WORDS.title}\nSealed 1 March 2026\n\n${WORDS.content}`);
  await expect.poll(() => first.evaluate(() => sessionStorage.length)).toBe(0);
  expect(sent.join('\n')).not.toContain(secret);
  expect(instance.log.join('\n')).not.toContain(keyId);
});

test('every state, wide and narrow: a picture, no axe finding, nothing sideways', async ({
  page: owner,
  instance,
  browser,
  quiet,
}) => {
  quiet.expect(/status of (401|404)|ERR_FAILED/);
  const entry = {
    v: 1,
    entryType: 'relationship',
    personName: 'Agnes, who kept bees behind the old rectory and spoke to them',
    eventType: 'confession',
    emotionalWeight: 4,
    createdAt: '2026-03-01T10:00:00.000Z',
    content: `My grandmother kept bees.\n\n${'Supercalifragilistic'.repeat(20)}`,
  };
  const { link, keyId } = await leaveWords(owner, instance, { entry });
  const reader = await stranger(browser, quiet, { reducedMotion: 'reduce' });
  /** Answers every look at a link with this. */
  const answerState = async (json: object) => {
    await reader.unroute('**/api/shares/*');
    await reader.route('**/api/shares/*', (route) => route.fulfill({ json }));
  };
  const look = (name: string) => lookAt(reader, `share-${name}`);

  await answerState({ state: 'waiting', stretching: PASSPHRASE_PARAMS });
  await reader.goto(link.replace('#', '%23'));
  await heading(reader, 'Somebody left you words');
  expect(reader.url()).toBe(link);
  await look('waiting-exposed');
  const wrong = { status: 401, json: { code: 'wrong-claim', message: 'It does not open this link.' } };
  await reader.route('**/redeem', (route) => route.fulfill(wrong), { times: 1 });
  await reader.getByLabel('Passphrase').fill('plum pie');
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByText(/does not open this link/)).toBeVisible();
  await look('wrong-passphrase');
  await reader.unroute('**/api/shares/*');
  await reader.goto(`${instance.url}/share/${keyId}`);
  await heading(reader, 'This link is not whole');
  await look('not-whole');
  await reader.goto(link.replace(keyId, 'AAAAAAAAAAAAAAAAAAAAAA'));
  await heading(reader, 'This link leads nowhere');
  await look('unknown');
  await reader.route('**/api/shares/*', (route) => route.abort());
  await reader.goto(`${instance.url}/share/${keyId}?again`);
  await heading(reader, 'The server does not answer');
  await look('unreachable');
  await answerState({ state: 'expired', stretching: null });
  await reader.getByRole('button', { name: 'Try again' }).click();
  await heading(reader, 'This link has expired');
  await look('expired');
  await reader.unroute('**/api/shares/*');

  const bent = { encryptedContent: 'AAAA', leaseUntil: new Date().toISOString() };
  await reader.route('**/redeem', (route) => route.fulfill({ json: bent }), { times: 1 });
  await reader.goto(link);
  await reader.getByRole('button', BREAK).click();
  await heading(reader, 'These words could not be opened');
  await look('unreadable');
  await reader.getByRole('button', { name: 'Try again' }).click();
  await reader.getByRole('button', BREAK).click();
  await heading(reader, 'Agnes');
  await look('opened');
  await reader.reload();
  await heading(reader, 'This link was opened before');
  await look('used');
  expect(instance.log.join('\n')).not.toContain(keyId);
});
