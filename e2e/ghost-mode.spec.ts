// Ghost Mode as people use it: thoughts that are counted while they are read, and that vanish.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, type TestHouse, test } from './house.ts';
import { replaceKey } from './older-key.ts';
import { enterAsResident } from './resident.ts';
import { expectToast, pressEscape } from './rites.ts';

const HOUR = 60 * 60 * 1000;

async function openGhostMode(page: Page, house: Pick<TestHouse, 'url'>): Promise<void> {
  await page.goto(`${house.url}/ghost-mode`);
  await expect(page.getByRole('heading', { name: 'Ghost Mode', level: 1 })).toBeVisible();
}

async function writeThought(page: Page, content: string, reads?: string, hours?: string): Promise<void> {
  await page.getByRole('button', { name: 'Ghost Thought' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ghost Thought' });
  await dialog.getByRole('textbox', { name: 'Thought' }).fill(content);
  if (reads) await dialog.getByLabel('May be read').selectOption({ label: reads });
  if (hours) await dialog.getByLabel('Vanishes after').selectOption({ label: hours });
  await dialog.getByRole('button', { name: 'Seal the thought' }).click();
  await expectToast(page, 'Ghost Entry Created');
  await expect(dialog).toBeHidden();
}

const rows = (page: Page): Locator => page.getByRole('main').getByRole('listitem');
/** What opens a row; a row without words has no such door. */
const door = (row: Locator): Locator => row.getByRole('button', { name: /readings?/ });
const reader = (page: Page): Locator => page.getByRole('dialog', { name: 'A ghost thought' });
const lastQuestion = (page: Page): Locator =>
  page.getByRole('alertdialog', { name: 'This is the last reading' });

async function readLast(page: Page, row: Locator): Promise<void> {
  await door(row).click();
  await lastQuestion(page).getByRole('button', { name: 'Read it for the last time' }).click();
}

/** Puts a new key in place of the one that this browser has; what the old one sealed cannot be opened any more. */
async function startAnew(page: Page, house: TestHouse): Promise<void> {
  await page.evaluate(() => localStorage.clear());
  await page.goto(house.url);
  await page.getByRole('button', { name: 'I have none of these' }).click();
  await page.getByLabel('Type UNREADABLE to go on').fill('UNREADABLE');
  await page.getByRole('button', { name: 'Make a new key' }).click();
  await expectToast(page, 'Encryption Key Regenerated');
}

test.beforeEach(async ({ page, house }) => {
  await enterAsResident(page, house);
  await openGhostMode(page, house);
});

test('an empty thought is not sealed', async ({ page }) => {
  await page.getByRole('button', { name: 'Ghost Thought' }).click();
  await page.getByRole('textbox', { name: 'Thought' }).fill('   \n ');
  await page.getByRole('button', { name: 'Seal the thought' }).click();
  await expectToast(page, 'Empty Thought', 'Please write something before creating a ghost entry.');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('the form offers the readings and hours of the house, and says what will happen', async ({ page }) => {
  await page.getByRole('button', { name: 'Ghost Thought' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ghost Thought' });
  const reads = dialog.getByLabel('May be read');
  const hours = dialog.getByLabel('Vanishes after');
  await expect(reads.locator('option')).toHaveText([
    '1 reading',
    '3 readings',
    '5 readings',
    '10 readings',
    '∞ Unlimited',
  ]);
  await expect(reads).toHaveValue('1');
  await expect(hours.locator('option')).toHaveText(['1 hour', '6 hours', '24 hours', '168 hours (7 days)']);
  await expect(hours).toHaveValue('24');
  await expect(dialog).toContainText('The first reading takes the words away.');
  await reads.selectOption({ label: '3 readings' });
  await expect(dialog).toContainText('The third reading takes the words away. Read or not, they vanish on');
  await reads.selectOption({ label: '∞ Unlimited' });
  await expect(dialog).toContainText('The words can be read as often as you like until');
});

test('the list holds no word of a thought, newest first, and three readings are counted down', async ({
  page,
  quiet,
}) => {
  await expect(page.getByText('No thought lingers here')).toBeVisible();
  await writeThought(page, 'The lake is warmer than it looks.', '3 readings', '6 hours');
  await writeThought(page, 'Kept open.', '∞ Unlimited');
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(0)).toContainText('0 of ∞ readings');
  await expect(rows(page).nth(0)).toContainText(/(24 h|23 h 59 min) left/);
  await expect(rows(page).nth(1)).toContainText('0 of 3 readings');
  await expect(rows(page).nth(1)).toContainText(/(6 h|5 h 59 min) left/);
  await expect(page.getByRole('main')).not.toContainText('lake');

  const row = rows(page).nth(1);
  for (const [count, left] of [
    [1, '2 readings left'],
    [2, '1 reading left'],
  ] as const) {
    await door(row).click();
    await expect(reader(page)).toContainText('The lake is warmer than it looks.');
    await expect(reader(page)).toContainText(left);
    await page.getByRole('button', { name: 'Close the book' }).click();
    await expect(reader(page)).toBeHidden();
    await expect(row).toContainText(`${count} of 3 readings`);
    await expect(page.locator('body')).not.toContainText('The lake is warmer');
  }

  // The last one is asked for first; declining spends nothing.
  await door(row).click();
  await lastQuestion(page).getByRole('button', { name: 'Not now' }).click();
  await expect(row).toContainText('2 of 3 readings');
  await readLast(page, row);
  await expect(reader(page)).toContainText('The lake is warmer than it looks.');
  await expect(reader(page)).toContainText('Erased from this server');
  await expectToast(page, 'Final Reading', /this entry will vanish/);
  await page.getByRole('button', { name: 'Let it vanish' }).click();
  await expect(row).toContainText('Vanished');
  await expect(door(row)).toHaveCount(0);

  // Unlimited ones never ask.
  for (const count of [1, 2]) {
    await door(rows(page).nth(0)).click();
    await expect(reader(page)).toContainText('Kept open.');
    await pressEscape(page);
    await expect(rows(page).nth(0)).toContainText(`${count} of ∞ readings`);
  }
  await page.reload();
  await expect(rows(page).nth(0)).toContainText('2 of ∞ readings');
  await expect(rows(page).nth(1)).toContainText('Vanished');
  expect(quiet.said).toEqual([]);
});

test('a double click spends one reading', async ({ page }) => {
  await writeThought(page, 'Twice is once.', '10 readings');
  await door(rows(page).first()).dblclick();
  await expect(reader(page)).toContainText('9 readings left');
  await pressEscape(page);
  await page.reload();
  await expect(rows(page).first()).toContainText('1 of 10 readings');
});

test('of two tabs that race for the last reading one has the words, and the other is told', async ({
  page,
  context,
  house,
  quiet,
}) => {
  quiet.expect(/status of 404/);
  await writeThought(page, 'Only one of you.');
  const second = await context.newPage();
  await openGhostMode(second, house);
  for (const tab of [page, second]) {
    await door(rows(tab).first()).click();
    await expect(lastQuestion(tab)).toBeVisible();
  }
  await Promise.all(
    [page, second].map((tab) =>
      lastQuestion(tab).getByRole('button', { name: 'Read it for the last time' }).click(),
    ),
  );
  const told = (tab: Page) =>
    expectToast(tab, 'Entry Vanished', 'This ghost entry has already been purged.').then(() => tab);
  const loser = await Promise.any([told(page), told(second)]);
  const winner = loser === page ? second : page;
  await expect(reader(winner)).toContainText('Only one of you.');
  await expect(reader(loser)).toBeHidden();
  await expect(lastQuestion(loser)).toBeHidden();
  await expect(rows(loser).first()).toContainText('Vanished');
});

test('a reading made in another tab is counted before this one asks', async ({ page, context, house }) => {
  await writeThought(page, 'Counted everywhere.', '3 readings');
  const second = await context.newPage();
  await openGhostMode(second, house);
  for (let i = 0; i < 2; i += 1) {
    await door(rows(second).first()).click();
    await expect(reader(second)).toBeVisible();
    await pressEscape(second);
    await expect(reader(second)).toBeHidden();
  }
  // This tab still shows 0 of 3: its next reading would be the last nevertheless.
  await expect(rows(page).first()).toContainText('0 of 3 readings');
  await door(rows(page).first()).click();
  await expect(lastQuestion(page)).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(rows(page).first()).toContainText('2 of 3 readings');
});

test('a thought is deleted after a question, and one deleted elsewhere has vanished', async ({
  page,
  context,
  house,
  quiet,
}) => {
  quiet.expect(/status of 404/);
  await writeThought(page, 'Away with it.', '3 readings');
  const second = await context.newPage();
  await openGhostMode(second, house);
  await expect(rows(second)).toHaveCount(1);
  await page.getByRole('button', { name: /^Delete the thought of/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: /^Delete the thought of/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expectToast(page, 'Ghost Entry Deleted');
  await expect(page.getByText('No thought lingers here')).toBeVisible();

  await door(rows(second).first()).click();
  await expectToast(second, 'Entry Vanished', 'This ghost entry has already been purged.');
  await expect(second.getByText('No thought lingers here')).toBeVisible();
});

test('a draft survives a reload, sealed, and can be discarded', async ({ page }) => {
  await page.getByRole('button', { name: 'Ghost Thought' }).click();
  await page.getByRole('textbox', { name: 'Thought' }).fill('Half a thought');
  await page.getByLabel('May be read').selectOption({ label: '5 readings' });
  await expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).some((slot) => /^latebra\.draft:.*:ghost$/.test(slot))),
    )
    .toBe(true);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Half a thought');
  await page.reload();
  await page.getByRole('button', { name: 'Ghost Thought' }).click();
  await expect(page.getByRole('textbox', { name: 'Thought' })).toHaveValue('Half a thought');
  await expect(page.getByLabel('May be read')).toHaveValue('5');
  await page.getByRole('button', { name: 'Discard it' }).click();
  await expect(page.getByRole('textbox', { name: 'Thought' })).toHaveValue('');
  await expect(page.getByLabel('May be read')).toHaveValue('1');
});

test('a cut connection loses nothing that was written, and a lost answer keeps nothing twice', async ({
  page,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_RESET|status of 409/);
  let cut = 0;
  await page.route('**/api/ghost-entries', async (route) => {
    if (route.request().method() !== 'POST' || cut === 2) return route.fallback();
    cut += 1;
    if (cut === 2) await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Ghost Thought' }).click();
  await page.getByRole('textbox', { name: 'Thought' }).fill('First wording.');
  const send = page.getByRole('button', { name: 'Seal the thought' });
  await send.click();
  await expectToast(page, 'Failed to Create Ghost Entry', 'The house could not be reached.');
  await send.click();
  await expect.poll(() => cut).toBe(2);
  await expect(send).not.toHaveAttribute('aria-busy');
  await page.getByRole('textbox', { name: 'Thought' }).fill('Second wording.');
  await send.click();
  await expectToast(page, 'Ghost Entry Created');
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await readLast(page, rows(page).first());
  await expect(reader(page)).toContainText('Second wording.');
});

test('when a reading fails on its way, the list tells whether it was counted', async ({ page, quiet }) => {
  quiet.expect(/ERR_CONNECTION_RESET/);
  await writeThought(page, 'On the wire.', '3 readings');
  await page.route('**/api/ghost-entries/*/read', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await door(rows(page).first()).click();
  await expectToast(page, 'Failed to Read', 'The house could not be reached.');
  await expect(rows(page).first()).toContainText('1 of 3 readings');
  await page.unroute('**/api/ghost-entries/*/read');
  await door(rows(page).first()).click();
  await expect(reader(page)).toContainText('On the wire.');
});

test('no reading is spent on words that no key here opens', async ({ page, house }) => {
  let reads = 0;
  await writeThought(page, 'Under the old key.', '3 readings');
  await startAnew(page, house);
  await openGhostMode(page, house);
  page.on('request', (request) => {
    if (request.url().endsWith('/read')) reads += 1;
  });
  await door(rows(page).first()).click();
  await expectToast(
    page,
    'Failed to Decrypt',
    'Unable to decrypt this entry. Your encryption key may have changed. No reading was spent.',
  );
  await expect(rows(page).first()).toContainText('0 of 3 readings');
  expect(reads).toBe(0);
});

test('what an older key of the ring has sealed is read, and sealed anew while words are left', async ({
  page,
  house,
}) => {
  await writeThought(page, 'Older than the key.', '3 readings');
  const { before, after } = await replaceKey(page, house);
  const sealedUnder = async () =>
    (await (await page.request.get(`${house.url}/api/ghost-entries`)).json())[0].keyFingerprint;
  expect(await sealedUnder()).toBe(before);
  await door(rows(page).first()).click();
  await expect(reader(page)).toContainText('Older than the key.');
  await expect.poll(sealedUnder).toBe(after);
  await pressEscape(page);
  await page.reload();
  await door(rows(page).first()).click();
  await expect(reader(page)).toContainText('Older than the key.');
});

test('words that cannot be opened after all are told, and the reading counts', async ({ page }) => {
  await writeThought(page, 'Damaged on its way.', '3 readings');
  await page.route('**/api/ghost-entries/*/read', async (route) => {
    const response = await route.fetch();
    const row = await response.json();
    await route.fulfill({ response, json: { ...row, encryptedContent: 'AAAA' } });
  });
  await door(rows(page).first()).click();
  await expectToast(page, 'Failed to Decrypt', /Unable to decrypt this entry/);
  await expect(reader(page).getByRole('alert')).toContainText('The reading was counted.');
  await pressEscape(page);
  await expect(rows(page).first()).toContainText('1 of 3 readings');
});

test('a list that cannot be fetched says so and can be tried again', async ({ page, quiet }) => {
  quiet.expect(/status of 503/);
  await page.route('**/api/ghost-entries*', (route) => route.fulfill({ status: 503, body: '' }));
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('This could not be fetched');
  await page.unroute('**/api/ghost-entries*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No thought lingers here')).toBeVisible();
});

test('by keyboard alone: written, read for the last time, vanished', async ({ page }) => {
  await page.getByRole('button', { name: 'Ghost Thought' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Thought' })).toBeFocused();
  await page.keyboard.type('By keyboard.');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('May be read')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Seal the thought' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Ghost Thought' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(door(rows(page).first())).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(lastQuestion(page).getByRole('button', { name: 'Not now' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(reader(page)).toContainText('By keyboard.');
  await pressEscape(page);
  await expect(rows(page).first()).toContainText('Vanished');
});

for (const [size, viewport] of Object.entries({
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
})) {
  test.describe(`at ${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });

    test('every state of the chamber is fit to be seen', async ({ page, quiet }) => {
      async function look(name: string): Promise<void> {
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await page.screenshot({ path: `test-results/pictures/${size}-${name}.png` });
        const violations = await axeFindings(page);
        expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(sideways, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
      }
      await look('ghost-empty');
      await page.getByRole('button', { name: 'Ghost Thought' }).click();
      await look('ghost-dialog');
      await pressEscape(page);
      await writeThought(page, 'Gone.', '1 reading');
      await readLast(page, rows(page).first());
      await expectToast(page, 'Final Reading');
      await look('ghost-final-reading');
      await pressEscape(page);
      await expect(reader(page)).toBeHidden();
      await writeThought(page, 'Open.', '∞ Unlimited', '168 hours (7 days)');
      await writeThought(
        page,
        'I walked to the end of the pier tonight and said it aloud, to nobody, in the rain. It did not sound like me.\n\nTomorrow I shall not remember the words. That is what they are for.',
        '5 readings',
      );
      await writeThought(page, 'Soon.', '3 readings', '1 hour');
      await writeThought(page, 'Once.');
      await expect(page.getByRole('button', { name: 'Dismiss' })).toBeHidden();
      await look('ghost-list');
      await door(rows(page).nth(2)).click();
      await expect(reader(page)).toBeVisible();
      await look('ghost-reader');
      await pressEscape(page);
      await door(rows(page).nth(0)).click();
      await expect(lastQuestion(page)).toBeVisible();
      await look('ghost-last-question');
      expect(quiet.said).toEqual([]);
    });
  });
}

test.describe('through a clock that is moved', () => {
  test('the time ticks by the second in its last hour, then the words are gone, and after a day the row', async ({
    page,
    house,
    quiet,
  }) => {
    quiet.expect(/status of 404/);
    await page.clock.install();
    await page.reload();
    await writeThought(page, 'An hour, no longer.', '10 readings', '1 hour');
    const row = rows(page).first();
    await expect(row).toContainText(/59 min \d+ s left/);
    const shown = (await row.textContent()) ?? '';
    await page.clock.runFor(1000);
    await expect(row).not.toHaveText(shown);

    // The house's hour has come, and this browser's clock is late: the house decides.
    house.advance(HOUR + 1000);
    await door(row).click();
    await expectToast(page, 'Entry Vanished', 'This ghost entry has already been purged.');
    await page.clock.fastForward(HOUR);
    await expect(row).toContainText('Expired');
    await expect(door(row)).toHaveCount(0);
    await page.reload();
    await expect(rows(page).first()).toContainText('Expired');
    house.advance(24 * HOUR);
    await page.reload();
    await expect(page.getByText('No thought lingers here')).toBeVisible();
  });
});
