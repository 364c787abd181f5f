import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  describeOnEachEngine,
  describeOnPostgres,
  openTestDatabase,
  type TestDatabase,
} from '../../testing/engines.ts';
import { isContention, isDatabaseAway } from './away.ts';
import type { Database } from './open.ts';
import { retried, transact } from './transact.ts';

let database: TestDatabase;
afterEach(() => database.close());

/** Waits for nothing, and says how long it was told to. */
function noWait() {
  const waits: number[] = [];
  return { waits, random: () => 0.5, wait: async (milliseconds: number) => void waits.push(milliseconds) };
}

const countOf = async (db: Database, bucket: string) =>
  (await db.selectFrom('attempts').select('count').where('bucket', '=', bucket).executeTakeFirstOrThrow())
    .count;

const addTo = (db: Database, bucket: string) =>
  db
    .updateTable('attempts')
    .set((eb) => ({ count: eb('count', '+', 1) }))
    .where('bucket', '=', bucket)
    .execute();

async function twoCounters(db: Database): Promise<void> {
  for (const bucket of ['a', 'b']) {
    await db.insertInto('attempts').values({ bucket, count: 0, resets_at: 1 }).execute();
  }
}

describeOnEachEngine('a transaction', (engine) => {
  beforeEach(async () => {
    database = await openTestDatabase(engine);
  });

  it('is undone and not tried again when its work fails by itself', async () => {
    await twoCounters(database.db);
    let tries = 0;
    const failing = transact(database.db, async (tx) => {
      tries += 1;
      await addTo(tx, 'a');
      throw new Error('of its own');
    });
    await expect(failing).rejects.toThrow('of its own');
    expect(tries).toBe(1);
    expect(await countOf(database.db, 'a')).toBe(0);
  });
});

describeOnPostgres('transactions that get in each other’s way', () => {
  beforeEach(async () => {
    database = await openTestDatabase('postgres');
    await twoCounters(database.db);
  });

  it('both come to their end, though PostgreSQL undoes one of two that wait for each other', async () => {
    const { db } = database;
    let [tries, holding] = [0, 0];
    let bothHold = () => {};
    const both = new Promise<void>((resolve) => {
      bothHold = resolve;
    });
    const cross = (first: string, second: string) =>
      transact(db, async (tx) => {
        tries += 1;
        await addTo(tx, first);
        holding += 1;
        if (holding >= 2) bothHold();
        await both;
        await addTo(tx, second);
      });
    await Promise.all([cross('a', 'b'), cross('b', 'a')]);
    expect(tries).toBe(3);
    expect([await countOf(db, 'a'), await countOf(db, 'b')]).toEqual([2, 2]);
  });

  it.each(['40001', '40P01'])(
    'are tried six times after %s, a little later each time, and no more',
    async (code) => {
      const spread = noWait();
      let tries = 0;
      const hopeless = transact(
        database.db,
        async (tx) => {
          tries += 1;
          await addTo(tx, 'a');
          await sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`.execute(tx);
        },
        spread,
      );
      const error = await hopeless.catch((thrown: unknown) => thrown);
      expect(isContention(error)).toBe(true);
      expect(isDatabaseAway(error)).toBe(true);
      expect(tries).toBe(6);
      expect(spread.waits).toEqual([10, 20, 40, 80, 160]);
      expect(await countOf(database.db, 'a')).toBe(0);
    },
  );

  it('a single statement is run again as well, and only where it got in another’s way', async () => {
    const spread = noWait();
    const outcomes = [Object.assign(new Error('deadlock'), { code: '40P01' }), 'done'];
    const work = async () => {
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    expect(await retried(work, spread)).toBe('done');
    expect(spread.waits).toHaveLength(1);
    await expect(retried(() => Promise.reject(new Error('of its own')), spread)).rejects.toThrow(
      'of its own',
    );
  });
});
