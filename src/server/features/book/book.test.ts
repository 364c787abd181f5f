// The book of a vault by its own calls: read in pages, appended to, and forgotten from the beginning.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENTRY_MAX, findingKinds, type SealedBookEntry } from '../../../shared/nouns/book.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { HOUR, MINUTE } from '../../../shared/time.ts';
import { anEntry, withEntry } from '../../../testing/book.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { keepVaultKey, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { type Planting, plantingFor } from '../../../testing/planting.ts';
import { aSuccessor, begin, REGENERATION, resealedMemory, stage } from '../../../testing/regenerating.ts';
import { rowsTouched } from '../../../testing/touched.ts';
import { countedFor, recount } from '../../../testing/usage.ts';
import { BOOK_BYTES, BOOK_ROWS } from '../../db/counted.ts';
import { deleteExpired } from '../../expiry.ts';

const PATH = '/api/book';
const MOVED = { status: 409, code: 'book-moved' };
const FULL = { status: 409, code: 'book-full' };

describeOnEachEngine('the book of a vault', (engine) => {
  let instance: TestInstance;
  let person: Person;
  let plant: Planting;
  let fingerprint: string;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());
  beforeEach(async () => {
    instance.clock.advance(10 * MINUTE);
    person = await signUpByPassphrase(instance);
    fingerprint = (await keepVaultKey(person)).clientKey.fingerprint;
    plant = await plantingFor(instance, person, fingerprint);
  });

  const append = (entry: SealedBookEntry, fields: object = {}) =>
    person.request('POST', PATH, {
      body: { ...entry, isCheckpoint: false, keyFingerprint: fingerprint, ...fields },
    });
  const checkpoint = (entry: SealedBookEntry) => append(entry, { isCheckpoint: true });
  async function read(query = '', by = person) {
    const response = await by.request('GET', PATH + query);
    expect(response.status).toBe(200);
    const next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
    return { entries: (await response.json()) as SealedBookEntry[], next };
  }
  const numbers = async (query = '') => (await read(query)).entries.map(({ n }) => n);
  const upTo = (n: number, first = 1) => Array.from({ length: n - first + 1 }, (_, i) => first + i);
  /** Entries as they are in the database, some of them of a size. */
  async function plantEntries(last: number, size = 300, first = 1): Promise<void> {
    const row = { account_id: plant.accountId, sealed: 'A'.repeat(size), is_checkpoint: 0 as const };
    for (let n = first; n <= last; n += 500) {
      const some = upTo(Math.min(last, n + 499), n).map((each) => ({ ...row, n: each }));
      await instance.deps.db.insertInto('book_entries').values(some).execute();
    }
  }

  it('begins with 1 and has no gap', async () => {
    expect(await read()).toEqual({ entries: [], next: null });
    const [one, two] = [anEntry(1), anEntry(2)];
    for (const n of [2, 3, 2 ** 31 - 1]) expect(await failure(await append(anEntry(n)))).toEqual(MOVED);
    expect((await append(one)).status).toBe(204);
    expect(await failure(await append(anEntry(1)))).toEqual(MOVED);
    expect(await failure(await append(anEntry(3)))).toEqual(MOVED);
    expect((await append(two)).status).toBe(204);
    expect((await read()).entries).toEqual([one, two]);
  });

  it.each([
    ...[0, -1, 1.5, 2 ** 31, 2 ** 53, 1e300, '1', null].map((n) => ({ n })),
    ...['', ' ', 7, null].map((sealed) => ({ sealed })),
    ...['', 'x', fpOf('F'), null].map((keyFingerprint) => ({ keyFingerprint })),
    { isCheckpoint: 1 },
    { isCheckpoint: undefined },
  ])('refuses an entry with %j', async (fields) => {
    expect(await failure(await append(anEntry(1), fields))).toEqual({ status: 422, code: 'invalid-input' });
    expect(await numbers()).toEqual([]);
  });

  it('takes an entry as large as a hundred thousand rows need, and none larger', async () => {
    const large = { n: 1, sealed: 'A'.repeat(ENTRY_MAX) };
    const larger = { n: 1, sealed: `${large.sealed}AAAA` };
    expect(await failure(await append(larger))).toEqual({ status: 422, code: 'invalid-input' });
    expect((await append(large)).status).toBe(204);
    expect((await append(anEntry(2))).status).toBe(204);
    const first = await read();
    expect(first.entries).toEqual([large]);
    expect(first.next).toBe('/api/book?from=2');
  });

  it('takes no entry under another key than the vault’s, or where it has none', async () => {
    const other = await append(anEntry(1), { keyFingerprint: fpOf('0') });
    expect(await failure(other)).toEqual({ status: 409, code: 'key-changed' });
    const keyless = await signUpByPassphrase(instance);
    const body = { ...anEntry(1), isCheckpoint: false, keyFingerprint: fingerprint };
    expect(await failure(await keyless.request('POST', PATH, { body }))).toEqual({
      status: 409,
      code: 'key-changed',
    });
  });

  it('counts appended entries and those of changes by the same numbers', async () => {
    await append(anEntry(1));
    const body = { title: 'dA==', encryptedContent: 'dA==' };
    const create = (n: number) =>
      person.request('POST', '/api/memory-entries', { body, headers: withEntry(anEntry(n)) });
    expect((await create(2)).status).toBe(201);
    expect(await failure(await append(anEntry(2)))).toEqual(MOVED);
    expect((await append(anEntry(3))).status).toBe(204);
    expect(await failure(await create(3))).toEqual(MOVED);
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it('has one winner of fifty that append, and of changes among them', async () => {
    const body = { title: 'dA==', encryptedContent: 'dA==' };
    const answers = await Promise.all(
      upTo(50).map((i) => {
        const entry = anEntry(1);
        if (i % 3 === 0) return checkpoint(entry);
        if (i % 3 === 1) return append(entry);
        return person.request('POST', '/api/memory-entries', { body, headers: withEntry(entry) });
      }),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
    expect(await numbers()).toEqual([1]);
  });

  describe('when it is read', () => {
    it('goes on from where somebody has been, and in pages', async () => {
      await plantEntries(5000, 500);
      expect(await numbers('?from=4998')).toEqual([4998, 4999, 5000]);
      expect(await numbers('?from=5001')).toEqual([]);
      expect(await numbers(`?from=${2 ** 31 - 1}`)).toEqual([]);
      const pages: number[] = [];
      const seen: number[] = [];
      for (let query: string | null = `${PATH}?from=1`; query; ) {
        const { entries, next }: Awaited<ReturnType<typeof read>> = await read(query.slice(PATH.length));
        pages.push(entries.length);
        seen.push(...entries.map(({ n }) => n));
        query = next;
      }
      expect(seen).toEqual(upTo(5000));
      expect(pages).toEqual([2000, 2000, 1000]);
    });

    it('has pages of a megabyte, and at least one entry in each', async () => {
      const megabyte = 1024 * 1024;
      await plantEntries(4, megabyte / 2);
      await plantEntries(5, 3 * megabyte, 5);
      await plantEntries(6, 300, 6);
      expect(await read('?from=1')).toMatchObject({
        entries: [{ n: 1 }, { n: 2 }],
        next: '/api/book?from=3',
      });
      expect(await read('?from=4')).toMatchObject({ entries: [{ n: 4 }], next: '/api/book?from=5' });
      expect(await read('?from=5')).toMatchObject({ entries: [{ n: 5 }], next: '/api/book?from=6' });
      expect(await read('?from=6')).toMatchObject({ entries: [{ n: 6 }], next: null });
    });

    it.each(['?from=0', '?from=-1', '?from=1.5', '?from=x', '?from=', `?from=${2 ** 31}`, '?from=1e309'])(
      'refuses %s',
      async (query) => {
        expect((await person.request('GET', PATH + query)).status).toBe(422);
      },
    );

    it('shows another account nothing of it', async () => {
      await append(anEntry(1));
      const other = await signUpByPassphrase(instance);
      for (const query of ['', '?from=1']) expect((await read(query, other)).entries).toEqual([]);
    });

    it('waits for its turn where an entry is heavy, and gives it back', async () => {
      await plantEntries(1, 2 * 1024 * 1024);
      // More than there are turns and places in the line at a time.
      const answers = await Promise.all(upTo(8).map(() => read()));
      for (const { entries } of answers) expect(entries).toHaveLength(1);
    });
  });

  describe('with checkpoints', () => {
    it('is read from the last one, unless somebody asks for more', async () => {
      await plantEntries(3);
      await checkpoint(anEntry(4));
      await append(anEntry(5));
      expect(await numbers()).toEqual([4, 5]);
      expect(await numbers('?from=1')).toEqual([1, 2, 3, 4, 5]);
    });

    it('forgets what stands before the one before the last, and nothing else', async () => {
      const other = await signUpByPassphrase(instance);
      await keepVaultKey(other);
      const beside = await plantingFor(instance, other, fingerprint);
      await beside.bookEntry({ n: 1 });
      await plantEntries(3);
      await checkpoint(anEntry(4));
      await append(anEntry(5));
      expect(await numbers('?from=1')).toEqual(upTo(5));
      await checkpoint(anEntry(6));
      expect(await numbers('?from=1')).toEqual([4, 5, 6]);
      await checkpoint(anEntry(7));
      expect(await numbers('?from=1')).toEqual([6, 7]);
      expect(await failure(await checkpoint(anEntry(1)))).toEqual(MOVED);
      expect(await numbers('?from=1')).toEqual([6, 7]);
      expect((await read('?from=1', other)).entries).toHaveLength(1);
      expect(await countedFor(instance, plant.accountId)).toEqual(await recount(instance, plant.accountId));
    });

    // What is made room for and then refused is undone: whoever asks for that again and again would have all others wait.
    // The embedded database counts the rows that it touches.
    if (engine === 'sqlite') {
      it('forgets nothing before it knows that it has the next number', async () => {
        await plantEntries(500);
        await checkpoint(anEntry(501));
        const changed = () => rowsTouched(instance.deps.db);
        const before = await changed();
        for (const n of [501, 503]) expect(await failure(await checkpoint(anEntry(n)))).toEqual(MOVED);
        expect((await changed()) - before).toBeLessThan(10);
        await checkpoint(anEntry(502));
        expect((await changed()) - before).toBeGreaterThan(500);
      });
    }

    it('forgets thousands at once', async () => {
      await plantEntries(1);
      await checkpoint(anEntry(2));
      await plantEntries(3000, 500, 3);
      await checkpoint(anEntry(3001));
      await checkpoint(anEntry(3002));
      expect(await numbers('?from=1')).toEqual([3001, 3002]);
    });
  });

  describe('that is full', () => {
    const memory = (n: number) =>
      person.request('POST', '/api/memory-entries', {
        body: { title: 'dA==', encryptedContent: 'dA==' },
        headers: withEntry(anEntry(n)),
      });

    it('of bytes, is made room in by two checkpoints, and never holds more than it may', async () => {
      await plantEntries(4, BOOK_BYTES / 4);
      expect(await failure(await append(anEntry(5)))).toEqual(FULL);
      expect(await failure(await memory(5))).toEqual(FULL);
      expect(await failure(await append(anEntry(6)))).toEqual(MOVED);
      const list = await person.request('GET', '/api/memory-entries');
      expect(await list.json()).toEqual([]);
      const large = 'A'.repeat(ENTRY_MAX);
      expect((await checkpoint({ n: 5, sealed: large })).status).toBe(204);
      expect(await failure(await memory(6))).toEqual(FULL);
      expect((await checkpoint({ n: 6, sealed: large })).status).toBe(204);
      expect(await numbers('?from=6')).toEqual([6]);
      expect((await memory(7)).status).toBe(201);
      const { book_bytes } = (await countedFor(instance, plant.accountId)) ?? {};
      expect(book_bytes).toBeLessThan(BOOK_BYTES);
    });

    it('of bytes, takes no checkpoint that is larger than what it may go beyond', async () => {
      await plantEntries(4, BOOK_BYTES / 4);
      await plantEntries(5, 4, 5);
      expect(await failure(await checkpoint({ n: 6, sealed: 'A'.repeat(ENTRY_MAX) }))).toEqual(FULL);
      expect((await checkpoint({ n: 6, sealed: 'A'.repeat(ENTRY_MAX - 4) })).status).toBe(204);
    });

    it('of entries, takes a checkpoint', async () => {
      await sql`update usage set book_rows = ${BOOK_ROWS} where account_id = ${plant.accountId}`.execute(
        instance.deps.db,
      );
      expect(await failure(await append(anEntry(1)))).toEqual(FULL);
      expect((await checkpoint(anEntry(1))).status).toBe(204);
    });

    it('takes nothing of the room of what people write', async () => {
      const before = await countedFor(instance, plant.accountId);
      await append(anEntry(1));
      const after = await countedFor(instance, plant.accountId);
      expect(after).toEqual({ ...before, book_bytes: 400, book_rows: 1 });
      expect(after).toEqual(await recount(instance, plant.accountId));
      const usage = await (await person.request('GET', '/api/usage')).json();
      expect(usage).toMatchObject({ bytes: before?.bytes, rows: before?.row_count });
    });
  });

  describe('under another key', () => {
    const send = (method: string, path: string, body?: unknown) =>
      person.request(method, path, body === undefined ? {} : { body });
    const finish = (id: string, bookEntry?: SealedBookEntry | null) => {
      const successor = { ...aSuccessor(id, fingerprint), bookEntry };
      return { successor, answer: send('POST', `${REGENERATION}/finish`, successor) };
    };

    it('goes on with a checkpoint, by the next number', async () => {
      await plantEntries(3);
      const id = await begin(send, fingerprint);
      const entry = anEntry(4);
      const { successor, answer } = finish(id, entry);
      expect((await answer).status).toBe(201);
      expect(await read()).toEqual({ entries: [entry], next: null });
      expect(await failure(await append(anEntry(5)))).toEqual({ status: 409, code: 'key-changed' });
      const keyFingerprint = successor.clientKey.fingerprint;
      expect((await append(anEntry(5), { keyFingerprint })).status).toBe(204);
      // The same finish once more, as after a lost answer.
      expect((await send('POST', `${REGENERATION}/finish`, successor)).status).toBe(201);
      expect(await numbers('?from=1')).toEqual(upTo(5));
    });

    it('stays as it is where the number is not the next one, and so does the key', async () => {
      const memory = await plant.memory();
      await plantEntries(3);
      const id = await begin(send, fingerprint);
      const [shown] = (await (await person.request('GET', '/api/memory-entries')).json()) as [Memory];
      await stage(send, id, [resealedMemory(shown)]);
      for (const n of [1, 3, 5]) expect(await failure(await finish(id, anEntry(n)).answer)).toEqual(MOVED);
      const [still] = (await (await person.request('GET', '/api/memory-entries')).json()) as [Memory];
      expect(still).toEqual(shown);
      expect(still.id).toBe(memory.id);
      expect(await numbers('?from=1')).toEqual([1, 2, 3]);
      // What was staged is there, and staging may go on.
      expect((await stage(send, id, [resealedMemory(shown)])).status).toBe(204);
      expect((await finish(id, anEntry(4)).answer).status).toBe(201);
    });

    it('has no entry of a finish that was refused', async () => {
      await plant.memory();
      await plantEntries(1);
      await plant.bookEntry({ n: 2, is_checkpoint: 1 });
      const id = await begin(send, fingerprint);
      expect(await failure(await finish(id, anEntry(3)).answer)).toEqual({
        status: 409,
        code: 'entries-changed',
      });
      expect(await numbers('?from=1')).toEqual([1, 2]);
    });

    it.each([undefined, null])('is left as it was by a client without one, who sends %s', async (none) => {
      await plantEntries(2);
      const id = await begin(send, fingerprint);
      expect((await finish(id, none).answer).status).toBe(201);
      expect(await numbers()).toEqual([1, 2]);
    });

    it('has one end where a finish and writers want the same number', async () => {
      for (let round = 0; round < 5; round += 1) {
        const last = (await numbers()).at(-1) ?? 0;
        const id = await begin(send, fingerprint);
        const { successor, answer } = finish(id, anEntry(last + 1));
        const body = { title: 'dA==', encryptedContent: 'dA==' };
        const writers = upTo(5).map(() =>
          person.request('POST', '/api/memory-entries', { body, headers: withEntry(anEntry(last + 1)) }),
        );
        const statuses = (await Promise.all([answer, ...writers])).map(({ status }) => status);
        expect(statuses.filter((status) => status === 201)).toHaveLength(1);
        expect(statuses.filter((status) => status === 409)).toHaveLength(5);
        expect((await numbers()).at(-1)).toBe(last + 1);
        if (statuses[0] === 201) fingerprint = successor.clientKey.fingerprint;
      }
    });
  });

  describe('in which a browser has found something', () => {
    const report = (kind: string) => person.request('POST', `${PATH}/findings`, { body: { kind } });
    const told = async () =>
      ((await (await person.request('GET', '/api/activity')).json()) as { kind: string; count: number }[])
        .filter(({ kind }) => kind.startsWith('book-'))
        .map(({ kind, count }) => `${kind} ${count}`)
        .sort();

    it('says so in the account’s activity, once for each kind and hour', async () => {
      for (const kind of findingKinds) {
        expect((await report(kind)).status).toBe(204);
        expect((await report(kind)).status).toBe(204);
      }
      expect(await told()).toEqual(['book-other-history 2', 'book-other-rows 2', 'book-went-back 2']);
    });

    it('says nothing that is not of the list', async () => {
      for (const kind of ['', 'memory 7', 'book-went-back']) {
        expect((await report(kind)).status).toBe(422);
      }
      expect(await told()).toEqual([]);
    });

    it('cannot be made to flood it', async () => {
      const statuses = new Set<number>();
      for (let i = 0; i < 130; i += 1) statuses.add((await report('went-back')).status);
      expect([...statuses].sort()).toEqual([204, 429]);
      for (let hour = 0; hour < 60; hour += 1) {
        instance.clock.advance(HOUR);
        await report('other-rows');
      }
      await deleteExpired(instance.deps);
      expect(await told()).toHaveLength(50);
    });
  });
});

/** A fingerprint of one character. */
function fpOf(character: string): string {
  return character.repeat(16);
}
