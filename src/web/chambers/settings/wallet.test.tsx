// The wallet of an account, below the browser: linked by a real signature, shown, unlinked. What the server would say is
// said by the test, which checks the proofs.
import { screen, waitFor } from '@testing-library/dom';
import { afterEach, expect, test, vi } from 'vitest';
import { deriveIdentity, vaultAddress } from '../../../crypto/identity.ts';
import {
  type LinkedWallet,
  linkStatement,
  type SignInInput,
  signInText,
} from '../../../shared/nouns/holders.ts';
import { challengeFor, HOLDING, provesWallet, refusal } from '../../testing/holders.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { expectNoDialog, expectToast, press } from '../../testing/steps.ts';
import { installTestWallet, type TestWallet, type TestWalletOptions } from '../../testing/wallet.ts';

const instance = anInstance();
const SEED = Array.from({ length: 32 }, (_, i) => i + 3);

const wallets: TestWallet[] = [];
function install(options: Partial<TestWalletOptions> = {}): TestWallet {
  const wallet = installTestWallet({ seed: SEED, ...options });
  wallets.push(wallet);
  return wallet;
}
afterEach(() => {
  for (const wallet of wallets.splice(0)) wallet.remove();
});

interface Server {
  linked: LinkedWallet | null;
  /** What is signed in place of the truth. */
  statement: string | null;
  refuses: (() => Response) | null;
}

/** A server that knows of wallets, in place of the real one. */
async function answerFor({ browser, key }: Member): Promise<Server> {
  const { recipient, verifyingKey } = await deriveIdentity(key);
  const truth = linkStatement(await vaultAddress(recipient, verifyingKey));
  const server: Server = { linked: null, statement: null, refuses: null };
  let challenge: SignInInput | null = null;
  browser.network.intercept(async (request, forward) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/api/linked-wallet')) return forward();
    if (pathname.endsWith('/challenge')) {
      const { walletAddress } = (await request.json()) as { walletAddress: string };
      challenge = challengeFor(walletAddress, server.statement ?? truth);
      return Response.json(challenge, { status: 201 });
    }
    if (request.method === 'DELETE') {
      server.linked = null;
      return new Response(null, { status: 204 });
    }
    if (request.method === 'PUT') {
      const proof = (await request.json()) as Parameters<typeof provesWallet>[0];
      if (server.refuses) return server.refuses();
      if (!challenge || !provesWallet(proof, signInText(challenge))) return refusal('wallet-unproved');
      server.linked = linkedTo(proof.walletAddress);
    }
    return Response.json(server.linked);
  });
  return server;
}

const linkedTo = (address: string, changes: Partial<LinkedWallet> = {}): LinkedWallet => ({
  address,
  linkedAt: '2030-06-01T12:00:00.000Z',
  isCurrent: true,
  holding: HOLDING,
  ...changes,
});

async function openSettings() {
  const member = await enterAsMember(instance());
  const server = await answerFor(member);
  await member.browser.open('/settings');
  await screen.findByRole('heading', { name: 'Wallet' });
  return { member, browser: member.browser, server };
}

test.each<[string, Partial<TestWalletOptions>]>([
  ['with Sign-In With Solana', {}],
  ['that signs messages alone', { features: ['signMessage'] }],
  ['at window.solana', { kind: 'legacy' }],
])('a wallet %s is linked, shown, disconnected and unlinked', async (_, options) => {
  const wallet = install({ name: 'Phantom', ...options });
  const { browser, server } = await openSettings();
  await press(browser, 'Link a wallet');
  await expectToast('Wallet linked');
  await screen.findByText(await wallet.address);
  screen.getByText('1,204 LAT');
  screen.getByText('7: Sacred Holder #7');
  screen.getByText('1 June 2030');
  await press(browser, 'Disconnect Phantom');
  await expectToast('Wallet disconnected');
  expect(wallet.log).toContain('disconnect');
  await browser.reload();
  await screen.findByText(await wallet.address);
  await press(browser, 'Unlink');
  await press(browser, 'Unlink it');
  await expectNoDialog();
  await expectToast('Wallet unlinked');
  await screen.findByRole('button', { name: 'Link a wallet' });
  expect(server.linked).toBeNull();
});

test('of several wallets one is chosen', async () => {
  const phantom = install({ name: 'Phantom' });
  const solflare = install({ name: 'Solflare' });
  const { browser } = await openSettings();
  await press(browser, 'Link a wallet');
  await press(browser, 'Solflare');
  await screen.findByText(await solflare.address);
  expect(phantom.log).toEqual([]);
});

test('without a wallet an alert says what to install', async () => {
  const alert = vi.fn();
  vi.stubGlobal('alert', alert);
  const { browser } = await openSettings();
  await press(browser, 'Link a wallet');
  await waitFor(() =>
    expect(alert.mock.calls).toEqual([
      ['Please install Phantom or another Solana wallet to access the whisper chain'],
    ]),
  );
});

test('an owner who rejects the signature is told so, and one who does not connect is not', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {});
  const wallet = install({ rejects: true });
  const { browser } = await openSettings();
  await press(browser, 'Link a wallet');
  await waitFor(() => expect(info.mock.calls).toEqual([['A wallet did not connect: rejected.']]));
  expect(screen.queryByRole('alert')).toBeNull();
  wallet.rejects = false;
  await press(browser, 'Link a wallet');
  await screen.findByText(await wallet.address);
});

test('a server that wants another vault’s link signed gets no signature', async () => {
  const wallet = install();
  const { browser, server } = await openSettings();
  server.statement = linkStatement('0'.repeat(32));
  await press(browser, 'Link a wallet');
  await screen.findByText(/^The server asked the wallet to sign something else/);
  expect(wallet.log).toEqual(['connect']);
});

test('a refused proof is quoted, and can be tried again', async () => {
  const wallet = install();
  const { browser, server } = await openSettings();
  server.refuses = () => refusal('ceremony-expired');
  await press(browser, 'Link a wallet');
  await screen.findByText('That took too long, or was already used. Please begin again.');
  server.refuses = null;
  await press(browser, 'Link a wallet');
  await screen.findByText(await wallet.address);
});

test('a wallet that was linked to an older key asks to be linked again', async () => {
  const { browser, server } = await openSettings();
  server.linked = linkedTo('B'.repeat(44), { isCurrent: false, holding: null });
  await browser.reload();
  await screen.findByText('Your key or the address of this server has changed since: link it again.');
  screen.getByRole('button', { name: 'Link it again' });
});

test('where no token is watched, nothing is said of what a wallet holds; where one is not read yet, that is', async () => {
  const { browser, server } = await openSettings();
  server.linked = linkedTo('B'.repeat(44), { holding: null });
  await browser.reload();
  await screen.findByText('B'.repeat(44));
  await waitFor(() => expect(screen.queryByText('Holds')).toBeNull());
  await press(browser, 'Unlink');
  await screen.findByText(/^Nobody finds your vault by it any more/);
  browser.network.intercept(async (request, forward) =>
    request.url.endsWith('/api/holders/check') ? refusal('no-holders') : forward(),
  );
  await browser.reload();
  await screen.findByText('Not known: no list of holders was read here yet.');
  await press(browser, 'Unlink');
  await screen.findByText(/^What its tokens open is closed to this vault, and nobody finds/);
});
