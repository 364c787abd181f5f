// A start without a network on a device of one owner, below the browser: who is signed in comes from the device, the key opens the
// vault, and a line says from when it is. What the service worker does is told in scripts/service-worker.test.mjs.
import { screen, waitFor } from '@testing-library/dom';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { keepUser, loadKeptUser } from '../api/kept-user.ts';
import { createServices } from '../api/services.tsx';
import { App } from '../app.tsx';
import { prepareFirstView } from '../first-view.ts';
import { knownUser, prefetchUser } from '../hooks/use-user.ts';
import { anInstance } from '../testing/instance.ts';
import { enterAsMember, type Member } from '../testing/member.ts';
import { holdAnswer } from '../testing/mishaps.ts';
import { press } from '../testing/steps.ts';
import { setDeviceOwner } from '../vault/device/device.ts';
import { offlineWords } from './app-words.tsx';
import { keepHere } from './keep-here.ts';

const instance = anInstance();

/** What a page keeps once it has come to rest. */
const keep = ({ browser, user }: Member) => keepHere(createServices({ fetch: browser.network.fetch }), user);

test('the vault opens without a server, says from when it is, and goes on once somebody answers', async () => {
  const member = await enterAsMember(instance());
  const { browser, user } = member;
  await keep(member);
  browser.network.cut();
  await browser.open('/');
  await screen.findByRole('heading', { name: 'The chambers' });
  await screen.findByText(/^No connection: what you see is from 1 June 2030, /);
  // What needs the server says so, and waits for nothing.
  await waitFor(() => expect(screen.queryByText('Fetching and opening your latest entries')).toBeNull());
  await browser.open('/legacy-scroll');
  await screen.findAllByText('The server could not be reached. Check your connection and try again.');

  browser.network.cut(false);
  await press(browser, 'Try again', document.querySelector('[data-banner]') as HTMLElement);
  await waitFor(() => expect(screen.queryByText(/^No connection/)).toBeNull());
  expect(loadKeptUser()?.user.id).toBe(user.id);
});

/** Does the work of a test while no timer runs but by `pass`, which lets milliseconds go by. */
async function whileTimersStand(work: (pass: (by: number) => Promise<void>) => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() });
  try {
    await work(async (by) => void (await vi.advanceTimersByTimeAsync(by)));
  } finally {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  }
}

test('a server that hangs at the start keeps nobody waiting for more than three seconds, and its answer is taken when it comes', async () => {
  const member = await enterAsMember(instance());
  await keep(member);
  const letGo = holdAnswer(member.browser, 'GET /api/auth/user');
  const services = createServices({ fetch: member.browser.network.fetch });
  let prepared = Promise.resolve(() => {});
  let isReady = false;
  await whileTimersStand(async (pass) => {
    prepared = prepareFirstView(services, '/').finally(() => {
      isReady = true;
    });
    await pass(2999);
    expect(isReady).toBe(false);
    await pass(1);
  });
  const release = await prepared;
  window.history.replaceState(null, '', '/');
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  flushSync(() => root.render(<App services={services} />));
  release();
  expect(screen.queryByRole('heading', { name: 'The chambers' })).not.toBeNull();
  await screen.findByText(/^No connection: what you see is from 1 June 2030, /);
  // Names are not kept, so that this is the kept one.
  expect(knownUser(services)?.name).toBeNull();
  letGo();
  await waitFor(() => expect(screen.queryByText(/^No connection/)).toBeNull());
  expect(knownUser(services)?.name).toBe(member.user.name);
  root.unmount();
});

test('where nobody is kept a server that hangs is waited for', async () => {
  const { browser, user } = await enterAsMember(instance());
  const letGo = holdAnswer(browser, 'GET /api/auth/user');
  const services = createServices({ fetch: browser.network.fetch });
  let prepared = Promise.resolve();
  await whileTimersStand(async (pass) => {
    prepared = prefetchUser(services, '/');
    await pass(60_000);
    expect(knownUser(services)).toBeNull();
  });
  letGo();
  await prepared;
  expect(knownUser(services)?.id).toBe(user.id);
});

test('what is kept of an account has no name and no key', async () => {
  const member = await enterAsMember(instance());
  await keep(member);
  const text = JSON.stringify(loadKeptUser());
  expect(member.user.name).toBeTruthy();
  expect(text).not.toContain(member.user.name);
  expect(text).toContain(member.fingerprint);
});

test('a device that others use keeps nobody, and a start there needs the server', async () => {
  const member = await enterAsMember(instance());
  await keep(member);
  setDeviceOwner(member.user.id, 'shared');
  await keep(member);
  expect(loadKeptUser()).toBeNull();
  member.browser.network.cut();
  await member.browser.open('/');
  await screen.findByRole('heading', { name: 'The server does not answer' });
});

test('another account takes the place of the one before', async () => {
  const [one, two] = [await enterAsMember(instance()), await enterAsMember(instance())];
  keepUser(one.user, 1);
  await keep(two);
  expect(loadKeptUser()?.user.id).toBe(two.user.id);
});

test('of several lists the oldest says from when they are', () => {
  const at = Date.parse('2030-06-01T12:00:00.000Z');
  expect(offlineWords({ one: at, two: at + 1e9 })).toBe(offlineWords({ one: at }));
  expect(offlineWords({ one: at, two: 0 })).toBe('No connection: what you see is from an earlier visit.');
});
