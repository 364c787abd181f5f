// What a page does once it has come to rest: the picture of the installed app counts what waits, and what a browser has erased by
// itself is told in words.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { memoryKind } from '../../vault/kinds/memory.ts';
import { mythKind } from '../../vault/kinds/myth.ts';
import { entryListOf } from '../../vault/replica/entry-list.ts';
import { haveDatabases } from '../testing/databases.ts';
import { aVaultWith, type Device } from '../testing/devices.ts';
import { anInstance } from '../testing/instance.ts';
import { toasts } from '../ui/toast-store.ts';
import { countWaiting, noteWaiting } from '../vault/device/waiting-count.ts';
import { findAndSend } from '../vault/entries/send-waiting.ts';
import { bookKey } from '../vault/session/book-key.ts';
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

test('what is kept of files is looked through now and after every change of a list, until the page is left', async () => {
  const { vault } = await aDeviceAtRest();
  const { queryClient } = vault;
  haveDatabases(['latebra-files']);
  vault.keepsLists = () => true;
  let looks = 0;
  let goOn = () => {};
  onTestFinished(() => void vi.doUnmock('../vault/files/drop-gone-files.ts'));
  vi.doMock('../vault/files/drop-gone-files.ts', () => ({
    dropGoneFiles: () => {
      looks += 1;
      return new Promise<void>((resolve) => {
        goOn = resolve;
      });
    },
  }));
  const seen = async (count: number) => {
    await vi.waitFor(() => expect(looks).toBe(count));
    goOn();
    // A look that was not wanted would begin with this.
    await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toBe(count);
  };
  const end = beAtRest(vault);
  await vi.waitFor(() => expect(looks).toBe(1));
  // While one is under way, all that changes is looked at once.
  vault.lists.change(entryListOf(memoryKind), () => []);
  vault.lists.change(entryListOf(mythKind), () => []);
  goOn();
  await seen(2);
  queryClient.setQueryData(bookKey(vault), {});
  queryClient.setQueryData(['something else'], []);
  await seen(2);
  let arrive = (_: unknown) => {};
  const queryKey = ['opened', 'a list'];
  const fetching = queryClient.fetchQuery({
    queryKey,
    queryFn: () =>
      new Promise((resolve) => {
        arrive = resolve;
      }),
  });
  queryClient.setQueryData(queryKey, []);
  await seen(2);
  arrive([]);
  await fetching;
  await seen(3);
  end();
  vault.lists.change(entryListOf(memoryKind), () => []);
  await seen(3);
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
