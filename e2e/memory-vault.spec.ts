// The Memory Vault as only a browser shows it: one journey through a cut connection and a reload, and two tabs. What it
// does with forms, drafts, errors, locks and keys is told in src/web/chambers/memory-vault/*.test.tsx, its look in
// every-screen.spec.ts.
import type { Page } from '@playwright/test';
import { expect, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import { expectToast, rowOf } from './rites.ts';
import { keyIn, postMemory, postSealed } from './sealing.ts';

const form = (page: Page) => page.getByRole('dialog');
const rows = (page: Page) => page.getByRole('main').getByRole('listitem');
const words = (page: Page) => form(page).getByRole('textbox', { name: 'Memory' });
const seal = (page: Page) => form(page).getByRole('button', { name: 'Seal Memory' }).click();

const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((slot) => slot.startsWith('latebra.draft')).length);

async function edit(page: Page, title: string): Promise<void> {
  await rowOf(page, title).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
}

async function rewrite(page: Page, title: string, content: string): Promise<void> {
  await edit(page, title);
  await words(page).fill(content);
}

test.beforeEach(({ page, instance }) => enterAsMember(page, instance, 'agnes', '/memory-vault'));

test('a memory is written and changed through a cut connection and a reload, found and read', async ({
  page,
  context,
  quiet,
}) => {
  quiet.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.getByRole('button', { name: 'New Memory' }).click();
  await form(page).getByLabel('Title').fill('The orchard');
  await words(page).fill('Ladders in an apple tree.');
  await form(page).getByLabel('When it happened').fill('2019-05-17');
  await form(page).getByLabel('At what time').fill('14:30');
  await form(page).getByLabel('Tags').fill('garden, Agnes');
  await context.route('**/api/memory-entries', (route) => route.abort('internetdisconnected'));
  await seal(page);
  await expectToast(page, 'Failed to Seal Memory', 'The server could not be reached.');
  await expect(words(page)).toHaveValue('Ladders in an apple tree.');
  await context.unrouteAll();
  await form(page).getByLabel('When it happened').fill('2999-01-01');
  await seal(page);
  await expect(form(page)).toContainText('Choose a moment in the past');
  await lookAt(page, 'memory-dialog-to-come');
  await form(page).getByLabel('When it happened').fill('2019-05-17');
  await seal(page);
  await expect(form(page)).toBeHidden();

  await rewrite(page, 'The orchard', 'Ladders, and wasps.');
  await expect.poll(() => drafts(page)).toBe(1);
  await page.reload();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(words(page)).toHaveValue('Ladders, and wasps.');
  await seal(page);
  await expect(form(page)).toBeHidden();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('agnes');
  await expect(page.getByText('1 found')).toBeVisible();
  await rows(page).getByRole('button').first().click();
  await expect(form(page)).toContainText('Happened 17 May 2019, 14:30');
  await expect(form(page)).toContainText('Ladders, and wasps.');
});

test('an entry has an address; the way back keeps the place in a long list; Markdown, the whole page and a link look right', async ({
  page,
  instance,
}) => {
  const key = await keyIn(page);
  for (let i = 0; i < 40; i += 1) await postMemory(page, instance, key, `Memory ${i}`, 'Of a long summer.');
  const written = [
    '# Autumn',
    'We were *never* cold, and **nobody** went home before the bell had rung twice over the water of the lake.',
    '- bread\n- salt\n\n1. One\n2. Two',
    '> She said it so.\n> Twice.',
    'See [the map](https://example.com/map?of=the-village) or <https://example.org>, ~~soon~~ and `ls`.',
    '![The gate in May](https://example.com/gate.png)',
    '```\na line of code that goes on and on and on and on and on and on and on and on and on and on\n```',
    '* * *',
    '  An indent\n    of a verse',
  ].join('\n\n');
  const details = JSON.stringify({ tags: ['garden', 'Agnes'], v: 1 });
  const marked = { title: 'Marked', encryptedContent: written, details };
  await postSealed(page, instance, '/api/memory-entries', 'memory', key, marked);
  // A device that others use fetches the whole list each time.
  await page.evaluate(() => {
    for (const slot of Object.keys(localStorage))
      if (slot.startsWith('latebra.device:')) localStorage.setItem(slot, 'shared');
  });
  // Ten entries a page: what follows the first one is opened by the worker, under the policy of its own response.
  const opened = page.waitForEvent('worker', (worker) => worker.url().includes('/opening-worker-'));
  await page.route(/\/api\/memory-entries\?/, (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '10');
    return route.continue({ url: url.href });
  });
  await page.reload();
  await opened;
  await expect(page.getByRole('searchbox')).toHaveAttribute('placeholder', /^Search 41 memories/);
  await page.unroute(/\/api\/memory-entries\?/);
  await rowOf(page, 'Marked').getByRole('button').first().click();
  await expect(form(page).getByRole('heading', { name: 'Autumn' })).toBeVisible();
  await lookAt(page, 'memory-markdown');
  await form(page).getByText('of a verse').scrollIntoViewIfNeeded();
  await lookAt(page, 'memory-markdown-end');
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(form(page).getByLabel('Expires after')).toBeVisible();
  await lookAt(page, 'memory-share');
  await form(page).getByRole('button', { name: 'Cancel' }).click();
  await page.goBack();
  await expect(form(page)).toBeHidden();

  await page.mouse.move(600, 600);
  await expect(async () => {
    await page.mouse.wheel(0, 600);
    await expect(rowOf(page, 'Memory 5')).toBeVisible({ timeout: 100 });
  }).toPass();
  await rowOf(page, 'Memory 5').getByRole('button').first().click();
  await expect(form(page)).toContainText('Of a long summer.');
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(900);
  await page.goBack();
  await expect(form(page)).toBeHidden();
  expect(await page.evaluate(() => window.scrollY)).toBe(place);
  await page.goForward();
  await page.reload();
  await expect(form(page)).toContainText('Of a long summer.');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(form(page)).toBeHidden();

  await page.getByRole('searchbox').fill('lake');
  await expect(page.getByText('1 found')).toBeVisible();
  await page.getByRole('button', { name: 'Show what has the tag garden' }).click();
  await lookAt(page, 'memory-found');
  await page.goto(`${instance.url}/memory-vault/new`);
  await words(page).fill('It still rings. '.repeat(120));
  await form(page).getByLabel('Make a one-time link to it as well').check();
  await expect(form(page).getByLabel('Expires after')).toBeVisible();
  await form(page).getByText('Choose six words for me').scrollIntoViewIfNeeded();
  await lookAt(page, 'memory-dialog-link');
  await form(page).getByRole('button', { name: 'Write on the whole page' }).click();
  await lookAt(page, 'memory-whole-page');
  await page.goto(`${instance.url}/memory-vault/AAAAAAAAAAAAAAAAAAAAAA`);
  await expect(page.getByText('There is no memory at this address')).toBeVisible();
  await lookAt(page, 'memory-gone');
});

test('two tabs that change the same memory keep both texts, and what one deletes is gone in the other', async ({
  page,
  context,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 4(?:09|04)/);
  await postMemory(page, instance, await keyIn(page), 'The orchard', 'Ladders.');
  const second = await context.newPage();
  await Promise.all([page.reload(), second.goto(`${instance.url}/memory-vault`)]);
  await rewrite(second, 'The orchard', 'Written in the second tab.');
  await rewrite(page, 'The orchard', 'Written in the first tab.');
  await seal(page);
  await expect(form(page)).toBeHidden();

  await seal(second);
  await expect(second.getByRole('alert')).toContainText('This memory was changed elsewhere');
  await expect(second.getByRole('alert')).toContainText('Written in the first tab.');
  await expect(words(second)).toHaveValue('Written in the second tab.');
  await second.getByRole('button', { name: 'Keep both' }).click();
  await expect(form(second)).toBeHidden();
  await expect(rows(second)).toHaveCount(2);
  for (const found of ['second tab', 'first tab']) {
    await second.getByRole('searchbox').fill(found);
    await expect(rows(second)).toHaveCount(1);
  }

  await page.getByRole('button', { name: 'Delete The orchard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expect(page.getByText('Nothing is kept here yet')).toBeVisible();
  await second.getByRole('button', { name: 'Delete The orchard' }).click();
  await second.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expectToast(second, 'Memory is gone');
});

test('nine rows of a list are seen at once', async ({ page, instance }) => {
  const key = await keyIn(page);
  for (let i = 1; i <= 14; i += 1)
    await postMemory(
      page,
      instance,
      key,
      `Memory ${i}`,
      'We missed the last tram, and it was the best part. '.repeat(20),
      // Years have headings, and each takes its room.
      {},
      { happenedOn: `20${20 - (i % 3)}-05-17` },
    );
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  // How many stand whole in the window.
  const seen = () =>
    rows(page).evaluateAll(
      (all) =>
        all.filter((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight && row.textContent?.includes('Memory');
        }).length,
    );
  await expect.poll(seen).toBeGreaterThanOrEqual(9);
  await lookAt(page, 'vault-nine-rows');
});
