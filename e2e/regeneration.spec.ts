// Changing the vault's key: everything is sealed anew, whatever comes between; or the old words burn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { seal } from '../src/crypto/seal.ts';
import {
  beginResealing,
  changeKey,
  dialogNamed,
  openSettings,
  touchPasskey,
  writeNewWords,
} from './another-key.ts';
import { axeFindings } from './axe.ts';
import { startBuilt } from './built-house.ts';
import { expect, type TestHouse, test } from './house.ts';
import { enterAsResident } from './resident.ts';
import {
  answerQuestions,
  beginByPasskey,
  beginByPassphrase,
  expectToast,
  forgetEverything,
  openMemoryVault,
  pressEscape,
  readMemory,
  rowOf,
  sealMemory,
} from './rites.ts';
import { type HandKey, keyIn, many, memoryRows, openRow, postMemory, postSealed } from './sealing.ts';
import { stranger } from './sharing.ts';

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60 * 1000;
const PASSPHRASE = 'plum cake on a stone wall';
const STAGE = '**/api/encryption-key/regeneration';
const FINISH = '**/api/encryption-key/regeneration/finish';

/** The slots of this browser that have to do with keys. */
const slots = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .map((name) => name.split(':')[0])
      .filter((name) => name?.startsWith('latebra.vault-key'))
      .sort(),
  );

/** A vault with this many memories, one locked, one ghost, one moment, and one that no key opens. */
async function fill(page: Page, house: Pick<TestHouse, 'url' | 'now'>, count: number): Promise<HandKey> {
  const key = await keyIn(page);
  await many(count, (i) => postMemory(page, house, key, `Memory ${i}`, `Words ${i}. `.repeat(20)));
  const later = new Date(house.now() + 30 * DAY).toISOString();
  await postMemory(page, house, key, 'Locked', 'Not yet.', { timeLockUntil: later });
  await postSealed(
    page,
    house,
    '/api/relationship-entries',
    'relationship',
    key,
    { personName: 'Ada', encryptedContent: 'She came back.' },
    { eventType: 'reconciliation', emotionalWeight: 3 },
  );
  await postSealed(
    page,
    house,
    '/api/ghost-entries',
    'ghost',
    key,
    { encryptedContent: 'Once.' },
    {
      expiresAt: new Date(house.now() + DAY).toISOString(),
    },
  );
  // Written by a client that knows no seals.
  await page.request.post(`${house.url}/api/memory-entries`, {
    data: { title: 'opaque', encryptedContent: 'opaque' },
  });
  return key;
}

/** Expects that the house keeps these memories, and that this key opens each of them. */
async function expectAll(
  page: Page,
  house: Pick<TestHouse, 'url'>,
  key: HandKey,
  titles: string[],
): Promise<void> {
  const rows = (await memoryRows(page, house)).filter(
    (row) => row.encryptedContent !== null && row.sealId !== null,
  );
  expect(rows.every((row) => row.keyFingerprint === key.fingerprint)).toBe(true);
  const opened = await Promise.all(rows.map((row) => openRow(row, key)));
  expect(opened.map(([title]) => title).sort()).toEqual([...titles].sort());
  for (const [title, content] of opened) {
    const number = /^Memory (\d+)$/.exec(title)?.[1];
    if (number) expect(content).toBe(`Words ${number}. `.repeat(20));
  }
}

/** Writes a legacy scroll with a key card, and returns the card's link. */
async function writeScroll(page: Page, house: TestHouse): Promise<string> {
  await page.goto(`${house.url}/legacy-scroll`);
  await page.getByRole('textbox', { name: 'Title' }).fill('For the dancer');
  await page.getByRole('textbox', { name: 'Letter' }).fill('Dance without me.');
  await page.getByLabel('Trigger').selectOption('manual');
  await page.getByLabel('Email address').fill('agnes@example.org');
  await page.getByRole('button', { name: 'Create Legacy Scroll' }).click();
  const card = page.getByRole('dialog', { name: 'The key card' });
  const link = await card.getByRole('textbox', { name: 'Link' }).inputValue();
  await card.getByRole('button', { name: 'Later' }).click();
  return link;
}

/** Reads it in the list, and releases it by hand. */
async function releaseScroll(page: Page, house: TestHouse): Promise<void> {
  await page.goto(`${house.url}/legacy-scroll`);
  await page.getByRole('button', { name: 'For the dancer', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Dance without me.');
  await pressEscape(page);
  await page.getByRole('button', { name: /^Activate Watch/ }).click();
  await page.getByRole('checkbox', { name: 'I have handed it over' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Activate Watch' }).click();
  await page.getByRole('button', { name: /^Release now/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release now' }).click();
  await expect(rowOf(page, 'For the dancer')).toContainText('Released');
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `Memory ${i}`);

test('two thousand memories are sealed anew: a reload in the middle changes nothing, and what others write meanwhile comes along', async ({
  page,
  house,
  quiet,
}) => {
  test.setTimeout(600_000);
  quiet.expect(/status of 409/);
  await beginByPasskey(page, house);
  await answerQuestions(page);
  const old = await fill(page, house, 2000);
  await openSettings(page);

  await page.getByRole('button', { name: 'Regenerate', exact: true }).click();
  await page.getByRole('button', { name: 'Re-seal everything' }).click();
  const found = dialogNamed(page, 'What was found');
  await expect(found).toContainText('2,002 entries');
  await expect(found).toContainText('1 locked memory, 1 ghost thought');
  await expect(found).toContainText('Left as it is1 entry');
  await found.getByRole('button', { name: 'Go on' }).click();
  await touchPasskey(page);

  // The third batch never leaves; the page is reloaded while it waits.
  let batches = 0;
  let held: () => void = () => {};
  const holding = new Promise<void>((resolve) => {
    held = resolve;
  });
  await page.route(STAGE, (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    batches += 1;
    return batches < 3 ? route.continue() : held();
  });
  await page.getByRole('button', { name: 'Change the key' }).click();
  await holding;
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '400 of 2002');
  await page.unroute(STAGE);
  await page.reload();
  expect((await keyIn(page)).hex).toBe(old.hex);
  expect(await slots(page)).toEqual(['latebra.vault-key']);
  await expect(page.getByRole('heading', { name: 'Sacred Settings', level: 1 })).toBeVisible();
  await expectAll(page, house, old, numbered(2000));

  // Once more, while somebody writes a new memory and changes one that is staged already.
  await beginResealing(page);
  await touchPasskey(page);
  const finishes: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/finish')) finishes.push(response.status());
  });
  let written = false;
  let changed = '';
  await page.route(STAGE, async (route) => {
    if (route.request().method() === 'PUT' && !written) {
      written = true;
      await postMemory(page, house, old, 'Meanwhile', 'From another device.');
    }
    await route.continue();
  });
  await page.route(FINISH, async (route) => {
    await page.unroute(FINISH);
    const rows = await memoryRows(page, house);
    const zero = rows.at(-1) as (typeof rows)[number] & { version: number };
    const context = (field: string) => ({ kind: 'memory', field, sealId: zero.sealId ?? '' });
    const answer = await page.request.patch(`${house.url}/api/memory-entries/${zero.id}`, {
      data: {
        version: zero.version,
        title: await seal('Changed meanwhile', old.contentKey, context('title')),
        encryptedContent: await seal('Yes.', old.contentKey, context('encryptedContent')),
        keyFingerprint: old.fingerprint,
      },
    });
    expect(answer.ok()).toBe(true);
    const [title] = await openRow(zero, old);
    changed = title;
    await route.continue();
  });
  await changeKey(page, 'One entry does not open and stayed as they were.');
  expect(finishes).toEqual([409, 201]);

  const key = await keyIn(page);
  expect(key.hex).not.toBe(old.hex);
  expect(await slots(page)).toEqual(['latebra.vault-key']);
  await expectAll(page, house, key, [
    ...numbered(2000).filter((title) => title !== changed),
    'Meanwhile',
    'Changed meanwhile',
  ]);
  const unreadable = (await memoryRows(page, house)).filter(({ sealId }) => sealId === null);
  expect(unreadable.map(({ title }) => title)).toEqual(['opaque']);

  await page.getByRole('button', { name: 'Read them again' }).click();
  await expect(page.getByText('A bell under a lake')).toBeVisible();
  await page.getByRole('link', { name: 'Latebra' }).click();
  await openMemoryVault(page);
  await readMemory(page, 'Meanwhile', ['From another device.']);
});

test('whoever changes the key twice still opens a memory that was locked all along, and a key card of before', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  await page.clock.install();
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'For the wedding', 'Dance.', '1 week');
  await sealMemory(page, 'The orchard', 'Ladders.');
  const card = await writeScroll(page, house);
  await openSettings(page);
  for (let time = 0; time < 2; time += 1) {
    await beginResealing(page);
    await touchPasskey(page);
    await changeKey(page);
  }
  await releaseScroll(page, house);
  const reader = await stranger(browser, quiet);
  await reader.goto(card);
  await reader.getByRole('button', { name: 'Open the scroll' }).click();
  await expect(reader.getByRole('article')).toContainText('Dance without me.');
  await page.clock.fastForward(8 * DAY);
  house.advance(8 * DAY);
  await page.getByRole('link', { name: 'Latebra' }).click();
  await openMemoryVault(page);
  await readMemory(page, 'For the wedding', ['Dance.']);
  await readMemory(page, 'The orchard', ['Ladders.']);
  // What the ring opened is sealed under the present key by and by.
  const key = await keyIn(page);
  await expect
    .poll(async () => (await memoryRows(page, house)).map(({ keyFingerprint }) => keyFingerprint))
    .toEqual([key.fingerprint, key.fingerprint]);

  // The browser forgets everything; one touch opens the vault under its third key.
  await forgetEverything(page);
  await page.goto(`${house.url}/enter`);
  await page.getByRole('button', { name: 'Enter with a passkey' }).click();
  await openMemoryVault(page);
  await readMemory(page, 'For the wedding', ['Dance.']);
});

for (const [what, answersLost] of [
  ['the answer alone', false],
  ['the answer and the line', true],
] as const) {
  test(`a finish that loses ${what} has changed the key, and this browser has it`, async ({
    page,
    house,
    quiet,
  }) => {
    quiet.expect(/ERR_FAILED|Failed to fetch|net::/);
    await beginByPasskey(page, house);
    await answerQuestions(page);
    await openMemoryVault(page);
    await sealMemory(page, 'The orchard', 'Ladders.');
    await openSettings(page);
    const old = await keyIn(page);
    await beginResealing(page);
    await touchPasskey(page);
    let silent = false;
    await page.route('**/api/**', async (route: Route) => {
      if (silent) return route.abort();
      if (!route.request().url().endsWith('/finish')) return route.continue();
      await route.fetch();
      silent = answersLost;
      await route.abort();
    });
    await page.getByRole('button', { name: 'Change the key' }).click();
    if (answersLost) {
      await expectToast(page, 'Failed to Regenerate Key', /this browser holds both/);
      expect((await keyIn(page)).hex).toBe(old.hex);
      expect(await slots(page)).toEqual(['latebra.vault-key', 'latebra.vault-key-next']);
      await page.unroute('**/api/**');
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Sacred Settings', level: 1 })).toBeVisible();
    } else {
      await expectToast(page, 'Encryption Key Regenerated');
    }
    expect((await keyIn(page)).hex).not.toBe(old.hex);
    expect(await slots(page)).toEqual(['latebra.vault-key']);
    await page.unroute('**/api/**');
    await page.goto(`${house.url}/memory-vault`);
    await readMemory(page, 'The orchard', ['Ladders.']);
    await sealMemory(page, 'Afterwards', 'Under the new key.');
  });
}

test('an envelope that was cut off while the old words burn may still arrive: both keys are kept', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED|Failed to fetch|net::/);
  await enterAsResident(page, house);
  await openSettings(page);
  const old = await keyIn(page);
  await page.getByRole('button', { name: 'Regenerate', exact: true }).click();
  await page.getByRole('button', { name: 'Let the old words burn' }).click();
  const burn = page.getByRole('alertdialog', { name: 'Let the old words burn' });
  await expect(burn).toContainText('they still open until they expire or you revoke them');
  await burn.getByRole('textbox').fill('UNREADABLE');
  await burn.getByRole('button', { name: 'Go on' }).click();
  await writeNewWords(page);
  let late: () => Promise<unknown> = async () => {};
  await page.route('**/api/encryption-key', async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    const { method, postData, headers } = {
      method: route.request().method(),
      postData: route.request().postData() ?? '',
      headers: await route.request().allHeaders(),
    };
    late = () => page.request.fetch(route.request().url(), { method, data: postData, headers });
    await route.abort();
  });
  await page.getByRole('button', { name: 'Burn, and begin anew' }).click();
  await expectToast(page, 'Failed to Regenerate Key', /may still come to be\..*this browser holds both/);
  expect((await keyIn(page)).hex).toBe(old.hex);
  expect(await slots(page)).toEqual(['latebra.vault-key', 'latebra.vault-key-next']);
  await late();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sacred Settings', level: 1 })).toBeVisible();
  expect((await keyIn(page)).hex).not.toBe(old.hex);
  expect(await slots(page)).toEqual(['latebra.vault-key']);
});

test('under device lock the key is changed in memory alone, also when the answer is lost', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED|Failed to fetch|net::|status of 409/);
  await enterAsResident(page, house);
  const old = await keyIn(page);
  // Without a way back the box cannot be ticked.
  const data = { fingerprint: old.fingerprint };
  expect((await page.request.post(`${house.url}/api/encryption-key/words`, { data })).ok()).toBe(true);
  await page.reload();
  await openSettings(page);
  await page.getByLabel('Keep no key on this device').check();
  expect(await slots(page)).toEqual([]);
  await beginResealing(page);
  await writeNewWords(page);
  let silent = false;
  await page.route('**/api/**', async (route: Route) => {
    if (silent) return route.abort();
    if (!route.request().url().endsWith('/finish')) return route.continue();
    await route.fetch();
    silent = true;
    await route.abort();
  });
  await page.getByRole('button', { name: 'Change the key' }).click();
  await expectToast(page, 'Failed to Regenerate Key', /this tab holds both until it is closed or reloaded/);
  expect(await slots(page)).toEqual([]);
  await page.unroute('**/api/**');
  // Trying again finds that it was changed, and this tab goes on with the new key.
  await page.getByRole('button', { name: 'Re-seal everything' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Sacred Settings', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Read them again' }).click();
  await expect(page.getByText('A bell under a lake')).toBeVisible();
  expect(await slots(page)).toEqual([]);
  const kept = await (await page.request.get(`${house.url}/api/encryption-key`)).json();
  expect(kept.clientKey.fingerprint).not.toBe(old.fingerprint);
});

test('a finish that never arrives has changed nothing, and the next one goes through', async ({
  page,
  house,
  quiet,
}) => {
  quiet.expect(/ERR_FAILED|Failed to fetch|net::/);
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'The orchard', 'Ladders.');
  await openSettings(page);
  const old = await keyIn(page);
  await beginResealing(page);
  await touchPasskey(page);
  await page.route(FINISH, (route) => route.abort());
  await page.getByRole('button', { name: 'Change the key' }).click();
  await expectToast(page, 'Failed to Regenerate Key', /Nothing has changed\./);
  expect((await keyIn(page)).hex).toBe(old.hex);
  await page.unroute(FINISH);

  // The way back that was proved is still proved.
  await page.getByRole('button', { name: 'Re-seal everything' }).click();
  await dialogNamed(page, 'What was found').getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByText('Proved for the new key.')).toBeVisible();
  await changeKey(page);
  expect(await slots(page)).toEqual(['latebra.vault-key']);
  await page.goto(`${house.url}/memory-vault`);
  await readMemory(page, 'The orchard', ['Ladders.']);
});

test('the new words and the passphrase open the vault in a fresh browser, and the old words open nothing', async ({
  page,
  house,
  browser,
  quiet,
}) => {
  // Five stretchings of a passphrase.
  test.setTimeout(300_000);
  quiet.expect(/status of 40[13]/);
  await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'The orchard', 'Ladders.');
  await openSettings(page);
  const { wordsFromKey } = await import('../src/crypto/words.ts');
  const oldWords = wordsFromKey(Buffer.from((await keyIn(page)).hex, 'hex'));
  // Time has passed: the proof is asked for once more, and the work goes on by itself.
  house.advance(11 * MINUTE);
  await page.getByRole('button', { name: 'Regenerate', exact: true }).click();
  await page.getByRole('button', { name: 'Re-seal everything' }).click();
  const proof = dialogNamed(page, 'Is it still you?');
  await proof.getByLabel('Passphrase').fill(PASSPHRASE);
  await proof.getByRole('button', { name: 'Prove it' }).click();
  await dialogNamed(page, 'What was found').getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByRole('button', { name: 'Change the key' })).toBeDisabled();
  await page.getByRole('button', { name: 'Type it' }).click();
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Prove it' }).click();
  await expect(page.getByText('Proved for the new key.')).toBeVisible();
  const words = await writeNewWords(page, 2);
  await changeKey(page);
  await expect(page.getByText(/Kept since/)).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${house.url}/enter`);
  await other.getByRole('button', { name: 'The twenty-four words' }).click();
  await other.getByLabel('The twenty-four words').fill(oldWords.join(' '));
  await other.getByRole('button', { name: 'Enter', exact: true }).click();
  await expect(other.getByText('These twenty-four words do not open anything here.')).toBeVisible();
  await other.getByLabel('The twenty-four words').fill(words.join(' '));
  await other.getByRole('button', { name: 'Enter', exact: true }).click();
  await openMemoryVault(other);
  await readMemory(other, 'The orchard', ['Ladders.']);

  // So does the passphrase that was proved for it.
  await forgetEverything(other);
  await other.goto(`${house.url}/enter`);
  await other.getByRole('button', { name: 'A name and a passphrase' }).click();
  await other.getByRole('textbox', { name: 'Name' }).fill('agnes');
  await other.getByLabel('Passphrase').fill(PASSPHRASE);
  await other.getByRole('button', { name: 'Enter', exact: true }).click();
  await openMemoryVault(other);
  await readMemory(other, 'The orchard', ['Ladders.']);
  await other.close();
});

test('when the old words burn they stay listed and unreadable, and the new way back opens what comes after', async ({
  page,
  house,
  browser,
}) => {
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'The orchard', 'Ladders.');
  await openSettings(page);
  const old = await keyIn(page);
  await page.getByRole('button', { name: 'Regenerate', exact: true }).click();
  await page.getByRole('button', { name: 'Let the old words burn' }).click();
  const burn = page.getByRole('alertdialog', { name: 'Let the old words burn' });
  await expect(burn.getByRole('button', { name: 'Go on' })).toBeDisabled();
  await burn.getByRole('textbox').fill('UNREADABLE');
  await burn.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: 'Touch it' }).click();
  await expect(page.getByText('Proved for the new key.')).toBeVisible();
  const words = await writeNewWords(page, 2);
  await page.getByRole('button', { name: 'Burn, and begin anew' }).click();
  await expectToast(page, 'Encryption Key Regenerated', /cannot be read/);
  expect((await keyIn(page)).hex).not.toBe(old.hex);
  const kept = await (await page.request.get(`${house.url}/api/encryption-key`)).json();
  expect(kept.keyRing).toBeNull();
  expect(kept.clientKey.wraps).toHaveLength(1);

  await page.getByRole('button', { name: 'Read them again' }).click();
  await expect(page.getByText('Your answers cannot be opened.')).toBeVisible();
  await page.goto(`${house.url}/memory-vault`);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(rowOf(page, 'The orchard')).toHaveCount(0);
  await page.getByRole('main').getByRole('listitem').getByRole('button').first().click();
  await expectToast(page, 'Failed to Decrypt');
  await sealMemory(page, 'After the fire', 'Green.');

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${house.url}/enter`);
  await other.getByRole('button', { name: 'The twenty-four words' }).click();
  await other.getByLabel('The twenty-four words').fill(words.join(' '));
  await other.getByRole('button', { name: 'Enter', exact: true }).click();
  await openMemoryVault(other);
  await readMemory(other, 'After the fire', ['Green.']);
  await other.close();
});

test('another tab follows to the new key, with what was being written there', async ({
  page,
  context,
  house,
}) => {
  await beginByPasskey(page, house);
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'The orchard', 'Ladders.');
  const second = await context.newPage();
  await second.goto(`${house.url}/memory-vault`);
  await second.getByRole('button', { name: 'New Memory' }).click();
  await second.getByRole('textbox', { name: 'Title' }).fill('Half a thought');

  await openSettings(page);
  await beginResealing(page);
  await touchPasskey(page);
  await changeKey(page);

  await expect(second.getByRole('dialog')).toBeHidden();
  await readMemory(second, 'The orchard', ['Ladders.']);
  await second.getByRole('button', { name: 'New Memory' }).click();
  await expect(second.getByRole('textbox', { name: 'Title' })).toHaveValue('Half a thought');
  await second.getByRole('textbox', { name: 'Memory' }).fill('And the other half.');
  await second.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(rowOf(second, 'Half a thought')).toBeVisible();
});

test('a server that is killed while things are laid ready has lost nothing, and changed nothing', async ({
  page,
  quiet,
}) => {
  test.setTimeout(300_000);
  quiet.expect(/ERR_CONNECTION|ERR_EMPTY|Failed to fetch|net::/);
  const dataDir = mkdtempSync(join(tmpdir(), 'latebra-killed-'));
  let server = await startBuilt(dataDir);
  const house = { url: server.url, now: Date.now };
  await beginByPasskey(page, house);
  await answerQuestions(page);
  const old = await fill(page, house, 250);
  await page.goto(`${house.url}/settings`);
  await beginResealing(page);
  await touchPasskey(page);
  let batches = 0;
  await page.route(STAGE, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    batches += 1;
    if (batches === 2) {
      server.child.kill('SIGKILL');
      await server.ended;
    }
    await route.continue();
  });
  await page.getByRole('button', { name: 'Change the key' }).click();
  await expectToast(page, 'Failed to Regenerate Key', /Nothing has changed\./);
  await page.unroute(STAGE);
  server = await startBuilt(dataDir, new URL(house.url).port);
  await expectAll(page, house, old, numbered(250));
  expect((await keyIn(page)).hex).toBe(old.hex);

  await page.getByRole('button', { name: 'Re-seal everything' }).click();
  await dialogNamed(page, 'What was found').getByRole('button', { name: 'Go on' }).click();
  await changeKey(page);
  await expectAll(page, house, await keyIn(page), numbered(250));
  await page.close();
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(dataDir, { recursive: true });
});

test('stopping in the middle changes nothing', async ({ page, house, quiet }) => {
  quiet.expect(/ERR_ABORTED|AbortError|net::/);
  await beginByPasskey(page, house);
  await answerQuestions(page);
  const old = await fill(page, house, 3);
  await openSettings(page);
  await beginResealing(page);
  await touchPasskey(page);
  await page.route(STAGE, (route) => (route.request().method() === 'PUT' ? undefined : route.continue()));
  await page.getByRole('button', { name: 'Change the key' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Regenerate', exact: true })).toBeVisible();
  expect((await keyIn(page)).hex).toBe(old.hex);
  expect(await slots(page)).toEqual(['latebra.vault-key']);
  await expectAll(page, house, old, numbered(3));
});

for (const [size, viewport] of Object.entries({
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
})) {
  test.describe(`at ${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });

    test('each step is found by keyboard, and axe finds nothing', async ({ page, house }) => {
      async function look(name: string) {
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await page.screenshot({ path: `test-results/pictures/${size}-regeneration-${name}.png` });
        const violations = await axeFindings(page);
        expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(sideways, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
      }
      /** Tabs to a button inside the dialog and presses it. */
      async function press(name: string) {
        const target = page.getByRole('button', { name, exact: true }).first();
        await expect(target).toBeVisible();
        for (let tabs = 0; tabs < 60; tabs += 1) {
          if (await target.evaluate((element) => element === document.activeElement)) break;
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
      }

      await beginByPassphrase(page, house, 'agnes', PASSPHRASE);
      await answerQuestions(page);
      await fill(page, house, 3);
      await page.goto(`${house.url}/settings`);
      await press('Regenerate');
      await expect(dialogNamed(page, 'Regenerate the key')).toBeVisible();
      await look('choose');
      await press('Let the old words burn');
      await expect(page.getByRole('alertdialog').getByRole('textbox')).toBeFocused();
      await look('burn');
      await press('Back');
      await press('Re-seal everything');
      await expect(dialogNamed(page, 'What was found')).toBeVisible();
      await look('found');
      await press('Go on');
      await expect(dialogNamed(page, 'A way back to the new key')).toBeVisible();
      await look('way-back');
      await press('Type it');
      await expect(page.getByLabel('Passphrase', { exact: true })).toBeFocused();
      await look('passphrase');
      await page.keyboard.type('something else entirely');
      await press('Back');
      await press('Write them down');
      await expect(page.getByRole('listitem')).not.toHaveCount(0);
      await look('words');
      await press('I have written them down');
      await look('words-proof');
      await press('Show them again');
      await press('Back');
      await pressEscape(page);
      await expect(page.getByRole('dialog')).toBeHidden();
      await press('Regenerate');
      await expect(dialogNamed(page, 'Regenerate the key')).toBeVisible();
    });
  });
}
