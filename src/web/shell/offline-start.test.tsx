// A start without a network on a device of one owner, below the browser: who is signed in comes from the device, the key opens the
// vault, and a line says from when it is. What the service worker does is told in scripts/service-worker.test.mjs.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { keepUser, loadKeptUser } from '../api/kept-user.ts';
import { createServices } from '../api/services.tsx';
import { anInstance } from '../testing/instance.ts';
import { enterAsMember, type Member } from '../testing/member.ts';
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
