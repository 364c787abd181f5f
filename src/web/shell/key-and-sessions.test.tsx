// The key in its browser and the sessions around it, below the browser: device lock, idle lock, fresh proofs, leaving.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { wordsFromKey } from '../../crypto/words.ts';
import type { User } from '../../shared/nouns/account.ts';
import { MINUTE } from '../../shared/time.ts';
import { anAuthKey, signUpByPassphrase } from '../../testing/people.ts';
import { KEPT_USER } from '../api/kept-user-slot.ts';
import { answerForWords, keySlots, openSettings, postMemory, readMemory } from '../testing/another-key.ts';
import { addAuthenticator } from '../testing/authenticator.ts';
import { type Browser, inAnotherBrowser, openBrowser } from '../testing/browser.tsx';
import { haveDatabases } from '../testing/databases.ts';
import { beginByPassphrase, enterByPassphrase, enterByWords } from '../testing/gate-steps.ts';
import { anInstance } from '../testing/instance.ts';
import { enterAsMember, type Member } from '../testing/member.ts';
import { expectNoDialog, expectToast, fill, findRow, goToChamber, press } from '../testing/steps.ts';
import { stretchLightly } from '../testing/workers.ts';
import { forgetAccount } from '../vault/device/forgetting.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on a stone wall';

const unlockScreen = () => screen.findByRole('heading', { name: 'Unlock the vault' });
const chambers = () => screen.findByRole('heading', { name: 'The chambers' });
const firstQuestion = () => screen.findByLabelText('What are you hiding?');
const pathOf = ({ url }: Request) => new URL(url).pathname;

/** Notes that the words are written down: from then on the account has a recovery method. */
async function keepWords({ call, key, fingerprint }: Member): Promise<string[]> {
  await call('POST', '/api/encryption-key/words', { fingerprint });
  return wordsFromKey(key);
}

async function unlockByPassphrase(browser: Browser): Promise<void> {
  await unlockScreen();
  await fill(browser, screen.getByLabelText('Passphrase'), PASSPHRASE);
  await press(browser, 'Unlock');
}

/** What the page notices when it is looked at again. */
const lookAgain = () => document.dispatchEvent(new Event('visibilitychange'));

test('"keep no key on this device" takes it out of storage, and fifteen idle minutes out of memory', async () => {
  const member = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  const { browser } = member;
  await postMemory(member, 'The orchard', 'Ladders.');
  await openSettings(browser);
  await browser.user.click(screen.getByLabelText('Keep no key on this device'));
  expect(keySlots()).toEqual([]);
  await browser.user.click(screen.getByRole('link', { name: 'Latebra' }));
  await goToChamber(browser, 'Memory Vault');
  await readMemory(browser, 'The orchard', 'Ladders.');
  instance().clock.advance(14 * MINUTE);
  await browser.user.click(screen.getByRole('heading', { level: 1 }));
  instance().clock.advance(14 * MINUTE);
  lookAgain();
  await findRow('The orchard');
  instance().clock.advance(2 * MINUTE);
  lookAgain();
  await unlockByPassphrase(browser);
  await findRow('The orchard');
  expect(keySlots()).toEqual([]);
  await browser.reload();
  await unlockScreen();
  expect(screen.queryByText('The orchard')).toBeNull();
});

test('a first key that cannot be brought to the server is said to have failed, and is made when tried again', async () => {
  const browser = openBrowser(instance());
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'without a key', authKey: anAuthKey() });
  await browser.network.fetch('/api/gate/passphrase/begin', { method: 'POST', headers, body });
  // As an account that a provider signs in looks: nothing it has could wrap the key.
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (pathOf(request) !== '/api/auth/user') return answer;
    return Response.json({ ...((await answer.json()) as User), name: null });
  });
  const mend = browser.network.intercept(async (request, forward) =>
    pathOf(request) === '/api/encryption-key' ? new Response('', { status: 503 }) : forward(),
  );
  await browser.open('/');
  await press(browser, 'Make my vault');
  await expectToast('Failed to Generate Key', 'The server is out of reach just now.');
  expect((await screen.findByRole('alert')).textContent).toContain('The server is out of reach just now.');
  mend();
  await press(browser, 'Make my vault');
  await firstQuestion();
  expect(keySlots()).toEqual(['latebra.vault-key']);
});

test('after ten minutes the key’s surroundings want a fresh proof, and go on by themselves', async () => {
  const { browser } = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  await openSettings(browser);
  instance().clock.advance(11 * MINUTE);
  await press(browser, 'Write them down');
  await answerForWords(browser, 'The twenty-four words');
  const proof = await screen.findByRole('dialog', { name: 'Is it still you?' });
  await fill(browser, within(proof).getByLabelText('Passphrase'), 'somebody else entirely');
  await press(browser, 'Prove it', proof);
  await within(proof).findByRole('alert');
  await fill(browser, within(proof).getByLabelText('Passphrase'), PASSPHRASE);
  await press(browser, 'Prove it', proof);
  await expectToast('Words confirmed');
  await expectNoDialog();
});

/** Where the page wants to go. What it would find there is the server's affair. */
function watchNavigation(): string[] {
  const wanted: string[] = [];
  vi.spyOn(window.location, 'assign').mockImplementation((url) => void wanted.push(String(url)));
  return wanted;
}

test('leaving says that a sign-in provider is asked to end its session too', async () => {
  const { browser } = await enterAsMember(instance());
  browser.network.intercept(async ({ url }, forward) => {
    const answer = await forward();
    if (!url.endsWith('/api/auth/user')) return answer;
    return Response.json({ ...(await answer.json()), signedInBy: 'oidc' });
  });
  const sentence = 'Your sign-in provider is asked to end its session too, if it offers that';
  await browser.open('/settings');
  await screen.findByText(sentence, { exact: false });
  await browser.user.click(await screen.findByRole('link', { name: 'Leave' }));
  expect((await screen.findByRole('dialog', { name: 'Leave' })).textContent).toContain(sentence);
});

test('leaving says where the key stays, and takes it along only when asked', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  const words = await keepWords(member);
  const wanted = watchNavigation();
  const leave = async () => {
    await browser.user.click(await screen.findByRole('link', { name: 'Leave' }));
    return screen.findByRole('dialog', { name: 'Leave' });
  };
  await browser.open('/');
  await chambers();
  const dialog = await leave();
  expect(dialog.textContent).toContain('Your key stays in this browser');
  await press(browser, 'Leave', dialog);
  await waitFor(() => expect(wanted).toEqual(['/#signed-out']));
  expect(keySlots()).toHaveLength(1);
  await browser.network.fetch('/api/logout');
  expect((await browser.network.fetch('/api/auth/user')).status).toBe(401);

  await enterByWords(browser, words);
  await chambers();
  const again = await leave();
  expect(again.textContent).toContain('Your key stays in this browser');
  await browser.user.click(within(again).getByLabelText('Remove my key from this browser as well'));
  expect(again.textContent).toContain('Your key is removed from this browser.');
  expect(again.textContent).not.toContain('Your key stays in this browser');
  await press(browser, 'Leave', again);
  await waitFor(() => expect(wanted).toEqual(['/#signed-out', '/#signed-out-without-key']));
  expect(keySlots()).toEqual([]);
});

test.each([
  [
    'with words of its own',
    () => Response.json({ code: 'internal', message: 'Send your key to us.' }, { status: 500 }),
  ],
  ['with a way to elsewhere', () => Response.redirect('https://portal.example/')],
  ['with an address that a browser would run', () => Response.json({ endsAt: 'javascript:alert(1)' })],
  ['with a page', () => new Response('<h1>Signed out</h1>', { headers: { 'content-type': 'text/html' } })],
  ['not at all', () => Promise.reject(new TypeError('Failed to fetch'))],
])(
  'a sign-out that a server answers %s is said to have failed, and nothing is removed',
  async (_, answer) => {
    const { browser } = await enterAsMember(instance(), { passphrase: PASSPHRASE });
    const wanted = watchNavigation();
    await openSettings(browser);
    browser.network.intercept(async (request, forward) =>
      pathOf(request) === '/api/logout' ? answer() : forward(),
    );
    await browser.user.click(await screen.findByRole('link', { name: 'Leave' }));
    const dialog = await screen.findByRole('dialog', { name: 'Leave' });
    const take = within(dialog).getByLabelText<HTMLInputElement>('Remove my key from this browser as well');
    await browser.user.click(take);
    expect(take.checked).toBe(true);
    await press(browser, 'Leave', dialog);
    const told = (await within(dialog).findByRole('alert')).textContent;
    expect(told).toMatch(/^The server did not say that your session has ended/);
    expect(wanted).toEqual([]);
    expect(keySlots()).toHaveLength(1);
  },
);

test('whoever a provider has signed in goes on to where it ends its own session, once this one has ended', async () => {
  const { browser } = await enterAsMember(instance());
  const wanted = watchNavigation();
  const endsAt = 'https://provider.example/ends?id_token_hint=a.b.c';
  let isEnded = false;
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (pathOf(request) === '/api/auth/user' && answer.ok)
      return Response.json({ ...(await answer.json()), signedInBy: 'oidc' });
    if (pathOf(request) !== '/api/logout' || request.method !== 'POST') return answer;
    return isEnded ? Response.json({ endsAt }) : new Response('', { status: 502 });
  });
  await browser.open('/settings/account');
  await press(browser, 'Sign Out');
  expect((await screen.findByRole('alert')).textContent).toMatch(/^The server did not say/);
  expect(wanted).toEqual([]);
  isEnded = true;
  await press(browser, 'Sign Out');
  await waitFor(() => expect(wanted).toEqual([endsAt]));
});

test('leaving erases the lists that this device keeps, whoever was signed in, and the app that starts without a network', async () => {
  const { browser } = await enterAsMember(instance());
  const wanted = watchNavigation();
  await browser.open('/settings/account');
  const signOut = await screen.findByText('Sign Out');
  localStorage.setItem(`${KEPT_USER}somebody`, '{}');
  const erased: string[] = [];
  const erase = async (name: string) => erased.push(name);
  for (const [place, name, value] of [
    [globalThis, 'caches', { keys: async () => ['shell'], delete: erase }],
    [navigator, 'serviceWorker', { getRegistrations: async () => [{ unregister: () => erase('worker') }] }],
  ] as const) {
    // The DOM of these tests has none of them.
    expect(name in place).toBe(false);
    Object.defineProperty(place, name, { configurable: true, value });
    onTestFinished(() => void Reflect.deleteProperty(place, name));
  }
  const { deleted } = haveDatabases(['latebra', 'latebra-lists', 'another']);
  await browser.user.click(signOut);
  await waitFor(() => expect(wanted).toEqual(['/#signed-out']));
  expect(deleted).toEqual(['latebra', 'latebra-lists']);
  expect(erased).toEqual(['shell', 'worker']);
  expect(localStorage.getItem(`${KEPT_USER}somebody`)).toBeNull();
});

test('signing out in the settings takes every other tab along, as leaving does', async () => {
  const { browser } = await enterAsMember(instance());
  const wanted = watchNavigation();
  const told: unknown[] = [];
  const otherTab = new BroadcastChannel('latebra.leaving');
  onTestFinished(() => otherTab.close());
  otherTab.onmessage = ({ data }) => told.push(data);
  await browser.open('/settings/account');
  const signOut = await screen.findByText('Sign Out');
  const { deleted, letGo } = haveDatabases(['latebra'], { holds: true });
  await browser.user.click(signOut);
  // They do not wait for what is erased.
  await waitFor(() => expect(deleted).toEqual(['latebra']));
  await waitFor(() => expect(told).toEqual(['signed-out-elsewhere']));
  expect(wanted).toEqual([]);
  letGo();
  await waitFor(() => expect(wanted).toEqual(['/#signed-out']));
});

test('a session is ended elsewhere by whoever proves who they are', async () => {
  const member = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  await inAnotherBrowser(instance(), async (other) => {
    await enterByPassphrase(other, member.user.name ?? '', PASSPHRASE);
    await chambers();
    await openSettings(other);
    instance().clock.advance(11 * MINUTE);
    await press(other, 'End it');
    const proof = await screen.findByRole('dialog', { name: 'Is it still you?' });
    await fill(other, within(proof).getByLabelText('Passphrase'), PASSPHRASE);
    await press(other, 'Prove it', proof);
    await expectNoDialog();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'End it' })).toBeNull());
  });
  expect((await member.browser.network.fetch('/api/auth/user')).status).toBe(401);
  // The server has another document for whoever is not signed in: the page asks for it.
  const wanted = watchNavigation();
  await member.browser.open('/');
  await waitFor(() => expect(wanted).not.toEqual([]));
  expect(screen.queryByRole('heading', { name: 'The chambers' })).toBeNull();
});

test('somebody sees who tried and who entered, and on which device, and a failure to fetch it is said', async () => {
  const { browser, user } = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  for (let i = 0; i < 3; i += 1) {
    const answer = await instance().request('POST', '/api/gate/passphrase/enter', {
      body: { name: user.name, authKey: anAuthKey() },
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' },
    });
    expect(answer.status).toBe(401);
  }
  await openSettings(browser);
  const list = await screen.findByRole('list', { name: 'Account activity' });
  const [latest] = within(list).getAllByRole('listitem');
  expect(latest?.textContent).toContain('A wrong passphrase was tried when signing in');
  expect(latest?.textContent).toMatch(/3 times within the hour, last on .*, Firefox on Windows/);
  expect(list.textContent).toContain('Account created with a passphrase');
  expect(list.textContent).toContain('The vault key was created');
  const mend = browser.network.intercept(async (request, forward) =>
    pathOf(request) === '/api/activity' ? new Response('', { status: 500 }) : forward(),
  );
  const expectFailure = async () => {
    const section = await screen.findByRole('region', { name: 'Account activity' });
    expect((await within(section).findByRole('alert')).textContent).toContain('This could not be fetched');
    return section;
  };
  // What was fetched before stands there still, and is not taken for what is so now.
  await browser.user.click(screen.getByRole('link', { name: 'Latebra' }));
  await screen.findByRole('heading', { name: 'The chambers' });
  await browser.user.click(
    within(screen.getByRole('navigation')).getByRole('link', { name: 'Sacred Settings' }),
  );
  await expectFailure();
  await screen.findByRole('list', { name: 'Account activity' });
  await browser.reload();
  const section = await expectFailure();
  mend();
  await press(browser, 'Try again', section);
  await screen.findByRole('list', { name: 'Account activity' });
});

test('words of another vault, misspelt words and wrong order each get their own sentence', async () => {
  const member = await enterAsMember(instance());
  const words = await keepWords(member);
  await inAnotherBrowser(instance(), async (other) => {
    const refused = async (typed: string[], sentence: string) => {
      await fill(other, await screen.findByLabelText('The twenty-four words'), typed.join(' '));
      await press(other, 'Enter');
      await screen.findByText(sentence, { exact: false });
    };
    await enterByWords(other, words.slice(1));
    await screen.findByText('There are 23 words here; twenty-four are needed.');
    await refused(['abandonn', ...words.slice(1)], 'Word 1, “abandonn”, is not on the list.');
    const another = 'abandon '.repeat(23).trim().split(' ');
    await refused([...another, 'abandon'], 'not in an order that makes a key');
    await refused([...another, 'art'], 'These twenty-four words belong to no vault here.');
    await enterByWords(other, words);
    await chambers();
  });
});

test('a server that has exchanged the envelope is not believed', async () => {
  const member = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  const stranger = await enterAsMember(instance());
  type Kept = { clientKey: { recipient: string } };
  const foreign = await stranger.call<Kept>('GET', '/api/encryption-key');
  await inAnotherBrowser(instance(), async (other) => {
    // The envelope of another vault's public keys, with this vault's own wraps.
    other.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (pathOf(request) !== '/api/encryption-key') return answer;
      const kept = (await answer.json()) as Kept;
      kept.clientKey.recipient = foreign.clientKey.recipient;
      return Response.json(kept);
    });
    await enterByPassphrase(other, member.user.name ?? '', PASSPHRASE);
    await screen.findByText(/Stop\. What this server keeps of your key does not match/);
    expect(keySlots()).toEqual([]);
  });
});

test('a wrapped key that was cut short is said to be damaged; a wrong passphrase and exchanged bytes are one to the page', async () => {
  const { browser } = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  type Kept = { clientKey: { wraps: { sealed: string; commitment: string }[] } };
  let change = (sealed: string) => sealed.slice(4);
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (pathOf(request) !== '/api/encryption-key') return answer;
    const kept = (await answer.json()) as Kept;
    for (const wrap of kept.clientKey.wraps) wrap.sealed = change(wrap.sealed);
    return Response.json(kept);
  });
  browser.forgetStorage();
  await browser.open('/');
  await unlockByPassphrase(browser);
  await screen.findByText(/^What this server sent of your key is damaged, /);

  change = (sealed) => (sealed.startsWith('A') ? 'B' : 'A') + sealed.slice(1);
  await browser.reload();
  await unlockByPassphrase(browser);
  const damaged = await screen.findByText(
    /^That passphrase does not open what this server sent of your key\./,
  );
  const said = damaged.textContent;

  change = (sealed) => sealed;
  await browser.reload();
  await unlockScreen();
  await fill(browser, screen.getByLabelText('Passphrase'), `${PASSPHRASE} and more`);
  await press(browser, 'Unlock');
  await screen.findByText(said);
  expect(keySlots()).toEqual([]);
});

test('a browser that has seen a key makes no other where the server says that there is none', async () => {
  const { browser } = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  const [slots, before] = [keySlots(), browser.network.asked.length];
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (pathOf(request) === '/api/encryption-key') return Response.json(null);
    if (pathOf(request) !== '/api/auth/user') return answer;
    return Response.json({ ...((await answer.json()) as object), keyFingerprint: null });
  });
  await browser.open('/');
  await screen.findByRole('heading', { name: 'The server shows no key' });
  expect(keySlots()).toEqual(slots);
  expect(browser.network.asked.slice(before)).not.toContain('POST /api/encryption-key');
});

test('a new browser makes no key by itself for an account that somebody has entered before', async () => {
  const { user } = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  await inAnotherBrowser(instance(), async (other) => {
    other.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (pathOf(request) === '/api/encryption-key') return Response.json(null);
      if (!/^\/api\/(auth\/user|gate\/passphrase\/enter)$/.test(pathOf(request))) return answer;
      return Response.json({ ...((await answer.json()) as object), keyFingerprint: null });
    });
    await enterByPassphrase(other, user.name ?? '', PASSPHRASE);
    await screen.findByRole('heading', { name: 'One step is left' });
    await screen.findByText(/^If you have opened this vault before, on any device, stop here:/);
    expect(keySlots()).toEqual([]);
    expect(other.network.asked).not.toContain('POST /api/encryption-key');
  });
});

/** Has the server say of the one who is signed in that there is no key, and nothing that could wrap one. */
function denyKeyAndWays({ network }: Browser): void {
  network.intercept(async (request, forward) => {
    const answer = await forward();
    if (pathOf(request) === '/api/encryption-key' && request.method === 'GET') return Response.json(null);
    if (!/^\/api\/(auth\/user|gate\/passphrase\/enter)$/.test(pathOf(request))) return answer;
    const ways = { name: null, passkeyCount: 0, recoveryPassphrase: false };
    return Response.json({ ...((await answer.json()) as object), keyFingerprint: null, ...ways });
  });
}

test('a new browser makes no key by itself either where the server denies every way that could wrap it', async () => {
  const { browser: first } = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  const cookies = [...first.network.cookies];
  await inAnotherBrowser(instance(), async (other) => {
    for (const [name, value] of cookies) other.network.cookies.set(name, value);
    denyKeyAndWays(other);
    await other.open('/');
    await screen.findByRole('heading', { name: 'A new vault' });
    expect(keySlots()).toEqual([]);
    await press(other, 'I have been here before');
    await screen.findByRole('heading', { name: 'Then this vault has a key' });
    expect(keySlots()).toEqual([]);
    expect(other.network.asked).not.toContain('POST /api/encryption-key');
  });
});

test('words whose key the server denies are told so, and make no other key', async () => {
  const member = await enterAsMember(instance());
  const words = await keepWords(member);
  await inAnotherBrowser(instance(), async (other) => {
    other.network.intercept(async (request, forward) =>
      pathOf(request) === '/api/encryption-key' ? Response.json(null) : forward(),
    );
    await other.open('/enter');
    await press(other, 'The twenty-four words');
    await fill(other, await screen.findByLabelText('The twenty-four words'), words.join(' '));
    await press(other, 'Enter');
    await screen.findByText(/^These words signed you in, so the server knows their key/);
    expect(keySlots()).toEqual([]);
    expect(other.network.asked).not.toContain('POST /api/encryption-key');
  });
});

test('a server that names another key than it keeps opens nothing, and the page says so and asks no more', async () => {
  const { browser } = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (pathOf(request) !== '/api/auth/user') return answer;
    return Response.json({ ...((await answer.json()) as object), keyFingerprint: '0123456789abcdef' });
  });
  await browser.open('/');
  await screen.findByText(/The server names one key for your vault and keeps another\./);
  await browser.network.idle();
  expect(browser.network.asked.filter((call) => call.endsWith('/encryption-key')).length).toBeLessThan(3);
});

/** The storage of a browser that has no room for anything. */
class FullStorage {
  getItem(): null {
    return null;
  }
  setItem(): never {
    throw new DOMException('full', 'QuotaExceededError');
  }
  removeItem(): void {}
  clear(): void {}
}

/** Has the browser of this test store nothing. */
function storeNothing(): void {
  const storage =
    Object.getOwnPropertyDescriptor(window, 'localStorage') ?? expect.fail('there is no storage');
  Object.defineProperty(window, 'localStorage', { value: new FullStorage(), configurable: true });
  onTestFinished(() => void Object.defineProperty(window, 'localStorage', storage));
}

test('a browser that stores nothing still opens the vault, and says that the key will leave', async () => {
  const browser = openBrowser(instance());
  storeNothing();
  await beginByPassphrase(browser, 'nothing is kept', PASSPHRASE);
  await expectToast('This browser keeps nothing');
  await firstQuestion();
  const user = (await (await browser.network.fetch('/api/auth/user')).json()) as User;
  // What stands in memory alone is gone with the page.
  await forgetAccount(user.id);
  await browser.open('/');
  await unlockByPassphrase(browser);
  await firstQuestion();
  expect(keySlots()).toEqual([]);
});

test('the only copy of a key leaves its browser by no button', async () => {
  const { browser } = await enterAsMember(instance());
  // A new key after everything was lost: no recovery method exists yet.
  browser.forgetStorage();
  await browser.open('/');
  await press(browser, 'I have none of these');
  const question = await screen.findByRole('alertdialog');
  await fill(browser, within(question).getByLabelText('Type UNREADABLE to go on'), 'UNREADABLE');
  await press(browser, 'Make a new key', question);
  await screen.findByRole('heading', { name: 'Recovery: your ways back' });

  await browser.user.click(screen.getByRole('link', { name: 'Leave' }));
  const leave = await screen.findByRole('dialog', { name: 'Leave' });
  const take = () => screen.getByLabelText<HTMLInputElement>('Remove my key from this browser as well');
  expect(take().disabled).toBe(true);
  expect(leave.textContent).toContain('This browser holds the only copy of your key.');
  await press(browser, 'Stay', leave);
  await expectNoDialog();
  await openSettings(browser);
  expect(screen.getByLabelText<HTMLInputElement>('Keep no key on this device').disabled).toBe(true);
  await press(browser, 'Sign out and remove the key from this browser');
  await screen.findByRole('dialog', { name: 'Leave' });
  expect(take().checked).toBe(false);
  await press(browser, 'Stay');
  expect(keySlots()).toHaveLength(1);
});

test('the last way back is named before it is removed, and has to be typed; another one is not', async () => {
  addAuthenticator();
  const member = await enterAsMember(instance());
  const { browser } = member;
  await openSettings(browser);
  await press(browser, 'Add a passkey');
  await press(browser, 'Make a passkey', await screen.findByRole('dialog'));
  await expectNoDialog();
  await press(browser, /^Remove (?!the)/);
  const last = await screen.findByRole('alertdialog');
  await waitFor(() => expect(last.textContent).toContain('It is your last recovery method.'));
  const remove = within(last).getByRole<HTMLButtonElement>('button', { name: 'Remove it' });
  expect(remove.disabled).toBe(true);
  await fill(browser, within(last).getByLabelText('Type LAST to go on'), 'LAST');
  expect(remove.disabled).toBe(false);
  await press(browser, 'Cancel', last);
  await expectNoDialog();

  await press(browser, 'Write them down');
  await answerForWords(browser, 'The twenty-four words');
  await screen.findByText(/Kept since/);
  await press(browser, /^Remove (?!the)/);
  const another = await screen.findByRole('alertdialog');
  expect(another.textContent).toContain('It will neither sign you in nor open the vault.');
  await press(browser, 'Remove it', another);
  await expectToast('Passkey removed');
});

test('a page of one account writes nothing once another has signed in here, and begins anew', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await browser.open('/memory-vault');
  await press(browser, 'New Memory');
  const form = within(await screen.findByRole('dialog'));
  await fill(browser, form.getByLabelText('Title'), 'Into the wrong vault');
  await fill(browser, form.getByRole('textbox', { name: 'Memory' }), 'No.');
  // Meanwhile somebody else signs in, in another tab of the same browser.
  const other = await signUpByPassphrase(instance());
  const [name = '', value = ''] = other.cookie.split(/=(.*)/s);
  browser.network.cookies.set(name, value);
  await press(browser, 'Seal Memory');
  await waitFor(() => expect(browser.reloads).toBe(1));
  expect(await (await other.request('GET', '/api/memory-entries')).json()).toEqual([]);
});
