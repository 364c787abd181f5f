// A one-time link as its recipient meets it: opened once, by whoever presses first, and lost to no accident on the way.
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, test } from './house.ts';
import { signUpResident } from './resident.ts';
import { answerQuestions, beginByPasskey } from './rites.ts';
import { breakSeal, leaveWords, stranger, WORDS } from './sharing.ts';

const BREAK = { name: 'Break the seal' };
const MINUTE = 60_000;

test.beforeEach(async ({ page, house }) => {
  await signUpResident(page, house);
});

/** Lets the next breaking of a seal arrive, and drops the answer to it. */
async function loseAnswer(page: Page): Promise<void> {
  let lost = false;
  await page.route('**/redeem', async (route) => {
    if (lost) return route.continue();
    lost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
}

test('it opens once, for the first who presses; the secret leaves the address only then', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link, keyId, secret } = await leaveWords(owner, house);
  const [first, second] = [await stranger(browser, quiet), await stranger(browser, quiet)];
  const sent: string[] = [];
  first.on('request', (request) => sent.push(`${request.method()} ${request.url()} ${request.postData()}`));
  await first.goto(link);
  await second.goto(link);
  await expect(first.getByText('They can be read once.')).toBeVisible();
  // Until the press nothing is fetched but the state, and a reload finds the whole link.
  expect(sent.filter((line) => line.includes('/api/'))).toEqual([
    `GET ${house.url}/api/shares/${keyId} null`,
  ]);
  await first.reload();
  expect(first.url()).toBe(link);

  const acknowledged = first.waitForResponse('**/acknowledge');
  await breakSeal(first, [WORDS.title, 'Sealed 1 March 2026', 'The bell still rings.']);
  await expect(first.getByText('This was its only opening.')).toBeVisible();
  await expect(first.getByRole('article')).toBeFocused();
  expect((await acknowledged).status()).toBe(204);
  expect(first.url()).toBe(`${house.url}/share/${keyId}`);
  await expect.poll(() => first.evaluate(() => sessionStorage.length)).toBe(0);
  expect(sent.join('\n')).not.toContain(secret);

  quiet.expect(/status of 410/);
  await second.getByRole('button', BREAK).click();
  await expect(second.getByRole('heading', { name: 'This link was opened before' })).toBeVisible();
  await first.reload();
  await expect(first.getByRole('heading', { name: 'This link was opened before' })).toBeVisible();
  expect(house.log.join('\n')).not.toContain(keyId);
});

test('it opens for initiates and residents as for strangers', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const [one, two] = [await leaveWords(owner, house), await leaveWords(owner, house)];
  const page = await stranger(browser, quiet);
  await beginByPasskey(page, house);
  await expect(page.getByLabel('What are you hiding?')).toBeVisible();
  await page.goto(one.link);
  await breakSeal(page, [WORDS.title]);
  await page.goto(house.url);
  await answerQuestions(page);
  await page.goto(two.link);
  await breakSeal(page, [WORDS.title]);
});

test('previewers and scanners burn nothing, however often they look', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link, keyId } = await leaveWords(owner, house);
  const reader = await stranger(browser, quiet);
  for (let i = 0; i < 20; i += 1) {
    expect((await reader.request.get(link)).status()).toBe(200);
    expect((await reader.request.get(`${house.url}/api/shares/${keyId}`)).status()).toBe(200);
    expect((await reader.request.head(link)).status()).toBe(200);
  }
  // Also one that runs scripts, and leaves without a press.
  for (let i = 0; i < 3; i += 1) {
    await reader.goto(link);
    await expect(reader.getByRole('button', BREAK)).toBeVisible();
  }
  await breakSeal(reader, [WORDS.title]);
});

test('a link without its end says so, and the whole one pasted over it opens', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link } = await leaveWords(owner, house);
  const reader = await stranger(browser, quiet);
  for (const cut of [link.replace(/#.*/, ''), link.slice(0, -1)]) {
    await reader.goto(cut);
    await expect(reader.getByRole('heading', { name: 'This link is not whole' })).toBeVisible();
    await expect(reader.getByRole('button', BREAK)).toBeHidden();
  }
  await reader.goto(link);
  await breakSeal(reader, [WORDS.title]);
});

test('a link whose end was changed to another whole one opens nothing and burns nothing', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const [{ link, secret }, other] = [await leaveWords(owner, house), await leaveWords(owner, house)];
  const reader = await stranger(browser, quiet);
  quiet.expect(/status of 403/);
  await reader.goto(link.replace(secret, other.secret));
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByRole('heading', { name: 'This link is not whole' })).toBeVisible();
  await reader.goto(link);
  await breakSeal(reader, [WORDS.title]);
});

test('a link bent by a mail filter is put right, opens, and its reader is told that it was exposed', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link, keyId } = await leaveWords(owner, house);
  const reader = await stranger(browser, quiet);
  await reader.goto(link.replace('#', '%23'));
  await expect(reader.getByRole('note')).toContainText('This link was exposed on its way to you.');
  expect(reader.url()).toBe(link);
  await reader.reload();
  await expect(reader.getByRole('note')).toContainText('This link was exposed');
  await breakSeal(reader, [WORDS.title]);
  expect(house.log.join('\n')).not.toContain(keyId);
});

test('a wrong passphrase burns nothing; after several, a wait is told; the right one opens', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link, keyId, door } = await leaveWords(owner, house, {
    passphrase: 'plum cake on the stone wall',
  });
  const reader = await stranger(browser, quiet);
  quiet.expect(/status of (401|429)/);
  await reader.goto(link);
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByText('These words ask for a passphrase.')).toBeVisible();
  const field = reader.getByLabel('Passphrase');
  await expect(field).toBeFocused();
  await field.fill('plum pie');
  await field.press('Enter');
  await expect(reader.getByText(/does not open this link\. Nothing was burned/)).toBeVisible();
  for (let i = 0; i < 10; i += 1) {
    house.advance(10 * MINUTE);
    const data = { door, claim: 'A'.repeat(43), redemptionId: 'A'.repeat(22) };
    const guess = await owner.request.post(`${house.url}/api/shares/${keyId}/redeem`, { data });
    expect(guess.status()).toBe(401);
  }
  await field.fill('plum cake on the stone wall');
  await field.press('Enter');
  await expect(reader.getByRole('alert')).toContainText(
    /Too many attempts from your network\. Nothing was burned\. Try again in \d+ (seconds|minutes)\./,
  );
  house.advance(10 * MINUTE);
  // White space around it, and another spelling of the same letters, are the same passphrase.
  await field.fill('  plum cake on the stone wall ');
  await breakSeal(reader, [WORDS.title]);
});

test('a connection cut after the seal broke loses nothing: the same tab gets the words, nobody else', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link } = await leaveWords(owner, house);
  const [reader, other] = [await stranger(browser, quiet), await stranger(browser, quiet)];
  quiet.expect(/ERR_CONNECTION_RESET|status of 410/);
  await loseAnswer(reader);
  await other.goto(link);
  await reader.goto(link);
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByRole('alert')).toContainText('this tab can still fetch the words for ten minutes');
  expect(reader.url()).toBe(link);
  await other.getByRole('button', BREAK).click();
  await expect(other.getByRole('heading', { name: 'This link was opened before' })).toBeVisible();
  await breakSeal(reader, [WORDS.title]);
});

test('a proxy that finds nothing on the way does not make a broken seal unknown', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link } = await leaveWords(owner, house);
  const reader = await stranger(browser, quiet);
  quiet.expect(/status of 404/);
  await reader.route(
    '**/redeem',
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 404, body: '404 page not found' });
    },
    { times: 1 },
  );
  await reader.goto(link);
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByRole('alert')).toContainText('this tab can still fetch the words for ten minutes');
  expect(reader.url()).toBe(link);
  // Nor does one that hides whether it waits.
  await reader.route('**/api/shares/*', (route) => route.fulfill({ status: 404, body: '' }), { times: 1 });
  await reader.reload();
  await expect(reader.getByRole('heading', { name: 'The house does not answer' })).toBeVisible();
  await reader.getByRole('button', { name: 'Try again' }).click();
  await reader.getByRole('button', { name: 'Fetch the words' }).click();
  await expect(reader.getByRole('article')).toContainText(WORDS.title);
});

test('so does a reload after it, for ten minutes, also where a passphrase is mistyped meanwhile', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link } = await leaveWords(owner, house, { passphrase: 'plum cake' });
  const reader = await stranger(browser, quiet);
  quiet.expect(/ERR_CONNECTION_RESET|status of 410/);
  await loseAnswer(reader);
  await reader.goto(link);
  await reader.getByLabel('Passphrase').fill('plum cake');
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByRole('alert')).toContainText('ten minutes');
  await reader.reload();
  await expect(reader.getByRole('heading', { name: 'The words did not arrive' })).toBeVisible();
  const fetchWords = reader.getByRole('button', { name: 'Fetch the words' });
  await reader.getByLabel('Passphrase').fill('plum pie');
  await fetchWords.click();
  await expect(reader.getByText(/not the passphrase that broke the seal/)).toBeVisible();
  await reader.getByLabel('Passphrase').fill('plum cake');
  await fetchWords.click();
  await expect(reader.getByRole('article')).toContainText(WORDS.title);
});

test('after those ten minutes it is gone', async ({ page: owner, house, browser, quiet }) => {
  const { link } = await leaveWords(owner, house);
  const reader = await stranger(browser, quiet);
  quiet.expect(/ERR_CONNECTION_RESET|status of 410/);
  await loseAnswer(reader);
  await reader.goto(link);
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByRole('alert')).toContainText('ten minutes');
  house.advance(11 * MINUTE);
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByRole('heading', { name: 'This link was opened before' })).toBeVisible();
});

test('words that do not open are not reported as read, and can be fetched again', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link } = await leaveWords(owner, house);
  const reader = await stranger(browser, quiet);
  let damaged = false;
  await reader.route('**/redeem', async (route) => {
    if (damaged) return route.continue();
    damaged = true;
    const response = await route.fetch();
    const body = (await response.json()) as { encryptedContent: string };
    const other = body.encryptedContent.startsWith('A') ? 'B' : 'A';
    await route.fulfill({
      response,
      json: { ...body, encryptedContent: other + body.encryptedContent.slice(1) },
    });
  });
  let acknowledged = 0;
  reader.on('request', (request) => {
    if (request.url().endsWith('/acknowledge')) acknowledged += 1;
  });
  await reader.goto(link);
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByRole('heading', { name: 'These words could not be opened' })).toBeVisible();
  expect(acknowledged).toBe(0);
  expect(reader.url()).toBe(link);
  await reader.getByRole('button', { name: 'Try again' }).click();
  await reader.getByRole('button', { name: 'Fetch the words' }).click();
  await expect(reader.getByRole('article')).toContainText(WORDS.title);
});

test('an acknowledgement that is lost is sent again, quietly', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link } = await leaveWords(owner, house);
  const reader = await stranger(browser, quiet);
  quiet.expect(/ERR_FAILED/);
  let lost = false;
  await reader.route('**/acknowledge', (route) => {
    if (lost) return route.continue();
    lost = true;
    return route.abort();
  });
  const acknowledged = reader.waitForResponse('**/acknowledge');
  await reader.goto(link);
  await breakSeal(reader, [WORDS.title]);
  expect((await acknowledged).status()).toBe(204);
});

test('a server that asks for a weak stretching is refused', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const { link } = await leaveWords(owner, house, { passphrase: 'plum cake' });
  const reader = await stranger(browser, quiet);
  const stretching = { memory: 8, iterations: 1, parallelism: 1 };
  await reader.route('**/api/shares/*', (route) => route.fulfill({ json: { state: 'waiting', stretching } }));
  let redeemed = 0;
  reader.on('request', (request) => {
    if (request.url().endsWith('/redeem')) redeemed += 1;
  });
  await reader.goto(link);
  await reader.getByLabel('Passphrase').fill('plum cake');
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByRole('alert')).toContainText('weaker protection of the passphrase');
  expect(redeemed).toBe(0);
});

test('revoked while it was being looked at, and expired by the house’s clock, it opens nothing', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  const [revoked, late] = [await leaveWords(owner, house), await leaveWords(owner, house)];
  const reader = await stranger(browser, quiet);
  quiet.expect(/status of (404|410)/);
  await reader.goto(revoked.link);
  await expect(reader.getByRole('button', BREAK)).toBeVisible();
  await owner.request.delete(`${house.url}/api/shareable-keys/${revoked.id}`);
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByRole('heading', { name: 'This link leads nowhere' })).toBeVisible();

  await reader.goto(late.link);
  await expect(reader.getByRole('button', BREAK)).toBeVisible();
  house.advance(7 * 24 * 60 * MINUTE);
  await reader.getByRole('button', BREAK).click();
  await expect(reader.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await reader.reload();
  await expect(reader.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
});

test('by keyboard alone: the passphrase, the press, the words, the copy', async ({
  page: owner,
  house,
  browser,
}) => {
  const { link } = await leaveWords(owner, house, { passphrase: 'plum cake' });
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const reader = await context.newPage();
  await reader.goto(link);
  await expect(reader.getByRole('button', BREAK)).toBeVisible();
  await reader.keyboard.press('Tab');
  await expect(reader.getByLabel('Passphrase')).toBeFocused();
  await reader.keyboard.type('plum cake');
  await reader.keyboard.press('Enter');
  await expect(reader.getByRole('article')).toBeFocused();
  await reader.keyboard.press('Tab');
  await expect(reader.getByRole('button', { name: 'Copy the words' })).toBeFocused();
  await reader.keyboard.press('Enter');
  await expect(reader.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await reader.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${WORDS.title}\nSealed 1 March 2026\n\n${WORDS.content}`);
});

for (const [size, viewport] of Object.entries({
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
})) {
  test(`every state at ${viewport.width} by ${viewport.height}: a picture, no axe finding, nothing sideways`, async ({
    page: owner,
    house,
    browser,
    quiet,
  }) => {
    const { link, keyId } = await leaveWords(owner, house, {
      passphrase: 'plum cake',
      entry: {
        v: 1,
        entryType: 'relationship',
        personName: 'Agnes, who kept bees behind the old rectory and spoke to them',
        eventType: 'confession',
        emotionalWeight: 4,
        createdAt: '2026-03-01T10:00:00.000Z',
        content: `My grandmother kept bees.\n\n${'Supercalifragilistic'.repeat(20)}`,
      },
    });
    const context = await browser.newContext({
      viewport,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
    });
    quiet.watch(context);
    quiet.expect(/status of (401|404)|ERR_FAILED/);
    const reader = await context.newPage();
    const heading = (name: string) => expect(reader.getByRole('heading', { name })).toBeVisible();
    async function look(name: string): Promise<void> {
      await reader.waitForLoadState('networkidle');
      await reader.evaluate(() => document.fonts.ready.then(() => undefined));
      await reader.screenshot({ path: `test-results/pictures/${size}-share-${name}.png` });
      const violations = await axeFindings(reader);
      expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
      const sideways = await reader.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(sideways, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
    }

    await reader.goto(link.replace('#', '%23'));
    await heading('Somebody left you words');
    await look('waiting-exposed');
    await reader.getByRole('button', BREAK).click();
    await reader.getByLabel('Passphrase').fill('plum pie');
    await reader.getByRole('button', BREAK).click();
    await expect(reader.getByText(/does not open this link/)).toBeVisible();
    await look('wrong-passphrase');
    await reader.goto(`${house.url}/share/${keyId}`);
    await heading('This link is not whole');
    await look('not-whole');
    await reader.goto(link.replace(keyId, 'AAAAAAAAAAAAAAAAAAAAAA'));
    await heading('This link leads nowhere');
    await look('unknown');
    await reader.route('**/api/shares/*', (route) => route.abort());
    await reader.goto(`${house.url}/share/${keyId}?again`);
    await heading('The house does not answer');
    await look('unreachable');
    await reader.unroute('**/api/shares/*');
    await reader.route('**/api/shares/*', (route) =>
      route.fulfill({ json: { state: 'expired', stretching: null } }),
    );
    await reader.getByRole('button', { name: 'Try again' }).click();
    await heading('This link has expired');
    await look('expired');
    await reader.unroute('**/api/shares/*');

    await reader.route('**/redeem', (route) =>
      route.fulfill({ json: { encryptedContent: 'AAAA', leaseUntil: new Date().toISOString() } }),
    );
    await reader.goto('about:blank');
    await reader.goto(link);
    await reader.getByLabel('Passphrase').fill('plum cake');
    await reader.getByRole('button', BREAK).click();
    await heading('These words could not be opened');
    await look('unreadable');
    await reader.unroute('**/redeem');
    await reader.getByRole('button', { name: 'Try again' }).click();
    await reader.getByLabel('Passphrase').fill('plum cake');
    await reader.getByRole('button', BREAK).click();
    await heading('Agnes');
    await expect(reader.getByRole('article')).toContainText('Confession');
    await expect(reader.getByRole('article')).toContainText('Intense, 4 of 5');
    await look('opened');
    await reader.reload();
    await heading('This link was opened before');
    await look('used');
  });
}
