// Whatever may happen to a device while entries wait on it, by schedules that are drawn: of twenty texts none is lost, none is there
// twice, of two that were written over the same entry both stay, and nothing waits for ever. `LATEBRA_SCHEDULES=500` tries as many.
import { beforeEach, expect, test, vi } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { CONTRACT } from '../../../shared/http/call.ts';
import { MINUTE } from '../../../shared/time.ts';
import { memoryKind } from '../../../vault/kinds/memory.ts';
import {
  keepWaiting,
  loadAside,
  loadWaiting,
  sendWaiting,
  type WaitingStore,
} from '../../../vault/outbox/waiting.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { noteNewerContract } from '../../api/app-state.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAgain, OtherBrowser, withPassphrase } from '../../testing/key-elsewhere.ts';
import { aPage, everyMishap, Setting } from '../../testing/waiting-mishaps.ts';
import { stretchLightly } from '../../testing/workers.ts';
import { aDisk, changeOf, draftOf, waitingOf } from './testing/waiting.ts';

/** What waits on this browser's disk, where whoever opens its vault with another key looks for it. */
const disk = vi.hoisted(() => ({ here: null as WaitingStore | null }));
vi.mock('../device/waiting-store.ts', () => ({ waitingStoreOf: () => disk.here }));

stretchLightly();
const instance = anInstance();
const list = entryListOf(memoryKind);
const CREATE = /^POST \/api\/memory-entries$/;
const ignore = () => {};
// There are more schedules than sign-ups from one address in ten minutes.
beforeEach(() => {
  localStorage.clear();
  vi.setSystemTime(Date.now() + MINUTE);
});

/** How many schedules are tried; the whole number is for a machine at rest (docs/offline.md). */
const SCHEDULES = Number(process.env.LATEBRA_SCHEDULES ?? 10);
const WRITES = 20;
/** In so many schedules one has its app replaced in the middle. */
const UPGRADED = 5;

const happened = new Set<string>();

test.each(Array.from({ length: SCHEDULES }, (_, i) => i + 1))(
  'schedule %i of mishaps: nothing is lost, doubled or stuck',
  async (seed) => {
    const { devices } = await aVaultWith(instance(), 2, withPassphrase);
    const [device, other] = devices as [Device, Device];
    const elsewhere = new OtherBrowser(other);
    await enterAgain(device);
    const setting = new Setting(instance(), device, elsewhere, await aPage(), seed);
    const { store, texts } = setting;
    disk.here = store;
    const upgradedAt = seed % UPGRADED === 0 ? 5 + Math.floor(setting.draw() * 10) : null;
    for (let n = 1; n <= WRITES; n += 1) {
      // From here on until its page is loaded anew, the app is older than its server.
      if (n === upgradedAt) noteNewerContract(device.vault.queryClient, CONTRACT + 1);
      await setting.write(n);
      await setting.mishap();
    }
    expect(await setting.settle()).toBe(true);
    for (const mishap of setting.happened) happened.add(mishap);

    const left = (await loadWaiting(device.vault, store)).map(({ waiting }) => waiting);
    expect(left.filter(({ refused }) => refused === null)).toEqual([]);
    await vi.waitFor(async () => expect(await loadAside(device.vault, store)).toEqual([]));
    // Nothing is there that the key of now and its ring do not open.
    expect(left).toHaveLength(store.entries.size);
    const there = (await setting.shownElsewhere()).map(({ name }) => name);
    const found = [...there, ...left.map(({ draft }) => draft.texts.title)];
    expect(found.sort()).toEqual([...texts].sort());
  },
);

test('each mishap has happened in one of them', () => {
  expect([...happened].sort()).toEqual([...everyMishap].sort());
});

test('an app that is older than its server sends nothing of what waits, and the newer one sends it', async () => {
  const { devices } = await aVaultWith(instance(), 2);
  const [device, other] = devices as [Device, Device];
  const store = aDisk();
  await keepWaiting(device.vault, store, waitingOf(draftOf('The lamp'), null, newSealId()));
  noteNewerContract(device.vault.queryClient, CONTRACT + 1);
  expect(await sendWaiting(device.vault, store, ignore)).toBe(false);
  expect(device.network.asked.filter((call) => CREATE.test(call))).toEqual([]);
  const [kept] = await loadWaiting(device.vault, store);
  expect(kept?.waiting.refused).toBeNull();
  device.reload();
  expect(await sendWaiting(device.vault, store, ignore)).toBe(true);
  other.reload();
  expect((await other.vault.lists.load(list)).map(({ name }) => name)).toEqual(['The lamp']);
});

test('what waits while the key is changed elsewhere arrives under the new one, once, and over nothing that has gone on', async () => {
  const { devices } = await aVaultWith(instance(), 2, withPassphrase);
  const [device, other] = devices as [Device, Device];
  await other.writeMemory('One');
  const two = await other.writeMemory('Two');
  const elsewhere = new OtherBrowser(other);
  await enterAgain(device);
  const entries = await device.vault.lists.load(list);
  const store = aDisk();
  disk.here = store;
  for (const entry of entries) await keepWaiting(device.vault, store, changeOf(entry, `${entry.name}, mine`));
  await keepWaiting(device.vault, store, waitingOf(draftOf('New'), null, newSealId()));
  await other.changeMemory(two, 'Two, theirs');

  const before = device.vault;
  await elsewhere.changeKey();
  // Its session has ended: what waits goes on waiting.
  expect(await sendWaiting(before, store, ignore)).toBe(false);
  expect((await loadWaiting(before, store)).map(({ waiting }) => waiting.refused)).toEqual([
    null,
    null,
    null,
  ]);
  await enterAgain(device);
  expect(device.vault.fingerprint).not.toBe(before.fingerprint);
  await sendWaiting(device.vault, store, ignore);
  expect(await sendWaiting(device.vault, store, ignore)).toBe(true);
  const left = (await loadWaiting(device.vault, store)).map(({ waiting }) => waiting);
  expect(left.map(({ draft }) => draft.texts.title)).toContain('Two, mine');
  const fresh = other.vault.lists.load(list);
  const all = [
    ...(await fresh).map(({ name }) => name),
    ...left.map(({ draft }) => draft.texts.title),
  ].sort();
  // What a change of key has sealed anew is no other text.
  expect(all).toEqual(['New', 'One, mine', 'Two, mine', 'Two, theirs']);
});
