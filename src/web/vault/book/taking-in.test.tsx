// What comes into the book after it was written: rows of an import, a hundred at a time or when nobody writes, and what its
// owner takes for true.
import { describe, expect, it } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { listOf } from '../../../vault/book/shown-lists.ts';
import { brought, type Device, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';

const instance = anInstance();

const appends = ({ network }: Device) => network.asked.filter((call) => call === 'POST /api/book').length;
const looks = ({ network }: Device) => network.asked.filter((call) => call === 'GET /api/book').length;
/** What is on its way takes its turn before this. */
const readOnce = ({ bookSync }: Device) => bookSync.history(bookSync.state().head.n + 1);

/** A row as an import notes it. No server has to have it. */
const imported = () => ({
  kind: 'memory' as const,
  sealId: newSealId(),
  sealed: { title: btoa('x'.repeat(48)), encryptedContent: btoa('y'.repeat(48)) },
});

describe('noted rows', () => {
  it('wait for each other, and come with one entry, whatever was done just before', async () => {
    const { member, one, two } = await twoDevices(instance());
    const [a, b] = [await brought(member), await brought(member)];
    // Its answer is not about the rows.
    await one.bookSync.look();
    const [asked, sent] = [looks(one), appends(one)];
    one.bookSync.note([a.row]);
    one.bookSync.note([b.row]);
    await readOnce(one);
    expect(one.memory.loadNoted()).toHaveLength(2);
    expect(appends(one)).toBe(sent);
    const { n } = one.bookSync.state().head;
    await one.rest();
    expect(one.memory.loadNoted()).toEqual([]);
    expect(one.bookSync.state().head.n).toBe(n + 1);
    expect(await two.check()).toEqual([]);
    // Twice for `readOnce`, and never to take in: the book had just been read.
    expect(looks(one)).toBe(asked + 2);
  });

  it('come with those whose list is seen before they had their turn', async () => {
    const { one } = await twoDevices(instance());
    one.bookSync.note([imported()]);
    await one.bookSync.compare(listOf('ghost', one.vault.api), []);
    expect(one.memory.loadNoted()).toEqual([]);
  });

  it('come at once where they are a hundred', async () => {
    const { one } = await twoDevices(instance());
    await one.bookSync.look();
    const { n } = one.bookSync.state().head;
    one.bookSync.note(Array.from({ length: 100 }, imported));
    await readOnce(one);
    expect(one.memory.loadNoted()).toEqual([]);
    expect(one.bookSync.state().head.n).toBe(n + 1);
  });

  it('come by a page that has not read the book yet', async () => {
    const { member, one, two } = await twoDevices(instance());
    const { row } = await brought(member);
    one.reload();
    one.bookSync.note([row]);
    await one.rest();
    expect(one.memory.loadNoted()).toEqual([]);
    expect(await two.check()).toEqual([]);
  });

  it('wait where the book is wrong, and are taken in when it is right again', async () => {
    const { member, one } = await twoDevices(instance());
    const { row } = await brought(member);
    one.bookSync.note([row]);
    const stop = one.network.intercept(async (request, forward) =>
      request.method === 'GET' && new URL(request.url).pathname === '/api/book'
        ? Response.json([])
        : forward(),
    );
    await one.bookSync.look();
    const sent = appends(one);
    await one.rest();
    const list = listOf('memory', one.vault.api);
    expect(await one.bookSync.compare(list, await list.fetch())).toBe('compared');
    expect(one.memory.loadNoted()).toHaveLength(1);
    expect(appends(one)).toBe(sent);
    stop();
    expect(await one.check()).toEqual([]);
    expect(one.memory.loadNoted()).toEqual([]);
  });

  it('need no entry where the book has them', async () => {
    const { member, one } = await twoDevices(instance());
    const { row } = await brought(member);
    one.bookSync.note([row]);
    await one.rest();
    const sent = appends(one);
    one.bookSync.note([row]);
    await one.rest();
    expect(one.memory.loadNoted()).toEqual([]);
    expect(appends(one)).toBe(sent);
    expect(await one.check()).toEqual([]);
  });

  it('come back where they are brought in again after they were erased', async () => {
    const { member, one } = await twoDevices(instance());
    const { memory, row } = await brought(member);
    one.bookSync.note([row]);
    await one.rest();
    await one.deleteMemory(memory);
    await one.eraseMemory(memory);
    const { sealId, sealed } = row;
    await member.call('POST', '/api/memory-entries', {
      ...sealed,
      sealId,
      keyFingerprint: member.fingerprint,
    });
    one.bookSync.note([row]);
    await one.rest();
    expect(await one.check()).toEqual([]);
  });

  it('come whatever list is compared first, at a later visit as well', async () => {
    const { member, one } = await twoDevices(instance());
    const ghosts = listOf('ghost', one.vault.api);
    one.bookSync.note([(await brought(member)).row]);
    one.reload();
    const sent = appends(one);
    await one.bookSync.compare(ghosts, []);
    expect(one.memory.loadNoted()).toEqual([]);
    expect(appends(one)).toBe(sent + 1);
  });

  it('that were noted since a list was fetched are not taken for deleted', async () => {
    const { member, one } = await twoDevices(instance());
    const memories = listOf('memory', one.vault.api);
    const early = await memories.fetch();
    const { row } = await brought(member);
    one.bookSync.note([row]);
    await one.bookSync.compare(memories, early);
    expect(one.memory.loadNoted()).toEqual([]);
    expect(await one.check()).toEqual([]);
  });
});

describe('what an owner takes for true', () => {
  it('is what they were shown: what is shown otherwise by now stays', async () => {
    const { member, one } = await twoDevices(instance());
    const memory = await one.writeMemory();
    const list = listOf('memory', one.vault.api);
    const change = async (version: number) => {
      const fields = await member.sealed(
        'memory',
        memory.sealId ?? '',
        { title: `By hand ${version}`, encryptedContent: 'x' },
        { version: version + 1, timeLockUntil: null },
      );
      const body = { ...fields, details: null, version, keyFingerprint: member.fingerprint };
      await member.call('PATCH', `/api/memory-entries/${memory.id}`, body);
    };
    await change(1);
    await one.bookSync.compare(list, await list.fetch());
    const found = one.found();
    await change(2);
    const sent = appends(one);
    await one.bookSync.adopt(found);
    expect(appends(one)).toBe(sent);
    expect(one.found()).toEqual(found);
    await member.call('DELETE', `/api/memory-entries/${memory.id}`);
    // It was changed, and is missing there by now.
    await one.bookSync.adopt(found);
    expect(appends(one)).toBe(sent);
  });

  it('leaves the others as they are', async () => {
    const { member, one, two } = await twoDevices(instance());
    const [a, b] = [await brought(member), await brought(member)];
    expect(await one.check()).toEqual(['unknown', 'unknown']);
    await one.bookSync.adopt(one.found().filter(({ sealId }) => sealId === a.row.sealId));
    expect(one.found()).toMatchObject([{ sealId: b.row.sealId }]);
    expect(await two.check()).toEqual(['unknown']);
  });

  it('may be that a row is gone', async () => {
    const { one, two } = await twoDevices(instance());
    const { id } = await one.writeMemory();
    await instance().deps.db.deleteFrom('memory_entries').where('id', '=', id).execute();
    expect(await one.check()).toEqual(['missing']);
    await one.bookSync.adopt(one.found());
    expect(await one.check()).toEqual([]);
    expect(await two.check()).toEqual([]);
  });
});
