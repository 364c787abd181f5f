// The book in a browser, before a real server: honest, and as an operator would bend it.
import { describe, expect, it, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import type { SealedBookEntry } from '../../../shared/nouns/book.ts';
import { type Ghost, ghosts } from '../../../shared/nouns/ghost.ts';
import { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { plainScroll } from '../../../testing/scrolls.ts';
import { someWords } from '../../../testing/shares.ts';
import { aVaultWith, brought, type Device, memoriesOf, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Network } from '../../testing/network.ts';

const instance = anInstance();

/** Time passes, and nobody is signed out by it. */
async function wait(milliseconds: number): Promise<void> {
  instance().clock.advance(milliseconds);
  await instance()
    .database.db.updateTable('sessions')
    .set({ created_at: Date.now(), expires_at: Date.now() + DAY })
    .execute();
}

/** Answers something else than the server does. */
function lie<T>(network: Network, path: string, change: (answer: T) => unknown): () => void {
  return network.intercept(async (request, forward) => {
    const answer = await forward();
    if (request.method !== 'GET' || new URL(request.url).pathname !== path || !answer.ok) return answer;
    return Response.json(change((await answer.json()) as T));
  });
}

const entriesOf = ({ member }: { member: { call<T>(method: string, path: string): Promise<T> } }) =>
  member.call<SealedBookEntry[]>('GET', '/api/book?from=1');

describe('an honest server', () => {
  it('is called no liar by two devices that write in turn', async () => {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory();
    await two.writeGhost();
    await two.changeMemory(memory);
    await one.sealBreath();
    expect(await one.check()).toEqual([]);
    expect(await two.check()).toEqual([]);
    expect(one.bookSync.state().head).toEqual(two.bookSync.state().head);
  });

  it('keeps an entry with every change', async () => {
    const { one, member } = await aVaultWith(instance(), 1).then(async (world) => ({
      ...world,
      one: world.devices[0] as Device,
    }));
    const before = one.bookSync.state().head.n;
    const memory = await one.writeMemory();
    const changed = await one.changeMemory(memory);
    await one.deleteMemory(changed);
    await one.restoreMemory(changed);
    await one.deleteMemory(changed);
    await one.eraseMemory(changed);
    expect(one.bookSync.state().head.n).toBe(before + 6);
    expect((await entriesOf({ member })).at(-1)?.n).toBe(before + 6);
    expect(await one.check()).toEqual([]);
  });

  it('lets what was deleted be restored, and ends it after thirty days', async () => {
    const { one } = await twoDevices(instance());
    const [kept, gone] = [await one.writeMemory('Kept'), await one.writeMemory('Gone')];
    await one.deleteMemory(kept);
    await one.deleteMemory(gone);
    expect(await one.check()).toEqual([]);
    await one.restoreMemory(kept);
    expect(await one.check()).toEqual([]);
    await wait(31 * DAY);
    expect(await one.check()).toEqual([]);
  });

  it('may end a thought at its hour', async () => {
    const { one } = await twoDevices(instance());
    await one.writeGhost(1);
    await wait(2 * HOUR);
    expect(await one.check()).toEqual([]);
    await wait(3 * DAY);
    expect(await one.check()).toEqual([]);
  });

  it('may end a thought with its last reading: its row stays', async () => {
    const { one } = await twoDevices(instance());
    const { id } = await one.writeGhost();
    await one.vault.api.send(ghosts.read, { params: { id: String(id) } });
    expect(await one.check()).toEqual([]);
  });

  it('withholds the words of a locked memory until its day', async () => {
    const { one } = await twoDevices(instance());
    await one.writeMemory('Locked', new Date(Date.now() + DAY).toISOString());
    expect(await one.check()).toEqual([]);
    await wait(2 * DAY);
    expect(await one.check()).toEqual([]);
  });

  test('ten changes at once on two devices are all kept, each with its entry', async () => {
    const { one, two } = await twoDevices(instance());
    const before = one.bookSync.state().head.n;
    await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? one : two).writeMemory(`Memory ${i}`)));
    expect(await one.check()).toEqual([]);
    expect(await two.check()).toEqual([]);
    expect(one.bookSync.state().head.n).toBe(before + 10);
    expect(await memoriesOf(one)).toHaveLength(10);
  });

  it('may lose an answer: the change and its entry have both arrived, or neither has', async () => {
    const { one } = await twoDevices(instance());
    const stop = one.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (request.method !== 'POST') return answer;
      throw new TypeError('cut off');
    });
    await expect(one.writeMemory()).rejects.toThrow(TypeError);
    stop();
    expect(await one.check()).toEqual([]);
    await one.writeMemory();
    expect(await one.check()).toEqual([]);
    expect(await memoriesOf(one)).toHaveLength(2);
  });

  it('is read again by a page that is loaded anew, and by a browser that has forgotten what it read', async () => {
    const { one, two } = await twoDevices(instance());
    await one.writeMemory();
    one.reload();
    expect(await one.check()).toEqual([]);
    await two.writeMemory();
    one.forget();
    expect(await one.check()).toEqual([]);
    expect(one.bookSync.state()).toMatchObject({ isNew: true, head: two.bookSync.state().head });
    one.bookSync.confirm();
    expect(one.bookSync.state().isNew).toBe(false);
  });

  it('is reached by nobody for a while, and nothing is found', async () => {
    const { one } = await twoDevices(instance());
    await one.writeMemory();
    one.network.cut();
    const { api } = one.vault;
    await one.bookSync.compare(
      { kinds: ['memory'], path: '', fetch: () => Promise.reject(new TypeError()) },
      [],
    );
    expect(one.bookSync.state()).toMatchObject({ chain: null, rows: [] });
    one.network.cut(false);
    expect(await one.check()).toEqual([]);
    expect(api).toBe(one.vault.api);
  });
});

describe('what no book has', () => {
  it('is not in the book yet, and is taken in by a press', async () => {
    const { member, one, two } = await twoDevices(instance());
    const [title, encryptedContent] = ['A title', 'Words'];
    await member.postSealed('/api/memory-entries', 'memory', { title, encryptedContent });
    expect(await one.check()).toEqual(['unknown']);
    await one.bookSync.adopt(one.found());
    expect(one.bookSync.state().rows).toEqual([]);
    expect(await two.check()).toEqual([]);
    expect(await one.check()).toEqual([]);
  });

  test('a change by a program without a book is named, and taken for true by a press', async () => {
    const { member, one, two } = await twoDevices(instance());
    const memory = await one.writeMemory();
    const { id, sealId } = memory;
    const clear = { version: 2, timeLockUntil: null };
    const fields = await member.sealed(
      'memory',
      sealId ?? '',
      { title: 'By hand', encryptedContent: 'x' },
      clear,
    );
    const body = { ...fields, details: null, version: 1, keyFingerprint: member.fingerprint };
    await member.call('PATCH', `/api/memory-entries/${id}`, body);
    expect(await one.check()).toEqual(['changed']);
    await one.bookSync.adopt(one.found());
    expect(await two.check()).toEqual([]);
    await member.call('DELETE', `/api/memory-entries/${id}`);
    // It is missing where it was, and stands among what can be restored.
    expect(await two.check()).toEqual(['changed']);
    expect(two.found()).toMatchObject([{ kind: 'memory', shown: { kind: 'deleted/memory' } }]);
    await two.bookSync.adopt(two.found());
    expect(await one.check()).toEqual([]);
  });
});

describe('many rows at once', () => {
  it('are kept without entries, and come into the book together', async () => {
    const { member, one, two } = await twoDevices(instance());
    const { n } = one.bookSync.state().head;
    const all = [await brought(member), await brought(member), await brought(member)];
    one.bookSync.note(all.map(({ row }) => row));
    expect(await one.check()).toEqual([]);
    expect(one.bookSync.state().head.n).toBe(n + 1);
    expect(await two.check()).toEqual([]);
  });

  it('come into it at the next visit, but for those that another browser has deleted meanwhile', async () => {
    const { member, one, two } = await twoDevices(instance());
    const [kept, gone] = [await brought(member), await brought(member)];
    one.bookSync.note([kept.row, gone.row]);
    one.reload();
    await two.deleteMemory(gone.memory);
    expect(await one.check()).toEqual([]);
    expect(one.memory.loadNoted()).toEqual([]);
    expect(await two.check()).toEqual([]);
  });

  it('are missed where they vanish, whether the server takes their entries or not', async () => {
    const { member, one, two } = await twoDevices(instance());
    const [kept, gone] = [await brought(member), await brought(member)];
    const stop = one.network.intercept(async (request, forward) =>
      request.method === 'POST' && request.url.endsWith('/api/book')
        ? Response.json({ code: 'internal', message: 'No.' }, { status: 500 })
        : forward(),
    );
    one.bookSync.note([kept.row, gone.row]);
    expect(await one.bookSync.settle()).toBe(2);
    await instance().deps.db.deleteFrom('memory_entries').where('id', '=', gone.memory.id).execute();
    one.reload();
    expect(await one.check()).toEqual(['missing']);
    expect(one.found()).toMatchObject([{ what: 'missing', sealId: gone.row.sealId }]);
    expect(one.bookSync.state().unwritten).toBe(2);
    stop();
    expect(await one.bookSync.settle()).toBe(0);
    expect(await one.check()).toEqual(['missing']);
    expect(one.bookSync.state().unwritten).toBe(0);
    expect(await two.check()).toEqual(['missing']);
    await one.bookSync.adopt(one.found());
    expect(await one.check()).toEqual([]);
  });
});

describe('a server that lies', () => {
  const MEMORIES = '/api/memory-entries';

  it('leaves out a row', async () => {
    const { one } = await twoDevices(instance());
    const { sealId } = await one.writeMemory();
    await one.writeMemory();
    lie<Memory[]>(one.network, MEMORIES, (rows) => rows.filter((row) => row.sealId !== sealId));
    expect(await one.check()).toEqual(['missing']);
    expect(one.found()).toMatchObject([{ what: 'missing', sealId, kind: 'memory', shown: null }]);
  });

  it('leaves out a thought that has readings left, as if it had been read to its end', async () => {
    const { one } = await twoDevices(instance());
    await one.writeGhost();
    lie<Ghost[]>(one.network, '/api/ghost-entries', () => []);
    expect(await one.check()).toEqual(['missing']);
  });

  it('says of a thought that may be read for ever that it was read to its end, or has expired', async () => {
    const { member, one } = await twoDevices(instance());
    const sealId = newSealId();
    const limits = { maxReads: null, expiresAt: new Date(Date.now() + DAY).toISOString() };
    const fields = await member.sealed('ghost', sealId, { encryptedContent: 'A thought' }, limits);
    const body = { ...fields, ...limits, sealId, keyFingerprint: member.fingerprint };
    await one.bookSync.write({ put: [{ kind: 'ghost', sealId, sealed: body }] }, (entry) =>
      one.vault.api.send(ghosts.create, { body, entry } as never),
    );
    expect(await one.check()).toEqual([]);
    const lies = [{ maxReads: 1, currentReads: 1 }, { expiresAt: new Date(Date.now() - HOUR).toISOString() }];
    for (const said of lies) {
      const stop = lie<Ghost[]>(one.network, '/api/ghost-entries', ([row]) => [{ ...row, ...said }]);
      expect(await one.check()).toEqual(['missing']);
      stop();
    }
  });

  it('shows an old version, also under a new number', async () => {
    const { one } = await twoDevices(instance());
    const old = await one.writeMemory();
    await one.changeMemory(old);
    const stop = lie<Memory[]>(one.network, MEMORIES, () => [old]);
    expect(await one.check()).toEqual(['changed']);
    stop();
    lie<Memory[]>(one.network, MEMORIES, ([row]) => [{ ...old, version: row?.version }]);
    expect(await one.check()).toEqual(['changed']);
  });

  it('leaves out a scroll, which it may release and never remove', async () => {
    const { member, one } = await twoDevices(instance());
    const sealId = newSealId();
    const keyFingerprint = member.fingerprint;
    const body = { ...plainScroll(), encryptedScrollKey: someWords(60), keyFingerprint, sealId } as never;
    await one.bookSync.write({ put: [{ kind: 'legacy-scroll', sealId, sealed: body }] }, (entry) =>
      one.vault.api.send(legacyScrolls.create, { body, entry }),
    );
    expect(await one.check()).toEqual([]);
    lie<unknown[]>(one.network, '/api/legacy-scrolls', () => []);
    expect(await one.check()).toEqual(['missing']);
  });

  it('leaves out a row, and takes that back whenever the list is fetched once more', async () => {
    const { one } = await twoDevices(instance());
    await one.writeMemory();
    const { listOf } = await import('../../../vault/book/shown-lists.ts');
    const list = listOf('memory', one.vault.api);
    const right = await list.fetch();
    const queryKey = ['opened', list.path, one.vault.user.id];
    one.vault.queryClient.setQueryData(queryKey, 'what the page shows');
    const isAskedFor = () => one.vault.queryClient.getQueryState(queryKey)?.isInvalidated;

    await one.bookSync.compare(list, []);
    expect(one.found()).toEqual([]);
    // The page has to show what came after.
    expect(isAskedFor()).toBe(true);
    await one.bookSync.compare(list, []);
    expect(one.found()).toEqual([]);
    await one.bookSync.compare(list, []);
    expect(one.found()).toMatchObject([{ what: 'missing' }]);
    await one.bookSync.compare(list, right);
    expect(one.found()).toEqual([]);
  });

  it('is not called a liar because others write whenever a list is on its way', async () => {
    const { one, two } = await twoDevices(instance());
    const { listOf } = await import('../../../vault/book/shown-lists.ts');
    const list = listOf('memory', one.vault.api);
    for (let i = 0; i < 5; i += 1) {
      const early = await list.fetch();
      await two.writeMemory();
      await one.bookSync.compare(list, early);
      expect(one.found()).toEqual([]);
    }
  });

  it('swaps two ciphertexts', async () => {
    const { one } = await twoDevices(instance());
    const [a, b] = [await one.writeMemory('One'), await one.writeMemory('Two')];
    lie<Memory[]>(one.network, MEMORIES, () => [
      { ...b, title: a.title, encryptedContent: a.encryptedContent },
      { ...a, title: b.title, encryptedContent: b.encryptedContent },
    ]);
    expect(await one.check()).toEqual(['changed', 'changed']);
  });

  it('leaves the details of a row out', async () => {
    const { member, one } = await twoDevices(instance());
    const sealId = newSealId();
    const clear = { version: 1, timeLockUntil: null };
    const fields = await member.sealed(
      'memory',
      sealId,
      { title: 'a', encryptedContent: 'b', details: '{}' },
      clear,
    );
    const { api } = one.vault;
    const { memories } = await import('../../../shared/nouns/memory.ts');
    await one.bookSync.write({ put: [{ kind: 'memory', sealId, sealed: fields }] }, (entry) =>
      api.send(memories.create, {
        body: { ...fields, sealId, keyFingerprint: member.fingerprint } as never,
        entry,
      }),
    );
    expect(await one.check()).toEqual([]);
    const stop = lie<Memory[]>(one.network, MEMORIES, ([row]) => [{ ...row, details: null }]);
    expect(await one.check()).toEqual(['changed']);
    stop();
    // Nothing is locked, so that nothing is withheld by right.
    lie<Memory[]>(one.network, MEMORIES, ([row]) => [{ ...row, details: null, encryptedContent: null }]);
    expect(await one.check()).toEqual(['changed']);
  });

  it('brings a deleted row back, and an erased one', async () => {
    const { one } = await twoDevices(instance());
    const memory = await one.writeMemory();
    await one.deleteMemory(memory);
    lie<Memory[]>(one.network, MEMORIES, () => [memory]);
    expect(await one.check()).toEqual(['returned']);
    await one.eraseMemory(memory);
    expect(await one.check()).toEqual(['returned']);
  });

  it('brings an erased row back behind a summary that it has had written', async () => {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory();
    const ghost = await one.writeGhost();
    await one.deleteMemory(memory);
    await one.eraseMemory(memory);
    await one.deleteGhost(ghost);
    // A server says when a book is full.
    const stop = one.network.intercept(async (request, forward) => {
      if (request.method !== 'POST' || new URL(request.url).pathname !== MEMORIES) return forward();
      stop();
      return Response.json({ code: 'book-full', message: 'No.' }, { status: 409 });
    });
    await one.writeMemory('Afterwards');
    for (const device of [one, two]) {
      if (device === two) device.forget();
      expect(await device.check()).toEqual([]);
      lie<Memory[]>(device.network, MEMORIES, (rows) => [...rows, memory]);
      lie<Ghost[]>(device.network, '/api/ghost-entries', (rows) => [...rows, ghost]);
      expect(await device.check()).toEqual(['returned', 'returned']);
    }
  });

  it('shows a scroll with the letter that it had before, or without its key', async () => {
    const { member, one } = await twoDevices(instance());
    const sealId = newSealId();
    const keyFingerprint = member.fingerprint;
    const body = {
      ...{ ...plainScroll(), title: someWords(60), encryptedScrollKey: someWords(60) },
      ...{ encryptedContent: someWords(60), keyFingerprint, sealId },
    };
    const before = await one.bookSync.write(
      { put: [{ kind: 'legacy-scroll', sealId, sealed: body }] },
      (entry) => one.vault.api.send(legacyScrolls.create, { body: body as never, entry }),
    );
    const changed = {
      title: someWords(60),
      encryptedScrollKey: someWords(60),
      encryptedContent: someWords(60),
    };
    const { id, version } = before;
    await one.bookSync.write({ put: [{ kind: 'legacy-scroll', sealId, sealed: changed }] }, (entry) =>
      one.vault.api.send(legacyScrolls.update, {
        params: { id: String(id) },
        body: { ...plainScroll(), ...changed, version, keyFingerprint } as never,
        entry,
      }),
    );
    expect(await one.check()).toEqual([]);
    const { encryptedContent } = before;
    const stop = lie<object[]>(one.network, '/api/legacy-scrolls', ([row]) => [{ ...row, encryptedContent }]);
    expect(await one.check()).toEqual(['changed']);
    stop();
    // Without its key its author can neither read it nor make a card for it.
    lie<object[]>(one.network, '/api/legacy-scrolls', ([row]) => [{ ...row, encryptedScrollKey: null }]);
    expect(await one.check()).toEqual(['missing']);
  });

  it('loses what could be restored', async () => {
    const { one } = await twoDevices(instance());
    await one.deleteMemory(await one.writeMemory());
    lie<Memory[]>(one.network, '/api/deleted-memory-entries', () => []);
    lie<Memory[]>(one.network, `${MEMORIES}/deleted`, () => []);
    const found = await one.check();
    expect(found).toEqual(['missing']);
    expect(one.found()[0]?.kind).toBe('deleted/memory');
  });

  it('goes back as a whole, or drops the last entries, with their rows or without', async () => {
    const { one } = await twoDevices(instance());
    await one.writeMemory('Before');
    const { n } = one.bookSync.state().head;
    const past = await memoriesOf(one);
    await one.writeMemory('After');
    const dropped = lie<SealedBookEntry[]>(one.network, '/api/book', (all) => all.filter((e) => e.n <= n));
    expect(await one.check()).toEqual(['went-back']);
    expect(one.bookSync.state().chain).toMatchObject({ kind: 'went-back', seen: { n: n + 1 }, shown: n });
    const back = lie<Memory[]>(one.network, MEMORIES, () => past);
    expect(await one.check()).toEqual(['went-back']);
    // It is noticed by a page that is loaded anew as well.
    one.reload();
    expect(await one.check()).toEqual(['went-back']);
    dropped();
    expect(await one.check()).toEqual(['missing']);
    back();
    expect(await one.check()).toEqual([]);
  });

  it('shows no book any more', async () => {
    const { one } = await twoDevices(instance());
    await one.writeMemory();
    one.network.intercept(async (request, forward) =>
      new URL(request.url).pathname === '/api/book' && request.method === 'GET'
        ? Response.json({ code: 'not-found', message: 'Nothing is here.' }, { status: 404 })
        : forward(),
    );
    expect(await one.check()).toEqual([]);
    expect(one.bookSync.state().isWithheld).toBe(true);
  });

  it('shows two devices two books, and one of them later', async () => {
    const { one, two } = await twoDevices(instance());
    // Whatever this device writes, the server says it has kept.
    const stop = two.network.intercept(async (request, forward) => {
      if (request.method !== 'POST' || !request.url.endsWith(MEMORIES)) return forward();
      const body = (await request.json()) as Memory;
      const now = new Date().toISOString();
      return Response.json(
        { ...body, id: 900, details: null, createdAt: now, updatedAt: now, version: 1 },
        { status: 201 },
      );
    });
    await two.writeMemory();
    stop();
    await one.writeMemory();
    expect(await two.check()).toEqual(['forked']);
    expect(await one.check()).toEqual([]);
  });

  it('cannot write an entry that takes a row in', async () => {
    const { member, one } = await twoDevices(instance());
    await one.writeMemory();
    await member.postSealed('/api/memory-entries', 'memory', { title: 'Planted', encryptedContent: 'x' });
    const { n } = one.bookSync.state().head;
    lie<SealedBookEntry[]>(one.network, '/api/book', (all) => [
      ...all,
      { n: n + 1, sealed: all.at(-1)?.sealed ?? '' },
    ]);
    expect(await one.check()).toEqual(['unreadable']);
  });

  it('stops nobody from writing: what is written meanwhile is taken in later', async () => {
    const { one } = await twoDevices(instance());
    await one.writeMemory();
    const stop = lie<SealedBookEntry[]>(one.network, '/api/book', () => []);
    expect(await one.check()).toEqual(['went-back']);
    await one.writeMemory('Meanwhile');
    expect(await memoriesOf(one)).toHaveLength(2);
    stop();
    expect(await one.check()).toEqual([]);
  });

  it('leaves out what was written while its book was wrong', async () => {
    const { one } = await twoDevices(instance());
    await one.writeMemory();
    const stop = lie<SealedBookEntry[]>(one.network, '/api/book', () => []);
    await one.check();
    const { id } = await one.writeMemory('Meanwhile');
    await instance().deps.db.deleteFrom('memory_entries').where('id', '=', id).execute();
    stop();
    expect(await one.check()).toEqual(['missing']);
  });
});

describe('a server that went back', () => {
  it('is accepted by its owner, and the other devices see by whom', async () => {
    const { one, two } = await twoDevices(instance());
    // Its row stays without its words.
    const ghost = await one.writeGhost();
    await one.vault.api.send(ghosts.read, { params: { id: String(ghost.id) } });
    await one.writeMemory('Before');
    await two.check();
    const { db } = instance().database;
    const { n } = one.bookSync.state().head;
    const lostMemory = await one.writeMemory('Lost');
    await two.check();
    // As a backup that was put back would have it.
    await db.deleteFrom('book_entries').where('n', '>', n).where('account_id', '>', 0).execute();
    await db.deleteFrom('memory_entries').where('id', '=', lostMemory.id).execute();
    expect(await one.check()).toEqual(['went-back']);
    await one.bookSync.acceptAsShown();
    expect(await one.check()).toEqual([]);
    expect(one.bookSync.state().head.n).toBe(n + 1);

    expect(await two.check()).toEqual([]);
    expect(two.bookSync.state().acceptances).toMatchObject([{ n: n + 1, lost: { n: n + 1 } }]);
    await two.writeMemory('Afterwards');
    expect(await one.check()).toEqual([]);
    one.forget();
    expect(await one.check()).toEqual([]);
  });
});

test('a checkpoint spares a new browser a long book, and takes nothing from those that were away', async () => {
  const { one, two } = await twoDevices(instance());
  await one.writeMemory();
  await two.check();
  const seen = two.bookSync.state().head.n;
  await wait(366 * DAY);
  await one.bookSync.look();
  expect(one.bookSync.state().head.n).toBe(seen + 1);
  await one.writeMemory('A year later');
  const served: number[] = [];
  lie<SealedBookEntry[]>(one.network, '/api/book', (all) => {
    served.push(...all.map(({ n }) => n));
    return all;
  });
  one.forget();
  await one.bookSync.look();
  expect(served).toEqual([seen + 1, seen + 2]);
  expect(await one.check()).toEqual([]);
  expect(await two.check()).toEqual([]);
});

describe('a browser that was away since before the last checkpoint', () => {
  /** One device has seen an entry, and the other has gone on and summed it up. */
  async function awayFor(checkpoints: number) {
    const { one, two } = await twoDevices(instance());
    await one.writeMemory();
    await two.check();
    await two.bookSync.look();
    const seen = two.bookSync.state().head.n;
    for (let i = 0; i < checkpoints; i += 1) {
      await one.writeMemory();
      await wait(366 * DAY);
      await one.bookSync.look();
    }
    await one.writeMemory();
    const { loadPin, savePin } = two.memory;
    const pin = loadPin();
    two.memory.forget();
    if (pin) savePin(pin);
    two.reload();
    return { two, seen };
  }
  const among = (from: number, to: number) => (n: number) => n >= from && n <= to;

  it.each([1, 2, 3])('follows what an honest server still has, after %i of them', async (checkpoints) => {
    const { two } = await awayFor(checkpoints);
    expect(await two.check()).toEqual([]);
    expect(two.bookSync.state().chain).toBeNull();
  });

  it('is not shown a checkpoint in the place of what leads there', async () => {
    const { two, seen } = await awayFor(1);
    lie<SealedBookEntry[]>(two.network, '/api/book', (all) =>
      all.filter(({ n }) => !among(seen, seen + 1)(n)),
    );
    expect(await two.check()).toEqual(['unreadable']);
  });

  it('is not shown another entry in the place of the one that it has seen', async () => {
    const { two, seen } = await awayFor(1);
    lie<SealedBookEntry[]>(two.network, '/api/book', (all) =>
      all.map((one) => (one.n === seen ? { ...one, sealed: all.at(-1)?.sealed ?? '' } : one)),
    );
    expect(await two.check()).toEqual(['forked']);
  });

  it('is not shown something unreadable in its place', async () => {
    const { two, seen } = await awayFor(1);
    lie<SealedBookEntry[]>(two.network, '/api/book', (all) =>
      all.map((one) => (one.n === seen + 1 ? { ...one, sealed: all[0]?.sealed ?? '' } : one)),
    );
    expect(await two.check()).toEqual(['unreadable']);
  });
});
