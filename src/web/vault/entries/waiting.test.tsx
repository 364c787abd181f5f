// What is written without a connection arrives once, and writes over nothing. What drawn schedules of mishaps make of it is tried in
// waiting-schedules.test.tsx.
import { expect, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { deriveContentKey, generateVaultKey } from '../../../crypto/vault-key.ts';
import { everyList } from '../../../vault/book/shown-lists.ts';
import { memoryKind, type OpenedMemory } from '../../../vault/kinds/memory.ts';
import {
  keepWaiting,
  loadWaiting as loadKept,
  resealWaiting,
  sendWaiting,
} from '../../../vault/outbox/waiting.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { interceptOnce, loseAnswer } from '../../testing/network.ts';
import { aDisk, changeOf, draftOf, waitingOf } from './testing/waiting.ts';

const instance = anInstance();
const list = entryListOf(memoryKind);
const CREATE = /^POST \/api\/memory-entries$/;

/** As a device that has just come has it: nothing of it was kept. */
async function shown(device: Device): Promise<OpenedMemory[]> {
  device.reload();
  return [...(await device.vault.lists.load(list))];
}

const loadWaiting = async (...given: Parameters<typeof loadKept>) =>
  (await loadKept(...given)).map(({ waiting }) => waiting);

const titles = (entries: readonly OpenedMemory[]) => entries.map(({ name }) => name).sort();
const ignore = () => {};

test('what waits is sealed, arrives once, and is gone from the device', async () => {
  const { devices } = await aVaultWith(instance(), 2);
  const [device, other] = devices as [Device, Device];
  const store = aDisk();
  await keepWaiting(device.vault, store, waitingOf(draftOf('The lamp'), null, newSealId()));
  expect(JSON.stringify([...store.entries])).not.toContain('lamp');
  device.network.cut();
  expect(await sendWaiting(device.vault, store, ignore)).toBe(false);
  expect(store.entries.size).toBe(1);
  device.network.cut(false);
  const sent: string[] = [];
  expect(await sendWaiting(device.vault, store, ({ sealId }) => sent.push(sealId))).toBe(true);
  expect(sent).toHaveLength(1);
  expect(store.entries.size).toBe(0);
  expect(titles(await shown(other))).toEqual(['The lamp']);
});

test('an answer that is lost, and a browser that is killed before it is noted, keep nothing twice, also under a lock', async () => {
  const { devices } = await aVaultWith(instance(), 2);
  const [device, other] = devices as [Device, Device];
  const dies = { before: false };
  const store = aDisk(() => {
    if (dies.before) throw new Error('the browser was killed');
  });
  const lock = new Date(Date.now() + 400 * 86_400_000).toISOString();
  await keepWaiting(device.vault, store, waitingOf(draftOf('Locked', lock), null, newSealId()));
  await keepWaiting(device.vault, store, waitingOf(draftOf('Open'), null, newSealId()));
  dies.before = true;
  loseAnswer(device.network, CREATE);
  await sendWaiting(device.vault, store, ignore).catch(ignore);
  device.reload();
  await sendWaiting(device.vault, store, ignore).catch(ignore);
  dies.before = false;
  device.reload();
  expect(await sendWaiting(device.vault, store, ignore)).toBe(true);
  expect(store.entries.size).toBe(0);
  const all = await shown(other);
  expect(titles(all)).toEqual(['Locked', 'Open']);
  expect(all.map(({ version }) => version)).toEqual([1, 1]);
});

test('a change waits for its author where another device has changed, deleted or erased its entry', async () => {
  const { devices } = await aVaultWith(instance(), 2);
  const [device, other] = devices as [Device, Device];
  const written = await Promise.all(['One', 'Two', 'Three'].map((title) => other.writeMemory(title)));
  const entries = await shown(device);
  const store = aDisk();
  for (const entry of entries) await keepWaiting(device.vault, store, changeOf(entry, `${entry.name}, mine`));
  const [one, two, three] = written as [(typeof written)[0], (typeof written)[0], (typeof written)[0]];
  await other.changeMemory(one, 'One, theirs');
  await other.deleteMemory(two);
  await other.deleteMemory(three);
  await other.eraseMemory(three);
  device.reload();
  await sendWaiting(device.vault, store, ignore);
  const waiting = await loadWaiting(device.vault, store);
  expect(Object.fromEntries(waiting.map(({ draft, refused }) => [draft.texts.title, refused]))).toEqual({
    'One, mine': 'It was changed elsewhere meanwhile.',
    'Two, mine': 'It was deleted elsewhere meanwhile.',
    'Three, mine': 'It was erased elsewhere meanwhile.',
  });
  // It is not tried again by itself.
  const before = device.network.asked.length;
  expect(await sendWaiting(device.vault, store, ignore)).toBe(true);
  expect(device.network.asked).toHaveLength(before);
});

test('what waits goes on under the key that takes the place of another, and no other app loses it', async () => {
  const { devices } = await aVaultWith(instance(), 1);
  const [device] = devices as [Device];
  const store = aDisk();
  await keepWaiting(device.vault, store, waitingOf(draftOf('The lamp'), null, newSealId()));
  const next = await deriveContentKey(generateVaultKey());
  await resealWaiting(store, device.vault.contentKey, next);
  expect(await loadWaiting(device.vault, store)).toEqual([]);
  const [found] = await loadWaiting({ ...device.vault, contentKey: next }, store);
  expect(found?.draft.texts.title).toBe('The lamp');

  // Of a kind that this app does not know: it stays where it is.
  await store.replace(found?.sealId ?? '', store.entries.get(found?.sealId ?? '') ?? '', null);
  const unknown = { ...waitingOf(draftOf('Of tomorrow'), null, newSealId()), noun: 'dream' as 'memory' };
  await keepWaiting(device.vault, store, unknown);
  expect(await sendWaiting(device.vault, store, ignore)).toBe(false);
  expect(store.entries.size).toBe(1);
});

test('a server that fails, is full, or is another one for a moment has nothing refused', async () => {
  const { devices } = await aVaultWith(instance(), 1);
  const [device] = devices as [Device];
  const store = aDisk();
  await keepWaiting(device.vault, store, waitingOf(draftOf('The lamp'), null, newSealId()));
  for (const [status, body] of [
    [500, '{"code":"internal","message":"Something failed."}'],
    [507, '{"code":"storage-full","message":"Full."}'],
    [404, '<h1>Not here</h1>'],
    [403, 'Sign in to this network'],
    [409, '{"code":"key-changed","message":"Another key."}'],
  ] as const) {
    interceptOnce(device.network, CREATE, async () => new Response(body, { status }));
    expect(await sendWaiting(device.vault, store, ignore), String(status)).toBe(false);
    expect((await loadWaiting(device.vault, store)).map(({ refused }) => refused)).toEqual([null]);
  }
  expect(await sendWaiting(device.vault, store, ignore)).toBe(true);
});

test('what its author has kept meanwhile under the same number is neither dropped nor written over', async () => {
  const { devices } = await aVaultWith(instance(), 1);
  const [device] = devices as [Device];
  const store = aDisk();
  const sealId = newSealId();
  await keepWaiting(device.vault, store, waitingOf(draftOf('Older'), null, sealId));
  interceptOnce(device.network, CREATE, async (forward) => {
    await keepWaiting(device.vault, store, waitingOf(draftOf('Newer'), null, sealId));
    return forward();
  });
  await sendWaiting(device.vault, store, ignore);
  expect((await loadWaiting(device.vault, store)).map(({ draft }) => draft.texts.title)).toEqual(['Newer']);
  expect(await sendWaiting(device.vault, store, ignore)).toBe(true);
  expect(titles(await shown(device))).toEqual(['Newer']);
});

test('a server that shows what it was sent once, and never again, is found out', async () => {
  const { devices } = await aVaultWith(instance(), 1);
  const [device] = devices as [Device];
  const store = aDisk();
  const kept = await device.writeMemory('Kept');
  await keepWaiting(device.vault, store, waitingOf(draftOf('Hidden'), null, newSealId()));
  // It takes the bytes, and says that it has them already.
  let row: object | null = null;
  const end = device.network.intercept(async (request, forward) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    if (CREATE.test(call)) {
      const { entry: _, ...body } = (await request.json()) as { entry?: unknown };
      row = { ...kept, ...body, id: kept.id + 1, version: 1 };
      return new Response('{"code":"seal-reused","message":"There already."}', { status: 409 });
    }
    if (call === 'GET /api/memory-entries' && row) return Response.json([row, kept]);
    return forward();
  });
  await sendWaiting(device.vault, store, ignore).catch(ignore);
  end();
  device.reload();
  // The book of this browser, as its pages have it.
  const book = await device.vault.loadBook();
  for (const one of everyList(device.vault.api)) await book.compare(one, await one.fetch());
  const found = book.state().rows.map(({ what }) => what);
  // Either it still waits, or it is missed.
  expect(store.entries.size === 1 || found.includes('missing'), String(found)).toBe(true);
});

test('one that the server never answers does not hold up the others', async () => {
  const { devices } = await aVaultWith(instance(), 1);
  const [device] = devices as [Device];
  const store = aDisk();
  await keepWaiting(device.vault, store, waitingOf(draftOf('Stuck'), null, newSealId()));
  await keepWaiting(device.vault, store, {
    ...waitingOf(draftOf('Next'), null, newSealId()),
    at: Date.now() + 1,
  });
  let isFirst = true;
  device.network.intercept(async (request, forward) => {
    if (!isFirst || !CREATE.test(`${request.method} ${new URL(request.url).pathname}`)) return forward();
    isFirst = false;
    throw new TypeError('Failed to fetch');
  });
  expect(await sendWaiting(device.vault, store, ignore)).toBe(false);
  expect((await loadWaiting(device.vault, store)).map(({ draft }) => draft.texts.title)).toEqual(['Stuck']);
});
