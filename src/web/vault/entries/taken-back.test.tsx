// What is taken back from waiting into a form: at every moment its words are on the disk, as what waits or as a draft.
import { beforeEach, expect, test, vi } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import {
  keepWaiting,
  loadAside,
  loadWaiting,
  sendWaiting,
  type WaitingStore,
} from '../../../vault/outbox/waiting.ts';
import { loadAnew } from '../../testing/another-page.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { draftNames, dropDraft, keepDraft, loadDraft } from '../session/drafts.ts';
import { takeBackFrom } from './taken-back.ts';
import { aDisk, draftOf, waitingOf } from './testing/waiting.ts';

const instance = anInstance();
const all = () => true;
const ignore = () => {};
beforeEach(() => localStorage.clear());

async function aPage() {
  await loadAnew();
  const [page, drafts] = await Promise.all([import('./taken-back.ts'), import('../session/drafts.ts')]);
  return { ...page, ...drafts };
}

async function aVaultWithOneThatWaits(store: WaitingStore): Promise<Device> {
  const { devices } = await aVaultWith(instance(), 1);
  const [device] = devices as [Device];
  await keepWaiting(device.vault, store, waitingOf(draftOf('The lamp'), null, newSealId()));
  return device;
}

const draftsHere = ({ vault }: Device) =>
  Promise.all(
    draftNames(vault.user.id).map((name) =>
      loadDraft<{ title: string; sealId?: string; waited?: true }>(vault.user.id, name, vault.contentKey),
    ),
  );

const titlesHere = async (device: Device) => (await draftsHere(device)).map((draft) => draft?.title);

/** As a form changes what is kept of it. */
async function writeOn({ vault }: Device, slot: string, title: string): Promise<void> {
  const { user, contentKey } = vault;
  const before = await loadDraft<object>(user.id, slot, contentKey);
  await keepDraft(user.id, slot, contentKey, { ...before, title });
}

/** A browser that is killed loses what it has not written to its disk yet. */
const loseDrafts = ({ vault }: Device) => {
  for (const name of draftNames(vault.user.id))
    localStorage.removeItem(`latebra.draft:${vault.user.id}:${name}`);
};

test('it is a draft, waits no longer and is not sent, and stays on the disk beside its draft', async () => {
  const store = aDisk();
  const device = await aVaultWithOneThatWaits(store);
  expect(await takeBackFrom(device.vault, store, all, false)).toEqual(['memory']);
  expect(await draftsHere(device)).toEqual([expect.objectContaining({ title: 'The lamp', waited: true })]);
  expect(await loadWaiting(device.vault, store)).toEqual([]);
  const before = device.network.asked.length;
  expect(await sendWaiting(device.vault, store, ignore)).toBe(true);
  expect(device.network.asked).toHaveLength(before);
  expect((await loadAside(device.vault, store)).map(({ form }) => form)).toEqual(['memory']);
});

test('where a browser was killed before it had written the draft, it is a draft again at the next start', async () => {
  const store = aDisk();
  const device = await aVaultWithOneThatWaits(store);
  await takeBackFrom(device.vault, store, all, false);
  loseDrafts(device);
  device.reload();
  await (await aPage()).bringBackLost(device.vault, store);
  expect(await draftsHere(device)).toEqual([expect.objectContaining({ title: 'The lamp', waited: true })]);
  // Once for each time that it was lost, and no more.
  await (await aPage()).bringBackLost(device.vault, store);
  expect(await draftsHere(device)).toHaveLength(1);
  expect(store.entries.size).toBe(1);
});

test('what was written on since is not put back to what had waited', async () => {
  const store = aDisk();
  const device = await aVaultWithOneThatWaits(store);
  await takeBackFrom(device.vault, store, all, false);
  await writeOn(device, 'memory', 'The lamp, lit');
  device.reload();
  await (await aPage()).bringBackLost(device.vault, store);
  expect(await titlesHere(device)).toEqual(['The lamp, lit']);
});

test('it is gone with its draft, once that was sealed or discarded', async () => {
  const store = aDisk();
  const device = await aVaultWithOneThatWaits(store);
  await takeBackFrom(device.vault, store, all, false);
  dropDraft(device.vault.user.id, 'memory');
  await vi.waitFor(() => expect(store.entries.size).toBe(0), 20_000);
  device.reload();
  await (await aPage()).bringBackLost(device.vault, store);
  expect(await draftsHere(device)).toEqual([]);
});

test('a browser that is killed between the draft and the disk has both, and one without room for a draft has what waits', async () => {
  const dies = { now: false };
  const store = aDisk(() => {
    if (dies.now) throw new Error('the browser was killed');
  });
  const device = await aVaultWithOneThatWaits(store);
  dies.now = true;
  await expect(takeBackFrom(device.vault, store, all, false)).rejects.toThrow('killed');
  dies.now = false;
  expect(await draftsHere(device)).toHaveLength(1);
  expect(await loadWaiting(device.vault, store)).toHaveLength(1);

  loseDrafts(device);
  const full = new Proxy(window.localStorage, {
    get(storage, name) {
      if (name === 'setItem')
        return () => {
          throw new DOMException('full', 'QuotaExceededError');
        };
      const found = Reflect.get(storage, name) as unknown;
      return typeof found === 'function' ? found.bind(storage) : found;
    },
  });
  vi.stubGlobal('localStorage', full);
  try {
    expect(await takeBackFrom(device.vault, store, all, false)).toEqual([]);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(await loadWaiting(device.vault, store)).toHaveLength(1);
});

test('a change whose entry is gone comes back as the draft of a new one, also after a kill, with the same number', async () => {
  const store = aDisk();
  const device = await aVaultWithOneThatWaits(store);
  const sealId = newSealId();
  const change = waitingOf(draftOf('Changed'), { id: 1, version: 1, sealId, createdAt: '' }, sealId);
  await store.replace([...store.entries.keys()][0] ?? '', [...store.entries.values()][0] ?? '', null);
  await keepWaiting(device.vault, store, change);
  expect(await takeBackFrom(device.vault, store, all, true)).toEqual(['memory']);
  const [first] = await draftsHere(device);
  expect(first).toEqual(expect.objectContaining({ title: 'Changed', base: null, waited: true }));
  expect(first?.sealId).not.toBe(sealId);
  loseDrafts(device);
  device.reload();
  await (await aPage()).bringBackLost(device.vault, store);
  expect(await draftsHere(device)).toEqual([first]);
});

test.each(['before', 'after'])(
  'where other words took the slot of a draft that was lost, and are sealed %s it is looked for, both stay',
  async (when) => {
    const store = aDisk();
    const device = await aVaultWithOneThatWaits(store);
    await takeBackFrom(device.vault, store, all, false);
    loseDrafts(device);
    device.reload();
    const page = await aPage();
    const { user, contentKey } = device.vault;
    await page.followDrafts(device.vault, store);
    await page.keepDraft(user.id, 'memory', contentKey, { title: 'The other' });
    const seal = async () => {
      expect(await titlesHere(device)).toContain('The other');
      page.dropDraft(user.id, 'memory');
    };
    if (when === 'before') await seal();
    await page.bringBackLost(device.vault, store);
    if (when === 'after') await seal();
    // What is forgotten is read from the disk first.
    await loadAside(device.vault, store);
    expect(store.entries.size).toBe(1);
    expect(await titlesHere(device)).toEqual(['The lamp']);
    for (const slot of page.draftNames(user.id)) page.dropDraft(user.id, slot);
    await vi.waitFor(() => expect(store.entries.size).toBe(0), 20_000);
  },
);

test('one that is taken back into a slot whose draft was lost leaves what was set aside before', async () => {
  const store = aDisk();
  const device = await aVaultWithOneThatWaits(store);
  await takeBackFrom(device.vault, store, all, false);
  loseDrafts(device);
  device.reload();
  await keepWaiting(device.vault, store, waitingOf(draftOf('The well'), null, newSealId()));
  const page = await aPage();
  expect(await page.takeBackFrom(device.vault, store, all, false)).toEqual(['memory']);
  await page.bringBackLost(device.vault, store);
  expect((await titlesHere(device)).sort()).toEqual(['The lamp', 'The well']);
  loseDrafts(device);
  await (await aPage()).bringBackLost(device.vault, store);
  expect((await titlesHere(device)).sort()).toEqual(['The lamp', 'The well']);
});

test('what was written on and waits again does not come back beside that', async () => {
  const store = aDisk();
  const device = await aVaultWithOneThatWaits(store);
  await takeBackFrom(device.vault, store, all, false);
  const page = await aPage();
  const [draft] = await draftsHere(device);
  const lit = waitingOf(draftOf('The lamp, lit'), null, draft?.sealId ?? '');
  await keepWaiting(device.vault, store, { ...lit, form: { name: 'memory', value: draft } });
  loseDrafts(device);
  await page.bringBackLost(device.vault, store);
  expect(await draftsHere(device)).toEqual([]);
  expect((await loadWaiting(device.vault, store)).map(({ waiting }) => waiting.draft.texts.title)).toEqual([
    'The lamp, lit',
  ]);
  expect(store.entries.size).toBe(1);
});
