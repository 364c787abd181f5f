// Changing the vault's key in a real browser: by passkey, with a server that dies, a reload and a second tab in between.
// What each step and each failure comes to is told in src/web/vault/key/rotation/regeneration.test.tsx.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { beginResealing, changeKey, dialogNamed, openSettings, touchPasskey } from './another-key.ts';
import { startBuilt } from './built-server.ts';
import { expect, type TestInstance, test } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';
import {
  addPasskey,
  answerDevice,
  expectToast,
  forgetEverything,
  openMemoryVault,
  pressEscape,
  readMemory,
  rowOf,
} from './rites.ts';
import { type HandKey, keyIn, many, memoryRows, openRow, postMemory, postSealed } from './sealing.ts';

const DAY = 24 * 60 * 60 * 1000;
const STAGE = '**/api/encryption-key/regeneration';

/** The slots of this browser that have to do with keys. */
const slots = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .map((name) => name.split(':')[0])
      .filter((name) => name?.startsWith('latebra.vault-key'))
      .sort(),
  );

/** A vault with this many memories, one locked, one ghost, one moment, and one that no key opens. */
async function fill(
  page: Page,
  instance: Pick<TestInstance, 'url' | 'now'>,
  count: number,
): Promise<HandKey> {
  const key = await keyIn(page);
  await many(count, (i) => postMemory(page, instance, key, `Memory ${i}`, `Words ${i}. `.repeat(20)));
  const later = new Date(instance.now() + 30 * DAY).toISOString();
  await postMemory(page, instance, key, 'Locked', 'Not yet.', { timeLockUntil: later });
  await postSealed(
    page,
    instance,
    '/api/relationship-entries',
    'relationship',
    key,
    { personName: 'Ada', encryptedContent: 'She came back.' },
    { eventType: 'reconciliation', emotionalWeight: 3 },
  );
  await postSealed(
    page,
    instance,
    '/api/ghost-entries',
    'ghost',
    key,
    { encryptedContent: 'Once.' },
    {
      expiresAt: new Date(instance.now() + DAY).toISOString(),
    },
  );
  // Written by a client that knows no seals.
  await page.request.post(`${instance.url}/api/memory-entries`, {
    data: { title: 'opaque', encryptedContent: 'opaque' },
  });
  return key;
}

/** Expects that the server keeps these memories, and that this key opens each of them. */
async function expectAll(
  page: Page,
  instance: Pick<TestInstance, 'url'>,
  key: HandKey,
  titles: string[],
): Promise<void> {
  const rows = (await memoryRows(page, instance)).filter(
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

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `Memory ${i}`);

test('a key is changed by passkey: a server that is killed and a reload in the middle change nothing, then every tab follows, and one touch opens it', async ({
  page,
  context,
  quiet,
}) => {
  test.setTimeout(300_000);
  quiet.expect(/ERR_CONNECTION|ERR_EMPTY|ERR_ABORTED|Failed to fetch|net::/);
  const dataDir = mkdtempSync(join(tmpdir(), 'latebra-killed-'));
  let server = await startBuilt(dataDir);
  const instance = { url: server.url, now: Date.now };
  await enterAsMember(page, instance);
  const old = await fill(page, instance, 250);
  await postMemory(page, instance, old, 'The orchard', 'Ladders.');
  const titles = [...numbered(250), 'The orchard'];
  await openSettings(page);
  await addPasskey(page);
  await expect(page.getByRole('dialog')).toBeHidden();
  const second = await context.newPage();
  await second.goto(`${instance.url}/memory-vault`);
  await second.getByRole('button', { name: 'New Memory' }).click();
  await second.getByRole('textbox', { name: 'Title' }).fill('Half a thought');

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
  server = await startBuilt(dataDir, new URL(instance.url).port);
  await expectAll(page, instance, old, titles);
  expect((await keyIn(page)).hex).toBe(old.hex);

  // The second batch never leaves; the page is reloaded while it waits.
  await page.getByRole('button', { name: 'Re-seal everything' }).click();
  await dialogNamed(page, 'What was found').getByRole('button', { name: 'Go on' }).click();
  let held: () => void = () => {};
  const holding = new Promise<void>((resolve) => {
    held = resolve;
  });
  batches = 0;
  await page.route(STAGE, (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    batches += 1;
    return batches < 2 ? route.continue() : held();
  });
  await page.getByRole('button', { name: 'Change the key' }).click();
  await holding;
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '200 of 253');
  // What is held would leave as soon as nothing holds it.
  await page.reload();
  await page.unroute(STAGE);
  await expect(page.getByRole('heading', { name: 'Sacred Settings', level: 1 })).toBeVisible();
  expect((await keyIn(page)).hex).toBe(old.hex);
  expect(await slots(page)).toEqual(['latebra.vault-key']);
  await expectAll(page, instance, old, titles);

  await beginResealing(page);
  await touchPasskey(page);
  await changeKey(page);
  const key = await keyIn(page);
  expect(key.hex).not.toBe(old.hex);
  expect(await slots(page)).toEqual(['latebra.vault-key']);
  await expectAll(page, instance, key, titles);

  // The other tab follows, and what was being written there stands open.
  await expect(second.getByRole('textbox', { name: 'Title' })).toHaveValue('Half a thought');
  await second.getByRole('textbox', { name: 'Memory' }).fill('And the other half.');
  await second.getByRole('button', { name: 'Seal Memory' }).click();
  await expect(rowOf(second, 'Half a thought')).toBeVisible();
  await readMemory(second, 'The orchard', ['Ladders.']);
  await second.close();

  // The browser forgets everything; one touch opens the vault under its new key.
  await forgetEverything(page);
  await page.goto(`${instance.url}/enter`);
  await page.getByRole('button', { name: 'Enter with a passkey' }).click();
  await answerDevice(page);
  await openMemoryVault(page);
  await readMemory(page, 'The orchard', ['Ladders.']);
  await page.close();
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(dataDir, { recursive: true });
});

test('each step is found by keyboard, and axe finds nothing, wide and narrow', async ({ page, instance }) => {
  const look = (name: string) => lookAt(page, `regeneration-${name}`);
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

  await enterAsMember(page, instance);
  await fill(page, instance, 3);
  await openSettings(page);
  await press('Regenerate');
  await expect(dialogNamed(page, 'Regenerate the key')).toBeVisible();
  await look('choose');
  await press('Make the old entries unreadable');
  await expect(page.getByRole('alertdialog').getByRole('textbox')).toBeFocused();
  await look('burn');
  await press('Back');
  await press('Re-seal everything');
  await expect(dialogNamed(page, 'What was found')).toBeVisible();
  await look('found');
  await press('Go on');
  await expect(dialogNamed(page, 'Recovery for the new key')).toBeVisible();
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
