// How legacy scrolls look to others: to whoever holds a card or knows a passphrase, whoever presses a link in a mail, and
// whoever keeps the server. What they do is told in page.test.tsx of the chambers legacy, still-here and outbox, and in
// legacy-journeys.spec.ts.
import type { Browser, Page } from '@playwright/test';
import type { SwitchState } from '../src/shared/nouns/switch-state.ts';
import { type ConsoleWatch, expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast } from './rites.ts';
import { LETTER, sealScroll } from './scrolls.ts';
import { stranger } from './sharing.ts';

const MINUTE = 60_000;
const OPEN = { name: 'Open the scroll' };

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();

/** A stranger's page whose calls to the server are answered by what stands here at the moment. */
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
  instance,
  browser,
  quiet,
}) => {
  const { page, answers } = await answered(browser, quiet);
  const scroll = await sealScroll();
  const STATE = '/api/legacy/{publicId}';
  const [publicId, token] = ['A'.repeat(22), `${'B'.repeat(42)}A`];
  const waiting = {
    ...{ state: 'waiting', access: 'card', sheetsNeeded: null, stretching: null, openedAt: null },
    ...{ encryptedName: null, rehearsal: null },
  };
  async function come(path: string, state: object, hash: string) {
    answers[STATE] = state;
    answers['/api/confirmations/look'] = state;
    // Another document in between: a new hash alone would load nothing.
    await page.goto(`${instance.url}/robots.txt`);
    await page.goto(`${instance.url}${path}${hash}`);
  }

  await come(`/legacy/${publicId}`, waiting, `%23${scroll.secret}`);
  await heading(page, 'A scroll that waits');
  await lookAt(page, 'legacy-exposed');
  answers[`${STATE}/open`] = { status: 409, code: 'not-released', message: 'Not yet.' };
  await page.getByRole('button', { name: 'Try the card' }).click();
  await heading(page, 'Your card is whole');
  await lookAt(page, 'legacy-whole');
  await come(`/legacy/${publicId}`, { ...waiting, state: 'released' }, '#bent');
  await heading(page, 'This card is not whole');
  await lookAt(page, 'legacy-not-whole');
  // As the messages have it: without a key.
  await come(`/legacy/${publicId}`, { ...waiting, state: 'released' }, '');
  await heading(page, 'Your card opens it');
  await lookAt(page, 'legacy-keyless');
  const { access } = await sealScroll({ passphrase: 'plum cake on the stone wall' });
  const stretching = access.kind === 'passphrase' && access.stretching;
  await come(`/legacy/${publicId}`, { ...waiting, state: 'released', access: access.kind, stretching }, '');
  await page.getByRole('button', OPEN).click();
  await expect(page.getByText('This letter asks for a passphrase.')).toBeVisible();
  await lookAt(page, 'legacy-passphrase');
  const openedAt = '2026-11-02T10:00:00.000Z';
  await come(`/legacy/${publicId}`, { ...waiting, state: 'released', openedAt }, `#${scroll.secret}`);
  await heading(page, 'A scroll was left for you');
  await lookAt(page, 'legacy-released');
  answers[`${STATE}/open`] = {
    encryptedContent: scroll.encryptedContent,
    wrappedKey: 'wrappedKey' in scroll.access ? scroll.access.wrappedKey : null,
    sealId: scroll.sealId,
    createdAt: LETTER.createdAt,
    releasedAt: openedAt,
    openedBefore: openedAt,
  };
  await page.getByRole('button', OPEN).click();
  await heading(page, LETTER.title);
  await lookAt(page, 'legacy-opened');
  await come(`/legacy/${publicId}`, { ...waiting, access: 'vault' }, `#${scroll.secret}`);
  await expect(page.getByText('does not open it any more')).toBeVisible();
  await lookAt(page, 'legacy-vault');

  await come('/still-here', { kind: 'warning', state: 'open' }, `#${token}`);
  await heading(page, 'Confirm that you are here');
  await lookAt(page, 'press-warning');
  answers['/api/confirmations'] = { kind: 'warning', confirmationsLeft: 2 };
  await page.getByRole('button', { name: 'I am still here' }).click();
  await expect(page.getByText('Two more links count in a row')).toBeVisible();
  await lookAt(page, 'press-done');
  await come('/still-here', { kind: 'postpone', state: 'open' }, `#${token}`);
  await heading(page, 'Postpone the letters?');
  await lookAt(page, 'press-postpone');
  answers['/api/confirmations'] = { kind: 'postpone', confirmationsLeft: null };
  await page.getByRole('button', { name: 'Postpone by thirty days' }).click();
  await heading(page, 'The letters are postponed');
  await lookAt(page, 'pressed-postpone');
  await come('/still-here', { kind: 'postpone', state: 'pressed' }, `#${token}`);
  await heading(page, 'It was postponed before');
  await lookAt(page, 'postponed-before');
  await come('/still-here', { kind: 'warning', state: 'sign-in' }, `#${token}`);
  await heading(page, 'Now only signing in counts');
  await lookAt(page, 'press-sign-in');
});

/** The number of an account that is in no list. */
const OTHER = '0b1f3c52-4a7e-4d0c-9a61-2f6f5c1d8e90';

test('what administrators and authors see: pictures, no axe finding, nothing sideways', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 500/);
  const since = '2026-11-20T10:00:00.000Z';
  const message = {
    id: 5,
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
    scrollIds: [12],
    body: `Somebody has not been here for a while.\n\n${instance.url}/still-here#${'B'.repeat(43)}`,
  };
  const sent = { ...message, state: 'sent', sentAt: since, body: null, why: null };
  const text = {
    ...{ id: 9, accountId: crypto.randomUUID(), name: 'agnes' },
    ...{ scrolls: 3, waiting: 2, permitted: false },
  };
  const paused: SwitchState = {
    paused: { reason: 'journal-missing', since, goesOnIn: 80 * 24 * 60 * MINUTE },
    outOfReachSince: null,
    noMailSince: null,
    noTextsSince: null,
    elsewhere: null,
    calendar: null,
    heldFor: 0,
  };
  const answers: [string, object][] = [
    ['**/api/switch', paused],
    ['**/api/legacy-transports', { email: true, sms: true, textsPermitted: false }],
    ['**/api/outbox-unopened', { recipients: 2 }],
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
          id: 4,
          kind: 'release',
          attempts: 0,
          withheld: 'address',
          why: 'Withheld: this address has received its messages for today. This one leaves when its turn comes.',
          nextTryAt: '2026-11-21T10:00:00.000Z',
        },
        { ...message, id: 3, state: 'failed', kind: 'release', address: `${'long.'.repeat(12)}@example.org` },
        { ...sent, id: 2, kind: 'release', channel: 'whisper', address: '0123456789abcdef'.repeat(2) },
        { ...sent, id: 1, byHand: true },
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
  await enterAsMember(page, instance);
  await expect(page.getByRole('heading', { name: 'The switch is paused' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'A whisper was left for you' })).toBeVisible();
  await expect(
    page.getByText(
      'time is over within 20 hours. It is held back because the switch is paused, and its countdown begins anew after that.',
    ),
  ).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /Legacy Scroll/ })).toContainText(
    "deadman's watch · 2",
  );
  await lookAt(page, 'chambers-paused');
  told.nearRelease = null;
  await page.getByRole('button', { name: 'Still here' }).click();
  await expect(page.getByRole('heading', { name: 'You are still here' })).toBeFocused();
  await page.getByRole('link', { name: 'Check and confirm' }).click();
  await page.getByRole('button', { name: /^Try again.*Deliver a message/ }).scrollIntoViewIfNeeded();
  await lookAt(page, 'outbox-jobs');
  await page
    .getByRole('button', { name: /Pass it on by hand/ })
    .first()
    .click();
  await lookAt(page, 'outbox');
  const texts = page.getByRole('region', { name: 'Text messages' });
  await expect(texts.getByRole('listitem')).toHaveCount(2);
  const number = texts.getByLabel('Find an account by its number');
  await number.fill(OTHER);
  await texts.getByRole('button', { name: 'Find' }).click();
  await expect(texts.getByRole('button', { name: /^Permit.*of otto$/ })).toBeVisible();
  await texts.scrollIntoViewIfNeeded();
  await lookAt(page, 'outbox-texts');
  await page.getByRole('button', { name: 'Confirm this database' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await lookAt(page, 'outbox-confirm');
  const doubted: SwitchState = {
    ...paused,
    paused: null,
    heldFor: 3 * 24 * 60 * MINUTE,
    calendar: { doubt: 'stood-still', says: since },
  };
  for (const path of ['**/api/switch/confirm', '**/api/switch']) {
    await page.route(path, (route) => route.fulfill({ json: doubted }));
  }
  await page.getByRole('button', { name: 'Start it again' }).click();
  await expectToast(page, 'The switch works again');
  await expect(page.getByText('For 3 days more, no letter is sent for inactivity')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm the date' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('20 November 2026');
  await lookAt(page, 'outbox-date');
  await page.route('**/api/legacy/*', (route) =>
    route.fulfill({
      json: {
        ...{ state: 'released', access: 'vault', sheetsNeeded: null, stretching: null, openedAt: null },
        ...{ encryptedName: null, rehearsal: null },
      },
    }),
  );
  await page.goto(`${instance.url}/legacy/${'A'.repeat(22)}`);
  await page.getByRole('link', { name: 'Go to your whispers' }).click();
  await expect(page.getByRole('heading', { name: 'Left for you', exact: true })).toBeVisible();
  await expect(page.getByText('3 more wait until you have read or deleted some of these.')).toBeVisible();
  await lookAt(page, 'left-for-you');
  await page
    .getByRole('button', { name: /^Delete the whisper/ })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toContainText('You have not opened it yet.');
  await lookAt(page, 'left-for-you-delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await page.goto(`${instance.url}/settings`);
  await page.unroute('**/api/legacy-scrolls?*');
  await page.route('**/api/legacy-scrolls?*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Destroy Vault' }).click();
  await page.getByRole('radio', { name: /Disarm them/ }).check();
  await lookAt(page, 'destroy-scrolls');
});
