// What every page does each minute about what waits on its device, and about the drafts of what was taken back from waiting, also by
// another tab.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { loadAnew } from '../../testing/another-page.ts';
import { haveDatabases } from '../../testing/databases.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { waitingStoreOf } from '../device/waiting-store.ts';
import { draftOf, waitingOf } from './testing/waiting.ts';

const instance = anInstance();
beforeEach(() => localStorage.clear());
afterEach(() => localStorage.clear());

async function aPage() {
  await loadAnew();
  const [page, drafts, { countWaiting }, { toasts }] = await Promise.all([
    import('./send-waiting.ts'),
    import('../session/drafts.ts'),
    import('../device/waiting-count.ts'),
    import('../../ui/toast-store.ts'),
  ]);
  return { ...page, ...drafts, countWaiting, toasts };
}

/** A device without a connection, on which an entry waits. */
async function aDeviceOnWhichOneWaits() {
  const mishaps = haveDatabases();
  const { devices } = await aVaultWith(instance(), 1);
  const { vault, network } = devices[0] as Device;
  network.cut();
  const page = await aPage();
  await page.waitHere(vault, waitingOf(draftOf('The lamp'), null, newSealId()));
  return { vault, page, mishaps };
}

const all = () => true;

test('what another tab has taken back goes with its draft, whichever tab drops that', async () => {
  const { vault, page } = await aDeviceOnWhichOneWaits();
  const other = await aPage();
  await other.findAndSend(vault);
  expect(await page.takeBack(vault, all)).toEqual(['memory']);
  await other.findAndSend(vault);
  other.dropDraft(vault.user.id, 'memory');
  await vi.waitFor(async () => expect(await waitingStoreOf(vault.user.id).load()).toEqual([]), 20_000);
});

test('a page that could not look for drafts that were lost does so a minute later, and sends meanwhile', async () => {
  const { vault, page, mishaps } = await aDeviceOnWhichOneWaits();
  await page.takeBack(vault, all);
  localStorage.removeItem(`latebra.draft:${vault.user.id}:memory`);
  const later = await aPage();
  mishaps.failsToLoad = true;
  await later.findAndSend(vault);
  expect(later.draftNames(vault.user.id)).toEqual([]);
  await later.findAndSend(vault);
  expect(later.draftNames(vault.user.id)).toEqual(['memory']);
});

test('what another tab keeps for the first time is not taken for something that was erased', async () => {
  const { vault, mishaps } = await aDeviceOnWhichOneWaits();
  const other = await aPage();
  const told = vi.fn();
  const stop = other.toasts.subscribe(told);
  mishaps.hidesDatabases = true;
  await other.findAndSend(vault);
  expect(told).not.toHaveBeenCalled();
  expect(other.countWaiting(vault.user.id)).toBe(1);
  stop();
});
