import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPacedReads, pacedReadLimits } from './paced-reads.ts';

const KIB = 1024;
const limits = { ...pacedReadLimits, atOnce: 4, perPerson: 2, checkEvery: 1000 };
const MINUTE = limits.grace;

let cuts = 0;
beforeEach(() => {
  cuts = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const countCut = () => {
  cuts += 1;
};
const reads = () => createPacedReads(() => Date.now(), { countCut }, limits);

/** A store that gives so many pieces, each after so long, and knows whether it was told to stop. */
function aStore({ pieces = Number.POSITIVE_INFINITY, size = 64 * KIB, after = 0 } = {}) {
  let given = 0;
  const store = { isStopped: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (after > 0) await new Promise((resolve) => setTimeout(resolve, after));
        given += 1;
        if (given > pieces) controller.close();
        else controller.enqueue(new Uint8Array(size));
      },
      cancel: () => {
        store.isStopped = true;
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(store, { open: async () => stream });
}
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error: { code?: string }) => error.code,
  );

it('gives one person a few places, and has them back when what was read has ended, failed or was given up', async () => {
  const { read } = reads();
  const one = (store = aStore({ pieces: 1 })) => read({ person: 1, network: 'a' }, store.open);
  const first = (await one()).getReader();
  const second = await one();
  await expect(one()).rejects.toMatchObject({ code: 'too-many', retryAfter: 5 });
  await first.read();
  await expect(one()).rejects.toMatchObject({ code: 'too-many' });
  expect((await first.read()).done).toBe(true);
  const third = await one();
  await second.cancel();
  await third.cancel();
  const lost = () => Promise.reject(new Error('the store has lost it'));
  for (const _ of [1, 2, 3]) await expect(read({ person: 1, network: 'a' }, lost)).rejects.toThrow('lost');
  const broken = async () => new ReadableStream<Uint8Array>({ pull: (c) => c.error(new Error('broken')) });
  for (const _ of [1, 2, 3])
    await expect((await read({ person: 1, network: 'a' }, broken)).getReader().read()).rejects.toThrow();
  await one();
  expect(cuts).toBe(0);
});

it('has the network with most of the places make room, also while its answer has not begun', async () => {
  const { read } = reads();
  const stores = [1, 2, 3].map(() => aStore());
  const opened = await Promise.all(stores.map((store, i) => read({ person: i, network: 'a' }, store.open)));
  let open: (stream: ReadableStream<Uint8Array>) => void = () => {};
  const slow = read({ person: 9, network: 'b' }, () => new Promise((resolve) => (open = resolve)));
  await read({ person: 10, network: 'c' }, aStore().open);
  expect(stores.map(({ isStopped }) => isStopped)).toEqual([true, false, false]);
  expect(await outcome(opened[0]?.getReader().read() ?? Promise.resolve())).toBe('busy');
  expect(cuts).toBe(1);
  // One place each: nobody has more than a newcomer would have afterwards, but for two of the first.
  await read({ person: 11, network: 'd' }, aStore().open);
  await expect(read({ person: 12, network: 'b' }, aStore().open)).rejects.toMatchObject({ code: 'busy' });
  open(await aStore().open());
  expect(await outcome(slow)).toBe('read');
});

it('has whoever has most of the places that several share make room for the others of them', async () => {
  const { read } = reads();
  const [store, other] = [aStore(), aStore()];
  const by = (reader: string, from: string) => ({ person: 'lent', network: from, reader });
  const held = (await read(by('ada', 'a'), store.open)).getReader();
  await read(by('ada', 'b'), aStore().open);
  const ben = (await read(by('ben', 'a'), other.open)).getReader();
  expect([store.isStopped, other.isStopped]).toEqual([true, false]);
  expect(await outcome(held.read())).toBe('busy');
  // Each has one now, and may have no more.
  for (const reader of ['ada', 'ben', 'cid'])
    await expect(read(by(reader, 'c'), aStore().open)).rejects.toMatchObject({ code: 'too-many' });
  expect(await outcome(ben.read())).toBe('read');
});

it('ends the answer of a reader that takes nothing, however much it has read before', async () => {
  const { read } = reads();
  const store = aStore();
  const reader = (await read({ person: 1, network: 'a' }, store.open)).getReader();
  for (let i = 0; i < 1000; i += 1) await reader.read();
  await vi.advanceTimersByTimeAsync(2 * MINUTE + 5000);
  expect(store.isStopped).toBe(true);
  expect(await outcome(reader.read())).toBe('too-many');
  expect(cuts).toBe(1);
  for (const _ of [1, 2]) await read({ person: 1, network: 'a' }, aStore().open);
});

it('ends the answer of a reader that takes a little now and then', async () => {
  const { read } = reads();
  const store = aStore({ size: KIB });
  const reader = (await read({ person: 1, network: 'a' }, store.open)).getReader();
  for (let i = 0; i < 10 && !store.isStopped; i += 1) {
    await outcome(reader.read());
    await vi.advanceTimersByTimeAsync(MINUTE / 4);
  }
  expect(store.isStopped).toBe(true);
});

it('lets a slow reader read for as long as it takes', async () => {
  const { read } = reads();
  const store = aStore();
  const reader = (await read({ person: 1, network: 'a' }, store.open)).getReader();
  for (let i = 0; i < 60; i += 1) {
    expect(await outcome(reader.read())).toBe('read');
    await vi.advanceTimersByTimeAsync(30_000);
  }
  expect(store.isStopped).toBe(false);
});

it('blames no reader for a store that is slow', async () => {
  const { read } = reads();
  const store = aStore({ after: 5 * MINUTE, size: KIB });
  const reader = (await read({ person: 1, network: 'a' }, store.open)).getReader();
  for (let i = 0; i < 3; i += 1) {
    const taken = outcome(reader.read());
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(await taken).toBe('read');
  }
  expect(store.isStopped).toBe(false);
});
