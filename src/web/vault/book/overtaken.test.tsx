// A change that was made from what is not the newest any more. An honest server refuses it; one that lets it happen would lose
// what another device has written, and the book would have it so.
import { describe, expect, it } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { generateVaultKey } from '../../../crypto/vault-key.ts';
import { BOOK_HEADER } from '../../../shared/http/call.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { leafOfRow } from '../../../vault/book/leaf-of-row.ts';
import { Overtaken } from '../../../vault/book/written.ts';
import { memoryKind, type OpenedMemory } from '../../../vault/kinds/memory.ts';
import { isReadable, type ReadableScroll, scrollList } from '../../../vault/legacy/scroll-list.ts';
import { bringScroll } from '../../../vault/outbox/brought-rows.ts';
import { entryWriter } from '../../../vault/outbox/entry-writer.ts';
import { scrollWriter } from '../../../vault/outbox/scroll-writer.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { type Device, memoriesOf, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';

const instance = anInstance();
const words = (title: string) => ({
  texts: { title, encryptedContent: `Words of ${title}`, details: null },
  clear: { timeLockUntil: null },
  choice: '',
});

/** Accepts every change that the real server refuses because of its version. */
function acceptStale({ network }: Device, row: object): string[] {
  const accepted: string[] = [];
  network.intercept(async (request, forward) => {
    if (request.method !== 'PATCH') return forward();
    const sent = (await request.clone().json()) as { version: number };
    const answer = await forward();
    const { code } = answer.ok ? { code: '' } : ((await answer.clone().json()) as { code: string });
    if (code !== 'stale-version') return answer;
    accepted.push(code);
    return Response.json({ ...row, ...sent, version: sent.version + 1 });
  });
  return accepted;
}

const opened = async ({ vault }: Device): Promise<OpenedMemory> => {
  const [entry] = await vault.lists.load(entryListOf(memoryKind));
  return entry as OpenedMemory;
};

describe('a memory that another device has changed meanwhile', () => {
  it('is not sealed over by older words, also where the server would let it be', async () => {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory('First');
    const before = await opened(one);
    await two.changeMemory(memory, 'Newer');
    const accepted = acceptStale(one, memory);
    await expect(entryWriter(memoryKind, one.vault).update(before, words('Older'))).rejects.toMatchObject({
      code: 'stale-version',
    });
    expect(accepted).toEqual([]);
    expect(await one.check()).toEqual([]);
    expect((await opened(one)).name).toBe('Newer');
  });

  it('is changed by whoever has seen the newer words', async () => {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory('First');
    const before = await opened(one);
    await two.changeMemory(memory, 'Newer');
    const writer = entryWriter(memoryKind, one.vault);
    await expect(writer.update(before, words('Mine'))).rejects.toMatchObject({ code: 'stale-version' });
    const theirs = await writer.fetchOther(before);
    expect(theirs?.name).toBe('Newer');
    const { version = 0, leaf = '' } = theirs ?? {};
    expect((await writer.update({ ...before, version, leaf }, words('Mine'))).name).toBe('Mine');
    expect(await two.check()).toEqual([]);
  });

  it('is changed by whoever has it as the book has, also several times', async () => {
    const { one, two } = await twoDevices(instance());
    await one.writeMemory('First');
    const writer = entryWriter(memoryKind, one.vault);
    const second = await writer.update(await opened(one), words('Second'));
    expect((await writer.update(second, words('Third'))).name).toBe('Third');
    expect(await two.check()).toEqual([]);
  });

  it('is changed on where that was done by a program without a book', async () => {
    const { member, one } = await twoDevices(instance());
    const memory = await one.writeMemory('First');
    const { sealId, timeLockUntil, id } = memory;
    const theirs = { title: 'Elsewhere', encryptedContent: 'Words.' };
    const sealed = await member.sealed('memory', sealId ?? '', theirs, { version: 2, timeLockUntil });
    const { fingerprint: keyFingerprint } = member;
    const body = { ...sealed, details: null, timeLockUntil, version: 1, keyFingerprint };
    await member.call('PATCH', `/api/memory-entries/${id}`, body);
    const writer = entryWriter(memoryKind, one.vault);
    expect((await writer.update(await opened(one), words('Mine'))).name).toBe('Mine');
    expect(await one.check()).toEqual([]);
  });

  it('is not sealed over where the server shows no past that would tell', async () => {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory('First');
    const before = await opened(one);
    await two.changeMemory(memory, 'Newer');
    const accepted = acceptStale(one, memory);
    one.network.intercept(async (request, forward) => {
      const answer = await forward();
      const isPast = new URL(request.url).searchParams.get('from') === '1';
      return isPast ? Response.json(((await answer.json()) as unknown[]).slice(-1)) : answer;
    });
    await expect(entryWriter(memoryKind, one.vault).update(before, words('Older'))).rejects.toMatchObject({
      code: 'stale-version',
    });
    expect(accepted).toEqual([]);
  });

  it('is not sealed over without an entry either, where the book is said to be full', async () => {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory('First');
    const before = await opened(one);
    await two.changeMemory(memory, 'Newer');
    const accepted = acceptStale(one, memory);
    const isFull = () => Response.json({ code: 'book-full', message: 'No.' }, { status: 409 });
    let appended = 0;
    one.network.intercept(async (request, forward) => {
      const isChange = request.method === 'PATCH' && request.headers.has(BOOK_HEADER);
      if (isChange) return isFull();
      const isEntry = request.method === 'POST' && new URL(request.url).pathname === '/api/book';
      if (isEntry) appended += 1;
      // The first is refused because the other device has written: this one reads on.
      return isEntry && appended > 1 ? isFull() : forward();
    });
    await expect(entryWriter(memoryKind, one.vault).update(before, words('Older'))).rejects.toMatchObject({
      code: 'stale-version',
    });
    expect(accepted).toEqual([]);
  });

  it('is not sealed under another key as it was before', async () => {
    const { one, two } = await twoDevices(instance());
    const memory = await one.writeMemory('First');
    const sealed = { title: memory.title, details: null };
    const resealed = (row: Memory) => [
      { kind: 'memory' as const, sealId: row.sealId, sealed, over: leafOfRow('memory', row) },
    ];
    const changed = await two.changeMemory(memory, 'Newer');
    const under = (row: Memory) => one.bookSync.draftUnder(generateVaultKey(), resealed(row));
    await expect(under(memory)).rejects.toThrow(Overtaken);
    expect(await under(changed)).not.toBeNull();
  });
});

it('a letter that another device has changed meanwhile is not sealed over by older words', async () => {
  const { one, two } = await twoDevices(instance());
  const letter = {
    ...{ title: 'For Agnes', content: 'First words.', createdAt: new Date().toISOString() },
    ...{ triggerType: 'manual' as const, triggerValue: 'manual', timeZone: 'UTC', authorName: null },
    recipients: [
      { recipientType: 'card', recipientAddress: 'card', tell: 'at-release', name: 'Agnes' },
    ] as const,
  };
  expect(await bringScroll(one.vault, { ...letter, sealId: newSealId() })).toBe(true);
  const readable = async ({ vault }: Device): Promise<ReadableScroll> => {
    const [scroll] = await vault.lists.load(scrollList);
    if (!scroll || !isReadable(scroll)) throw new Error('a letter');
    return scroll;
  };
  const change = async (device: Device, scroll: ReadableScroll, content: string) => {
    const recipients = scroll.recipients.map(({ publicId, recipientType, recipientAddress, tell }) => ({
      ...{ key: publicId, publicId, recipientType, recipientAddress, tell, name: 'Agnes' },
    }));
    const draft = { ...letter, authorName: '', content, recipients };
    return scrollWriter(device.vault).update(scroll, draft, {}, scroll.version);
  };
  const before = await readable(one);
  await change(two, await readable(two), 'Newer words.');
  const accepted = acceptStale(one, before);
  await expect(change(one, before, 'Older words.')).rejects.toMatchObject({ code: 'stale-version' });
  expect(accepted).toEqual([]);
  expect((await readable(one)).letter.content).toBe('Newer words.');
  expect((await memoriesOf(one)).length).toBe(0);
});
