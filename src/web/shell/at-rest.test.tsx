// What a page does once it has come to rest: the picture of the installed app counts what waits, and what a browser has erased by
// itself is told in words.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { aVaultWith, type Device } from '../testing/devices.ts';
import { anInstance } from '../testing/instance.ts';
import { toasts } from '../ui/toast-store.ts';
import { countWaiting, noteWaiting } from '../vault/device/waiting-count.ts';
import { findAndSend } from '../vault/entries/send-waiting.ts';
import { beAtRest } from './at-rest.ts';

const instance = anInstance();
afterEach(() => {
  Reflect.deleteProperty(navigator, 'setAppBadge');
  Reflect.deleteProperty(globalThis, 'indexedDB');
});

async function aDeviceAtRest(): Promise<Device> {
  const { devices } = await aVaultWith(instance(), 1);
  return devices[0] as Device;
}

test('the picture of the app says how many wait, and says no more once the page is left', async () => {
  const { vault } = await aDeviceAtRest();
  const shown: number[] = [];
  Object.defineProperty(navigator, 'setAppBadge', {
    configurable: true,
    value: async (count: number) => void shown.push(count),
  });
  const end = beAtRest(vault);
  noteWaiting(vault.user.id, 2);
  noteWaiting(vault.user.id, 0);
  end();
  noteWaiting(vault.user.id, 1);
  expect(shown).toEqual([0, 2, 0]);
});

test('what a page says once it is too old is fetched while its own server is there', async () => {
  const { vault } = await aDeviceAtRest();
  const fetched: string[] = [];
  onTestFinished(() => {
    vi.doUnmock('./app-words.tsx');
    vi.doUnmock('../api/too-old.ts');
  });
  vi.doMock('./app-words.tsx', () => ({ fetched: fetched.push('its line') }));
  vi.doMock('../api/too-old.ts', () => ({ fetched: fetched.push('its refusals') }));
  const end = beAtRest(vault);
  await vi.waitFor(() => expect(fetched.sort()).toEqual(['its line', 'its refusals']));
  end();
});

test('a browser that has erased what waited is told of, once', async () => {
  const { vault } = await aDeviceAtRest();
  const { id } = vault.user;
  Object.defineProperty(globalThis, 'indexedDB', {
    configurable: true,
    value: { databases: async () => [] },
  });
  const told = vi.fn();
  const stop = toasts.subscribe(told);
  noteWaiting(id, 2);
  await findAndSend(vault);
  expect(told).toHaveBeenCalled();
  expect(countWaiting(id)).toBe(0);
  told.mockClear();
  await findAndSend(vault);
  expect(told).not.toHaveBeenCalled();
  stop();
});
