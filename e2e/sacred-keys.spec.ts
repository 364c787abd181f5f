// Sacred Keys as their owner uses them: made, handed over, watched, revoked.
import type { Page } from '@playwright/test';
import decodeQR from 'qr/decode.js';
import { fromHex } from '../src/crypto/base64.ts';
import { newSealId, seal } from '../src/crypto/seal.ts';
import { deriveContentKey, fingerprintOf } from '../src/crypto/vault-key.ts';
import { axeFindings } from './axe.ts';
import { expect, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import { expectToast, openMemoryVault, pressEscape, rowOf, sealMemory } from './rites.ts';
import { breakSeal, stranger } from './sharing.ts';

const DAY = 24 * 60 * 60 * 1000;
const TITLE = 'The bell under the lake';
const WORDS = 'It still rings.';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test.beforeEach(async ({ page, house }) => {
  await enterAsResident(page, house);
  await openMemoryVault(page);
  await sealMemory(page, TITLE, WORDS);
});

const openKeys = async (page: Page, url: string) => {
  await page.goto(`${url}/sacred-keys`);
  await expect(page.getByRole('heading', { name: 'Sacred Keys', level: 1 })).toBeVisible();
};
const create = (page: Page) => page.getByRole('button', { name: 'Create Sacred Key' });

/** Fills in the form for a memory, up to the last press. */
async function request(page: Page, { title = TITLE, expires = '', passphrase = '' } = {}): Promise<void> {
  await create(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Content type').selectOption({ label: 'Memory' });
  const entry = dialog.getByLabel('Specific entry');
  const option = entry.locator('option', { hasText: title });
  await expect(option).toHaveCount(1);
  await entry.selectOption({ label: (await option.textContent()) ?? '' });
  if (expires) await dialog.getByLabel('Expires after').selectOption({ label: expires });
  if (passphrase) await dialog.getByLabel('Passphrase', { exact: false }).fill(passphrase);
}
const submit = (page: Page) => create(page).last().click();

/** Makes a key for a memory and closes what is shown of it. Returns the link. */
async function makeKey(page: Page, options: Parameters<typeof request>[1] = {}): Promise<string> {
  await request(page, options);
  await submit(page);
  await expectToast(page, 'Sacred Key Created', 'Its link is on your clipboard.');
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  return link;
}

/** Records a moment as the ledger's form would, under this browser's key. */
async function recordMoment(page: Page, url: string, person: string, words: string): Promise<void> {
  const hex = await page.evaluate(() =>
    Object.entries(localStorage).find(([slot]) => slot.startsWith('latebra.vault-key')),
  );
  const key = fromHex(hex?.[1] ?? '');
  const [contentKey, sealId] = [await deriveContentKey(key), newSealId()];
  const sealed = (field: string, text: string) =>
    seal(text, contentKey, { kind: 'relationship', field, sealId });
  const data = {
    personName: await sealed('personName', person),
    encryptedContent: await sealed('encryptedContent', words),
    eventType: 'confession',
    emotionalWeight: 5,
    sealId,
    keyFingerprint: await fingerprintOf(key),
  };
  const response = await page.request.post(`${url}/api/relationship-entries`, { data });
  expect(response.status()).toBe(201);
}

test('a memory goes to one reader on another device, and its owner sees when it was opened', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  await openKeys(page, house.url);
  await expect(page.getByText('No key has been made yet')).toBeVisible();
  const sent: string[] = [];
  page.on('request', (made) => sent.push(`${made.url()} ${made.postData()}`));
  const link = await makeKey(page);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  const [, secret = ''] = link.split('#');
  expect(secret).toHaveLength(43);
  expect(sent.join('\n')).not.toContain(secret);
  await expect(rowOf(page, TITLE)).toContainText('Active');
  await expect(rowOf(page, TITLE)).toContainText(/Expires \d+ \w+ \d{4}, \d\d:\d\d/);

  const reader = await stranger(browser, quiet);
  await reader.goto(link);
  await breakSeal(reader, [TITLE, WORDS]);

  // The list that was open knows nothing of it yet; whoever comes back to it does.
  await page.getByRole('link', { name: 'Latebra' }).click();
  await page.getByRole('link', { name: /Sacred Keys/ }).click();
  const row = rowOf(page, TITLE);
  await expect(row).toContainText('Used');
  await expect(row).toContainText(/Opened at \d+ \w+ \d{4}, \d\d:\d\d/);
  await expect(row.getByRole('button', { name: 'Copy link' })).toBeDisabled();
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click();
  await expectToast(page, 'Sacred Key Deleted');
  await expect(page.getByText('No key has been made yet')).toBeVisible();
});

test('a key with a passphrase asks for it, and says so in the list', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  await openKeys(page, house.url);
  const link = await makeKey(page, { passphrase: 'plum cake on a stone wall', expires: '1 day' });
  await expect(rowOf(page, TITLE)).toContainText('Memory, with a passphrase');
  const reader = await stranger(browser, quiet);
  quiet.expect(/status of 401/);
  await reader.goto(link);
  await reader.getByLabel('Passphrase').fill('plum pie');
  await reader.getByRole('button', { name: 'Break the seal' }).click();
  await expect(reader.getByText(/Nothing was burned/)).toBeVisible();
  await reader.getByLabel('Passphrase').fill('plum cake on a stone wall');
  await breakSeal(reader, [TITLE, WORDS]);
});

test('a recorded moment goes with its person, its kind and its weight', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  await recordMoment(page, house.url, 'Agnes', 'She kept bees.');
  await openKeys(page, house.url);
  await create(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Content type').selectOption({ label: 'Relationship' });
  await expect(dialog.getByLabel('Specific entry').locator('option')).toHaveText([
    'Choose a recorded moment',
    /^Agnes · Confession · /,
  ]);
  await dialog.getByLabel('Specific entry').selectOption({ index: 1 });
  await submit(page);
  await expectToast(page, 'Sacred Key Created');
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  const reader = await stranger(browser, quiet);
  await reader.goto(link);
  await breakSeal(reader, ['Agnes', 'Confession', 'Life-changing, 5 of 5', 'She kept bees.']);
});

test('six words can be chosen for it, and are shown until something else is typed', async ({
  page,
  house,
}) => {
  await openKeys(page, house.url);
  await create(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Choose six words for me' }).click();
  const shown = dialog.getByText('Write these down before you go on:');
  await expect(shown).toBeVisible();
  const words = await dialog.getByLabel('Passphrase', { exact: false }).inputValue();
  expect(words.split(' ')).toHaveLength(6);
  await dialog.getByLabel('Passphrase', { exact: false }).fill('my own');
  await expect(shown).toBeHidden();
});

test('type and entry are both needed; another type clears the entry; locked memories are not offered', async ({
  page,
  house,
}) => {
  await sealMemory(page, 'For the wedding', 'Dance.', '1 year');
  await openKeys(page, house.url);
  await create(page).click();
  await submit(page);
  await expectToast(page, 'Incomplete Key Request', 'Please select both content type and specific entry.');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Expires after')).toHaveValue('168');
  await dialog.getByLabel('Content type').selectOption('memory');
  const entry = dialog.getByLabel('Specific entry');
  await expect(entry.locator('option')).toHaveText(['Choose a memory', new RegExp(TITLE)]);
  await expect(dialog).toContainText('Not offered: 1 is time-locked.');
  await entry.selectOption({ index: 1 });
  await dialog.getByLabel('Content type').selectOption('relationship');
  await expect(dialog).toContainText('There is no recorded moment that could be shared yet.');
  await dialog.getByLabel('Content type').selectOption('memory');
  await expect(entry).toHaveValue('');
  await submit(page);
  await expectToast(page, 'Incomplete Key Request');
});

test('many entries can be searched, by their words as well', async ({ page, house }) => {
  test.slow();
  for (let i = 1; i <= 12; i += 1) await sealMemory(page, `Page ${i}`, i === 7 ? 'herring' : 'rain');
  await openKeys(page, house.url);
  await create(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Content type').selectOption('memory');
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('herring');
  await expect(dialog).toContainText('1 found.');
  await expect(dialog.getByLabel('Specific entry').locator('option')).toHaveText([
    'Choose a memory',
    /^Page 7 ·/,
  ]);
});

test('the QR code says the link, and the link can be shown and copied again', async ({ page, house }) => {
  await openKeys(page, house.url);
  const link = await makeKey(page);
  await page.reload();
  const row = rowOf(page, TITLE);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await row.getByRole('button', { name: 'Copy link' }).click();
  await expectToast(page, 'Link Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await row.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('textbox', { name: 'Link' })).toHaveValue(link);
  const code = page.getByRole('img', { name: 'The link as a QR code' });
  const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
  const path = (await code.locator('path').getAttribute('d')) ?? '';
  const scale = 6;
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let line = Number(y) * scale; line < (Number(y) + 1) * scale; line += 1) {
      const begin = (line * side + Number(x) * scale) * 4;
      data.fill(0, begin, begin + Number(length) * scale * 4);
    }
  }
  expect(decodeQR({ width: side, height: side, data })).toBe(link);
});

test('a browser that refuses the clipboard says so, and shows the link to be copied by hand', async ({
  page,
  house,
}) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await openKeys(page, house.url);
  await request(page);
  await submit(page);
  await expectToast(page, 'Sacred Key Created', 'This browser did not let the link be copied.');
  await expect(page.getByText('Copy it from this line.')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await rowOf(page, TITLE).getByRole('button', { name: 'Copy link' }).click();
  await expectToast(page, 'The link could not be copied');
});

test('a key whose words do not arrive is not called made, and does not stay', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED/);
  await page.route('**/seal', (route) => route.abort());
  await openKeys(page, house.url);
  await request(page);
  await submit(page);
  await expectToast(page, 'Failed to Create Key', 'The house could not be reached.');
  await expect(page.getByRole('dialog', { name: 'Create Sacred Key' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('No key has been made yet')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No key has been made yet')).toBeVisible();
});

test('a key whose words arrived although the answer was lost is made, once', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_CONNECTION_RESET/);
  let lost = false;
  await page.route('**/seal', async (route) => {
    if (lost) return route.continue();
    lost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
  await openKeys(page, house.url);
  await makeKey(page);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(rowOf(page, TITLE)).toContainText('Active');
});

test('a key whose page went away before its words arrived is listed as not ready', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED/);
  await page.route('**/api/shareable-keys/**', (route) => route.abort());
  await openKeys(page, house.url);
  await request(page);
  await submit(page);
  await expectToast(page, 'Failed to Create Key');
  await page.unroute('**/api/shareable-keys/**');
  await page.getByRole('button', { name: 'Cancel' }).click();
  const row = page.getByRole('main').getByRole('listitem');
  await expect(row).toContainText('Not ready');
  await expect(row.getByRole('button', { name: 'Copy link' })).toBeDisabled();

  const [key] = (await (await page.request.get(`${house.url}/api/shareable-keys`)).json()) as {
    keyId: string;
  }[];
  await page.goto(`${house.url}/share/${key?.keyId}`);
  await expect(page.getByRole('heading', { name: 'This link is not ready yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect(page.getByRole('heading', { name: 'This link is not ready yet' })).toBeVisible();
});

test('a revoked key opens nothing, and only after a question', async ({ page, house, browser, quiet }) => {
  quiet.expect(/status of 404/);
  await openKeys(page, house.url);
  const link = await makeKey(page);
  await rowOf(page, TITLE).getByRole('button', { name: 'Revoke' }).click();
  const question = page.getByRole('alertdialog', { name: `Revoke the key to “${TITLE}”?` });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, TITLE)).toContainText('Active');
  await rowOf(page, TITLE).getByRole('button', { name: 'Revoke' }).click();
  await question.getByRole('button', { name: 'Revoke it' }).click();
  await expectToast(page, 'Sacred Key Revoked');
  await expect(page.getByText('No key has been made yet')).toBeVisible();
  const reader = await stranger(browser, quiet);
  await reader.goto(link);
  await expect(reader.getByRole('heading', { name: 'This link leads nowhere' })).toBeVisible();
});

test('an expired key says so to its owner and to whoever holds it', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  await page.clock.install();
  await openKeys(page, house.url);
  const link = await makeKey(page, { expires: '1 hour' });
  house.advance(DAY);
  await page.clock.fastForward(DAY);
  const row = rowOf(page, TITLE);
  await expect(row).toContainText('Expired');
  await expect(row.getByRole('button', { name: 'Copy link' })).toBeDisabled();
  await expect(row.getByRole('button', { name: 'Show' })).toBeHidden();
  const reader = await stranger(browser, quiet);
  await reader.goto(link);
  await expect(reader.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
});

test('by keyboard alone: a key is made, its link copied, the focus given back', async ({ page, house }) => {
  await openKeys(page, house.url);
  await create(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Content type')).toBeFocused();
  await page.keyboard.type('Mem');
  await expect(page.getByLabel('Specific entry')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Specific entry')).toBeFocused();
  await page.keyboard.type('The bell');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Passphrase', { exact: false })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectToast(page, 'Sacred Key Created');
  await expect(page.getByRole('textbox', { name: 'Link' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Link Copied');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Tab');
  await expect(create(page)).toBeFocused();
});

for (const [size, viewport] of Object.entries({
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
})) {
  test.describe(`at ${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });

    test('every view: a picture, no axe finding, nothing sideways', async ({ page, house }) => {
      async function look(name: string): Promise<void> {
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await page.screenshot({ path: `test-results/pictures/${size}-keys-${name}.png` });
        const violations = await axeFindings(page);
        expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(sideways, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
      }
      const long = 'A title that goes on for much longer than anybody would expect of a title, and then some';
      await sealMemory(page, long, 'x');
      await openKeys(page, house.url);
      await look('empty');
      await create(page).click();
      await submit(page);
      await look('incomplete');
      await pressEscape(page);
      await request(page, { title: long });
      await page.getByRole('button', { name: 'Choose six words for me' }).click();
      await look('dialog');
      await submit(page);
      await expectToast(page, 'Sacred Key Created');
      await look('link');
      await page.getByRole('button', { name: 'Done' }).click();
      await makeKey(page);
      await look('list');
      await rowOf(page, TITLE).getByRole('button', { name: 'Revoke' }).click();
      await look('revoke');
    });
  });
}
