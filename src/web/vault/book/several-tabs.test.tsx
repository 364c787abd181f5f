// Tabs of one browser share what it remembers of the book. A server that tells each another history, or acknowledges in one what
// another has overtaken, must not have either of them forgotten.
import { describe, expect, it } from 'vitest';
import { generateVaultKey } from '../../../crypto/vault-key.ts';
import { book as calls, type SealedBookEntry } from '../../../shared/nouns/book.ts';
import { aDevice, type Device, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';

const instance = anInstance();
const callOf = (request: Request) => `${request.method} ${new URL(request.url).pathname}`;

/** Two tabs of one browser that have read its book, and another device. */
async function twoTabs(): Promise<{ one: Device; tab: Device; device: Device }> {
  const { member, one, two } = await twoDevices(instance());
  const tab = aDevice(instance(), member, one.memory);
  await tab.check();
  return { one, tab, device: two };
}

/** Acknowledges what is sent by this call, and keeps nothing of it. */
function acknowledgeAlone({ network }: Device, call: string): () => void {
  return network.intercept(async (request, forward) => {
    if (callOf(request) !== call) return forward();
    const [sent, now] = [(await request.json()) as object, new Date().toISOString()];
    const row = { details: null, timeLockUntil: null, createdAt: now, updatedAt: now, version: 1, id: 900 };
    return Response.json({ ...row, ...sent }, { status: 201 });
  });
}

describe('what is acknowledged behind an entry that another tab has left behind, and dropped,', () => {
  it.each([1, 2, 3])('is missed where that tab has written %i', async (written) => {
    const { one, tab } = await twoTabs();
    for (let i = 0; i < written; i += 1) await tab.writeMemory(`Of the other tab ${i}`);
    acknowledgeAlone(one, 'POST /api/memory-entries');
    await one.writeMemory('Kept, as the server says');
    expect(one.bookSync.state().chain).toMatchObject({ kind: 'forked' });
    for (const page of [one, tab]) {
      page.reload();
      expect(await page.check()).toEqual(['forked']);
    }
  });

  it('is missed also where it is an entry of rows that were brought', async () => {
    const { one, tab } = await twoTabs();
    for (const title of ['One', 'Two']) await tab.writeMemory(title);
    const put = [{ kind: 'memory' as const, sealId: 'A'.repeat(22), sealed: { title: 'QUJD' } }];
    one.bookSync.note(put);
    acknowledgeAlone(one, 'POST /api/book');
    await one.bookSync.settle();
    expect(one.bookSync.state().chain).toMatchObject({ kind: 'forked' });
    one.reload();
    expect(await one.check()).toEqual(['forked']);
  });

  it('is not said to be kept where the book is not shown', async () => {
    const { one, tab } = await twoTabs();
    for (const title of ['One', 'Two']) await tab.writeMemory(title);
    acknowledgeAlone(one, 'POST /api/memory-entries');
    one.network.intercept(async (request, forward) =>
      callOf(request) === 'GET /api/book' ? new Response('', { status: 500 }) : forward(),
    );
    await expect(one.writeMemory('Kept, as the server says')).rejects.toMatchObject({ status: 500 });
  });
});

it('what a server has kept before another tab has read on is no finding', async () => {
  const { one, tab } = await twoTabs();
  const stop = one.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (callOf(request) !== 'POST /api/memory-entries') return answer;
    stop();
    await tab.bookSync.look();
    await tab.writeMemory('Behind it');
    return answer;
  });
  await one.writeMemory('Kept');
  for (const page of [one, tab]) expect(await page.check()).toEqual([]);
  expect(one.bookSync.state().head).toEqual(tab.bookSync.state().head);
});

it('another history that a tab is shown while another tab writes is one', async () => {
  const { one, tab, device } = await twoTabs();
  const { db } = instance().deps;
  const { n } = tab.bookSync.state().head;
  for (const title of ['Of another', 'history']) await device.writeMemory(title);
  const shown: SealedBookEntry[] = await device.vault.api.send(calls.list, { query: { from: n } });
  await db.deleteFrom('book_entries').where('n', '>', n).execute();
  let isFirst = true;
  one.network.intercept(async (request, forward) => {
    if (callOf(request) !== 'GET /api/book') return forward();
    if (isFirst) await tab.writeMemory('In the other tab');
    isFirst = false;
    return Response.json(shown);
  });
  await one.bookSync.look();
  expect(one.bookSync.state().chain).toMatchObject({ kind: 'forked' });
  expect(await tab.bookSync.look()).toMatchObject({ chain: null });
  expect(one.memory.loadPin()).toMatchObject(tab.bookSync.state().head);
});

it('what another tab has written while a key is changed has to be shown afterwards', async () => {
  const { one, tab } = await twoTabs();
  const draft = await one.bookSync.draftUnder(generateVaultKey(), []);
  await tab.writeMemory('Kept, as the server says');
  if (draft) one.bookSync.adoptDraft(draft);
  expect(draft?.n).toBe(tab.bookSync.state().head.n);
  expect(one.memory.loadPin()).toMatchObject(tab.bookSync.state().head);
});

it('what another tab has written while a loss is accepted has to be shown afterwards', async () => {
  const { member, one } = await twoDevices(instance());
  await one.writeMemory('Lost');
  const { n } = one.bookSync.state().head;
  const tab = aDevice(instance(), member, one.memory);
  await tab.check();
  const before = one.network.intercept(async (request, forward) => {
    if (callOf(request) !== 'POST /api/book') return forward();
    before();
    await tab.writeMemory('Kept, as the server says');
    // Another entry of the same number is kept in its place.
    await instance().deps.db.deleteFrom('book_entries').where('n', '>', n).execute();
    return forward();
  });
  await one.bookSync.acceptAsShown();
  expect(one.bookSync.state().head.n).toBe(tab.bookSync.state().head.n);
  expect(one.memory.loadPin()).toMatchObject(tab.bookSync.state().head);
  expect(await one.check()).toEqual(['forked']);
});
