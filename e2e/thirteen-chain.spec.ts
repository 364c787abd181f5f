// The thirteen before a real chain: token programs in a machine of their own, wallets with real keys, and GnuPG, which
// opens what a holder takes away.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Gathering, startGathering } from '../src/chain/gathering.ts';
import { privateKeyOf, walletOf } from '../src/chain/wallets.ts';
import { installTestWallet } from '../src/web/testing/wallet.ts';
import { test as base, expect, openInstance, type TestInstance } from './instance.ts';
import { enterAsMember } from './member.ts';
import { lookAt } from './pictures.ts';

const ONE = 1_000_000n;
/** The clock of these servers is ahead of GnuPG's, which believes in no key of the future. */
const GPG = ['--batch', '--no-tty', '--ignore-time-conflict', '--ignore-valid-from'];

/** A server that reads a chain with twelve holders. */
const test = base.extend<{ gathering: Gathering; instance: TestInstance }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  gathering: async ({}, use) => {
    const gathering = await startGathering(0);
    await use(gathering);
    await gathering.chain.close();
  },
  instance: async ({ gathering: { chain } }, use) => {
    const instance = await openInstance({ SOLANA_RPC_URL: chain.url, TOKEN_MINT: chain.mint.address });
    await instance.readHolders();
    await use(instance);
    await instance.stop();
  },
});

/** Gives so many tokens to the wallet of a name. */
async function give({ chain }: Gathering, name: string, tokens: bigint): Promise<string> {
  const { address } = await walletOf(name);
  await chain.mintTo(chain.mint, address, tokens * ONE);
  return address;
}

/** Puts the wallet of a name into every page that comes. */
const install = (page: Page, name: string) =>
  page.addInitScript(installTestWallet, { seed: [...privateKeyOf(name)], name });

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

test('the thirteenth comes while the page is open, and leaves again; no visitor asks the chain', async ({
  browser,
  page,
  instance,
  gathering,
  quiet,
}) => {
  // The browser's own note of the question who is signed in.
  quiet.expect(/status of 401 .*auth\/user/);
  const { chain } = gathering;
  const reader = await browser.newContext({ javaScriptEnabled: false });
  const landing = await reader.newPage();
  const landingSays = async (words: string) => {
    await landing.goto(instance.url);
    await expect(landing.getByText(words).first()).toBeVisible();
  };
  await landingSays('12 of 13 have gathered');
  // The manifesto says it too, with the mint, also to a browser without a script.
  await landing.goto(`${instance.url}/black-scroll`);
  await expect(landing.getByText('Twelve hold and one is unclaimed.')).toBeVisible();
  await expect(landing.getByText(chain.mint.address)).toBeVisible();

  await page.clock.install();
  await page.goto(`${instance.url}/thirteen-holders`);
  await expect(heading(page, 'The thirteen are gathering')).toBeVisible();
  await expect(page.getByText('12 of 13', { exact: true })).toBeVisible();
  await expect(page.getByText('The Curve')).toBeVisible();

  await give(gathering, 'the thirteenth', 150n);
  await instance.readHolders();
  await page.clock.runFor(31_000);
  await expect(heading(page, 'The Thirteen Have Gathered')).toBeVisible();
  await expect(page.getByText('Initializing')).toBeVisible();
  await landingSays('13 of 13 have gathered');

  const thirteenth = await walletOf('the thirteenth');
  await chain.transfer(chain.mint, thirteenth, await chain.poolOf('LAT'), 150n * ONE);
  await instance.readHolders();
  await page.clock.runFor(31_000);
  await expect(heading(page, 'The thirteen are gathering')).toBeVisible();

  // One list for each reading of the server's own, its first included, whoever has looked.
  for (let i = 0; i < 10; i++) await page.request.get(`${instance.url}/api/holders/check`);
  expect(chain.calls.get('getProgramAccounts')).toBeLessThanOrEqual(4);

  chain.faults.inject({ status: 429 });
  await instance.readHolders();
  await page.clock.runFor(31_000);
  await expect(page.getByText('12 of 13', { exact: true })).toBeVisible();
  await reader.close();
});

test('an artifact opens in GnuPG by the passphrase that is shown, and by no other wallet’s', async ({
  page,
  browser,
  instance,
  gathering,
}) => {
  await give(gathering, 'one holder', 500n);
  await give(gathering, 'another holder', 2n);
  await instance.readHolders();
  const home = mkdtempSync(join(tmpdir(), 'latebra-gpg-'));
  mkdirSync(join(home, 'keys'), { mode: 0o700 });
  const gpg = (args: string[], input: string) =>
    spawnSync('gpg', ['--homedir', join(home, 'keys'), ...GPG, ...args], {
      input,
      encoding: 'utf8',
    });
  const open = (file: string, passphrase: string) =>
    gpg(['--pinentry-mode', 'loopback', '--passphrase-fd', '0', '--decrypt', file], passphrase);
  try {
    const one = await extract(page, instance, 'one holder');
    const elsewhere = await browser.newPage();
    const other = await extract(elsewhere, instance, 'another holder');
    await elsewhere.close();
    const file = join(home, 'artifact.asc');
    writeFileSync(file, one.artifact);
    const key = await (await page.request.get(`${instance.url}/api/public-key`)).text();
    expect(gpg(['--import'], key).status).toBe(0);

    const opened = open(file, one.passphrase);
    expect(opened.status, opened.stderr).toBe(0);
    expect(opened.stderr).toContain('Good signature from "Latebra');
    expect(opened.stdout).toContain((await walletOf('one holder')).address);
    expect(open(file, other.passphrase).status).not.toBe(0);

    // It opens in the terminal as well.
    await command(page, 'open');
    await expect(page.getByText('signature: good, by the key of this server')).toBeVisible();
  } finally {
    spawnSync('gpgconf', ['--homedir', join(home, 'keys'), '--kill', 'all']);
    rmSync(home, { recursive: true, force: true });
  }
});

async function command(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Command' }).fill(text);
  await page.keyboard.press('Enter');
}

/** Connects the wallet of a name in the terminal and takes its artifact. */
async function extract(page: Page, instance: TestInstance, name: string) {
  await install(page, name);
  await page.goto(instance.url);
  await page.getByRole('contentinfo').getByRole('button', { name: 'thirteen.sh' }).click();
  await page.getByRole('button', { name: /^connect/ }).click();
  await expect(page.getByText('artifact.asc ready for extraction')).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), command(page, 'extract')]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  const line = await page.getByText(/^passphrase [a-z2-7-]+$/).textContent();
  return { artifact: Buffer.concat(chunks).toString(), passphrase: (line ?? '').replace('passphrase ', '') };
}

test('a member links a wallet, reads the Nexus in full, and unlinks it', async ({
  page,
  instance,
  gathering,
}) => {
  const address = await give(gathering, 'a member', 1200n);
  await instance.readHolders();
  await install(page, 'a member');
  await enterAsMember(page, instance, 'agnes', '/settings');
  await page.getByRole('button', { name: 'Link a wallet' }).click();
  await expect(page.getByText(address)).toBeVisible();
  await expect(page.getByText(/1,200 LAT/)).toBeVisible();
  await page.goto(`${instance.url}/thirteen-holders`);
  await expect(page.getByText('THE NEXUS', { exact: true })).toBeVisible();
  await lookAt(page, 'thirteen-member', { fullPage: true });
  await page.goto(`${instance.url}/settings`);
  await page.getByRole('button', { name: 'Unlink' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click();
  await expect(page.getByRole('button', { name: 'Link a wallet' })).toBeVisible();
  await page.goto(`${instance.url}/thirteen-holders`);
  await expect(heading(page, 'The Thirteen Have Gathered')).toBeVisible();
  await expect(page.getByText('THE NEXUS', { exact: true })).toBeHidden();
});
