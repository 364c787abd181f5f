// Rows that a server has refused, or never answered for, and shows all the same: whoever wrote one sees it there, so that it
// has to stay.
import { describe, expect, it } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import type { Breath } from '../../../shared/nouns/final-breath.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { listOf } from '../../../vault/book/shown-lists.ts';
import { noteArrived } from '../../../vault/book/tried.ts';
import { memoryKind } from '../../../vault/kinds/memory.ts';
import { bringEntry, bringScroll } from '../../../vault/outbox/brought-rows.ts';
import { entryWriter } from '../../../vault/outbox/entry-writer.ts';
import { EarlierWentOn } from '../../../vault/outbox/own-refusals.ts';
import { type Device, memoriesOf, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Network } from '../../testing/network.ts';

const instance = anInstance();
const MEMORIES = '/api/memory-entries';
const BREATH = '/api/final-breath';
const NOW = new Date().toISOString();

const isCall = ({ method, url }: Request, asked: string, path: string) =>
  method === asked && new URL(url).pathname === path;

/** Refuses what is posted to a path, or never answers. Returns what it has got. */
function refuse(network: Network, path: string, answer = async () => Response.json({}, { status: 503 })) {
  const got: Record<string, unknown>[] = [];
  const stop = network.intercept(async (request, forward) => {
    if (!isCall(request, 'POST', path)) return forward();
    got.push((await request.json()) as Record<string, unknown>);
    return answer();
  });
  return { got, stop };
}

/** Answers a list with something else. */
const show = (network: Network, path: string, shown: () => unknown) =>
  network.intercept(async (request, forward) =>
    isCall(request, 'GET', path) ? Response.json(shown()) : forward(),
  );

const asMemory = (sent: Record<string, unknown>): Memory =>
  ({ details: null, version: 1, createdAt: NOW, updatedAt: NOW, ...sent, id: 77 }) as unknown as Memory;
const asBreath = ({ sealId, keyFingerprint }: Record<string, unknown>) =>
  ({ encryptedContent: null, releasedAt: null, createdAt: NOW, sealId, keyFingerprint }) as Breath;

describe('a memory that was refused', () => {
  async function refused(): Promise<{ one: Device; two: Device; memory: Memory }> {
    const { one, two } = await twoDevices(instance());
    const { got, stop } = refuse(one.network, MEMORIES);
    await expect(one.writeMemory('Refused')).rejects.toThrow();
    stop();
    return { one, two, memory: asMemory(got[0] ?? {}) };
  }

  it('and is shown all the same counts as written: if it is not shown any more, it is missed', async () => {
    const { one, two, memory } = await refused();
    one.reload();
    const stop = show(one.network, MEMORIES, () => [memory]);
    expect(await one.check()).toEqual([]);
    stop();
    expect(await one.check()).toEqual(['missing']);
    expect(await two.check()).toEqual(['missing']);
  });

  it('and is shown otherwise than it was sent is none that this browser has written', async () => {
    const { one, memory } = await refused();
    const title = `${'A'.repeat(4)}${memory.title.slice(4, -8)}${'A'.repeat(8)}`;
    show(one.network, MEMORIES, () => [{ ...memory, title }]);
    expect(await one.check()).toEqual(['unknown']);
  });

  it('and is not shown is nothing that anybody misses', async () => {
    const { one } = await refused();
    expect(await one.check()).toEqual([]);
    expect(one.memory.loadNoted()).toEqual([]);
  });

  it('and written once more in other words is that one alone', async () => {
    const { one } = await refused();
    await one.writeMemory('Kept');
    one.memory.saveTried([...one.memory.loadTried()]);
    expect((await memoriesOf(one)).length).toBe(1);
    expect(await one.check()).toEqual([]);
  });
});

it('what was acknowledged is remembered no longer', async () => {
  const { one } = await twoDevices(instance());
  const memory = await one.writeMemory();
  await one.changeMemory(memory);
  expect(one.memory.loadTried()).toEqual([]);
  noteArrived(one.memory, []);
  expect(one.memory.loadNoted()).toEqual([]);
});

it('a breath that nobody has answered for, and that stands sealed after a reload, is missed if it is gone later', async () => {
  const { one } = await twoDevices(instance());
  const { got, stop } = refuse(one.network, BREATH, () => new Promise(() => {}));
  void one.sealBreath();
  await expect.poll(() => got.length).toBe(1);
  stop();
  one.reload();
  const hide = show(one.network, BREATH, () => asBreath(got[0] ?? {}));
  expect(await one.check()).toEqual([]);
  hide();
  expect(await one.check()).toEqual(['missing']);
});

it('a change that was refused and is shown all the same is told: nobody knows whether its author still wants it', async () => {
  const { one } = await twoDevices(instance());
  const memory = await one.writeMemory();
  let sent: Record<string, unknown> = {};
  const stop = one.network.intercept(async (request, forward) => {
    if (request.method !== 'PATCH') return forward();
    sent = (await request.json()) as Record<string, unknown>;
    return Response.json({ code: 'internal', message: 'No.' }, { status: 500 });
  });
  await expect(one.changeMemory(memory)).rejects.toThrow();
  stop();
  show(one.network, MEMORIES, () => [{ ...memory, ...sent, version: 2 }]);
  expect(await one.check()).toEqual(['changed']);
});

describe('a new entry that was kept, and said to have failed,', () => {
  const draft = (encryptedContent: string) => ({
    ...{ texts: { title: 'The mill', encryptedContent, details: null }, choice: '' },
    clear: { timeLockUntil: null },
  });

  async function lost() {
    const { one, two } = await twoDevices(instance());
    const writer = entryWriter(memoryKind, one.vault);
    const sealId = newSealId();
    const stop = one.network.intercept(async (request, forward) => {
      const answer = await forward();
      const isWrite = request.method === 'POST' || request.method === 'PATCH';
      return isWrite && answer.ok
        ? Response.json({ code: 'internal', message: 'No.' }, { status: 500 })
        : answer;
    });
    await expect(writer.create(draft('It stood.'), sealId)).rejects.toThrow();
    return { one, two, writer, sealId, stop };
  }

  it('is not written over once another device has changed it', async () => {
    const { two, writer, sealId, stop } = await lost();
    stop();
    const [there] = await memoriesOf(two);
    const changed = await two.changeMemory(there as Memory, 'Changed elsewhere');
    await expect(writer.create(draft('It stood by the weir.'), sealId)).rejects.toThrow(EarlierWentOn);
    expect(await memoriesOf(two)).toEqual([changed]);
  });

  it('takes what is written since, also where a second try ended so', async () => {
    const { two, writer, sealId, stop } = await lost();
    await expect(writer.create(draft('It stood by the weir.'), sealId)).rejects.toThrow();
    stop();
    expect(await writer.create(draft('It is gone.'), sealId)).toMatchObject({ version: 3 });
    expect(await memoriesOf(two)).toHaveLength(1);
  });
});

it('a change that was refused, and is shown beside what its author writes, is missed if it is gone later', async () => {
  const { one } = await twoDevices(instance());
  const writer = entryWriter(memoryKind, one.vault);
  const draft = (encryptedContent: string) => ({
    ...{ texts: { title: 'The mill', encryptedContent, details: null }, choice: '' },
    clear: { timeLockUntil: null },
  });
  const entry = await writer.create(draft('It stood.'), newSealId());
  let sent: Record<string, unknown> = {};
  const stop = one.network.intercept(async (request, forward) => {
    if (request.method === 'GET' && new URL(request.url).pathname === `${MEMORIES}/${entry.id}`)
      return Response.json({ ...((await (await forward()).json()) as object), ...sent, version: 2 });
    if (request.method !== 'PATCH') return forward();
    sent = (await request.json()) as Record<string, unknown>;
    return Response.json({ code: 'internal', message: 'No.' }, { status: 500 });
  });
  await expect(writer.update(entry, draft('It stood by the weir.'))).rejects.toThrow();
  expect((await writer.fetchOther(entry))?.content).toBe('It stood by the weir.');
  stop();
  const book = await one.vault.loadBook();
  const memories = listOf('memory', one.vault.api);
  await book.compare(memories, await memories.fetch());
  expect(book.state().rows).toMatchObject([{ what: 'changed', sealId: entry.sealId }]);
});

it('a letter of an archive that the server says it has, and does not show, is not taken for brought', async () => {
  const { one } = await twoDevices(instance());
  const letter = {
    ...{ sealId: newSealId(), title: 'For Agnes', content: 'Words.', createdAt: NOW, authorName: null },
    ...{ triggerType: 'manual' as const, triggerValue: 'manual', timeZone: 'UTC' },
    recipients: [{ recipientType: 'card', recipientAddress: 'card', tell: 'at-release', name: '' }],
  } as const;
  const { stop } = refuse(one.network, '/api/legacy-scrolls', async () =>
    Response.json({ code: 'seal-reused', message: 'No.' }, { status: 409 }),
  );
  await expect(bringScroll(one.vault, letter)).rejects.toThrow('does not show it');
  stop();
  expect(await bringScroll(one.vault, letter)).toBe(true);
  expect(await bringScroll(one.vault, letter)).toBe(false);
});

it('an entry of an archive that was refused as known, and is shown all the same, is missed if it is gone later', async () => {
  const { one } = await twoDevices(instance());
  const { got, stop } = refuse(one.network, MEMORIES, async () =>
    Response.json({ code: 'seal-reused', message: 'No.' }, { status: 409 }),
  );
  const hide = show(one.network, MEMORIES, () => got.map(asMemory));
  const draft = {
    texts: { title: 'Brought', encryptedContent: 'x', details: null },
    clear: { timeLockUntil: null, createdAt: NOW },
  };
  expect(await bringEntry(memoryKind, one.vault, draft, newSealId())).toBe(false);
  stop();
  // The page keeps a book of its own.
  const book = await one.vault.loadBook();
  const memories = listOf('memory', one.vault.api);
  await book.compare(memories, await memories.fetch());
  expect(book.state().rows.filter(({ kind }) => kind === 'memory')).toEqual([]);
  hide();
  await book.compare(memories, await memories.fetch());
  expect(book.state().rows).toMatchObject([{ what: 'missing', kind: 'memory' }]);
});

it('a change that was refused and is shown takes along what was acknowledged before it, so that the book gets both', async () => {
  const { one } = await twoDevices(instance());
  const row = { sealId: newSealId(), kind: 'memory', ends: [], over: '' };
  const [first, second] = ['A', 'B'].map((letter) => letter.repeat(43)) as [string, string];
  one.memory.saveNoted([{ ...row, leaf: first, versionNumber: 1 }]);
  one.memory.saveTried([{ ...row, leaf: second, versionNumber: 2 }]);
  noteArrived(one.memory, [{ ...row, leaf: second, isWithheld: false }]);
  const { over: _, ...before } = { ...row, leaf: first, versionNumber: 1 };
  expect(one.memory.loadNoted()).toMatchObject([{ leaf: second, versionNumber: 2, earlier: [before] }]);
});
