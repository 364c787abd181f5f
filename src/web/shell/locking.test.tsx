// Locking, below the browser: the button, the idle lock and its question, every tab, and what is being written meanwhile.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE } from '../../shared/time.ts';
import { keySlots, openSettings, postMemory } from '../testing/another-key.ts';
import type { Browser } from '../testing/browser.tsx';
import { enterByPassphrase } from '../testing/gate-steps.ts';
import { anInstance } from '../testing/instance.ts';
import { enterAsMember, type Member } from '../testing/member.ts';
import { expectToast, fill, findRow, goToChamber, press, textIn } from '../testing/steps.ts';
import { stretchLightly } from '../testing/workers.ts';
import { deviceOwner, setDeviceOwner } from '../vault/device/device.ts';
import { keepNextKey, loadNextKeys } from '../vault/device/key-slot.ts';
import { watchLeaving } from '../vault/session/leaving.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on a stone wall';

const unlockScreen = () => screen.findByRole('heading', { name: 'Unlock the vault' });
const question = () => screen.queryByText(/^Until you answer, it locks after 30 minutes\.$/);

/** A member with a recovery method, before a vault with one memory; nobody has said yet whose device it is. */
async function beforeTheOrchard({ answered = false } = {}): Promise<Member> {
  const member = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  if (!answered) localStorage.removeItem(`latebra.device:${member.user.id}`);
  await postMemory(member, 'The orchard', 'Ladders.');
  await member.browser.open('/memory-vault');
  await findRow('The orchard');
  return member;
}

async function unlock(browser: Browser): Promise<void> {
  await unlockScreen();
  await fill(browser, screen.getByLabelText('Passphrase'), PASSPHRASE);
  await press(browser, 'Unlock');
}

/** What the page notices when it is looked at again. */
const lookAgain = () => document.dispatchEvent(new Event('visibilitychange'));

const expectNothingOfTheVault = () => expect(document.documentElement.outerHTML).not.toContain('orchard');

test('the lock takes the key out of the browser and every text off the page, until it is unlocked', async () => {
  const { browser } = await beforeTheOrchard();
  expect(keySlots()).toHaveLength(1);
  await press(browser, 'Lock');
  await unlockScreen();
  screen.getByText(/^You are signed in\. This browser does not hold the key/);
  expect(keySlots()).toEqual([]);
  expectNothingOfTheVault();
  await browser.reload();
  await unlock(browser);
  await findRow('The orchard');
});

test('a draft that was being written comes back after the lock, and was sealed meanwhile', async () => {
  const { browser } = await beforeTheOrchard();
  await browser.open('/memory-vault/new');
  const form = within(await screen.findByRole('dialog', { name: 'New Memory' }));
  await fill(browser, form.getByLabelText('Title'), 'Half a title');
  await fill(browser, form.getByRole('textbox', { name: 'Memory' }), 'Half a sentence of the harvest');
  // The idle lock strikes wherever somebody stands.
  instance().clock.advance(31 * MINUTE);
  lookAgain();
  await unlockScreen();
  screen.getByText(
    /^The vault locked by itself, because nobody used it here for 30 minutes\. You are still signed in\./,
  );
  expect(document.documentElement.outerHTML).not.toContain('harvest');
  await waitFor(() =>
    expect(Object.keys({ ...localStorage }).some((name) => name.startsWith('latebra.draft'))).toBe(true),
  );
  expect(JSON.stringify({ ...localStorage })).not.toContain('harvest');
  await unlock(browser);
  const again = within(await screen.findByRole('dialog', { name: 'New Memory' }));
  await waitFor(() => expect(textIn(again.getByLabelText('Title'))).toBe('Half a title'));
  expect(textIn(again.getByRole('textbox', { name: 'Memory' }))).toBe('Half a sentence of the harvest');
});

test('another tab that locks takes the texts of this one, also where each keeps its key in memory', async () => {
  const member = await beforeTheOrchard();
  const { browser, user } = member;
  const hear = (key: string) => window.dispatchEvent(new StorageEvent('storage', { key }));
  localStorage.removeItem(`latebra.vault-key:${user.id}`);
  hear(`latebra.vault-key:${user.id}`);
  await unlockScreen();
  expectNothingOfTheVault();
  await unlock(browser);
  await findRow('The orchard');

  await openSettings(browser);
  await browser.user.click(screen.getByLabelText('Keep no key on this device'));
  await goToChamber(browser, 'Memory Vault');
  await findRow('The orchard');
  localStorage.setItem(`latebra.locked:${user.id}`, 'another tab');
  hear(`latebra.locked:${user.id}`);
  await unlockScreen();
  expectNothingOfTheVault();
});

test('a lock is heard by the other tabs each time', async () => {
  const { browser, user } = await beforeTheOrchard();
  const heard: (string | null)[] = [];
  for (let i = 0; i < 2; i += 1) {
    await press(browser, 'Lock');
    await unlockScreen();
    heard.push(localStorage.getItem(`latebra.locked:${user.id}`));
    await unlock(browser);
    await findRow('The orchard');
  }
  expect(new Set(heard).size).toBe(2);
  expect(heard).not.toContain(null);
});

test('a browser is asked once whose device it is, and until then locks after 30 idle minutes', async () => {
  const { browser, user } = await beforeTheOrchard();
  await waitFor(() => expect(question()).not.toBeNull());
  await browser.user.click(screen.getByRole('heading', { level: 1 }));
  instance().clock.advance(29 * MINUTE);
  lookAgain();
  await findRow('The orchard');
  instance().clock.advance(2 * MINUTE);
  lookAgain();
  await unlock(browser);
  await findRow('The orchard');
  expect(deviceOwner(user.id)).toBeNull();
  await press(browser, 'Answer');
  await screen.findByText(/^If others use it, your vault locks after 30 minutes without a touch/);
  await press(browser, 'Mine alone');
  await expectToast('Idle lock is off');
  expect(question()).toBeNull();
  // The banner is gone, and its button with it.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
  instance().clock.advance(24 * 60 * MINUTE);
  lookAgain();
  await findRow('The orchard');
  await browser.reload();
  await findRow('The orchard');
  expect(question()).toBeNull();
});

test('whose device it is, is asked at the gate, once; whoever leaves there is asked beneath the head', async () => {
  const { browser, user } = await beforeTheOrchard({ answered: true });
  const enter = async () => {
    await browser.network.fetch('/api/logout');
    await browser.open('/enter');
    await press(browser, /^(A|Enter with a) name and a passphrase$/);
    await fill(browser, await screen.findByLabelText('Name'), user.name ?? '');
    await fill(browser, screen.getByLabelText('Passphrase'), PASSPHRASE);
    await press(browser, 'Enter');
  };
  localStorage.removeItem(`latebra.device:${user.id}`);
  await enter();
  await screen.findByRole('heading', { name: 'Is this device yours alone?' });
  screen.getByText(/Until you answer, it does the same\./);
  await browser.open('/');
  await waitFor(() => expect(question()).not.toBeNull());
  await enter();
  await press(browser, 'Mine alone');
  await screen.findByRole('heading', { name: 'The chambers' });
  expect(deviceOwner(user.id)).toBe('own');
  await enter();
  await screen.findByRole('heading', { name: 'The chambers' });
  expect(question()).toBeNull();
});

test('the settings show the answer, change it, and lock at once', async () => {
  const { browser, user } = await beforeTheOrchard();
  await waitFor(() => expect(question()).not.toBeNull());
  await press(browser, 'Answer');
  await press(browser, 'Others use it');
  await openSettings(browser);
  const box = screen.getByLabelText<HTMLInputElement>('Lock the vault after 30 minutes without a touch');
  expect(box.checked).toBe(true);
  await browser.user.click(box);
  expect(deviceOwner(user.id)).toBe('own');
  await browser.user.click(box);
  expect(deviceOwner(user.id)).toBe('shared');
  await press(browser, 'Lock now');
  await unlockScreen();
});

test('a device that is given to others forgets the lists and the files that it kept', async () => {
  const { browser, user } = await beforeTheOrchard();
  setDeviceOwner(user.id, 'own');
  await openSettings(browser);
  const forgotten: string[] = [];
  const others = ['../vault/device/kept-blocks.ts', '../vault/device/kept-files.ts'];
  onTestFinished(() => others.forEach((part) => void vi.doUnmock(part)));
  vi.doMock('../vault/device/kept-blocks.ts', () => ({ forgetBlocks: () => forgotten.push('lists') }));
  vi.doMock('../vault/device/kept-files.ts', () => ({ forgetFiles: () => forgotten.push('files') }));
  await browser.user.click(screen.getByLabelText('Lock the vault after 30 minutes without a touch'));
  await waitFor(() => expect(forgotten.sort()).toEqual(['files', 'lists']));
});

test('a page that was closed for longer is locked when it is opened again, and signing in counts as a touch', async () => {
  const { browser, user } = await beforeTheOrchard();
  await browser.user.click(screen.getByRole('heading', { level: 1 }));
  instance().clock.advance(29 * MINUTE);
  await browser.reload();
  await findRow('The orchard');
  instance().clock.advance(31 * MINUTE);
  await browser.reload();
  await unlockScreen();
  expect(keySlots()).toEqual([]);
  // It is still true after another reload, and not once the vault was opened again.
  await browser.reload();
  await screen.findByText(/^The vault locked by itself, because nobody used it here for 30 minutes\./);
  await browser.network.fetch('/api/logout');
  instance().clock.advance(31 * MINUTE);
  await enterByPassphrase(browser, user.name ?? '', PASSPHRASE);
  await screen.findByRole('heading', { name: 'The chambers' });
  await press(browser, 'Lock');
  await unlockScreen();
  expect(screen.queryByText(/^The vault locked by itself/)).toBeNull();
});

test('a tab that was left alone stays open while another one is used', async () => {
  const { browser, user } = await beforeTheOrchard();
  await browser.user.click(screen.getByRole('heading', { level: 1 }));
  instance().clock.advance(31 * MINUTE);
  localStorage.setItem(`latebra.last-used:${user.id}`, String(Date.now() - MINUTE));
  lookAgain();
  await findRow('The orchard');
  expect(keySlots()).toHaveLength(1);
});

test('the first touch after a long sleep locks instead of counting', async () => {
  const { browser } = await beforeTheOrchard();
  await browser.user.click(screen.getByRole('heading', { level: 1 }));
  instance().clock.advance(31 * MINUTE);
  await browser.user.click(screen.getByRole('heading', { level: 1 }));
  await unlockScreen();
});

test('the only copy of a key is locked away neither by the button nor by idling', async () => {
  const member = await enterAsMember(instance());
  const { browser, user } = member;
  localStorage.removeItem(`latebra.device:${user.id}`);
  await postMemory(member, 'The orchard', 'Ladders.');
  await browser.open('/memory-vault');
  await findRow('The orchard');
  await press(browser, 'Lock');
  const why = await screen.findByRole('dialog', { name: 'This vault cannot be locked yet' });
  await press(browser, 'Close', why.querySelector('form') ?? why);
  instance().clock.advance(31 * MINUTE);
  lookAgain();
  await browser.network.idle();
  expect(screen.queryByRole('dialog')).toBeNull();
  await findRow('The orchard');
  await browser.reload();
  await findRow('The orchard');
  expect(keySlots()).toHaveLength(1);
});

test('a recovery method that was removed elsewhere is noticed before the key is thrown away', async () => {
  const { browser } = await beforeTheOrchard();
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (new URL(request.url).pathname !== '/api/auth/user') return answer;
    const user = (await answer.json()) as object;
    return Response.json({ ...user, recoveryPassphrase: false, recoveryPasskeys: 0, wordsKeptAt: null });
  });
  await press(browser, 'Lock');
  await screen.findByRole('dialog', { name: 'This vault cannot be locked yet' });
  expect(keySlots()).toHaveLength(1);
});

/** Has the server say something else of the one who is signed in. */
function lieOfUser({ network }: Browser, lie: object): void {
  network.intercept(async (request, forward) => {
    const answer = await forward();
    if (new URL(request.url).pathname !== '/api/auth/user') return answer;
    return Response.json({ ...((await answer.json()) as object), ...lie });
  });
}

const stayedOpen = () => screen.findByText(/^It did not lock by itself/);

test.each([
  { recoveryPasskeys: 1 },
  { recoveryPassphrase: true },
  { wordsKeptAt: '2026-01-01T00:00:00.000Z' },
  { recoveryPasskeys: 2, recoveryPassphrase: true },
])('the only copy of a key does not leave on the server’s word alone: %j', async (lie) => {
  const member = await enterAsMember(instance());
  const { browser, user } = member;
  localStorage.removeItem(`latebra.device:${user.id}`);
  await postMemory(member, 'The orchard', 'Ladders.');
  const slots = keySlots();
  lieOfUser(browser, lie);
  await browser.open('/memory-vault');
  await findRow('The orchard');
  instance().clock.advance(31 * MINUTE);
  lookAgain();
  await stayedOpen();
  await browser.reload();
  await findRow('The orchard');
  expect(keySlots()).toEqual(slots);
  await stayedOpen();

  await press(browser, 'Lock now');
  const asked = await screen.findByRole('dialog', { name: 'Do you have a recovery method at hand?' });
  await press(browser, 'Not now', asked);
  await openSettings(browser);
  expect(screen.getByLabelText<HTMLInputElement>('Keep no key on this device').disabled).toBe(true);
  expect(keySlots()).toEqual(slots);
});

test('a recovery method from another browser counts once it has opened the vault in this one', async () => {
  const { browser, user } = await beforeTheOrchard();
  // It was set up elsewhere: this browser had the key before it noted by what it was opened.
  localStorage.removeItem(`latebra.methods:${user.id}`);
  instance().clock.advance(31 * MINUTE);
  lookAgain();
  await stayedOpen();
  await press(browser, 'Lock now');
  await press(browser, 'I have it: lock', await screen.findByRole('dialog'));
  await unlock(browser);
  await findRow('The orchard');
  expect(screen.queryByText(/^It did not lock by itself/)).toBeNull();
  instance().clock.advance(31 * MINUTE);
  lookAgain();
  await unlockScreen();
  expect(keySlots()).toEqual([]);
});

test('a server that denies every recovery method switches the idle lock off, and the page says so', async () => {
  const { browser } = await beforeTheOrchard();
  lieOfUser(browser, { recoveryPassphrase: false });
  await browser.user.click(screen.getByRole('heading', { level: 1 }));
  instance().clock.advance(31 * MINUTE);
  await browser.reload();
  await findRow('The orchard');
  await stayedOpen();
  expect(keySlots()).toHaveLength(1);
});

test('a key that was set aside waits through a lock, sealed, and is back with the key', async () => {
  const { browser, user } = await beforeTheOrchard();
  const aside = 'ab'.repeat(32);
  keepNextKey(user.id, aside);
  await press(browser, 'Lock');
  await unlockScreen();
  expect(loadNextKeys(user.id)).toEqual([]);
  expect(JSON.stringify({ ...localStorage })).not.toContain(aside);
  await unlock(browser);
  await findRow('The orchard');
  expect(loadNextKeys(user.id)).toEqual([aside]);
});

/** Has this browser refuse to store keys that wait, sealed ones unless told, as where it has no room, until that is taken back. */
function withoutRoom(refused = 'latebra.keys-aside'): () => void {
  const { localStorage: roomy } = window;
  const full = new Proxy(roomy, {
    get(store, name) {
      if (name === 'setItem')
        return (slot: string, text: string) => {
          if (slot.startsWith(`${refused}:`)) throw new DOMException('full', 'QuotaExceededError');
          store.setItem(slot, text);
        };
      const found = Reflect.get(store, name) as unknown;
      return typeof found === 'function' ? found.bind(store) : found;
    },
  });
  const as = Object.getOwnPropertyDescriptor(window, 'localStorage') ?? expect.fail('there is no storage');
  Object.defineProperty(window, 'localStorage', { configurable: true, value: full });
  const makeRoom = () => void Object.defineProperty(window, 'localStorage', as);
  onTestFinished(makeRoom);
  return makeRoom;
}

test('a vault stays open where a key that was set aside would be lost, says so, and locks when there is room', async () => {
  const { browser, user } = await beforeTheOrchard();
  const aside = 'ab'.repeat(32);
  keepNextKey(user.id, aside);
  const makeRoom = withoutRoom();
  await press(browser, 'Lock');
  const why = await screen.findByRole('dialog', { name: 'The vault was not locked' });
  expect(why.textContent).toContain('Nothing was removed.');
  expect(keySlots()).not.toEqual([]);
  expect(loadNextKeys(user.id)).toEqual([aside]);
  makeRoom();
  await press(browser, 'Try again', why);
  await unlock(browser);
  await findRow('The orchard');
  expect(loadNextKeys(user.id)).toEqual([aside]);
});

test('a vault that was left alone stays open for the same reason, and says so', async () => {
  const { browser, user } = await beforeTheOrchard();
  keepNextKey(user.id, 'ab'.repeat(32));
  withoutRoom();
  await browser.user.click(screen.getByRole('heading', { level: 1 }));
  instance().clock.advance(31 * MINUTE);
  lookAgain();
  await screen.findByRole('dialog', { name: 'The vault was not locked' });
  expect(loadNextKeys(user.id)).toHaveLength(1);
});

test('nobody leaves while a key that was set aside would be lost, whether their own key stays or not', async () => {
  const { browser, user } = await beforeTheOrchard();
  const aside = 'ab'.repeat(32);
  const wanted: string[] = [];
  vi.spyOn(window.location, 'assign').mockImplementation((url) => void wanted.push(String(url)));
  keepNextKey(user.id, aside);
  const makeRoom = withoutRoom();
  await browser.user.click(await screen.findByRole('link', { name: 'Leave' }));
  const dialog = await screen.findByRole('dialog', { name: 'Leave' });
  await browser.user.click(within(dialog).getByLabelText('Remove my key from this browser as well'));
  await press(browser, 'Leave', dialog);
  expect((await within(dialog).findByRole('alert')).textContent).toContain('would be lost');
  expect(wanted).toEqual([]);
  expect(loadNextKeys(user.id)).toEqual([aside]);
  makeRoom();
  await press(browser, 'Stay', dialog);

  // A device that keeps no key has that one in memory alone: it goes with the page.
  await openSettings(browser);
  await browser.user.click(screen.getByLabelText('Keep no key on this device'));
  expect(localStorage.getItem(`latebra.keys-aside:${user.id}`)).toBeNull();
  await browser.user.click(await screen.findByRole('link', { name: 'Leave' }));
  const again = await screen.findByRole('dialog', { name: 'Leave' });
  expect(again.textContent).toContain('This device keeps no key');
  await press(browser, 'Leave', again);
  await waitFor(() => expect(wanted).toEqual(['/#signed-out']));
  expect(localStorage.getItem(`latebra.keys-aside:${user.id}`)).not.toBeNull();
});

/** Where the page wants to go, and what is sealed in this browser by then. */
function watchGoing(uid: string): { to: string; sealed: string | null }[] {
  const gone: { to: string; sealed: string | null }[] = [];
  vi.spyOn(window.location, 'assign').mockImplementation((url) => {
    gone.push({ to: String(url), sealed: localStorage.getItem(`latebra.keys-aside:${uid}`) });
  });
  return gone;
}

test('whoever cannot have a waiting key sealed is told what is lost, and may leave without it', async () => {
  const { browser, user } = await beforeTheOrchard();
  const gone = watchGoing(user.id);
  await openSettings(browser);
  await browser.user.click(screen.getByLabelText('Keep no key on this device'));
  keepNextKey(user.id, 'ab'.repeat(32));
  withoutRoom();
  await browser.user.click(await screen.findByRole('link', { name: 'Leave' }));
  const dialog = await screen.findByRole('dialog', { name: 'Leave' });
  expect(within(dialog).queryByRole('button', { name: 'Sign out and lose that key' })).toBeNull();
  await press(browser, 'Leave', dialog);
  await within(dialog).findByText(/what was written under it alone cannot be opened again/);
  expect(gone).toEqual([]);
  await press(browser, 'Sign out and lose that key', dialog);
  await waitFor(() => expect(gone).toEqual([{ to: '/#signed-out', sealed: null }]));
});

test('a locked tab asks as well before it leaves with the only copy of a key that waits', async () => {
  const { browser, user } = await beforeTheOrchard();
  const gone = watchGoing(user.id);
  await openSettings(browser);
  await browser.user.click(screen.getByLabelText('Keep no key on this device'));
  await press(browser, 'Lock');
  await unlockScreen();
  keepNextKey(user.id, 'ab'.repeat(32));
  await browser.user.click(await screen.findByRole('link', { name: 'Leave' }));
  const dialog = await screen.findByRole('dialog', { name: 'Leave' });
  await press(browser, 'Leave', dialog);
  await within(dialog).findByRole('button', { name: 'Sign out and lose that key' });
  expect(gone).toEqual([]);
});

// A page does this once.
let isWatching = false;

/** Another tab of this browser, which leaves as soon as it is told to. */
function anotherTab(): { leave(): void } {
  if (!isWatching) watchLeaving(() => undefined);
  isWatching = true;
  const tab = new BroadcastChannel('latebra.leaving');
  onTestFinished(() => tab.close());
  return { leave: () => tab.postMessage('signed-out-elsewhere') };
}

test('a tab seals the keys that wait in its memory alone before it follows another one that leaves', async () => {
  const { browser, user } = await beforeTheOrchard();
  const gone = watchGoing(user.id);
  const other = anotherTab();
  await openSettings(browser);
  await browser.user.click(screen.getByLabelText('Keep no key on this device'));
  const aside = 'ab'.repeat(32);
  keepNextKey(user.id, aside);
  other.leave();
  await waitFor(() => expect(gone.map(({ to }) => to)).toContain('/#signed-out-elsewhere'));
  expect(gone[0]?.sealed).toMatch(/^\[\{"under"/);
  expect(gone[0]?.sealed).not.toContain(aside);
});

test('a tab that follows keeps a key for itself where the browser has no room, and has it again once the vault is open', async () => {
  const { browser, user } = await beforeTheOrchard();
  const gone = watchGoing(user.id);
  const other = anotherTab();
  await openSettings(browser);
  await browser.user.click(screen.getByLabelText('Keep no key on this device'));
  const aside = 'ab'.repeat(32);
  keepNextKey(user.id, aside);
  const makeRoom = withoutRoom();
  other.leave();
  await waitFor(() => expect(gone.map(({ to }) => to)).toContain('/#signed-out-elsewhere'));
  expect(JSON.stringify({ ...sessionStorage })).toContain('latebra.keys-aside');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain(aside);
  makeRoom();
  await browser.open('/memory-vault');
  await unlock(browser);
  await findRow('The orchard');
  await waitFor(() => expect(loadNextKeys(user.id)).toEqual([aside]));
});

test('a tab that follows late ends nothing but itself: who has signed in since stays signed in', async () => {
  const { browser, user } = await beforeTheOrchard();
  const gone = watchGoing(user.id);
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  const other = anotherTab();
  const before = browser.network.asked.length;
  await browser.open('/');
  other.leave();
  await waitFor(() => expect(gone.map(({ to }) => to)).toEqual(['/#signed-out-elsewhere']));
  // On this very page an address that differs behind `#` alone would load nothing.
  expect(reload).toHaveBeenCalledTimes(1);
  expect(browser.network.asked.slice(before).join()).not.toContain('/api/logout');
  // What that address shows where somebody has signed in anew: their vault.
  await browser.open('/#signed-out-elsewhere');
  await screen.findByRole('heading', { name: 'The chambers' });
});

test('a tab that cannot seal them follows all the same, and does not wait for a turn that never comes', async () => {
  const { browser, user } = await beforeTheOrchard();
  const gone = watchGoing(user.id);
  const other = anotherTab();
  await openSettings(browser);
  await browser.user.click(screen.getByLabelText('Keep no key on this device'));
  keepNextKey(user.id, 'ab'.repeat(32));
  const asked: string[] = [];
  const request = (name: string) => {
    asked.push(name);
    return new Promise(() => {});
  };
  const as = Object.getOwnPropertyDescriptor(navigator, 'locks');
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
  onTestFinished(() => {
    if (as) Object.defineProperty(navigator, 'locks', as);
    else Reflect.deleteProperty(navigator, 'locks');
  });
  other.leave();
  await waitFor(() => expect(gone.map(({ sealed }) => sealed)).toContain(null));
  expect(asked).toContain(`latebra.keys-aside:${user.id}`);
});

test('a key that waited sealed stays so where the browser has no room to let it wait again', async () => {
  const { browser, user } = await beforeTheOrchard();
  const aside = 'ab'.repeat(32);
  keepNextKey(user.id, aside);
  await press(browser, 'Lock');
  await unlockScreen();
  withoutRoom('latebra.vault-key-next');
  await unlock(browser);
  await findRow('The orchard');
  expect(loadNextKeys(user.id)).toEqual([aside]);
  expect(localStorage.getItem(`latebra.keys-aside:${user.id}`)).not.toBeNull();
});

test('another tab that locks takes the keys that wait out of this one’s memory, and none is lost', async () => {
  const { browser, user } = await beforeTheOrchard();
  await openSettings(browser);
  await browser.user.click(screen.getByLabelText('Keep no key on this device'));
  const asides = ['ab'.repeat(32), 'cd'.repeat(32)];
  for (const aside of asides) keepNextKey(user.id, aside);
  localStorage.setItem(`latebra.locked:${user.id}`, 'another tab');
  window.dispatchEvent(new StorageEvent('storage', { key: `latebra.locked:${user.id}` }));
  await unlockScreen();
  await waitFor(() => expect(loadNextKeys(user.id)).toEqual([]));
  expect(JSON.stringify({ ...localStorage })).not.toContain(asides[0]);
  await unlock(browser);
  await waitFor(() => expect(loadNextKeys(user.id)).toEqual(asides));
});

test('a key that waits in this tab alone stays where another tab has taken the key that it would be sealed under', async () => {
  const { user } = await beforeTheOrchard();
  const aside = 'ab'.repeat(32);
  keepNextKey(user.id, aside);
  for (const slot of Object.keys(localStorage))
    if (localStorage.getItem(slot)?.includes(aside)) localStorage.removeItem(slot);
  localStorage.removeItem(`latebra.vault-key:${user.id}`);
  localStorage.setItem(`latebra.locked:${user.id}`, 'another tab');
  for (const name of ['vault-key', 'locked'])
    window.dispatchEvent(new StorageEvent('storage', { key: `latebra.${name}:${user.id}` }));
  await unlockScreen();
  await new Promise((resolve) => setTimeout(resolve));
  expect(loadNextKeys(user.id)).toEqual([aside]);
});

test('the line that says that it did not lock goes when there is a recovery method', async () => {
  const { browser, user } = await beforeTheOrchard();
  const slot = `latebra.methods:${user.id}`;
  const known = localStorage.getItem(slot) ?? '';
  localStorage.removeItem(slot);
  instance().clock.advance(31 * MINUTE);
  lookAgain();
  await stayedOpen();
  // As setting one up here does.
  localStorage.setItem(slot, known);
  await openSettings(browser);
  expect(screen.queryByText(/^It did not lock by itself/)).toBeNull();
});

test('whoever says that they have a recovery method is told where the server denies it meanwhile', async () => {
  const { browser, user } = await beforeTheOrchard();
  localStorage.removeItem(`latebra.methods:${user.id}`);
  await press(browser, 'Lock');
  const asked = await screen.findByRole('dialog', { name: 'Do you have a recovery method at hand?' });
  lieOfUser(browser, { recoveryPassphrase: false });
  await press(browser, 'I have it: lock', asked);
  await screen.findByRole('dialog', { name: 'This vault cannot be locked yet' });
  expect(keySlots()).toHaveLength(1);
});
