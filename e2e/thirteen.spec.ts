// The thirteen in a browser: the terminal over the landing page and over the gathering, with wallets of every kind, each
// with a real key, wide and narrow. What the server says of holders is said here; the chain has tests of its own.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { decrypt, readMessage } from 'openpgp';
import { GATHERING_THRESHOLD, type Gathering } from '../src/shared/nouns/holders.ts';
import { type HoldersStub, stubHolders } from '../src/web/testing/holders.ts';
import { installTestWallet, type TestWalletOptions } from '../src/web/testing/wallet.ts';
import { expect, type TestInstance, test } from './instance.ts';
import { lookAt, SIZES } from './pictures.ts';

const SEED = Array.from({ length: 32 }, (_, i) => i + 7);
const wallet = (options: Partial<TestWalletOptions> = {}): TestWalletOptions => ({ seed: SEED, ...options });

function gatheringOf(count: number): Gathering {
  const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
  return {
    unlocked: count >= GATHERING_THRESHOLD,
    count,
    threshold: GATHERING_THRESHOLD,
    mint: 'So11111111111111111111111111111111111111112',
    holders: Array.from({ length: Math.min(count, 100) }, (_, i) => ({
      address: `${i + 1}`.replaceAll('0', 'z').padEnd(44, letters.slice(i % 20)),
      amount: Math.round(1_204_000 / (i + 1)) / 10,
      rank: i + 1,
    })),
    readAt: new Date(Date.now() - 20_000).toISOString(),
    isStale: false,
  };
}

/** Has the calls about holders answered by this file. */
async function answerFor(page: Page, gathering: Gathering | null = null): Promise<HoldersStub> {
  const stub = await stubHolders();
  await page.route(/\/api\/(holders\/|public-key)/, async (route) => {
    const request = route.request();
    if (request.url().endsWith('/api/holders/check')) return route.fulfill({ json: gathering });
    const body = request.postData();
    const answer = await stub.fetch(request.url(), { method: request.method(), ...(body && { body }) });
    await route.fulfill({ status: answer.status, body: Buffer.from(await answer.arrayBuffer()) });
  });
  return stub;
}

const terminal = (page: Page) => page.getByRole('dialog', { name: 'thirteen.sh' });
const prompt = (page: Page) => terminal(page).getByRole('textbox', { name: 'Command' });
const line = (page: Page, text: string | RegExp) => terminal(page).getByRole('log').getByText(text);

async function openTerminal(page: Page, instance: TestInstance): Promise<Locator> {
  await page.goto(instance.url);
  const button = page.getByRole('contentinfo').getByRole('button', { name: 'thirteen.sh' });
  await button.click();
  await expect(line(page, 'WHISPER CHAIN v1.3')).toBeVisible();
  return button;
}

async function type(page: Page, command: string): Promise<void> {
  await prompt(page).fill(command);
  await page.keyboard.press('Enter');
}

test('the landing page fetches the terminal when its button is pressed, and no sooner', async ({
  page,
  instance,
}) => {
  await answerFor(page);
  const scripts: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(new URL(response.url()).pathname);
  });
  await page.goto(instance.url);
  await page.waitForLoadState('networkidle');
  expect(scripts).toEqual([expect.stringMatching(/^\/assets\/landing-/)]);
  const button = page.getByRole('contentinfo').getByRole('button', { name: 'thirteen.sh' });
  await button.click();
  await expect(terminal(page)).toBeVisible();
  expect(scripts.some((script) => script.includes('/landing-module-'))).toBe(true);
  expect(scripts.some((script) => script.includes('/openpgp'))).toBe(false);
  await expect(prompt(page)).toBeFocused();
  // The focus stays within.
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press('Tab');
    expect(await terminal(page).evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(terminal(page)).toBeHidden();
  await expect(button).toBeFocused();
  await button.press('Enter');
  await type(page, 'EXIT');
  await expect(terminal(page)).toBeHidden();
});

test('a terminal that cannot be fetched says so on its button, and the next press tries again', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/Failed to load resource/);
  await answerFor(page);
  await page.goto(instance.url);
  await page.route(/\/assets\/landing-styles/, (route) => route.abort());
  const foot = page.getByRole('contentinfo');
  await foot.getByRole('button', { name: 'thirteen.sh' }).click();
  await foot.getByRole('button', { name: 'thirteen.sh: not loaded, try again' }).focus();
  await page.unroute(/\/assets\/landing-styles/);
  await page.keyboard.press('Enter');
  await expect(terminal(page)).toBeVisible();
});

test('without a wallet it says what to install', async ({ page, instance }) => {
  await answerFor(page);
  const alerts: string[] = [];
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message());
    void dialog.accept();
  });
  await openTerminal(page, instance);
  await expect(line(page, 'ERROR: No wallet connected')).toBeVisible();
  await expect(line(page, 'Connect wallet to verify holder status')).toBeVisible();
  await lookAt(page, 'terminal-no-wallet');
  await terminal(page).getByRole('button', { name: 'connect' }).click();
  await expect
    .poll(() => alerts)
    .toEqual(['Please install Phantom or another Solana wallet to access the whisper chain']);
  await type(page, 'sesame');
  await expect(line(page, 'Unknown command. Available: extract, exit')).toBeVisible();
});

/** Each kind of wallet once. What the terminal does with each is told in src/web/terminal/terminal.test.tsx. */
const journeys: { name: string; options: Partial<TestWalletOptions>; width: keyof typeof SIZES }[] = [
  { name: 'with Sign-In With Solana', options: {}, width: 'wide' },
  { name: 'that signs messages alone', options: { features: ['signMessage'] }, width: 'narrow' },
  { name: 'at window.solana', options: { kind: 'legacy' }, width: 'wide' },
];
for (const [index, { name, options, width }] of journeys.entries()) {
  test(`a holder with a wallet ${name} takes an artifact and opens it, ${width}`, async ({
    page,
    instance,
  }) => {
    await answerFor(page);
    await page.addInitScript(installTestWallet, wallet(options));
    await page.setViewportSize(SIZES[width]);
    await openTerminal(page, instance);
    await terminal(page).getByRole('button', { name: 'connect' }).click();
    await expect(line(page, 'ACCESS GRANTED')).toBeVisible();
    await expect(line(page, '1,204 LAT · Sacred Holder #7')).toBeVisible();
    await expect(line(page, 'artifact.asc ready for extraction')).toBeVisible();
    if (index === 0) await lookAt(page, 'terminal');
    const [file] = await Promise.all([page.waitForEvent('download'), type(page, 'extract')]);
    expect(file.suggestedFilename()).toMatch(/^artifact-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.asc$/);
    const passphrase = ((await line(page, /^passphrase /).textContent()) ?? '').replace('passphrase ', '');
    const message = await readMessage({ armoredMessage: readFileSync(await file.path(), 'utf8') });
    expect((await decrypt({ message, passwords: [passphrase] })).data).toContain('One holds.');
    await type(page, 'open');
    await expect(line(page, 'One holds.')).toBeVisible();
    await expect(line(page, 'signature: good, by the key of this server')).toBeVisible();
    if (index === 0) await lookAt(page, 'terminal-opened');
  });
}

test('an owner who rejects everything gets nothing, and a wallet whose signatures differ neither', async ({
  page,
  instance,
}) => {
  const stub = await answerFor(page);
  await page.addInitScript(installTestWallet, wallet({ name: 'Refusing', rejects: true }));
  await page.addInitScript(installTestWallet, wallet({ name: 'Unsteady', isUnsteady: true }));
  await openTerminal(page, instance);
  await terminal(page).getByRole('button', { name: 'connect Refusing' }).click();
  await expect(line(page, 'connect Refusing')).toBeVisible();
  await terminal(page).getByRole('button', { name: 'connect Unsteady' }).click();
  await expect(line(page, 'artifact.asc ready for extraction')).toBeVisible();
  await type(page, 'extract');
  await expect(line(page, /^This wallet signs the same text differently each time/)).toBeVisible();
  await lookAt(page, 'terminal-unsteady');
  expect(stub.asked.filter((call) => call.startsWith('POST'))).toEqual([]);
});

test('the gathering is seen by visitors: its threshold, its holders, its chamber', async ({
  page,
  instance,
}) => {
  const look = async (gathering: Gathering | null, heading: string, name: string) => {
    await page.unroute(/\/api\/(holders\/|public-key)/);
    await answerFor(page, gathering);
    await page.goto(`${instance.url}/thirteen-holders`);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await lookAt(page, name, { fullPage: true });
  };
  await look(null, 'The Threshold Awaits', 'thirteen-threshold');
  await look(gatheringOf(9), 'The thirteen are gathering', 'thirteen-nine');
  await look(gatheringOf(130), 'The Thirteen Have Gathered', 'thirteen-unlocked');
  const button = page.getByRole('button', { name: 'thirteen.sh' });
  await button.click();
  await expect(line(page, 'ERROR: No wallet connected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
});
