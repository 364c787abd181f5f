// The first key's envelope when the network or the server fails in that very moment, below the browser: the account is
// made once, the same press goes on, and the key never stands there without a recovery method.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { addAuthenticator } from '../../testing/authenticator.ts';
import { type Browser, openBrowser } from '../../testing/browser.tsx';
import { answerQuestions, beginByPassphrase, enterByPassphrase } from '../../testing/gate-steps.ts';
import { anInstance } from '../../testing/instance.ts';
import { unreachable } from '../../testing/network.ts';
import { expectToast, fill, press } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on a stone wall';
const BEGIN = '/api/gate/passphrase/begin';

const pathOf = ({ url }: Request) => new URL(url).pathname;
const chambers = () => screen.findByRole('heading', { name: 'The chambers' });

test('who comes to begin the ritual is where vaults are made; everybody else stands before the gate', async () => {
  const browser = openBrowser(instance());
  await browser.open('/enter#first-time');
  await screen.findByRole('heading', { name: 'First time here' });
  await browser.open('/enter');
  await screen.findByRole('heading', { name: 'The gate' });
});

let people = 0;
/** A name that nobody has in this server. */
const aName = () => {
  people += 1;
  return `newcomer ${people}`;
};

type Fault = 'aborted' | 'answered 500' | 'lost after it was stored';

/** Makes the first envelope that this page sends fail. Returns how many were sent, and how often an account was made. */
function failOnce({ network }: Browser, fault: Fault): { envelopes: number; accounts: number } {
  const seen = { envelopes: 0, accounts: 0 };
  network.intercept(async (request, proceed) => {
    if (/^\/api\/gate\/(passphrase|passkey)\/begin$/.test(pathOf(request))) seen.accounts += 1;
    if (request.method !== 'POST' || pathOf(request) !== '/api/encryption-key') return proceed();
    seen.envelopes += 1;
    if (seen.envelopes > 1) return proceed();
    if (fault === 'answered 500') return new Response('', { status: 500 });
    if (fault === 'lost after it was stored') await proceed();
    throw unreachable();
  });
  return seen;
}

/** Leaves the browser as if nobody had ever been here; its authenticator stays. */
function forgetEverything(browser: Browser): void {
  browser.forgetStorage();
  browser.network.cookies.clear();
}

/** Enters from nothing and arrives at the vault: what was wrapped at the beginning opens it. */
async function enterAgain(browser: Browser, name: string): Promise<void> {
  forgetEverything(browser);
  await enterByPassphrase(browser, name, PASSPHRASE);
  await chambers();
}

async function enterByPasskey(browser: Browser): Promise<void> {
  forgetEverything(browser);
  await browser.open('/enter');
  await press(browser, 'Enter with a passkey');
  await press(browser, 'Mine alone');
  await chambers();
}

async function beginByPasskey(browser: Browser): Promise<void> {
  await browser.open('/enter');
  await press(browser, 'First time here');
  await press(browser, 'Begin with a passkey');
}

const faults: Fault[] = ['aborted', 'answered 500', 'lost after it was stored'];

test.each(faults)(
  'a first key by passphrase is finished by the same press when its envelope was %s',
  async (fault) => {
    addAuthenticator();
    const browser = openBrowser(instance());
    const name = aName();
    const seen = failOnce(browser, fault);
    await beginByPassphrase(browser, name, PASSPHRASE);
    await expectToast('Failed to Generate Key');
    expect(screen.getByLabelText('Passphrase').matches(':disabled, fieldset[disabled] *')).toBe(true);
    await press(browser, 'Make the vault');
    await answerQuestions(browser);
    expect(seen).toEqual({ envelopes: 2, accounts: 1 });
    await enterAgain(browser, name);
  },
);

test('an account whose own answer was lost is entered by the same press', async () => {
  const browser = openBrowser(instance());
  const name = aName();
  let lost = 0;
  browser.network.intercept(async (request, proceed) => {
    const answer = await proceed();
    if (pathOf(request) !== BEGIN || lost > 0) return answer;
    lost += 1;
    throw unreachable();
  });
  await beginByPassphrase(browser, name, PASSPHRASE);
  await screen.findByRole('alert');
  // No answer came, and no session with it.
  browser.network.cookies.clear();
  await press(browser, 'Make the vault');
  await answerQuestions(browser);
  await enterAgain(browser, name);
});

test('a first key by passkey is finished by the same press', async () => {
  addAuthenticator();
  const browser = openBrowser(instance());
  const seen = failOnce(browser, 'aborted');
  await beginByPasskey(browser);
  await expectToast('Failed to Generate Key');
  expect(screen.queryByRole('button', { name: 'Back to signing in' })).toBeNull();
  await press(browser, 'Begin with a passkey');
  await answerQuestions(browser);
  expect(seen).toEqual({ envelopes: 2, accounts: 1 });
  await enterByPasskey(browser);
});

test('after a reload the passphrase is asked for again before a key is made', async () => {
  const browser = openBrowser(instance());
  const name = aName();
  const seen = failOnce(browser, 'aborted');
  await beginByPassphrase(browser, name, PASSPHRASE);
  await expectToast('Failed to Generate Key');
  await browser.open('/');
  await screen.findByRole('heading', { name: 'One step is left' });
  expect(seen.envelopes).toBe(1);
  await fill(browser, screen.getByLabelText('Passphrase'), 'not this one, surely');
  await press(browser, 'Make the key');
  await screen.findByRole('alert');
  expect(seen.envelopes).toBe(1);
  await fill(browser, screen.getByLabelText('Passphrase'), PASSPHRASE);
  await press(browser, 'Make the key');
  await answerQuestions(browser);
  await enterAgain(browser, name);
});

test('after a reload the passkey is asked for again before a key is made', async () => {
  addAuthenticator();
  const browser = openBrowser(instance());
  failOnce(browser, 'aborted');
  await beginByPasskey(browser);
  await expectToast('Failed to Generate Key');
  await browser.open('/');
  await press(browser, 'Touch the passkey');
  await answerQuestions(browser);
  await enterByPasskey(browser);
});

test('a passkey that yields no secret is named, and its owner decides to go on without', async () => {
  addAuthenticator({ prf: false });
  const browser = openBrowser(instance());
  await beginByPasskey(browser);
  await screen.findByRole('heading', { name: 'One more touch' });
  await browser.open('/');
  await press(browser, 'Touch the passkey');
  await waitFor(() => expect(screen.getByRole('main').textContent).toContain('cannot open the vault'));
  await press(browser, 'Make the key without it');
  await answerQuestions(browser);
  await screen.findByText('Recovery: your ways back');
});

test('one more touch is the new passkey’s, whichever one the server names', async () => {
  addAuthenticator({ prf: 'when-used' });
  const publicKey = { challenge: new ArrayBuffer(32), rp: { id: 'localhost', name: 'Latebra' } };
  const other = (await navigator.credentials.create({ publicKey } as never)) as { id: string } | null;
  const browser = openBrowser(instance());
  browser.network.intercept(async (request, proceed) => {
    const answer = await proceed();
    if (pathOf(request) !== '/api/proof/passkey/options') return answer;
    const { options } = (await answer.json()) as { options: object };
    const allowCredentials = [{ id: other?.id, type: 'public-key' }];
    return Response.json({ options: { ...options, allowCredentials } });
  });
  await beginByPasskey(browser);
  await press(browser, 'Touch it again');
  await answerQuestions(browser);
  await enterByPasskey(browser);
});

test('a passkey of another site makes no account', async () => {
  addAuthenticator();
  const browser = openBrowser(instance());
  browser.network.intercept(async (request, proceed) => {
    const answer = await proceed();
    if (pathOf(request) !== '/api/gate/passkey/begin/options') return answer;
    const { options } = (await answer.json()) as { options: object };
    return Response.json({ options: { ...options, rp: { id: 'example.org', name: 'Latebra' } } });
  });
  await beginByPasskey(browser);
  await screen.findByText(/^This server asked for a passkey of another site/);
  expect(browser.network.asked).not.toContain('POST /api/gate/passkey/begin');
});

test('a new passphrase is stretched as all are, or not set: the gate would ask for something else at the next visit', async () => {
  const browser = openBrowser(instance());
  browser.network.intercept(async (request, proceed) => {
    const answer = await proceed();
    if (pathOf(request) !== '/api/gate/passphrase/salt') return answer;
    return Response.json({ ...((await answer.json()) as object), iterations: 4 });
  });
  await beginByPassphrase(browser, aName(), PASSPHRASE);
  await screen.findByText(/^The server asks for another protection of the passphrase/);
  expect(browser.network.asked).not.toContain(`POST ${BEGIN}`);
});
