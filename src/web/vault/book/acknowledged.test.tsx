// A server that says that something was kept, and drops it: whatever it did to keep that out of the vault's book, it is missed.
import { describe, expect, it, vi } from 'vitest';
import { emptyBook } from '../../../crypto/book.ts';
import type { SealedBookEntry } from '../../../shared/nouns/book.ts';
import { book as calls } from '../../../shared/nouns/book.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { MINUTE } from '../../../shared/time.ts';
import { type Device, memoriesOf, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';

const instance = anInstance();
const MEMORIES = '/api/memory-entries';
const BOOK = '/api/book';

const refusal = (code: string) => Response.json({ code, message: 'No.' }, { status: 409 });
const callOf = (request: Request) => `${request.method} ${new URL(request.url).pathname}`;

/** As the server would answer what it has kept. */
async function acknowledge(request: Request, before: object): Promise<Response> {
  const now = new Date().toISOString();
  const sent = (await request.json()) as object;
  const row = { details: null, timeLockUntil: null, createdAt: now, updatedAt: now, ...before, ...sent };
  return Response.json(row, { status: request.method === 'POST' ? 201 : 200 });
}

/** Holds the next new memory back until it is told to acknowledge it; the server never gets it. */
function holdNext({ network }: Device): { arrived: Promise<void>; acknowledge(): void } {
  let arrive = () => {};
  let forward = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const told = new Promise<void>((resolve) => {
    forward = resolve;
  });
  const stop = network.intercept(async (request, honest) => {
    if (callOf(request) !== `POST ${MEMORIES}`) return honest();
    stop();
    const answer = acknowledge(request, { id: 900, version: 1 });
    arrive();
    await told;
    return answer;
  });
  return { arrived, acknowledge: forward };
}

/** A write of one device that is held back, and another device's that has its number meanwhile. */
async function overtaken() {
  const { one, two } = await twoDevices(instance());
  const held = holdNext(one);
  const writing = one.writeMemory('Late');
  await held.arrived;
  one.late();
  await two.writeMemory('Kept');
  return { one, held, writing };
}

describe('what is acknowledged when its turn has ended, and was dropped,', () => {
  it('is missed at the next look, and on the next page', async () => {
    const { one } = await twoDevices(instance());
    const held = holdNext(one);
    const writing = one.writeMemory('Late');
    await held.arrived;
    one.late();
    expect(await one.check()).toEqual([]);
    held.acknowledge();
    await writing;
    expect(await one.check()).toEqual(['went-back']);
    one.reload();
    expect(await one.check()).toEqual(['went-back']);
  });

  it('is missed where another change has its number by then', async () => {
    const { one, held, writing } = await overtaken();
    expect(await one.check()).toEqual([]);
    held.acknowledge();
    await writing;
    expect(one.bookSync.state().chain).toMatchObject({ kind: 'forked' });
    one.reload();
    expect(await one.check()).toEqual(['forked']);
  });

  it('is not said to be kept where the book is not shown', async () => {
    const { one, held, writing } = await overtaken();
    await one.check();
    one.network.intercept(async (request, forward) =>
      callOf(request) === `GET ${BOOK}` ? new Response('', { status: 500 }) : forward(),
    );
    held.acknowledge();
    await expect(writing).rejects.toMatchObject({ status: 500 });
  });

  it('is no finding where it was kept', async () => {
    const { one, two } = await twoDevices(instance());
    let forward = () => {};
    const told = new Promise<void>((resolve) => {
      forward = resolve;
    });
    const stop = one.network.intercept(async (request, honest) => {
      const answer = await honest();
      if (callOf(request) !== `POST ${MEMORIES}`) return answer;
      stop();
      await told;
      return answer;
    });
    const writing = one.writeMemory('Late');
    await expect.poll(async () => (await two.vault.api.send(calls.list, {})).length).toBeGreaterThan(1);
    one.late();
    await two.bookSync.look();
    await two.writeMemory('Behind it');
    expect(await one.check()).toEqual([]);
    forward();
    await writing;
    expect(await one.check()).toEqual([]);
    expect(one.bookSync.state().head).toEqual(two.bookSync.state().head);
  });
});

describe('an edit for which there is no room in the book', () => {
  /** The server says that the book is full, acknowledges the edit without an entry, and goes on showing what was there, unless it keeps it. */
  async function edited(
    isKept = false,
  ): Promise<{ one: Device; two: Device; memory: Memory; stop: () => void }> {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory('As it was');
    await two.bookSync.look();
    const stop = one.network.intercept(async (request, honest) => {
      if (callOf(request) === `POST ${BOOK}`) return refusal('book-full');
      if (request.method !== 'PATCH' && request.method !== 'PUT') return honest();
      if (request.headers.has('x-latebra-book')) return refusal('book-full');
      if (isKept) return honest();
      return acknowledge(request, { ...memory, version: undefined, sealId: memory.sealId });
    });
    one.network.intercept(async (request, honest) => {
      const answer = await honest();
      if (request.method !== 'PATCH' && request.method !== 'PUT') return answer;
      const row = (await answer.json()) as Memory;
      return Response.json({ ...row, version: memory.version + 1 });
    });
    await one.changeMemory(memory, 'As it is');
    return { one, two, memory, stop };
  }

  it('is missed where it was dropped, also once it is in the book', async () => {
    const { one, stop } = await edited();
    expect(await one.check()).toEqual(['changed']);
    one.reload();
    expect(await one.check()).toEqual(['changed']);
    stop();
    expect(await one.bookSync.settle()).toBe(0);
    expect(await one.check()).toEqual(['changed']);
  });

  it('comes behind what another device has written since', async () => {
    const { one, two, stop } = await edited(true);
    stop();
    for (const memory of await memoriesOf(two)) await two.changeMemory(memory, 'As it is elsewhere');
    expect(await one.check()).toEqual([]);
    expect(await one.bookSync.settle()).toBe(0);
    expect(await two.check()).toEqual([]);
  });
});

describe('a deletion for which there is no room in the book', () => {
  /** The server says that the book is full, acknowledges what is done without an entry, and does nothing of it. */
  function keepWhatIsDeleted({ network }: Device): () => void {
    return network.intercept(async (request, honest) => {
      if (callOf(request) === `POST ${BOOK}`) return refusal('book-full');
      if (request.method !== 'DELETE') return honest();
      return request.headers.has('x-latebra-book')
        ? refusal('book-full')
        : new Response(null, { status: 204 });
    });
  }

  it('is missed where it was dropped, also once it is in the book', async () => {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory('Thrown away');
    const ghost = await one.writeGhost();
    const stop = keepWhatIsDeleted(one);
    await one.deleteMemory(memory);
    await one.deleteGhost(ghost);
    expect(await one.check()).toEqual(['returned', 'returned']);
    one.reload();
    expect(await one.check()).toEqual(['returned', 'returned']);
    stop();
    expect(await one.bookSync.settle()).toBe(0);
    expect(await one.check()).toContain('returned');
    expect(await two.check()).toContain('returned');
  });

  it('is no finding where it was done', async () => {
    const { one, two } = await twoDevices(instance());
    const [memory, restored] = [await one.writeMemory('Thrown away'), await one.writeMemory('Brought back')];
    const ghost = await one.writeGhost();
    const stop = one.network.intercept(async (request, honest) =>
      callOf(request) === `POST ${BOOK}` || request.headers.has('x-latebra-book')
        ? refusal('book-full')
        : honest(),
    );
    for (const row of [memory, restored]) await one.deleteMemory(row);
    await one.deleteGhost(ghost);
    expect(await one.check()).toEqual([]);
    await one.restoreMemory(restored);
    await one.eraseMemory(memory);
    expect(await one.check()).toEqual([]);
    stop();
    expect(await one.bookSync.settle()).toBe(0);
    expect(await one.check()).toEqual([]);
    expect(await two.check()).toEqual([]);
  });
});

describe('two histories', () => {
  it('are not joined by checkpoints that the server has had written: the browser asks', async () => {
    const { one, two } = await twoDevices(instance());
    one.bookSync.confirm();
    const { n } = one.bookSync.state().head;
    const stop = one.network.intercept(async (request, honest) =>
      callOf(request) === `POST ${MEMORIES}` ? acknowledge(request, { id: 900, version: 1 }) : honest(),
    );
    await one.writeMemory('Kept from the other device');
    stop();
    expect(one.bookSync.state()).toMatchObject({ head: { n: n + 1 }, isNew: false });
    // The other device is told again and again that its book is full, and writes a summary each time.
    let left = 3;
    two.network.intercept(async (request, honest) => {
      if (callOf(request) !== `POST ${MEMORIES}` || left === 0) return honest();
      left -= 1;
      return refusal('book-full');
    });
    await two.writeMemory('Of the other history');
    const query = { from: n + 2 };
    const shown = (await two.vault.api.send(calls.list, { query })) as SealedBookEntry[];
    expect(shown).toHaveLength(3);
    one.network.intercept(async (request, honest) =>
      callOf(request) === `GET ${BOOK}` ? Response.json(shown) : honest(),
    );
    await one.check();
    expect(one.bookSync.state()).toMatchObject({ chain: null, isNew: true, isCutOff: true });
  });

  it.each([
    ['', async () => {}],
    // Leaving forgets what was read, and not its place.
    [', also after it has left', ({ memory }: Device) => memory.store(emptyBook())],
  ])('are not excused by a loss that was accepted before a browser came%s', async (_, leave) => {
    const { one, two } = await twoDevices(instance());
    const { n } = one.bookSync.state().head;
    for (const title of ['Lost', 'And lost', 'And lost as well', 'And this']) await one.writeMemory(title);
    await instance().deps.db.deleteFrom('book_entries').where('n', '>', n).execute();
    await one.bookSync.look();
    await one.bookSync.acceptAsShown();
    const entries = (await one.vault.api.send(calls.list, { query: { from: 1 } })) as SealedBookEntry[];
    vi.setSystemTime(Date.now() + MINUTE);
    // A browser that begins behind a later summary has never heard of that.
    let left = 1;
    one.network.intercept(async (request, honest) => {
      if (callOf(request) !== `POST ${MEMORIES}` || left === 0) return honest();
      left -= 1;
      return refusal('book-full');
    });
    await one.writeMemory('Afterwards');
    two.forget();
    await two.bookSync.look();
    two.bookSync.confirm();
    await two.rest();
    expect(two.bookSync.state()).toMatchObject({ head: { n: n + 3 }, acceptances: [] });
    await leave(two);
    two.network.intercept(async (request, honest) =>
      callOf(request) === `GET ${BOOK}` ? Response.json(entries) : honest(),
    );
    two.reload();
    expect(await two.check()).toEqual(['went-back']);
  });
});
