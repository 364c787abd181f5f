// What a server takes without an entry, as it says that the book is full, counts as written as well: also where an earlier try had come
// with an entry, which the server keeps back until then, and where another tab has written meanwhile.
import { describe, expect, it } from 'vitest';
import { generateVaultKey } from '../../../crypto/vault-key.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { ApiError } from '../../../vault/api/api-error.ts';
import type { NotedRow } from '../../../vault/book/book-memory.ts';
import { NotedRows } from '../../../vault/book/noted.ts';
import { Overtaken } from '../../../vault/book/written.ts';
import { aDevice, type Device, memoriesOf, twoDevices } from '../../testing/devices.ts';
import { refusal } from '../../testing/holders.ts';
import { anInstance } from '../../testing/instance.ts';

const instance = anInstance();
const callOf = ({ method, url }: Request) => `${method} ${new URL(url).pathname}`;
const isWrite = ({ method }: Request) => method === 'POST' || method === 'PATCH' || method === 'DELETE';
const isAppend = (request: Request) => callOf(request) === 'POST /api/book';
const hasEntry = ({ headers }: Request) => [...headers.keys()].some((name) => name.includes('book'));
const full = () => refusal('book-full');

/** Keeps what arrives, and says that it did not. */
function loseAnswers({ network }: Device, isMeant: (request: Request) => boolean): () => void {
  return network.intercept(async (request, forward) => {
    const answer = await forward();
    return isMeant(request) ? refusal('internal') : answer;
  });
}

/** Takes no entries, says to keep what comes without one, and shows no entry from a number on. */
function takeAlone({ network }: Device, hiddenFrom: number, before: Partial<Memory>): () => void {
  return network.intercept(async (request, forward) => {
    if (callOf(request) === 'GET /api/book') {
      const shown = (await (await forward()).json()) as { n: number }[];
      return Response.json(shown.filter(({ n }) => n < hiddenFrom));
    }
    if (!isWrite(request)) return forward();
    if (isAppend(request) || hasEntry(request)) return full();
    const now = new Date().toISOString();
    const row = { id: 900, details: null, timeLockUntil: null, createdAt: now, updatedAt: now };
    return Response.json({ ...row, ...before, ...((await request.json()) as object), version: 2 });
  });
}

/** Keeps for true what comes without an entry, and takes no entries. */
async function inFullBook<T>({ network }: Device, work: () => Promise<T>): Promise<T> {
  const stop = network.intercept(async (request, forward) =>
    isWrite(request) && (isAppend(request) || hasEntry(request)) ? full() : forward(),
  );
  const done = await work();
  stop();
  return done;
}

/** A memory that is kept for true, and in no entry yet. */
const writeAlone = (device: Device): Promise<Memory> => inFullBook(device, () => device.writeMemory('First'));

async function aDeviceThatHasRead(): Promise<{ one: Device; n: number; aTab: () => Promise<Device> }> {
  const { member, one } = await twoDevices(instance());
  await one.bookSync.look();
  const { n } = one.bookSync.state().head;
  const aTab = async () => {
    const tab = aDevice(instance(), member, one.memory);
    await tab.check();
    return tab;
  };
  return { one, n, aTab };
}

describe('a change that was taken alone while the entry of another device was kept back,', () => {
  /** Both devices change the same version; the change of the second is what the server keeps. */
  async function bothChange() {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory();
    await two.check();
    const { n } = one.bookSync.state().head;
    await two.changeMemory(memory, 'On the other device');
    const stop = takeAlone(one, n + 1, memory);
    await one.changeMemory(memory, 'Here');
    stop();
    return { one, two };
  }

  it('and is not shown, is missed, until its owner takes what is shown', async () => {
    const { one } = await bothChange();
    for (let looks = 0; looks < 2; looks += 1) {
      expect(await one.check()).toEqual(['changed']);
      one.reload();
    }
    await one.check();
    await one.bookSync.adopt(one.found());
    expect(await one.check()).toEqual([]);
  });

  it('is missed as well once that entry has gone on', async () => {
    const { one, two } = await bothChange();
    const [memory] = await memoriesOf(two);
    await two.changeMemory(memory as Memory, 'Later');
    expect(await one.check()).toEqual(['changed']);
  });

  it('is missed no longer once its entry was erased', async () => {
    const { one, two } = await bothChange();
    const [memory] = await memoriesOf(two);
    await two.deleteMemory(memory as Memory);
    await two.eraseMemory(memory as Memory);
    expect(await one.check()).toEqual([]);
    expect(one.memory.loadNoted()).toEqual([]);
  });
});

describe('a change that was taken alone, and of which another device has written the version, is missed', () => {
  /** The first device has sent one change of it alone, which was dropped. Nobody else knows of that. */
  async function oneIsDropped() {
    const { member, one, two } = await twoDevices(instance());
    const memory = await one.writeMemory();
    await two.check();
    const { n } = one.bookSync.state().head;
    const stop = takeAlone(one, n + 1, memory);
    await one.changeMemory(memory, 'Here');
    stop();
    return { member, one, two, memory };
  }

  async function isMissed(one: Device) {
    for (let looks = 0; looks < 2; looks += 1) {
      expect(await one.check()).toEqual(['changed']);
      one.reload();
    }
    await one.check();
    await one.bookSync.adopt(one.found());
    expect(await one.check()).toEqual([]);
    expect(one.memory.loadNoted()).toEqual([]);
  }

  it('where that has written more, all of it kept back until then', async () => {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory();
    await two.check();
    const { n } = one.bookSync.state().head;
    let there = memory;
    for (const title of ['There', 'There again', 'And again']) there = await two.changeMemory(there, title);
    const stop = takeAlone(one, n + 1, memory);
    await one.changeMemory(memory, 'Here');
    stop();
    await isMissed(one);
  });

  it('where that has written more before this browser looks again', async () => {
    const { one, two, memory } = await oneIsDropped();
    await two.changeMemory(await two.changeMemory(memory, 'There'), 'There again');
    await isMissed(one);
  });

  it('where what it has written since was deleted and restored', async () => {
    const { one, two, memory } = await oneIsDropped();
    const there = await two.changeMemory(await two.changeMemory(memory, 'There'), 'There again');
    await two.deleteMemory(there);
    await two.restoreMemory(there);
    await isMissed(one);
  });

  it('where checkpoints have followed', async () => {
    const { one, two, memory } = await oneIsDropped();
    let there = await two.changeMemory(memory, 'There');
    const once = two.network.intercept(async (request, forward) => {
      if (!hasEntry(request) || isAppend(request)) return forward();
      once();
      return full();
    });
    there = await two.changeMemory(there, 'There again');
    await two.changeMemory(there, 'And again');
    await isMissed(one);
  });

  it('where the other device was told that the book is full as well', async () => {
    const { one, two, memory } = await oneIsDropped();
    await inFullBook(two, async () =>
      two.changeMemory(await two.changeMemory(memory, 'There'), 'There again'),
    );
    await two.check();
    await isMissed(one);
  });

  it('where that was so for a part of what it has written', async () => {
    const { one, two, memory } = await oneIsDropped();
    const there = await inFullBook(two, () => two.changeMemory(memory, 'There'));
    await two.changeMemory(there, 'There again');
    await isMissed(one);
  });

  it('where that was so until a third device had written over it', async () => {
    const { member, one, two, memory } = await oneIsDropped();
    const there = await inFullBook(two, () => two.changeMemory(memory, 'There'));
    const three = aDevice(instance(), member);
    await three.bookSync.look();
    await three.changeMemory(there, 'On a third');
    await two.check();
    await isMissed(one);
  });

  it('where that was so until the key is changed', async () => {
    const { one, two, memory } = await oneIsDropped();
    const there = await inFullBook(two, () => two.changeMemory(memory, 'There'));
    await two.bookSync.draftUnder(generateVaultKey(), []);
    await two.changeMemory(there, 'There again');
    await isMissed(one);
  });
});

it('a change that was kept alone is missed nowhere, whatever others have made of it before the book has it', async () => {
  const { member, one, two } = await twoDevices(instance());
  let memory = await one.writeMemory();
  await two.check();
  memory = await inFullBook(one, async () => one.changeMemory(await one.changeMemory(memory, 'A'), 'B'));
  memory = await inFullBook(two, async () => two.changeMemory(await two.changeMemory(memory, 'C'), 'D'));
  const three = aDevice(instance(), member);
  await three.bookSync.look();
  await three.changeMemory(await three.changeMemory(memory, 'E'), 'F');
  for (const device of [two, one, three, two, one]) expect(await device.check()).toEqual([]);
  for (const device of [one, two, three]) expect(device.memory.loadNoted()).toEqual([]);
});

it('of what two devices have sent alone, one after the other, the later stays, whichever the book has first', async () => {
  const { one, two } = await twoDevices(instance());
  const memory = await one.writeMemory();
  await two.check();
  const changed = await inFullBook(one, () => one.changeMemory(memory, 'A'));
  await inFullBook(two, () => two.changeMemory(changed, 'B'));
  for (const device of [one, two]) await device.bookSync.look();
  for (const device of [one, two]) expect(await device.check()).toEqual([]);
});

describe('a change that was kept alone is not missed', () => {
  const row = { sealId: 'A'.repeat(22), kind: 'memory', ends: [] };
  const [mine, anew] = ['B', 'C'].map((letter) => letter.repeat(43)) as [string, string];
  const deleted = { ...row, kind: 'deleted/memory', leaf: mine, versionNumber: 1 };
  const broughtAgain = { put: [{ ...row, leaf: anew }], removed: [] };
  const changed = { put: [{ ...row, leaf: 'D'.repeat(43), versionNumber: 2 }], removed: [] };

  it.each([
    ['removed', { put: [], removed: [row.sealId] }],
    ['deleted, and gone in time', { put: [deleted], removed: [] }],
  ])('where its entry was %s, and is brought again', async (_, end) => {
    const { one } = await aDeviceThatHasRead();
    one.memory.saveNoted([{ ...row, leaf: mine, versionNumber: 2, over: `memory ${mine}` }]);
    new NotedRows(one.memory).hold([end, broughtAgain, changed]);
    expect(one.memory.loadNoted()).toEqual([]);
  });
});

describe('a change that was taken alone, and is not shown, is missed', () => {
  it('where an earlier one had come with an entry, and was said to have failed', async () => {
    const { one } = await aDeviceThatHasRead();
    const memory = await one.writeMemory();
    const { n } = one.bookSync.state().head;
    const kept = loseAnswers(one, ({ method }) => method === 'PATCH');
    await expect(one.changeMemory(memory, 'First')).rejects.toThrow();
    kept();
    const stop = takeAlone(one, n + 1, memory);
    await one.changeMemory(memory, 'Second');
    stop();
    expect(await one.check()).toEqual(['changed']);
    one.reload();
    expect(await one.check()).toEqual(['changed']);
  });

  it('where the first version had come so', async () => {
    const { one, n } = await aDeviceThatHasRead();
    const kept = loseAnswers(one, isWrite);
    await expect(one.writeMemory('First')).rejects.toThrow();
    kept();
    const [{ sealId } = { sealId: '' }] = one.memory.loadTried();
    const memory = { id: 900, sealId, version: 1, timeLockUntil: null } as Memory;
    const stop = takeAlone(one, n + 1, memory);
    await one.changeMemory(memory, 'Second');
    stop();
    expect(await one.check()).toEqual(['changed']);
  });

  it('where its deletion had come so', async () => {
    const { one } = await aDeviceThatHasRead();
    const memory = await one.writeMemory();
    const { n } = one.bookSync.state().head;
    const kept = loseAnswers(one, isWrite);
    await expect(one.deleteMemory(memory)).rejects.toThrow();
    kept();
    const stop = takeAlone(one, n + 1, memory);
    await one.changeMemory(memory, 'Second');
    stop();
    expect(await one.check()).toEqual(['changed']);
  });

  it('where the entry that took it in was said to have failed', async () => {
    const { one, n } = await aDeviceThatHasRead();
    const memory = await writeAlone(one);
    const kept = loseAnswers(one, isAppend);
    await one.bookSync.look();
    kept();
    const stop = takeAlone(one, n + 1, memory);
    await one.changeMemory(memory, 'Second');
    stop();
    expect(await one.check()).toEqual(['changed']);
  });

  it('where another tab was taking it in just then', async () => {
    const { one, n, aTab } = await aDeviceThatHasRead();
    const tab = await aTab();
    const memory = await writeAlone(one);
    const once = one.network.intercept(async (request, forward) => {
      if (!isAppend(request)) return forward();
      once();
      const stop = takeAlone(tab, n + 1, memory);
      await tab.changeMemory(memory, 'Second');
      stop();
      return forward();
    });
    await one.bookSync.look();
    expect(await one.check()).toEqual(['changed']);
  });
});

it('a change is not sent alone over what another tab has written and this page has not read', async () => {
  const { one, aTab } = await aDeviceThatHasRead();
  const memory = await one.writeMemory();
  const tab = await aTab();
  await tab.changeMemory(memory, 'In the other tab');
  takeAlone(one, Number.POSITIVE_INFINITY, memory);
  const known = (await one.bookSync.known())?.rows.get(memory.sealId ?? '');
  const put = [
    { kind: 'memory' as const, sealId: memory.sealId, sealed: { title: 'QUJD' }, over: known?.leaf },
  ];
  const send = async (entry: unknown) => {
    if (entry) throw new ApiError(409, JSON.stringify({ code: 'book-full', message: 'No.' }));
  };
  await expect(one.bookSync.write({ put }, send)).rejects.toThrow(Overtaken);
});

it('of rows that were refused, a thousand are remembered, so that each is missed where it is shown and dropped', async () => {
  const { one } = await aDeviceThatHasRead();
  const rows = Array.from({ length: 1_000 }, (_, i): NotedRow => {
    const sealId = String(i).padStart(22, 'A');
    return { sealId, kind: 'memory', leaf: 'A'.repeat(43), ends: [], over: '' };
  });
  one.memory.saveTried(rows.slice(1));
  one.bookSync.tried([{ kind: 'memory', sealId: rows[0]?.sealId ?? '', sealed: { title: 'QUJD' } }]);
  expect(one.memory.loadTried()).toHaveLength(rows.length);
});
