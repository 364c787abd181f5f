// Legacy scrolls as others meet them: whoever holds a card or knows a passphrase, whoever presses a link in a mail, and
// whoever keeps the house. What their author does is told in legacy-scroll.spec.ts.
import type { Browser, Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { type ConsoleWatch, expect, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import { expectToast } from './rites.ts';
import { LETTER, leaveScroll, sealScroll } from './scrolls.ts';
import { stranger } from './sharing.ts';

const MINUTE = 60_000;
const OPEN = { name: 'Open the scroll' };

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();

test('a key card opens nothing before the release, and the letter after it as often as it is shown', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  quiet.expect(/status of (401|409)/);
  await enterAsResident(owner, house);
  const scroll = await leaveScroll(owner, house, await sealScroll());
  const [card, other] = [`${scroll.address}#${scroll.secret}`, await sealScroll()];
  const reader = await stranger(browser, quiet);
  const sent: string[] = [];
  reader.on('request', (request) => sent.push(`${request.method()} ${request.url()} ${request.postData()}`));

  // As the message of the release has it: without the key.
  await reader.goto(scroll.address);
  await heading(reader, 'A scroll that waits');
  await reader.getByLabel('The key, or the link, on your card').fill(`  ${other.secret} `);
  await reader.getByRole('button', { name: 'Use this card' }).click();
  await reader.getByRole('button', { name: 'Try the card' }).click();
  await heading(reader, 'This is not its card');

  await reader.goto(card.replace('#', '%23'));
  await expect(reader.getByRole('note')).toContainText('This card was exposed on its way to you.');
  expect(reader.url()).toBe(card);
  await reader.getByRole('button', { name: 'Try the card' }).click();
  await heading(reader, 'Your card is whole');
  await expect(reader.getByRole('heading', { level: 1 })).toBeFocused();

  await reader.reload();
  await heading(reader, 'A scroll that waits');
  await scroll.release();
  await reader.getByRole('button', { name: 'Try the card' }).click();
  await heading(reader, 'A scroll was left for you');
  sent.length = 0;
  await reader.reload();
  await heading(reader, 'A scroll was left for you');
  expect(sent.filter((line) => line.includes('/api/'))).toEqual([
    `GET ${house.url}/api/legacy/${scroll.publicId} null`,
  ]);
  await reader.getByRole('button', OPEN).click();
  const letter = reader.getByRole('article');
  await expect(letter).toContainText(LETTER.title);
  await expect(letter).toContainText('hangs behind the clock');
  await expect(letter).toBeFocused();
  await expect(letter).not.toContainText('opened before');

  await reader.reload();
  await expect(reader.getByText('Opened before, first on')).toBeVisible();
  await reader.getByRole('button', OPEN).click();
  await expect(letter).toContainText('It was opened before on');
  expect(sent.join('\n')).not.toContain(scroll.secret);
  // Inside the house the same page stands, for whoever holds the card.
  await owner.goto(card);
  await owner.getByRole('button', OPEN).click();
  await expect(owner.getByRole('article')).toContainText(LETTER.title);
  expect(house.log.join('\n')).not.toContain(scroll.publicId);
});

test('a passphrase is not asked for before the release; wrong ones are counted and told to wait', async ({
  page: owner,
  house,
  browser,
  quiet,
}) => {
  quiet.expect(/status of (401|429)/);
  await enterAsResident(owner, house);
  const passphrase = 'plum cake on the stone wall';
  const scroll = await leaveScroll(owner, house, await sealScroll({ passphrase }));
  const reader = await stranger(browser, quiet);
  await reader.goto(scroll.address);
  await heading(reader, 'A scroll that waits');
  await expect(reader.getByRole('textbox')).toHaveCount(0);
  await scroll.release();
  await reader.reload();
  const field = reader.getByLabel('Passphrase');
  await field.fill('plum pie');
  await field.press('Enter');
  await expect(reader.getByText('It was counted; nothing was lost.')).toBeVisible();
  for (let i = 0; i < 9; i += 1) {
    house.advance(10 * MINUTE);
    const guess = await owner.request.post(`${house.url}/api/legacy/${scroll.publicId}/open`, {
      data: { claim: 'A'.repeat(43) },
    });
    expect(guess.status()).toBe(401);
  }
  await reader.getByRole('button', OPEN).click();
  await expect(reader.getByRole('alert')).toContainText(/Try again in \d+ (seconds|minutes)/);
  house.advance(30 * MINUTE);
  await field.fill(` ${passphrase} `);
  await field.press('Enter');
  await expect(reader.getByRole('article')).toContainText(LETTER.title);
  // A server that asks for less than is safe is not answered.
  await reader.route('**/api/legacy/*', async (route) => {
    const answer = await route.fetch();
    const state = await answer.json();
    await route.fulfill({ json: { ...state, stretching: { ...state.stretching, memory: 8 } } });
  });
  await reader.reload();
  await field.fill(passphrase);
  await reader.getByRole('button', OPEN).click();
  await expect(reader.getByRole('alert')).toContainText('weaker protection of the passphrase');
});

test('an address is proved by a press and by nothing less; the keeper passes its mail on by hand', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  await enterAsResident(page, house);
  await page.goto(`${house.url}/outbox`);
  await expect(page.getByText('404')).toBeVisible();
  const claimed = await page.request.post(`${house.url}/api/admin/claim`, {
    data: { token: house.setupToken },
  });
  expect(claimed.ok()).toBe(true);
  const asked = await page.request.put(`${house.url}/api/warning-address`, {
    data: { address: 'agnes@example.org' },
  });
  expect(asked.ok()).toBe(true);
  await page.goto(`${house.url}/settings`);
  // No scroll of this vault watches yet; one may at any time, by a press on another device.
  const heard = page.waitForResponse('**/api/proof-of-life');
  await page.getByRole('link', { name: 'The outbox and the switch' }).click();
  expect((await heard).ok()).toBe(true);
  await expect(page.getByText('At work')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Try again/ })).toHaveCount(0);
  await page.getByRole('button', { name: /Pass it on by hand/ }).click();
  const text = await page.getByText('/still-here#').textContent();
  // A house whose port is chosen as it starts does not know its own address.
  const link = `${house.url}${/\/still-here#\S{43}/.exec(text ?? '')?.[0]}`;
  const provedAt = async () =>
    (await (await page.request.get(`${house.url}/api/warning-address`)).json()).provedAt;

  const mailbox = await stranger(browser, quiet);
  await mailbox.goto(link);
  await heading(mailbox, 'Let warnings come here?');
  expect(await provedAt()).toBeNull();
  await mailbox.getByRole('button', { name: 'Let warnings come here' }).click();
  await heading(mailbox, 'Warnings will come here');
  await expect(mailbox.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await provedAt()).not.toBeNull();
  await mailbox.reload();
  await heading(mailbox, /This link was pressed before|There is nothing left to press for/);
  await mailbox.goto(`${house.url}/still-here`);
  await heading(mailbox, 'This link is not whole');

  await page.getByRole('button', { name: 'I have passed it on' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'I have passed it on' }).click();
  await expect(page.getByText('Passed on', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /Pass it on by hand/ })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: /^Proof of address/ })).toBeFocused();
});

test('a vault that is destroyed may release what watches, and its recipients can read it', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  quiet.expect(/status of 40[13]/);
  await enterAsResident(page, house);
  const scroll = await leaveScroll(page, house, await sealScroll());
  await page.goto(`${house.url}/settings`);
  await page.getByRole('button', { name: 'Destroy Vault' }).click();
  const question = page.getByRole('alertdialog', { name: 'Destroy the vault?' });
  await expect(question).toContainText('One scroll of yours watches.');
  await question.getByRole('textbox').fill('DESTROY');
  const deed = question.getByRole('button', { name: 'Destroy Vault' });
  await expect(deed).toBeDisabled();
  await question.getByRole('radio', { name: /Release them/ }).check();
  await deed.click();
  await expect(page.getByRole('link', { name: 'Begin the Ritual' }).first()).toBeVisible();
  const reader = await stranger(browser, quiet);
  await reader.goto(`${scroll.address}#${scroll.secret}`);
  await reader.getByRole('button', OPEN).click();
  await expect(reader.getByRole('article')).toContainText(LETTER.title);
});

const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

/** Looks at what is shown, wide and narrow: pictures, axe, width. */
async function look(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path: `test-results/pictures/${size}-${name}.png` });
    expect(await axeFindings(page), name).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
  }
}

/** A stranger's page whose calls to the house are answered by what stands here at the moment. */
async function answered(browser: Browser, quiet: ConsoleWatch) {
  quiet.expect(/status of (401|409)/);
  const page = await stranger(browser, quiet);
  const answers: Record<string, object> = {};
  await page.route('**/api/**', (route) => {
    const { pathname } = new URL(route.request().url());
    const json = answers[pathname.replace(/A{22}/, '{publicId}')] ?? {};
    const status = 'status' in json ? Number(json.status) : 200;
    return route.fulfill({ status, json });
  });
  return { page, answers };
}

test('what recipients and pressers see: pictures, no axe finding, nothing sideways', async ({
  house,
  browser,
  quiet,
}) => {
  const { page, answers } = await answered(browser, quiet);
  const scroll = await sealScroll();
  const STATE = '/api/legacy/{publicId}';
  const [publicId, token] = ['A'.repeat(22), `${'B'.repeat(42)}A`];
  const waiting = { state: 'waiting', access: 'card', stretching: null, openedAt: null };
  async function come(path: string, state: object, hash: string) {
    answers[STATE] = state;
    answers['/api/presses/look'] = state;
    await page.goto('about:blank');
    await page.goto(`${house.url}${path}${hash}`);
  }

  await come(`/legacy/${publicId}`, waiting, `%23${scroll.secret}`);
  await heading(page, 'A scroll that waits');
  await look(page, 'legacy-exposed');
  answers[`${STATE}/open`] = { status: 409, code: 'not-released', message: 'Not yet.' };
  await page.getByRole('button', { name: 'Try the card' }).click();
  await heading(page, 'Your card is whole');
  await look(page, 'legacy-whole');
  answers[STATE] = { ...waiting, state: 'released' };
  await page.getByRole('button', { name: 'Look again' }).click();
  await heading(page, 'A scroll was left for you');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await come(`/legacy/${publicId}`, { ...waiting, state: 'released' }, '#bent');
  await heading(page, 'This card is not whole');
  await look(page, 'legacy-not-whole');
  // As the messages have it: without a key.
  await come(`/legacy/${publicId}`, { ...waiting, state: 'released' }, '');
  await heading(page, 'Your card opens it');
  await look(page, 'legacy-keyless');
  const { access } = await sealScroll({ passphrase: 'plum cake on the stone wall' });
  const stretching = access.kind === 'passphrase' && access.stretching;
  await come(`/legacy/${publicId}`, { ...waiting, state: 'released', access: access.kind, stretching }, '');
  await page.getByRole('button', OPEN).click();
  await expect(page.getByText('This scroll asks for a passphrase.')).toBeVisible();
  await look(page, 'legacy-passphrase');
  const openedAt = '2026-11-02T10:00:00.000Z';
  await come(`/legacy/${publicId}`, { ...waiting, state: 'released', openedAt }, `#${scroll.secret}`);
  await heading(page, 'A scroll was left for you');
  await look(page, 'legacy-released');
  answers[`${STATE}/open`] = {
    encryptedContent: scroll.encryptedContent,
    wrappedKey: null,
    sealId: scroll.sealId,
    createdAt: LETTER.createdAt,
    releasedAt: openedAt,
    openedBefore: openedAt,
  };
  await page.getByRole('button', OPEN).click();
  await heading(page, LETTER.title);
  await look(page, 'legacy-opened');
  await come(`/legacy/${publicId}`, { ...waiting, access: 'vault' }, `#${scroll.secret}`);
  await expect(page.getByText('does not open it any more')).toBeVisible();
  await look(page, 'legacy-vault');
  answers['/api/auth/user'] = { status: 401, code: 'not-signed-in', message: 'You are not signed in.' };
  await come(`/legacy/${publicId}`, { ...waiting, state: 'released', access: 'vault' }, '');
  await expect(page.getByRole('link', { name: 'Enter' })).toHaveAttribute(
    'href',
    '/enter?return=/legacy-scroll',
  );

  await come('/still-here', { kind: 'warning', state: 'open' }, `#${token}`);
  await heading(page, 'Say that you are here');
  await look(page, 'press-warning');
  answers['/api/presses'] = { kind: 'warning', pressesLeft: 2 };
  await page.getByRole('button', { name: 'I am still here' }).click();
  await expect(page.getByText('Two more presses count in a row')).toBeVisible();
  await look(page, 'press-done');
  await come('/still-here', { kind: 'warning', state: 'sign-in' }, `#${token}`);
  await heading(page, 'Now only signing in counts');
  await look(page, 'press-sign-in');
});

/** The number of an account that is in no list. */
const OTHER = '0b1f3c52-4a7e-4d0c-9a61-2f6f5c1d8e90';

test('what keepers and authors see: pictures, no axe finding, nothing sideways', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/status of (404|500)/);
  const since = '2026-11-20T10:00:00.000Z';
  const message = {
    id: 3,
    kind: 'warning',
    channel: 'email',
    address: 'agnes@example.org',
    state: 'waiting',
    attempts: 3,
    why: 'The mail server refused it for now: 451.',
    withheld: null,
    nextTryAt: null,
    createdAt: since,
    sentAt: null,
    byHand: false,
    scrollId: 12,
    body: `Somebody has not been here for a while.\n\n${house.url}/still-here#${'B'.repeat(43)}`,
  };
  const sent = { ...message, state: 'sent', sentAt: since, body: null, why: null };
  const text = {
    ...{ id: 9, accountId: crypto.randomUUID(), name: 'agnes' },
    ...{ scrolls: 3, waiting: 2, permitted: false },
  };
  const answers: [string, object][] = [
    ['**/api/switch', { paused: { reason: 'journal-missing', since }, heldFor: 0 }],
    ['**/api/legacy-couriers', { email: true, sms: true, textsPermitted: false }],
    ['**/api/server-notices', { undeclaredProxies: [] }],
    ['**/api/admin/sign-up', { mode: 'open', byConfiguration: false }],
    ['**/api/admin/invitations', []],
    ['**/api/text-permissions?waiting=yes*', [text]],
    [
      '**/api/text-permissions?waiting=no*',
      // The first of them stopped waiting meanwhile: it stands in both lists, and is shown once.
      [text, { ...text, id: 8, accountId: crypto.randomUUID(), name: null, waiting: 0, permitted: true }],
    ],
    [
      `**/api/text-permissions/${OTHER}`,
      { id: 7, accountId: OTHER, name: 'otto', scrolls: 0, waiting: 0, permitted: false },
    ],
    [
      '**/api/jobs',
      [
        { id: 1, kind: 'deliver', state: 'dead', attempts: 30, error: 'TypeError', failedAt: since },
        {
          id: 2,
          kind: 'next-in-line',
          state: 'failing',
          attempts: 1,
          error: 'Error (EPERM)',
          failedAt: since,
        },
        { id: 3, kind: 'invoice', state: 'unknown', attempts: 0, error: null, failedAt: null },
      ],
    ],
    [
      '**/api/outbox?*',
      [
        message,
        {
          ...message,
          id: 5,
          kind: 'release',
          attempts: 0,
          withheld: 'address',
          why: 'Withheld: this address has received its messages for today. This one leaves when its turn comes.',
          nextTryAt: '2026-11-21T10:00:00.000Z',
        },
        { ...message, id: 2, state: 'failed', kind: 'release', address: `${'long.'.repeat(12)}@example.org` },
        { ...sent, id: 1, kind: 'release', channel: 'whisper', address: '0123456789abcdef'.repeat(2) },
        { ...sent, id: 4, byHand: true },
      ],
    ],
    ['**/api/legacy-scrolls?*', []],
    [
      '**/api/whispers?*',
      [
        { id: 2, publicId: 'A'.repeat(22), access: 'vault', releasedAt: since, openedAt: null },
        { id: 1, publicId: `${'A'.repeat(21)}B`, access: 'card', releasedAt: since, openedAt: since },
      ],
    ],
  ];
  for (const [path, json] of answers) await page.route(path, (route) => route.fulfill({ json }));
  const nearRelease = { scrolls: 2, remaining: 20 * 60 * MINUTE, hold: 'paused' };
  const told: Record<string, unknown> = { legacyScrolls: 2, whispers: 1, whispersHeldBack: 3, nearRelease };
  const changed: [string, object][] = [
    ['**/api/auth/user', { isAdmin: true }],
    ['**/api/summary', told],
  ];
  for (const [path, changes] of changed) {
    await page.route(path, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...changes } });
    });
  }
  await enterAsResident(page, house);
  await expect(page.getByRole('heading', { name: 'The switch is paused' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'A whisper was left for you' })).toBeVisible();
  await expect(
    page.getByText('time is over within 20 hours. Only the pause of the switch holds it back.'),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: /Legacy Scroll/ })).toContainText('2 watching');
  await look(page, 'chambers-paused');
  told.nearRelease = null;
  await page.getByRole('button', { name: 'Still here' }).click();
  await expect(page.getByRole('heading', { name: 'You are still here' })).toBeFocused();
  await page.getByRole('link', { name: 'Look, and confirm' }).click();
  await page.getByRole('button', { name: /^Try again.*Deliver a message/ }).scrollIntoViewIfNeeded();
  await look(page, 'outbox-jobs');
  await page
    .getByRole('button', { name: /Pass it on by hand/ })
    .first()
    .click();
  await look(page, 'outbox');
  const texts = page.getByRole('region', { name: 'Text messages' });
  const accounts = texts.getByRole('list', { name: 'Accounts that send text messages' });
  await expect(accounts.getByRole('listitem')).toHaveText([
    /agnes.*3 scrolls by text message\. 2 messages wait for your permission/,
    /An account without a name.*Permitted/,
  ]);
  const number = texts.getByLabel('Find an account by its number');
  const nobody = { status: 404, json: { code: 'not-found', message: 'There is nothing here.' } };
  await page.route('**/api/text-permissions/*', (route) =>
    route.request().url().endsWith(OTHER) ? route.fallback() : route.fulfill(nobody),
  );
  await number.fill(crypto.randomUUID());
  await number.press('Enter');
  await expect(texts).toContainText('No account has this number');
  await expect(number).toBeFocused();
  await number.fill(` ${OTHER.toUpperCase()} `);
  await texts.getByRole('button', { name: 'Find' }).click();
  await expect(texts.getByRole('status')).toContainText('No scroll by text message');
  await expect(texts.getByRole('button', { name: /^Permit.*of otto$/ })).toBeVisible();
  await texts.scrollIntoViewIfNeeded();
  await look(page, 'outbox-texts');
  await page.getByRole('button', { name: 'Confirm this database' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await look(page, 'outbox-confirm');
  await page.route('**/api/switch/confirm', (route) =>
    route.fulfill({ json: { paused: null, heldFor: 3 * 24 * 60 * MINUTE } }),
  );
  await page.getByRole('button', { name: 'Let it work' }).click();
  await expectToast(page, 'The switch works again');
  await expect(page.getByText('For 3 days more, silence releases nothing')).toBeVisible();
  await page.route('**/api/legacy/*', (route) =>
    route.fulfill({ json: { state: 'released', access: 'vault', stretching: null, openedAt: null } }),
  );
  await page.goto(`${house.url}/legacy/${'A'.repeat(22)}`);
  await page.getByRole('link', { name: 'Go and read' }).click();
  await expect(page.getByRole('heading', { name: 'Left for you', exact: true })).toBeVisible();
  await expect(page.getByText('3 more wait until you have read or deleted some of these.')).toBeVisible();
  await look(page, 'left-for-you');
  await page
    .getByRole('button', { name: /^Delete the whisper/ })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toContainText('You have not opened it yet.');
  await look(page, 'left-for-you-delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await page.goto(`${house.url}/settings`);
  await page.unroute('**/api/legacy-scrolls?*');
  await page.route('**/api/legacy-scrolls?*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Destroy Vault' }).click();
  await page.getByRole('radio', { name: /Disarm them/ }).check();
  await look(page, 'destroy-scrolls');
});
