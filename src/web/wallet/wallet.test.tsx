// Wallets of a browser, each with a real key: found, connected, and asked to sign.
import { afterEach, expect, test, vi } from 'vitest';
import {
  ARTIFACT_STATEMENT,
  linkStatement,
  type SignInInput,
  signInText,
} from '../../shared/nouns/holders.ts';
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
  const proof = await proveWallet(wallet, challenge, ARTIFACT_STATEMENT);
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
  expect(await proveWallet(wallet, challengeFor(address), ARTIFACT_STATEMENT)).toEqual(rejected);
  expect(await makeArtifactPassphrase(wallet, 'localhost:3000', address)).toEqual(rejected);
  await wallet.disconnect();
  expect(wallet.address()).toBeNull();
  expect(await wallet.connect()).toEqual(rejected);
});

test('a wallet that cannot sign messages proves itself, and makes no passphrase', async () => {
  const { wallet, address } = await connected({ features: ['signIn'] });
  expect((await proveWallet(wallet, challengeFor(address), ARTIFACT_STATEMENT)).ok).toBe(true);
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
  expect(await proveWallet(wallet, challengeFor(address), ARTIFACT_STATEMENT)).toEqual({
    ok: false,
    problem: 'other-address',
  });
  expect(inside.log).toEqual([]);
  inside.disconnect();
  end();
  expect(heard).toEqual([other, null]);
});

// Wallets that answer what no wallet should.

/** A wallet at window.solana that answers a signature request with this. */
async function connectedAnswering(answer: (message: Uint8Array) => unknown) {
  const { wallet, address } = await connected({ kind: 'legacy' });
  const { solana } = window as { solana?: { signMessage: unknown } };
  if (solana) solana.signMessage = async (message: Uint8Array) => answer(message);
  return { wallet, address };
}

const oddAnswers: [string, unknown][] = [
  ['nothing', undefined],
  ['a text', 'text'],
  ['a number', 64],
  ['a text as signature', { signature: 'A'.repeat(64) }],
  ['no signature', { signature: undefined }],
  ['an empty signature', { signature: new Uint8Array(0) }],
  ['a short signature', { signature: new Uint8Array(63) }],
  ['a long signature', { signature: new Uint8Array(65) }],
  ['numbers that are no bytes', { signature: Array(64).fill(256) }],
  ['an object like an array', { signature: { length: 64 } }],
  ['a signature of nothing', { signature: new Uint8Array(64).fill(7) }],
];
test.each(oddAnswers)('a wallet that answers %s gets no passphrase', async (_, answer) => {
  const { wallet, address } = await connectedAnswering(() => answer);
  const failed = { ok: false, problem: 'failed' };
  expect(await makeArtifactPassphrase(wallet, 'localhost:3000', address)).toEqual(failed);
});

test('a signature by another key makes no passphrase', async () => {
  const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign'])) as CryptoKeyPair;
  const { wallet, address } = await connectedAnswering(async (message) => ({
    signature: new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, new Uint8Array(message))),
  }));
  expect(await makeArtifactPassphrase(wallet, 'localhost:3000', address)).toEqual({
    ok: false,
    problem: 'failed',
  });
});

test('a signature may come as an array of numbers, or as a part of a larger buffer', async () => {
  const { wallet, address } = await connected({ kind: 'legacy' });
  const made = await makeArtifactPassphrase(wallet, 'localhost:3000', address);
  const { solana } = window as {
    solana?: { signMessage: (m: Uint8Array) => Promise<{ signature: Uint8Array }> };
  };
  if (!solana) throw new Error('no wallet');
  const sign = solana.signMessage;
  solana.signMessage = async (message) => ({ signature: [...(await sign(message)).signature] as never });
  expect(await makeArtifactPassphrase(wallet, 'localhost:3000', address)).toEqual(made);
  solana.signMessage = async (message) => {
    const larger = new Uint8Array(80);
    larger.set((await sign(message)).signature, 9);
    return { signature: larger.subarray(9, 73) };
  };
  expect(await makeArtifactPassphrase(wallet, 'localhost:3000', address)).toEqual(made);
});

test('a browser that cannot check signatures still asks for their length', async () => {
  const { wallet, address } = await connected({ kind: 'legacy' });
  const importKey = vi.spyOn(crypto.subtle, 'importKey');
  const { importKey: original } = SubtleCrypto.prototype;
  importKey.mockImplementation((async (...args: Parameters<SubtleCrypto['importKey']>) => {
    if (args[0] === 'raw' && args[2] === 'Ed25519') {
      throw new DOMException('Algorithm: Unrecognized name', 'NotSupportedError');
    }
    return original.apply(crypto.subtle, args);
  }) as never);
  try {
    expect((await makeArtifactPassphrase(wallet, 'localhost:3000', address)).ok).toBe(true);
    const { solana } = window as { solana?: { signMessage: unknown } };
    if (solana) solana.signMessage = async () => ({ signature: new Uint8Array(0) });
    expect((await makeArtifactPassphrase(wallet, 'localhost:3000', address)).ok).toBe(false);
  } finally {
    importKey.mockRestore();
  }
});

const LINK = linkStatement('3f'.repeat(16));
const foreign: [string, Partial<SignInInput>, string][] = [
  ['a link where an artifact is wanted', { statement: LINK }, ARTIFACT_STATEMENT],
  ['an artifact where a link is wanted', {}, LINK],
  ['a link to another vault', { statement: linkStatement('4f'.repeat(16)) }, LINK],
  ['more than is wanted', { statement: `${ARTIFACT_STATEMENT} And more.` }, ARTIFACT_STATEMENT],
  ['the text of another host', { domain: 'elsewhere.example' }, ARTIFACT_STATEMENT],
  ['the text of another origin', { uri: 'https://localhost:3000' }, ARTIFACT_STATEMENT],
  ['another version', { version: '2' as '1' }, ARTIFACT_STATEMENT],
  ['another line in a field', { nonce: 'abcdefgh\nRequest ID: 1' }, ARTIFACT_STATEMENT],
  ['a field that reads backwards', { chainId: '\u202eniam' }, ARTIFACT_STATEMENT],
  ['a field that is no text', { nonce: 12345678 as never }, ARTIFACT_STATEMENT],
];
test.each(foreign)(
  'a server that asks for %s is not obeyed, nor the wallet asked',
  async (_, changes, wanted) => {
    const { inside, wallet, address } = await connected();
    const challenge = { ...challengeFor(address), ...changes };
    expect(await proveWallet(wallet, challenge, wanted)).toEqual({ ok: false, problem: 'other-text' });
    expect(inside.log).toEqual([]);
  },
);

test('a wallet is told no field of a challenge that this page does not know', async () => {
  const { wallet, address } = await connected();
  const signIn = vi.spyOn(wallet, 'signIn');
  const challenge = { ...challengeFor(address), resources: ['https://elsewhere.example'] };
  expect((await proveWallet(wallet, challenge, ARTIFACT_STATEMENT)).ok).toBe(true);
  expect(Object.keys(signIn.mock.calls[0]?.[0] ?? {})).not.toContain('resources');
  signIn.mockRestore();
});

/** Registers anything at all as a wallet, as any extension can. Returns what ends that. */
function register(wallet: unknown): () => void {
  let end = () => {};
  const detail = (api: { register(wallet: unknown): () => void }) => {
    end = api.register(wallet);
  };
  window.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail }));
  return () => end();
}

const throwing = (...names: string[]) =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      names.map((name) => [
        name,
        {
          get() {
            throw new Error(`no ${name}`);
          },
        },
      ]),
    ),
  );
const chains = ['solana:mainnet'];
const offered = { 'standard:connect': { connect: async () => ({ accounts: [] }) } };

test.each<[string, unknown]>([
  ['null', null],
  ['a text', 'wallet'],
  ['an empty object', {}],
  ['one without features', { name: 'A', chains, accounts: [] }],
  ['one without chains', { name: 'A', features: offered, accounts: [] }],
  ['one whose chains are no texts', { name: 'A', chains: [1], features: offered, accounts: [] }],
  ['one without a name', { chains, features: offered, accounts: [] }],
  ['one that throws', throwing('name', 'chains', 'features', 'accounts')],
])('what registers as a wallet and is none is passed over: %s', (_, odd) => {
  installedWallets();
  const end = register(odd);
  expect(installedWallets()).toEqual([]);
  expect(connectedWallet()).toBeNull();
  end();
});

test.each<[string, object]>([
  ['has no accounts', {}],
  ['has accounts that are none', { accounts: [null] }],
  ['shows what is no address', { accounts: [{ chains, address: 'a\nb' }] }],
  ['throws', throwing('accounts')],
])('a wallet that %s shows no address, and connects to none', async (_, odd) => {
  installedWallets();
  const events = { on: () => 'nothing that ends it' };
  const wallet = Object.create(odd, {
    name: { value: 'Odd' },
    chains: { value: chains },
    features: { value: { ...offered, 'standard:events': events } },
  });
  const end = register(wallet);
  expect(only().address()).toBeNull();
  only().onChange(() => {})();
  expect(await only().connect()).toEqual({ ok: false, problem: 'failed' });
  end();
});

test('a provider at window.solana that throws wherever it is looked at shows no address', () => {
  const place = window as { solana?: unknown };
  place.solana = Object.assign(throwing('publicKey', 'isPhantom', 'on', 'off', 'signMessage'), {
    connect: async () => {},
  });
  try {
    expect(only().address()).toBeNull();
    only().onChange(() => {})();
  } finally {
    delete place.solana;
  }
});

test.each<[string, object]>([
  ['cannot be told', {}],
  ['refuses', { 'standard:disconnect': { disconnect: async () => Promise.reject(new Error('no')) } }],
  ['never answers', { 'standard:disconnect': { disconnect: () => new Promise(() => {}) } }],
])('a disconnected wallet is forgotten in this page, also one that %s', async (_, features) => {
  installedWallets();
  const address = 'B'.repeat(44);
  const end = register({
    name: 'Silent',
    chains,
    accounts: [{ chains, address }],
    features: { ...offered, ...features },
  });
  const wallet = only();
  const heard: (string | null)[] = [];
  wallet.onChange(() => heard.push(wallet.address()));
  expect(connectedWallet()).toBe(wallet);
  void wallet.disconnect();
  expect([wallet.address(), connectedWallet()]).toEqual([null, null]);
  expect(await wallet.connect()).toEqual({ ok: true, value: address });
  expect(heard).toEqual([null, address]);
  end();
});

test('two wallets of one name are told apart, and their names are made readable', () => {
  install({ name: 'Phantom' });
  install({ name: '  phantom\n' });
  install({ name: 'Phantom\u202e 2' });
  install({ name: 'Sol\t \nflare' });
  install({ name: ' \n' });
  const names = ['Phantom', 'phantom 2', 'Phantom 2 2', 'Sol flare', 'A wallet without a name'];
  expect(installedWallets().map(({ name }) => name)).toEqual(names);
  expect(installedWallets().map(({ name }) => name)).toEqual(names);
});
