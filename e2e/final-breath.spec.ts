// The Final Breath as people live it: written, sealed, released once, silenced.
import type { Page } from '@playwright/test';
import { axeFindings } from './axe.ts';
import { expect, type TestHouse, test } from './house.ts';
import { replaceKey } from './older-key.ts';
import { enterAsResident } from './resident.ts';
import { expectToast, pressEscape } from './rites.ts';

const MINUTE = 60 * 1000;
const WORDS = 'Tell them the key was under the third stone all along.';

const field = (page: Page) => page.getByRole('textbox', { name: 'Your final breath' });
const sealButton = (page: Page) => page.getByRole('button', { name: 'Seal Final Breath' });
const releaseButton = (page: Page) => page.getByRole('button', { name: 'Release Final Breath' });
const article = (page: Page) => page.getByRole('article');

async function openFinalBreath(page: Page, house: Pick<TestHouse, 'url'>): Promise<void> {
  await page.goto(`${house.url}/final-breath`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

async function sealBreath(page: Page, words = WORDS): Promise<void> {
  await page.getByRole('button', { name: 'Begin the Final Rite' }).click();
  await field(page).fill(words);
  await sealButton(page).click();
  await expectToast(page, 'Final Breath Sealed');
  await expect(releaseButton(page)).toBeVisible();
}

async function release(page: Page): Promise<void> {
  await releaseButton(page).click();
  await page
    .getByRole('alertdialog', { name: 'Release your final breath?' })
    .getByRole('button', { name: 'Release it' })
    .click();
}

/** Lets what is sent to this path arrive, and drops the answer, as often as told. */
async function loseAnswers(page: Page, path: string, times: number): Promise<void> {
  let lost = 0;
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === 'GET' || lost === times) return route.fallback();
    lost += 1;
    await route.fetch();
    await route.abort('connectionreset');
  });
}

const kept = (page: Page, slot: string) =>
  page.evaluate(
    (start) =>
      [...Object.keys(sessionStorage), ...Object.keys(localStorage)].filter((name) => name.startsWith(start))
        .length,
    slot,
  );
/** The one draft of this browser, as it is sealed. */
const draftText = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).find(([name]) => name.startsWith('latebra.draft'))?.[1]);
const breathOf = async (page: Page, house: TestHouse) =>
  (await page.request.get(`${house.url}/api/final-breath`)).json();

test.beforeEach(async ({ page, house }) => {
  await enterAsResident(page, house);
  await openFinalBreath(page, house);
});

test('it is written, sealed, released once and silenced; then another can be written', async ({
  page,
  house,
  quiet,
}) => {
  await page.getByRole('button', { name: 'Begin the Final Rite' }).click();
  await expect(field(page)).toBeFocused();
  await expect(page.getByRole('main')).toContainText('There is one for each vault.');
  await expect(sealButton(page)).toBeDisabled();
  await field(page).fill('  \n ');
  await expect(sealButton(page)).toBeDisabled();
  await field(page).fill(WORDS);
  await sealButton(page).click();
  await expectToast(page, 'Final Breath Sealed');
  expect(await kept(page, 'latebra.draft')).toBe(0);

  await page.reload();
  await expect(releaseButton(page)).toBeVisible();
  await expect(page.locator('body')).not.toContainText('third stone');
  await releaseButton(page).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Not yet' }).click();
  expect(await breathOf(page, house)).toMatchObject({ releasedAt: null, encryptedContent: null });

  await release(page);
  await expectToast(page, 'Final Breath Released');
  await expect(article(page)).toContainText(WORDS);
  await expect(article(page)).toContainText('Erased from this server');
  expect(await breathOf(page, house)).toBeNull();
  expect(await kept(page, 'latebra.redemption')).toBe(0);
  await page.getByRole('button', { name: 'Silence' }).click();
  await expect(page.locator('body')).not.toContainText('third stone');
  await sealBreath(page, 'A second one.');
  await release(page);
  await expect(article(page)).toContainText('A second one.');
  expect(quiet.said).toEqual([]);
});

test('a draft survives a reload, sealed, and can be put aside or discarded', async ({ page }) => {
  await page.getByRole('button', { name: 'Begin the Final Rite' }).click();
  await field(page).fill('Half a breath');
  await expect.poll(() => kept(page, 'latebra.draft')).toBe(1);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Half a breath');
  await page.reload();
  await expect(field(page)).toHaveValue('Half a breath');
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('button', { name: 'Begin the Final Rite' }).click();
  await expect(field(page)).toHaveValue('Half a breath');
  await page.getByRole('button', { name: 'Discard it' }).click();
  await expect(field(page)).toHaveValue('');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Begin the Final Rite' })).toBeVisible();
});

test('it can be burned unread, after a word', async ({ page, house }) => {
  await sealBreath(page);
  await page.getByRole('button', { name: 'Burn it unread' }).click();
  const question = page.getByRole('alertdialog', { name: 'Burn it unread?' });
  await expect(question.getByRole('button', { name: 'Burn it' })).toBeDisabled();
  await question.getByLabel('Type BURN to go on').fill('BURN');
  await question.getByRole('button', { name: 'Burn it' }).click();
  await expectToast(page, 'Final Breath Burned');
  await expect(page.getByRole('button', { name: 'Begin the Final Rite' })).toBeVisible();
  expect(await breathOf(page, house)).toBeNull();
});

test('a cut connection loses no word: the same tab receives them after all', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_RESET/);
  await sealBreath(page);
  await loseAnswers(page, '/api/final-breath/read', 1);
  await release(page);
  await expectToast(page, 'Failed to Release', 'The house could not be reached.');
  await expect(page.getByRole('heading', { name: 'Released, and not yet read' })).toBeVisible();
  expect((await breathOf(page, house)).releasedAt).not.toBeNull();
  await page.getByRole('button', { name: 'Receive its words' }).click();
  await expectToast(page, 'Final Breath Released');
  await expect(article(page)).toContainText(WORDS);
  await expect.poll(() => breathOf(page, house)).toBeNull();
});

test('a reload in the middle of a release loses no word, within ten minutes', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_RESET/);
  await sealBreath(page);
  await loseAnswers(page, '/api/final-breath/read', 1);
  await release(page);
  await expectToast(page, 'Failed to Release');
  expect(await kept(page, 'latebra.redemption')).toBe(1);
  house.advance(9 * MINUTE);
  await page.reload();
  await page.getByRole('button', { name: 'Receive its words' }).click();
  await expect(article(page)).toContainText(WORDS);
  await page.getByRole('button', { name: 'Silence' }).click();
  await expect(page.getByRole('button', { name: 'Begin the Final Rite' })).toBeVisible();
});

test('after ten minutes nothing is left to receive', async ({ page, house, quiet }) => {
  quiet.expect(/ERR_CONNECTION_RESET|status of (404|410)/);
  await sealBreath(page);
  await loseAnswers(page, '/api/final-breath/read', 1);
  await release(page);
  await expect(page.getByRole('heading', { name: 'Released, and not yet read' })).toBeVisible();
  house.advance(11 * MINUTE);
  await page.getByRole('button', { name: 'Receive its words' }).click();
  await expectToast(page, 'Failed to Release');
  await expect(page.getByRole('button', { name: 'Begin the Final Rite' })).toBeVisible();
  expect(await kept(page, 'latebra.redemption')).toBe(0);
});

test('a server that could not be told says when it erases by itself, and is told again with silence', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_RESET/);
  await sealBreath(page);
  let tries = 0;
  await page.route('**/api/final-breath/acknowledge', async (route) => {
    tries += 1;
    if (tries === 1) return route.abort('connectionreset');
    await route.fallback();
  });
  await release(page);
  await expect(article(page)).toContainText(/This server erases it by itself at \d\d:\d\d/);
  expect(await breathOf(page, house)).not.toBeNull();
  await page.getByRole('button', { name: 'Silence' }).click();
  await expect(page.getByRole('button', { name: 'Begin the Final Rite' })).toBeVisible();
  expect(tries).toBe(2);
  expect(await breathOf(page, house)).toBeNull();
});

test('of two tabs one has the words, and the other is told', async ({ page, context, house, quiet }) => {
  quiet.expect(/status of 410|ERR_CONNECTION_RESET/);
  await sealBreath(page);
  const second = await context.newPage();
  await openFinalBreath(second, house);
  await releaseButton(second).click();
  await expect(second.getByRole('alertdialog')).toBeVisible();
  // The first one's words are on their way while the second asks.
  await loseAnswers(page, '/api/final-breath/read', 1);
  await release(page);
  await expectToast(page, 'Failed to Release');
  await second.getByRole('alertdialog').getByRole('button', { name: 'Release it' }).click();
  await expectToast(second, 'Failed to Release', 'This breath was released before. It is gone.');
  await expect(second.getByRole('heading', { name: 'It was released before' })).toBeVisible();
  await page.getByRole('button', { name: 'Receive its words' }).click();
  await expect(article(page)).toContainText(WORDS);
  await expect(article(page)).toContainText('Erased from this server');
  await second.getByRole('button', { name: 'Look again' }).click();
  await expect(second.getByRole('button', { name: 'Begin the Final Rite' })).toBeVisible();
});

test('a second breath is refused where one stands sealed, and what was written is kept', async ({
  page,
  context,
  house,
  quiet,
}) => {
  quiet.expect(/status of 409/);
  const second = await context.newPage();
  await openFinalBreath(second, house);
  await second.getByRole('button', { name: 'Begin the Final Rite' }).click();
  await field(second).fill('The other one.');
  await sealBreath(page);
  await sealButton(second).click();
  await expectToast(second, 'Failed to Seal Final Breath', 'A final breath is sealed already.');
  await expect(releaseButton(second)).toBeVisible();
  await release(page);
  await expect(article(page)).toContainText(WORDS);
  await expect(article(page)).toContainText('Erased from this server');
  await second.reload();
  await expect(field(second)).toHaveValue('The other one.');
});

test('a lost answer seals once, with the words as they were last written', async ({ page, house, quiet }) => {
  quiet.expect(/ERR_CONNECTION_RESET|status of 409/);
  await loseAnswers(page, '/api/final-breath', 1);
  await page.getByRole('button', { name: 'Begin the Final Rite' }).click();
  await field(page).fill('First wording.');
  await sealButton(page).click();
  await expectToast(page, 'Failed to Seal Final Breath', 'The house could not be reached.');
  await field(page).fill('Second wording.');
  await sealButton(page).click();
  await expectToast(page, 'Final Breath Sealed');
  await release(page);
  await expect(article(page)).toContainText('Second wording.');
  expect(await breathOf(page, house)).toBeNull();
});

test('a draft of what was sealed after all does not stay in the browser', async ({ page, quiet }) => {
  quiet.expect(/ERR_CONNECTION_RESET/);
  await loseAnswers(page, '/api/final-breath', 1);
  await page.getByRole('button', { name: 'Begin the Final Rite' }).click();
  await field(page).fill(WORDS);
  await sealButton(page).click();
  await expectToast(page, 'Failed to Seal Final Breath');
  await expect.poll(() => kept(page, 'latebra.draft')).toBe(1);
  await page.reload();
  await expect(releaseButton(page)).toBeVisible();
  await expect.poll(() => kept(page, 'latebra.draft')).toBe(0);
});

test('what was written after a lost answer is not in the breath, and stays as a draft', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_RESET/);
  await loseAnswers(page, '/api/final-breath', 1);
  await page.getByRole('button', { name: 'Begin the Final Rite' }).click();
  await field(page).fill('First wording.');
  await sealButton(page).click();
  await expectToast(page, 'Failed to Seal Final Breath');
  const before = await draftText(page);
  await field(page).fill('Second wording, and a good deal more.');
  await expect.poll(() => draftText(page)).not.toBe(before);
  await page.reload();
  await expect(releaseButton(page)).toBeVisible();
  await expect(page.getByRole('note')).toContainText('stays in this browser, as a draft');
  expect(await kept(page, 'latebra.draft')).toBe(1);
  await release(page);
  await expect(article(page)).toContainText('First wording.');
  await page.getByRole('button', { name: 'Silence' }).click();
  await expect(field(page)).toHaveValue('Second wording, and a good deal more.');
  await sealButton(page).click();
  await expect(releaseButton(page)).toBeVisible();
  await expect(page.getByRole('note')).toBeHidden();
  expect(await kept(page, 'latebra.draft')).toBe(0);
  await release(page);
  await expect(article(page)).toContainText('Second wording, and a good deal more.');
  expect(await breathOf(page, house)).toBeNull();
});

test('a proxy that finds nothing takes nothing away, neither the words nor the way to them', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_RESET|status of 404/);
  await sealBreath(page);
  await loseAnswers(page, '/api/final-breath/read', 1);
  await release(page);
  await expectToast(page, 'Failed to Release');
  for (const path of ['read', 'acknowledge']) {
    await page.route(
      `**/api/final-breath/${path}`,
      (route) => route.fulfill({ status: 404, body: '404 page not found' }),
      { times: 1 },
    );
  }
  await page.getByRole('button', { name: 'Receive its words' }).click();
  await expectToast(page, 'Failed to Release', 'The house is out of reach just now.');
  await page.getByRole('button', { name: 'Receive its words' }).click();
  await expect(article(page)).toContainText(WORDS);
  await expect(article(page)).toContainText(/This server erases it by itself at/);
  expect(await breathOf(page, house)).not.toBeNull();
  await page.getByRole('button', { name: 'Silence' }).click();
  await expect(page.getByRole('button', { name: 'Begin the Final Rite' })).toBeVisible();
  expect(await breathOf(page, house)).toBeNull();
});

test('silence is silence, also when the server cannot be told', async ({ page, house, quiet }) => {
  quiet.expect(/ERR_CONNECTION_RESET/);
  await sealBreath(page);
  await page.route('**/api/final-breath/acknowledge', (route) => route.abort('connectionreset'));
  await release(page);
  await expect(article(page)).toContainText(/This server erases it by itself at/);
  await page.getByRole('button', { name: 'Silence' }).click();
  await expect(page.getByRole('heading', { name: 'It is silenced' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/erases them by itself at \d\d:\d\d/);
  await expect(page.getByRole('button', { name: 'Receive its words' })).toBeHidden();
  expect(await kept(page, 'latebra.redemption')).toBe(0);
  house.advance(11 * MINUTE);
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect(page.getByRole('button', { name: 'Begin the Final Rite' })).toBeVisible();
});

test('words that this browser cannot seal are not sent', async ({ page, house }) => {
  await page.getByRole('button', { name: 'Begin the Final Rite' }).click();
  await field(page).fill(WORDS);
  await page.evaluate(() => {
    crypto.subtle.encrypt = () => Promise.reject(new DOMException('no', 'OperationError'));
  });
  await sealButton(page).click();
  await expectToast(page, 'Encryption Failed', 'Your words could not be sealed. Nothing was sent.');
  await expect(field(page)).toHaveValue(WORDS);
  expect(await breathOf(page, house)).toBeNull();
});

test('what no key here opens is not released', async ({ page, house }) => {
  let reads = 0;
  await sealBreath(page);
  await page.evaluate(() => localStorage.clear());
  await page.goto(house.url);
  await page.getByRole('button', { name: 'I have none of these' }).click();
  await page.getByLabel('Type UNREADABLE to go on').fill('UNREADABLE');
  await page.getByRole('button', { name: 'Make a new key' }).click();
  await expectToast(page, 'Encryption Key Regenerated');
  await openFinalBreath(page, house);
  page.on('request', (request) => {
    if (request.url().endsWith('/read')) reads += 1;
  });
  await releaseButton(page).click();
  await expectToast(
    page,
    'Failed to Decrypt',
    'Unable to decrypt this breath. Your encryption key may have changed. It was not released.',
  );
  await expect(page.getByRole('alertdialog')).toBeHidden();
  expect(reads).toBe(0);
});

test('what an older key of the ring has sealed is released all the same', async ({ page, house }) => {
  await sealBreath(page);
  await replaceKey(page, house);
  await release(page);
  await expect(article(page)).toContainText(WORDS);
});

test('words that came and could not be opened are not acknowledged', async ({ page, house }) => {
  await sealBreath(page);
  let damaged = false;
  await page.route('**/api/final-breath/read', async (route) => {
    if (damaged) return route.fallback();
    damaged = true;
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), encryptedContent: 'AAAA' } });
  });
  await release(page);
  await expectToast(page, 'Failed to Decrypt');
  await expect(page.getByRole('alert').filter({ hasText: 'could not be opened' })).toBeVisible();
  expect(await breathOf(page, house)).not.toBeNull();
  await page.getByRole('button', { name: 'Receive its words' }).click();
  await expect(article(page)).toContainText(WORDS);
  await expect.poll(() => breathOf(page, house)).toBeNull();
});

test('released words are not left by a slip of the hand', async ({ page }) => {
  await sealBreath(page);
  await release(page);
  await expect(article(page)).toContainText('Erased from this server');
  await expect(page.getByRole('navigation')).toHaveCount(0);
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await expect(article(page)).toContainText(WORDS);
  await page.getByRole('button', { name: 'Silence' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Begin the Final Rite' })).toBeVisible();
});

test('when the house does not answer, the page says so and can be tried again', async ({ page, quiet }) => {
  quiet.expect(/status of 503/);
  await page.route('**/api/final-breath', (route) => route.fulfill({ status: 503, body: '' }));
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('This could not be fetched');
  await page.unroute('**/api/final-breath');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Begin the Final Rite' })).toBeVisible();
});

test('by keyboard alone: written, sealed, released, silenced', async ({ page }) => {
  await page.getByRole('button', { name: 'Begin the Final Rite' }).focus();
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('By keyboard.');
  await page.keyboard.press('Tab');
  await expect(sealButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(releaseButton(page)).toBeVisible();
  await releaseButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Not yet' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(article(page)).toContainText('By keyboard.');
  await expect(page.getByRole('heading', { name: 'Your final breath' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Silence' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Final Breath' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Begin the Final Rite' })).toBeFocused();
});

for (const [size, viewport] of Object.entries({
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
})) {
  test.describe(`at ${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });

    test('every state of the chamber is fit to be seen', async ({ page, quiet }) => {
      quiet.expect(/ERR_CONNECTION_RESET/);
      async function look(name: string): Promise<void> {
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await page.screenshot({ path: `test-results/pictures/${size}-${name}.png` });
        const violations = await axeFindings(page);
        expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(sideways, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
      }
      /** A toast leaves by itself. */
      const toastGone = () => expect(page.getByRole('button', { name: 'Dismiss' })).toBeHidden();
      await look('breath-none');
      await page.getByRole('button', { name: 'Begin the Final Rite' }).click();
      await look('breath-writing');
      await field(page).fill(
        'If you are reading this, then I have let it go at last.\n\nI was never angry about the boat. I was afraid, and it looked the same from where you stood. The key is under the third stone, and everything in the blue box is yours.\n\nForgive me the winter. Keep the bees.',
      );
      await sealButton(page).click();
      await expectToast(page, 'Final Breath Sealed');
      await toastGone();
      await look('breath-sealed');
      await releaseButton(page).click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await look('breath-release-question');
      await pressEscape(page);
      await page.getByRole('button', { name: 'Burn it unread' }).click();
      await look('breath-burn-question');
      await pressEscape(page);
      await loseAnswers(page, '/api/final-breath/read', 1);
      await release(page);
      await expectToast(page, 'Failed to Release');
      await toastGone();
      await look('breath-awaiting');
      await page.getByRole('button', { name: 'Receive its words' }).click();
      await expectToast(page, 'Final Breath Released');
      await toastGone();
      await look('breath-released');
    });
  });
}
