// Wallets of a browser, each with a real key: found, connected, and asked to sign.
import { afterEach, expect, test } from 'vitest';
import { signInText } from '../../shared/nouns/holders.ts';
import { challengeFor, provesWallet } from '../testing/holders.ts';
import { installTestWallet, type TestWallet, type TestWalletOptions } from '../testing/wallet.ts';
import { makeArtifactPassphrase } from './artifact-passphrase.ts';
import { connectedWallet, installedWallets, onWalletsChanged } from './installed-wallets.ts';
import { proveWallet } from './prove-wallet.ts';
import type { InstalledWallet } from './wallet.ts';

const SEED = Array.from({ length: 32 }, (_, i) => i + 1);
const OTHER_SEED = SEED.map((byte) => byte + 100);

const installed: TestWallet[] = [];
function install(options: Partial<TestWalletOptions> = {}): TestWallet {
  const wallet = installTestWallet({ seed: SEED, ...options });
  installed.push(wallet);
  return wallet;
}
afterEach(() => {
  for (const wallet of installed.splice(0)) wallet.remove();
  expect(installedWallets()).toEqual([]);
});

function only(): InstalledWallet {
  const [wallet, ...others] = installedWallets();
  if (!wallet || others.length > 0) throw new Error('there is not exactly one wallet');
  return wallet;
}

/** A wallet that is connected. */
async function connected(options: Partial<TestWalletOptions> = {}) {
  const inside = install(options);
  const wallet = only();
  await wallet.connect();
  inside.log.length = 0;
  return { inside, wallet, address: await inside.address };
}

test('a page asks a wallet nothing until somebody connects it', async () => {
  const { log, address } = install();
  expect(only().address()).toBeNull();
  expect(connectedWallet()).toBeNull();
  expect(log).toEqual([]);
  expect(await only().connect()).toEqual({ ok: true, value: await address });
  expect(log).toEqual(['connect']);
  expect(connectedWallet()).toBe(only());
});

test('a wallet that registers later is heard of, and one that leaves too', () => {
  const heard: number[] = [];
  const end = onWalletsChanged(() => heard.push(installedWallets().length));
  const wallet = install();
  wallet.remove();
  end();
  expect(heard).toEqual([1, 0]);
});

test('the wallet at window.solana counts only where none has registered', async () => {
  install({ kind: 'legacy' });
  expect(only().name).toBe('Phantom');
  install({ name: 'Solflare' });
  expect(only().name).toBe('Solflare');
});

test('every wallet that registered is offered, under its own name', () => {
  install({ name: 'Phantom' });
  install({ name: 'Solflare' });
  expect(installedWallets().map(({ name }) => name)).toEqual(['Phantom', 'Solflare']);
});

const kinds: [string, Partial<TestWalletOptions>, string[]][] = [
  ['with Sign-In With Solana', {}, ['signIn']],
  ['that signs messages alone', { features: ['signMessage'] }, ['signMessage']],
  ['at window.solana', { kind: 'legacy' }, ['signMessage']],
  ['that words a sign-in otherwise', { rewords: true }, ['signIn', 'signMessage']],
];
test.each(kinds)('a wallet %s proves itself by the text that the server expects', async (_, options, log) => {
  const { inside, wallet, address } = await connected(options);
  const challenge = challengeFor(address);
  const proof = await proveWallet(wallet, challenge);
  if (!proof.ok) throw new Error(proof.problem);
  expect(provesWallet(proof.value, signInText(challenge))).toBe(true);
  expect(proof.value).toMatchObject({ walletAddress: address, nonce: challenge.nonce });
  expect(inside.log).toEqual(log);
});

test.each(kinds)('a wallet %s makes the same passphrase each time, by two signatures', async (_, options) => {
  const { inside, wallet, address } = await connected(options);
  const first = await makeArtifactPassphrase(wallet, 'localhost:3000', address);
  const second = await makeArtifactPassphrase(wallet, 'localhost:3000', address);
  const elsewhere = await makeArtifactPassphrase(wallet, 'elsewhere.example', address);
  expect(first).toEqual({ ok: true, value: expect.stringMatching(/^[a-z2-7]{4}(-[a-z2-7]{4}){7}$/) });
  expect(second).toEqual(first);
  expect(elsewhere).not.toEqual(first);
  expect(inside.log).toEqual(Array(6).fill('signMessage'));
});

test('another wallet makes another passphrase', async () => {
  const { inside, wallet, address } = await connected();
  const first = await makeArtifactPassphrase(wallet, 'localhost:3000', address);
  const other = await inside.switchTo(OTHER_SEED);
  const second = await makeArtifactPassphrase(wallet, 'localhost:3000', other);
  expect(second.ok).toBe(true);
  expect(second).not.toEqual(first);
});

test('a wallet whose signatures differ gets no passphrase', async () => {
  const { wallet, address } = await connected({ isUnsteady: true });
  expect(await makeArtifactPassphrase(wallet, 'localhost:3000', address)).toEqual({
    ok: false,
    problem: 'unsteady',
  });
});

test.each(kinds)('the owner of a wallet %s may say no to everything', async (_, options) => {
  const { inside, wallet, address } = await connected(options);
  inside.rejects = true;
  const rejected = { ok: false, problem: 'rejected' };
  expect(await proveWallet(wallet, challengeFor(address))).toEqual(rejected);
  expect(await makeArtifactPassphrase(wallet, 'localhost:3000', address)).toEqual(rejected);
  await wallet.disconnect();
  expect(wallet.address()).toBeNull();
  expect(await wallet.connect()).toEqual(rejected);
});

test('a wallet that cannot sign messages proves itself, and makes no passphrase', async () => {
  const { wallet, address } = await connected({ features: ['signIn'] });
  expect((await proveWallet(wallet, challengeFor(address))).ok).toBe(true);
  expect(await makeArtifactPassphrase(wallet, 'localhost:3000', address)).toEqual({
    ok: false,
    problem: 'unsupported',
  });
});

test.each([
  ['standard', {}],
  ['legacy', { kind: 'legacy' }],
] as const)('a challenge for another address is not signed by a %s wallet', async (_, options) => {
  const { inside, wallet, address } = await connected(options);
  const heard: (string | null)[] = [];
  const end = wallet.onChange(() => heard.push(wallet.address()));
  const other = await inside.switchTo(OTHER_SEED);
  expect(await proveWallet(wallet, challengeFor(address))).toEqual({ ok: false, problem: 'other-address' });
  expect(inside.log).toEqual([]);
  inside.disconnect();
  end();
  expect(heard).toEqual([other, null]);
});
