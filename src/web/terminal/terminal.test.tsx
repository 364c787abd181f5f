// The terminal with a wallet that has a real key, before a server that checks its proofs.
import { screen, waitFor, within } from '@testing-library/dom';
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event';
import { decrypt, readMessage } from 'openpgp';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { linkStatement } from '../../shared/nouns/holders.ts';
import { createServices, ServicesProvider } from '../api/services.tsx';
import { watchDownloads } from '../testing/downloads.ts';
import { challengeFor, type HoldersStub, refusal, stubHolders } from '../testing/holders.ts';
import { unreachable } from '../testing/network.ts';
import { installTestWallet, type TestWallet, type TestWalletOptions } from '../testing/wallet.ts';
import Terminal from './terminal.tsx';

const SEED = Array.from({ length: 32 }, (_, i) => i + 7);

const START = Date.parse('2030-06-01T12:00:00.000Z');

let root: Root | null = null;
const wallets: TestWallet[] = [];
beforeEach(() => void vi.setSystemTime(START));
afterEach(() => {
  root?.unmount();
  root = null;
  for (const wallet of wallets.splice(0)) wallet.remove();
});

function install(options: Partial<TestWalletOptions> = {}): TestWallet {
  const wallet = installTestWallet({ seed: SEED, ...options });
  wallets.push(wallet);
  return wallet;
}

/** This DOM has no alerts of its own. */
function watchAlerts() {
  const alert = vi.fn<(words: string) => void>();
  vi.stubGlobal('alert', alert);
  return alert;
}

interface Shown {
  user: UserEvent;
  server: HoldersStub;
  /** Lets everything that the terminal waits for come at once, and again what follows from it. */
  pass(): Promise<void>;
  type(command: string): Promise<void>;
  press(name: string): Promise<void>;
  /** How often it wanted to be closed. */
  closed: () => number;
}

async function openTerminal(): Promise<Shown> {
  const server = await stubHolders();
  const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never });
  const waiting = new Set<() => void>();
  let closed = 0;
  const schedule = (work: () => void) => {
    waiting.add(work);
    return () => void waiting.delete(work);
  };
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(
    <ServicesProvider services={createServices({ fetch: server.fetch })}>
      <Terminal
        visit={() => {}}
        open
        onClose={() => {
          closed += 1;
        }}
        schedule={schedule}
      />
    </ServicesProvider>,
  );
  await screen.findByText('WHISPER CHAIN v1.3');
  return {
    user,
    server,
    async pass() {
      while (waiting.size > 0) {
        for (const work of waiting) {
          waiting.delete(work);
          work();
        }
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    async type(command) {
      await user.click(screen.getByLabelText('Command'));
      await user.keyboard(`${command}{Enter}`);
    },
    press: async (name) => user.click(await screen.findByRole('button', { name })),
    closed: () => closed,
  };
}

const lines = () => [...screen.getByRole('log').children].map(({ textContent }) => textContent);
const expectLine = (text: string | RegExp) => within(screen.getByRole('log')).findByText(text);

/** A terminal whose holder has connected a wallet and is waited for. */
async function openAsHolder(options: Partial<TestWalletOptions> = {}) {
  const wallet = install(options);
  const terminal = await openTerminal();
  await terminal.pass();
  await terminal.press('connect');
  await expectLine('ACCESS GRANTED');
  await terminal.pass();
  await expectLine('artifact.asc ready for extraction');
  return { ...terminal, wallet };
}

test('without a wallet it says so, and a press tells in an alert what to install', async () => {
  const alert = watchAlerts();
  const { pass, press, server } = await openTerminal();
  await pass();
  expect(lines().slice(-2)).toEqual(['ERROR: No wallet connected', 'Connect wallet to verify holder status']);
  await press('connect');
  expect(alert.mock.calls).toEqual([
    ['Please install Phantom or another Solana wallet to access the whisper chain'],
  ]);
  expect(server.asked).toEqual([]);
});

test.each<[string, Partial<TestWalletOptions>]>([
  ['with Sign-In With Solana', {}],
  ['that signs messages alone', { features: ['signMessage'] }],
  ['of the older kind', { kind: 'legacy' }],
])('a holder with a wallet %s takes an artifact that its passphrase opens', async (_, options) => {
  const nextFile = watchDownloads();
  const { type, server } = await openAsHolder(options);
  expect(lines()).toContain('1,204 LAT · Sacred Holder #7');
  await type('EXTRACT');
  const { name, bytes } = await nextFile();
  expect(name).toBe('artifact-2030-06-01T12-00-00Z.asc');
  const shown = (await expectLine(/^passphrase /)).textContent.replace('passphrase ', '');
  expect(server.passphrases).toEqual([shown]);
  const message = await readMessage({ armoredMessage: new TextDecoder().decode(bytes) });
  const { data } = await decrypt({ message, passwords: [shown] });
  expect(data).toContain('One holds.');
  expect(lines().at(-1)).toBe('gpg --decrypt artifact-2030-06-01T12-00-00Z.asc');
});

test('the hidden command opens what was taken, and checks whose signature it carries', async () => {
  const nextFile = watchDownloads();
  const { type, server } = await openAsHolder();
  await type('extract');
  await nextFile();
  await expectLine(/^gpg/);
  await type('Open');
  await expectLine('signature: good, by the key of this server');
  expect(lines().slice(-5)).toEqual([
    '› Open',
    'SCROLL FRAGMENT 7',
    '',
    'One holds.',
    'signature: good, by the key of this server',
  ]);
  server.instead.set('public-key', () => refusal('not-found'));
  await type('open');
  await expectLine('signature: not checked, as the key of this server could not be fetched');
  const other = await stubHolders();
  const foreign = await (await other.fetch('/api/public-key')).text();
  server.instead.set('public-key', () => new Response(foreign));
  await type('open');
  await expectLine('signature: NOT by the key that this server gives');
});

test('the passphrase of an artifact is copied by a press', async () => {
  const nextFile = watchDownloads();
  const { type, press, server } = await openAsHolder();
  await type('extract');
  await nextFile();
  await press('copy');
  await expectLine('passphrase copied');
  expect(await navigator.clipboard.readText()).toBe(server.passphrases[0]);
});

test('a second artifact of the same wallet takes one signature more, not three', async () => {
  const nextFile = watchDownloads();
  const { type, wallet, server } = await openAsHolder();
  await type('extract');
  await nextFile();
  await expectLine(/^gpg/);
  wallet.log.length = 0;
  await type('extract');
  await nextFile();
  expect(wallet.log).toEqual(['signIn']);
  expect(new Set(server.passphrases).size).toBe(1);
});

test('a wallet whose signatures differ is told so, and gets no artifact', async () => {
  const { type, server } = await openAsHolder({ isUnsteady: true });
  await type('extract');
  await expectLine(/^This wallet signs the same text differently each time/);
  expect(server.asked.filter((call) => call.startsWith('POST'))).toEqual([]);
});

test('a server that wants a link signed in place of the artifact gets no signature of it', async () => {
  const { type, wallet, server } = await openAsHolder();
  const challenge = challengeFor(await wallet.address, linkStatement('3f'.repeat(16)));
  server.instead.set('challenge', () => Response.json(challenge, { status: 201 }));
  wallet.log.length = 0;
  await type('extract');
  await expectLine(/^The server asked the wallet to sign something else/);
  // Those of the passphrase, whose text no server says.
  expect(wallet.log).toEqual(['signMessage', 'signMessage']);
  expect(server.passphrases).toEqual([]);
});

test('an owner who rejects a signature may try again', async () => {
  const nextFile = watchDownloads();
  const { type, wallet } = await openAsHolder();
  wallet.rejects = true;
  await type('extract');
  await expectLine('The wallet refused: the request was rejected there.');
  wallet.rejects = false;
  await type('extract');
  await nextFile();
});

test('a connection that the owner rejects is logged and shown to nobody', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {});
  const alert = watchAlerts();
  install({ rejects: true });
  const { pass, press } = await openTerminal();
  await pass();
  await press('connect');
  await waitFor(() => expect(info.mock.calls).toEqual([['A wallet did not connect: rejected.']]));
  expect(lines().at(-1)).toBe('› connect');
  expect(alert).not.toHaveBeenCalled();
});

test.each([
  ['ceremony-expired', 'That took too long, or was already used. Please begin again.'],
  [
    'wallet-unproved',
    'This signature does not prove that the wallet is yours. Nothing was changed; please try again.',
  ],
  ['not-a-holder', 'This wallet does not hold the token.'],
  ['too-many', 'Too many attempts. Please wait a little and try again.'],
] as const)(
  'a server that refuses an artifact with %s is quoted, and asked again',
  async (code, sentence) => {
    const nextFile = watchDownloads();
    const { type, server } = await openAsHolder();
    server.instead.set('artifact', () => refusal(code));
    await type('extract');
    await expectLine(sentence);
    server.instead.clear();
    await type('extract');
    await nextFile();
  },
);

test.each([
  ['no-token', 'No token is configured on this server.'],
  ['no-holders', 'The list of holders has not been read from the chain yet. Please try again later.'],
  ['too-many', 'Too many attempts. Please wait a little and try again.'],
  [null, 'The server could not be reached. Check your connection and try again.'],
] as const)('where the check fails (%s), it says why and checks again', async (code, sentence) => {
  install();
  const { pass, press, server } = await openTerminal();
  server.instead.set('verify', () => {
    if (code === null) throw unreachable();
    return refusal(code);
  });
  await pass();
  await press('connect');
  await expectLine(sentence);
  server.instead.clear();
  await press('verify');
  await expectLine('ACCESS GRANTED');
});

test('a wallet that holds nothing is denied', async () => {
  install();
  const { pass, press, server } = await openTerminal();
  server.holding = { ...server.holding, isHolder: false, amount: 0, rank: undefined, hasRituals: false };
  await pass();
  await press('connect');
  await expectLine('ACCESS DENIED');
  expect(lines().slice(-2)).toEqual([
    'Your wallet is not among the Chosen.',
    'Acquire the token to unlock the whisper chain.',
  ]);
});

test('of several wallets one is chosen, by a press or by its name', async () => {
  const phantom = install({ name: 'Phantom' });
  const solflare = install({ name: 'Solflare' });
  const { pass, type, press } = await openTerminal();
  await pass();
  await type('connect');
  await expectLine('Several wallets are installed. Choose one:');
  await type('connect solflare');
  await expectLine('ACCESS GRANTED');
  expect([phantom.log, solflare.log]).toEqual([[], ['connect']]);
  solflare.disconnect();
  await expectLine('wallet disconnected');
  await press('connect Phantom');
  await waitFor(() => expect(phantom.log).toEqual(['connect']));
});

test('a wallet that shows another account is verified anew', async () => {
  const { wallet } = await openAsHolder();
  const address = await wallet.switchTo(SEED.map((byte) => byte + 50));
  await expectLine(`wallet ${address.slice(0, 4)}…${address.slice(-4)} connected`);
  await waitFor(() => expect(lines().filter((line) => line === 'ACCESS GRANTED')).toHaveLength(2));
});

test('a wallet that never answers is given up by another extract, and asked nothing more for the first', async () => {
  const nextFile = watchDownloads();
  const { type, wallet, server } = await openAsHolder({ kind: 'legacy' });
  const { solana } = window as { solana?: { signMessage: (message: Uint8Array) => Promise<unknown> } };
  if (!solana) throw new Error('no wallet');
  const sign = solana.signMessage;
  let answer = () => {};
  solana.signMessage = async (message) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return sign(message);
  };
  await type('extract');
  solana.signMessage = sign;
  await type('extract');
  await nextFile();
  await expectLine(/^gpg/);
  wallet.log.length = 0;
  answer();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(wallet.log).toEqual(['signMessage']);
  expect(server.passphrases).toHaveLength(1);
  expect(lines().filter((line) => line?.startsWith('passphrase '))).toHaveLength(1);
});

test.each([[undefined], ['text'], [{ signature: 'text' }], [{}], [7]])(
  'a wallet that answers %j is said to have failed, and can be asked again',
  async (answer) => {
    const nextFile = watchDownloads();
    const { type } = await openAsHolder({ kind: 'legacy' });
    const { solana } = window as { solana?: { signMessage: (message: Uint8Array) => Promise<unknown> } };
    if (!solana) throw new Error('no wallet');
    const sign = solana.signMessage;
    solana.signMessage = async () => answer;
    await type('extract');
    await expectLine('The wallet did not answer as expected. Please try again.');
    solana.signMessage = sign;
    await type('extract');
    await nextFile();
  },
);

test('a file that the browser does not take leaves nothing waiting', async () => {
  const { type } = await openAsHolder();
  vi.spyOn(URL, 'createObjectURL').mockImplementationOnce(() => {
    throw new Error('full');
  });
  await type('extract');
  await expectLine('The wallet did not answer as expected. Please try again.');
});

test('a wallet that hears nothing of it is disconnected all the same', async () => {
  const { type, press, wallet } = await openAsHolder({ isDeaf: true });
  await type('disconnect');
  await expectLine('wallet disconnected');
  await press('connect');
  await waitFor(() => expect(lines().filter((line) => line === 'ACCESS GRANTED')).toHaveLength(2));
  expect(wallet.log).toEqual(['connect', 'connect']);
});

test('what was typed comes back by the arrow keys', async () => {
  const { type, user } = await openTerminal();
  await type('help');
  await type('clear');
  const field = screen.getByLabelText<HTMLInputElement>('Command');
  const walk = async (key: string) => {
    await user.keyboard(`{${key}}`);
    return field.value;
  };
  expect([await walk('ArrowUp'), await walk('ArrowUp'), await walk('ArrowUp')]).toEqual([
    'clear',
    'help',
    'help',
  ]);
  expect([await walk('ArrowDown'), await walk('ArrowDown')]).toEqual(['clear', '']);
});

test('exit, Escape and the corner close it', async () => {
  const { type, press, user, closed } = await openTerminal();
  await type('EXIT');
  expect(closed()).toBe(1);
  await waitFor(async () => {
    await user.keyboard('{Escape}');
    expect(closed()).toBe(2);
  });
  await press('Close the terminal');
  expect(closed()).toBe(3);
});

test('whoever closes it while a wallet is asked is handed no file', async () => {
  const made = vi.spyOn(URL, 'createObjectURL');
  const { type, server } = await openAsHolder();
  await type('extract');
  root?.unmount();
  root = null;
  await waitFor(() => expect(server.passphrases).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(made).not.toHaveBeenCalled();
});
