import { type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnEachEngine, openTestDatabase, type TestDatabase } from '../../testing/engines.ts';
import { eraseRows, firstRows, heapOf, newRoom, takeSteps } from './steps.ts';

const KB = 1024;
const all = sql<SqlBool>`true`;

describeOnEachEngine('a step', (engine) => {
  let database: TestDatabase;
  let account: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const somebody = { uid: 'somebody', is_admin: 0 as const, created_at: 0 };
    const { id } = await database.db
      .insertInto('accounts')
      .values(somebody)
      .returning('id')
      .executeTakeFirstOrThrow();
    account = id;
  });
  afterAll(() => database.close());
  beforeEach(() => database.db.deleteFrom('memory_entries').execute());

  async function plant(sizes: number[]): Promise<void> {
    for (const size of sizes) {
      const row = { account_id: account, title: '', encrypted_content: 'A'.repeat(size), version: 1 };
      const bare = {
        time_lock_until: null,
        seal_id: null,
        key_fingerprint: null,
        created_at: 0,
        updated_at: 0,
      };
      await database.db
        .insertInto('memory_entries')
        .values({ ...row, ...bare })
        .execute();
    }
  }
  const left = async () => (await database.db.selectFrom('memory_entries').select('id').execute()).length;
  /** How many rows are left after each step. */
  async function stepByStep(rows?: number): Promise<number[]> {
    const seen: number[] = [];
    await takeSteps(async () => {
      const room = newRoom(rows);
      await database.db.transaction().execute((tx) => eraseRows(tx, heapOf('memory_entries'), all, room));
      seen.push(await left());
      return room.rows <= 0;
    });
    return seen;
  }

  it('erases so many rows at most', async () => {
    await plant(Array(25).fill(10));
    expect(await stepByStep(10)).toEqual([15, 5, 0]);
  });

  it('erases so many bytes at most, but for a row that is larger by itself', async () => {
    await plant([400 * KB, 400 * KB, 400 * KB, 2048 * KB, 2048 * KB, 1, 1]);
    expect(await stepByStep()).toEqual([5, 4, 3, 2, 0]);
  });

  it('shares its room between tables', async () => {
    await plant(Array(6).fill(200 * KB));
    const room = newRoom();
    const { db } = database;
    const take = () =>
      db.transaction().execute((tx) => eraseRows(tx, heapOf('memory_entries'), sql`id % 2 = 0`, room));
    expect(await take()).toBe(true);
    expect([await left(), room.bytes]).toEqual([3, 424 * KB]);
    const rest = db.transaction().execute((tx) => eraseRows(tx, heapOf('memory_entries'), all, room));
    expect([await rest, await left(), room.rows]).toEqual([true, 1, 0]);
    expect(await take()).toBe(false);
  });

  it('finds nothing where nothing meets its condition', async () => {
    const none = firstRows(database.db, heapOf('memory_entries'), all, newRoom());
    expect(await none).toBeNull();
  });

  it('takes rows of a key of several columns in its order', async () => {
    const { db } = database;
    const regeneration = { account_id: account, public_id: 'it', fingerprint: 'f', begun_at: 0 };
    await db.insertInto('regenerations').values(regeneration).execute();
    for (const kind of ['relationship', 'memory'] as const) {
      for (let n = 1; n <= 4; n += 1) {
        const staged = { account_id: account, kind, entry_id: n, version: 1 };
        await db
          .insertInto('staged_entries')
          .values({ ...staged, first: 'A', second: null, third: null })
          .execute();
      }
    }
    const seen: string[] = [];
    await takeSteps(async () => {
      const room = newRoom(3);
      await db
        .transaction()
        .execute((tx) => eraseRows(tx, heapOf('staged_entries', ['kind', 'entry_id']), all, room));
      const rows = await db
        .selectFrom('staged_entries')
        .select(['kind', 'entry_id'])
        .orderBy('kind')
        .execute();
      seen.push(rows.map(({ kind, entry_id }) => `${kind.charAt(0)}${entry_id}`).join(' '));
      return room.rows <= 0;
    });
    expect(seen).toEqual(['m4 r1 r2 r3 r4', 'r3 r4', '']);
    await db.deleteFrom('regenerations').execute();
  });
});

it('steps are taken until nothing is left, as many as may be, or until somebody ends them', async () => {
  const count = async (pace: Parameters<typeof takeSteps>[1], of = 5) => {
    let taken = 0;
    await takeSteps(async () => {
      taken += 1;
      return taken < of;
    }, pace);
    return taken;
  };
  expect(await count({})).toBe(5);
  expect(await count({ steps: 3 })).toBe(3);
  expect(await count({ steps: 9 })).toBe(5);
  expect(await count({ signal: AbortSignal.abort() })).toBe(1);
});

it('others have their turn between two steps', async () => {
  const order: string[] = [];
  const steps = takeSteps(async () => {
    order.push('step');
    return order.filter((what) => what === 'step').length < 3;
  });
  setImmediate(() => order.push('somebody else'));
  await steps;
  expect(order.slice(0, 2)).toEqual(['step', 'somebody else']);
});
