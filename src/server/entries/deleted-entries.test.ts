// Entries that were deleted by hand: gone for everything at once, restored whole for thirty days, and then erased.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DELETED_LASTS, type Deletion } from '../../shared/nouns/entry-calls.ts';
import type { Memory } from '../../shared/nouns/memory.ts';
import type { Myth } from '../../shared/nouns/myth.ts';
import type { Relationship } from '../../shared/nouns/relationship.ts';
import type { ShareableKey } from '../../shared/nouns/sacred-key.ts';
import { DAY } from '../../shared/time.ts';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { aMember } from '../../testing/people.ts';
import { accountIdOf, aSealId, plantingFor } from '../../testing/planting.ts';
import { aSuccessor, begin, REGENERATION, resealedMemory, stage } from '../../testing/regenerating.ts';
import { aLink, putSeal, redeem, reserve } from '../../testing/shares.ts';
import { countedFor, limit } from '../../testing/usage.ts';
import { partsOf } from '../db/sealed-tables.ts';
import { deleteExpired } from '../expiry.ts';
import { expireDeletedEntries } from './expiry-store.ts';
import { memoryStore } from './memories.ts';

type Entry = Memory | Relationship | Myth;
type Deleted = Memory & Deletion;

/** Every list whose entries a person deletes by hand. */
const lists = [
  {
    noun: 'memory',
    path: 'memory-entries',
    count: 'memories',
    table: 'memory_entries',
    own: { title: 'dGl0bGU=' },
  },
  {
    noun: 'relationship',
    path: 'relationship-entries',
    count: 'relationships',
    table: 'relationship_entries',
    own: { personName: 'bmFtZQ==', eventType: 'moment', emotionalWeight: 4 },
  },
  {
    noun: 'myth',
    path: 'myth-stories',
    count: 'myths',
    table: 'myth_stories',
    own: { title: 'dGl0bGU=', storyType: 'eulogy' },
  },
] as const;
const NOT_FOUND = { status: 404, code: 'not-found' };

describeOnEachEngine('deleted entries', (engine) => {
  let instance: TestInstance;
  let person: Awaited<ReturnType<typeof aMember>>;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    person = await aMember(instance);
  });

  const json = async <T>(answer: Response | Promise<Response>) => (await (await answer).json()) as T;
  const at = (time: number) => new Date(time).toISOString();
  const create = (path: string, fields: object) =>
    json<Entry>(
      person.request('POST', `/api/${path}`, {
        body: { encryptedContent: 'd29yZHM=', details: 'ZGV0YWlscw==', sealId: aSealId(), ...fields },
      }),
    );
  const aMemory = async (fields: object = {}) =>
    (await create('memory-entries', { title: 'dGl0bGU=', ...fields })) as Memory;
  const remove = (id: number, path = 'memory-entries') => person.request('DELETE', `/api/${path}/${id}`);
  const restore = (id: number, path = 'memory-entries') =>
    person.request('POST', `/api/deleted-${path}/${id}/restore`);
  const erase = (id: number, path = 'memory-entries') =>
    person.request('DELETE', `/api/deleted-${path}/${id}`);
  const listed = <T = Memory>(path = 'memory-entries') => json<T[]>(person.request('GET', `/api/${path}`));
  const listDeleted = (path = 'memory-entries') => listed<Deleted>(`deleted-${path}`);
  const patch = ({ id, version }: Entry, fields: object = {}) =>
    person.request('PATCH', `/api/memory-entries/${id}`, {
      body: { version, title: 'bmV3', encryptedContent: 'bmV3', ...fields },
    });
  const stored = (id: number) =>
    instance.deps.db.selectFrom('memory_entries').selectAll().where('id', '=', id).executeTakeFirst();

  describe.each(lists)('of the kind $noun', ({ path, count, own, noun, table }) => {
    it('leave the list, the counts, sharing and editing at once, and stand among the deleted ones', async () => {
      const kept = await create(path, own);
      const entry = await create(path, own);
      const reserved = await reserve(person, { entryType: noun, entryId: entry.id });
      expect((await remove(entry.id, path)).status).toBe(204);
      expect(await listed(path)).toEqual([kept]);
      expect(await failure(await person.request('GET', `/api/${path}/${entry.id}`))).toEqual(NOT_FOUND);
      expect(await json(person.request('GET', '/api/summary'))).toMatchObject({ [count]: 1 });
      const share = { entryType: noun, entryId: entry.id };
      const shared = await person.request('POST', '/api/shareable-keys', { body: share });
      expect(await failure(shared)).toEqual(NOT_FOUND);
      expect(await failure(await putSeal(person, reserved.id, aLink().seal))).toEqual(NOT_FOUND);
      const body = { ...own, encryptedContent: 'bmV3', version: 1, emotionalWeight: 3 };
      const changed = await person.request('PATCH', `/api/${path}/${entry.id}`, { body });
      expect(await failure(changed)).toEqual({ status: 409, code: 'entry-deleted' });
      expect(await failure(await remove(entry.id, path))).toEqual(NOT_FOUND);
      const time = instance.clock.now();
      expect(await listDeleted(path)).toEqual([
        { ...entry, deletedAt: at(time), erasedAt: at(time + DELETED_LASTS) },
      ]);
    });

    it('come back as they were, once', async () => {
      const entry = await create(path, own);
      await remove(entry.id, path);
      instance.clock.advance(DAY);
      expect(await json(restore(entry.id, path))).toEqual(entry);
      expect(await listed(path)).toEqual([entry]);
      expect(await listDeleted(path)).toEqual([]);
      expect(await failure(await restore(entry.id, path))).toEqual(NOT_FOUND);
    });

    it('are erased by hand only once they are deleted', async () => {
      const entry = await create(path, own);
      expect(await failure(await erase(entry.id, path))).toEqual(NOT_FOUND);
      await remove(entry.id, path);
      expect((await erase(entry.id, path)).status).toBe(204);
      expect(await failure(await erase(entry.id, path))).toEqual(NOT_FOUND);
      expect(await failure(await restore(entry.id, path))).toEqual(NOT_FOUND);
      expect(
        await instance.deps.db
          .selectFrom(table as 'memory_entries')
          .selectAll()
          .where('id', '=', entry.id)
          .execute(),
      ).toEqual([]);
    });

    it('can be restored for thirty days, and are then erased by the sweep', async () => {
      const [kept, first, second] = [
        await create(path, own),
        await create(path, own),
        await create(path, own),
      ];
      await remove(first.id, path);
      await remove(second.id, path);
      instance.clock.advance(DELETED_LASTS - 1);
      await deleteExpired(instance.deps);
      expect((await restore(first.id, path)).status).toBe(200);
      instance.clock.advance(1);
      // Before the sweep has come to it.
      expect(await listDeleted(path)).toEqual([]);
      expect(await failure(await restore(second.id, path))).toEqual(NOT_FOUND);
      await deleteExpired(instance.deps);
      const rows = await instance.deps.db
        .selectFrom(table as 'memory_entries')
        .select('id')
        .where('account_id', '=', await accountIdOf(instance, person))
        .orderBy('id')
        .execute();
      expect(rows.map(({ id }) => id)).toEqual([kept.id, first.id]);
    });
  });

  it('are another account’s to nobody', async () => {
    const { id } = await aMemory();
    await remove(id);
    const other = await aMember(instance);
    expect(await json(other.request('GET', '/api/deleted-memory-entries'))).toEqual([]);
    for (const [method, path] of [
      ['POST', `/api/deleted-memory-entries/${id}/restore`],
      ['DELETE', `/api/deleted-memory-entries/${id}`],
    ] as const) {
      expect(await failure(await other.request(method, path))).toEqual(NOT_FOUND);
    }
    expect((await listDeleted()).map((one) => one.id)).toEqual([id]);
  });

  it('answer an edit in another tab plainly, and take it once they are back', async () => {
    const memory = await aMemory();
    await remove(memory.id);
    expect(await failure(await patch(memory))).toEqual({ status: 409, code: 'entry-deleted' });
    await restore(memory.id);
    expect(await json(patch(memory))).toMatchObject({ title: 'bmV3', version: 2 });
    await remove(memory.id);
    await erase(memory.id);
    expect(await failure(await patch(memory))).toEqual(NOT_FOUND);
  });

  it('leave a one-time link that waits as it is', async () => {
    const memory = await aMemory();
    const { id, keyId } = await reserve(person, { entryId: memory.id });
    const link = aLink();
    const sealed = await json<ShareableKey>(putSeal(person, id, link.seal));
    await remove(memory.id);
    const share = { ...link, key: sealed, keyId, words: link.seal.encryptedContent };
    expect((await redeem(instance, share)).status).toBe(200);
  });

  it('stay under their time lock, and a restore keeps it', async () => {
    const until = instance.clock.now() + DAY;
    const memory = await aMemory({ timeLockUntil: at(until) });
    await remove(memory.id);
    const withheld = { encryptedContent: null, details: null, timeLockUntil: at(until) };
    expect(await listDeleted()).toMatchObject([withheld]);
    expect(await json(restore(memory.id))).toMatchObject(withheld);
    expect(await failure(await patch(memory))).toEqual({ status: 409, code: 'time-locked' });
    await remove(memory.id);
    instance.clock.advance(DAY);
    expect(await listDeleted()).toMatchObject([{ encryptedContent: 'd29yZHM=', details: 'ZGV0YWlscw==' }]);
  });

  it('keep their seal number until they are erased', async () => {
    const memory = await aMemory();
    await remove(memory.id);
    const { title, encryptedContent, details, sealId } = memory;
    const again = () =>
      person.request('POST', '/api/memory-entries', { body: { title, encryptedContent, details, sealId } });
    expect(await failure(await again())).toEqual({ status: 409, code: 'seal-reused' });
    expect(await listed()).toEqual([]);
    await erase(memory.id);
    expect((await again()).status).toBe(201);
  });

  it('count towards the quota until they are erased', async () => {
    const accountId = await accountIdOf(instance, person);
    const memory = await aMemory();
    const before = await countedFor(instance, accountId);
    await limit(instance, { rows: before?.row_count ?? 0 }, accountId);
    await remove(memory.id);
    expect(await countedFor(instance, accountId)).toEqual({ ...before, memories: 0 });
    const another = () =>
      person.request('POST', '/api/memory-entries', { body: { title: 'dA==', encryptedContent: 'dA==' } });
    expect(await failure(await another())).toEqual({ status: 409, code: 'quota-rows' });
    // A full vault takes back what counts already.
    expect((await restore(memory.id)).status).toBe(200);
    await remove(memory.id);
    await erase(memory.id);
    expect((await another()).status).toBe(201);
  });

  it('go with their vault', async () => {
    const memory = await aMemory();
    await remove(memory.id);
    const destroyed = await person.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
    expect(destroyed.status).toBe(204);
    expect(await stored(memory.id)).toBeUndefined();
  });

  it('make no list of thousands slower, nor does the sweep look at what lives', async () => {
    const { db } = instance.deps;
    const accountId = await accountIdOf(instance, person);
    const owners = [accountId];
    while (owners.length < 12) owners.push(await accountIdOf(instance, await aMember(instance)));
    const time = instance.clock.now();
    const row = (n: number, account_id: number) => ({
      ...{ account_id, title: 'dA==', encrypted_content: 'dA==', time_lock_until: null, seal_id: null },
      ...{ key_fingerprint: null, version: 1, created_at: time, updated_at: time },
      deleted_at: n % 2 === 0 ? time : null,
    });
    for (const owner of owners) {
      const some = Array.from({ length: 1000 }, (_, n) => row(n, owner));
      await db.insertInto('memory_entries').values(some).execute();
    }
    // PostgreSQL gathers statistics by itself, in time; the embedded database has none.
    if (engine === 'postgres') await sql`analyze`.execute(db);
    const how = sql.raw(engine === 'postgres' ? 'explain' : 'explain query plan');
    const planOf = async (statement: ReturnType<typeof sql>) => {
      const { rows } = await sql`${how} ${statement}`.execute(db);
      return JSON.stringify(rows);
    };
    const mine = sql`from memory_entries where account_id = ${accountId}`;
    const [page, deleted, count, sweep] = [
      await planOf(
        sql`select title ${mine} and id < ${2 ** 40} and deleted_at is null order by id desc limit 100`,
      ),
      await planOf(
        sql`select title ${mine} and id < ${2 ** 40} and deleted_at > ${time - 1} order by id desc limit 100`,
      ),
      await planOf(sql`select count(*) ${mine} and deleted_at is null`),
      await planOf(
        sql`select id from memory_entries where deleted_at <= ${time - DAY} order by deleted_at, id limit 200`,
      ),
    ];
    expect(page).toMatch(/memory_entries_living/);
    expect(page).not.toMatch(/sort|temp b-tree/i);
    expect(deleted).toMatch(/memory_entries_deleted/);
    expect(deleted).not.toMatch(/sort|temp b-tree/i);
    expect(count).toMatch(/memory_entries_living/);
    expect(sweep).toMatch(/memory_entries_by_deletion/);

    // What takes every row of an account takes them in these parts.
    for (const part of partsOf('memory')) {
      const step = await planOf(sql`select id ${mine} and ${part} order by id limit 200`);
      expect(step).toMatch(/memory_entries_(living|deleted)/);
      expect(step).not.toMatch(/sort|temp b-tree/i);
    }
  });

  describe('at a rotation of the key', () => {
    const old = () => person.envelope.clientKey.fingerprint;
    const send = (method: string, path: string, body?: unknown) =>
      person.request(method, path, body === undefined ? {} : { body });
    const finish = (id: string) => send('POST', `${REGENERATION}/finish`, aSuccessor(id, old()));

    it('are missed until they are sealed anew, and come back under the new key', async () => {
      const memory = await aMemory({ keyFingerprint: old() });
      await remove(memory.id);
      const id = await begin(send, old());
      expect(await failure(await finish(id))).toEqual({ status: 409, code: 'entries-changed' });
      await stage(send, id, [resealedMemory(memory)]);
      const finished = await finish(id);
      expect(finished.status).toBe(201);
      const restored = await json<Memory>(restore(memory.id));
      expect(restored.title).toBe(`TkVX${memory.title}`);
      expect(restored.sealId).toBe(memory.sealId);
      expect(restored.keyFingerprint).not.toBe(old());
    });

    it('are counted while they are locked, and left by name', async () => {
      const plant = await plantingFor(instance, person, old());
      const time = instance.clock.now();
      const { id } = await plant.memory({ time_lock_until: time + DAY, deleted_at: time });
      const begun = await json<{ id: string; withheld: object }>(
        send('POST', REGENERATION, { fingerprint: old() }),
      );
      expect(begun.withheld).toMatchObject({ lockedMemories: 1 });
      expect(await failure(await finish(begun.id))).toEqual({ status: 409, code: 'entries-changed' });
      await stage(send, begun.id, [], [{ kind: 'memory', id }]);
      expect((await finish(begun.id)).status).toBe(201);
    });

    it('are missed by nobody once their time is over, also before the sweep', async () => {
      const plant = await plantingFor(instance, person, old());
      const time = instance.clock.now();
      await plant.memory({ deleted_at: time - DELETED_LASTS, time_lock_until: time + DAY });
      const begun = await json<{ id: string; withheld: object }>(
        send('POST', REGENERATION, { fingerprint: old() }),
      );
      expect(begun.withheld).toMatchObject({ lockedMemories: 0 });
      expect((await finish(begun.id)).status).toBe(201);
    });
  });

  describe('in a race', () => {
    const ROUNDS = 12;

    it('are restored or erased, never both', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = await aMemory();
        await remove(id);
        const works = [() => restore(id), () => erase(id)];
        if (round % 2) works.reverse();
        const answers = await Promise.all(works.map((work) => work()));
        const statuses = answers.map(({ status }) => status).sort();
        expect([
          [200, 404],
          [204, 404],
        ]).toContainEqual(statuses);
        const row = await stored(id);
        expect(row === undefined).toBe(statuses[0] === 204);
        if (row) expect(row.deleted_at).toBeNull();
      }
    });

    it('are restored by one of two', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = await aMemory();
        await remove(id);
        const answers = await Promise.all([restore(id), restore(id)]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
      }
    });

    it('are deleted by one of two, and keep the day of the first', async () => {
      const { id } = await aMemory();
      const answers = await Promise.all([remove(id), remove(id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    });

    it('are restored before the sweep, or erased by it, whichever comes first', async () => {
      const accountId = await accountIdOf(instance, person);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = await aMemory();
        await remove(id);
        const over = instance.clock.now() + DELETED_LASTS;
        // A server whose clock is a moment behind the other's.
        const works = [
          () => memoryStore.restore({ ...instance.deps, now: () => over - 1 }, accountId, id),
          () => expireDeletedEntries({ ...instance.deps, now: () => over }),
        ];
        if (round % 2) works.reverse();
        const outcomes = await Promise.all(works.map((work) => work()));
        const restored = outcomes[round % 2];
        const row = await stored(id);
        expect(row !== undefined).toBe(restored !== null);
        if (row) expect(row.deleted_at).toBeNull();
      }
    });

    it('keep an edit that came before, and refuse one that came after', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const memory = await aMemory();
        const [changed, removed] = await Promise.all([patch(memory), remove(memory.id)]);
        expect(removed.status).toBe(204);
        expect([200, 409]).toContain(changed.status);
        const restored = await json<Memory>(restore(memory.id));
        expect(restored.title).toBe(changed.status === 200 ? 'bmV3' : memory.title);
      }
    });
  });
});
