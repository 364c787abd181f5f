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
import { afterCommit, retried, transact, transactAlone } from './transact.ts';

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
    expect(await retried(database.db, work, spread)).toBe('done');
    expect(spread.waits).toHaveLength(1);
    await expect(retried(database.db, () => Promise.reject(new Error('of its own')), spread)).rejects.toThrow(
      'of its own',
    );
  });
});

describeOnEachEngine('a transaction within another one', (engine) => {
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    await twoCounters(database.db);
  });

  it('is the same one: both are kept, or neither', async () => {
    const { db } = database;
    const both = (fails: boolean) =>
      transact(db, async (tx) => {
        await addTo(tx, 'a');
        await transact(tx, (inner) => addTo(inner, 'b'));
        if (fails) throw new Error('of its own');
      });
    await expect(both(true)).rejects.toThrow('of its own');
    expect([await countOf(db, 'a'), await countOf(db, 'b')]).toEqual([0, 0]);
    await both(false);
    expect([await countOf(db, 'a'), await countOf(db, 'b')]).toEqual([1, 1]);
  });

  it('is run again from the beginning of the outermost one, and no statement of it by itself', async () => {
    const { db } = database;
    const spread = noWait();
    const tries = { outer: 0, inner: 0, statement: 0 };
    const deadlock = () => Object.assign(new Error('deadlock'), { code: '40P01' });
    await transact(
      db,
      async (tx) => {
        tries.outer += 1;
        await addTo(tx, 'a');
        await transact(tx, async (inner) => {
          tries.inner += 1;
          if (tries.inner === 1) throw deadlock();
          await retried(inner, async () => {
            tries.statement += 1;
            if (tries.statement === 1) throw deadlock();
            return addTo(inner, 'b');
          });
        });
      },
      spread,
    );
    expect(tries).toEqual({ outer: 3, inner: 3, statement: 2 });
    expect(spread.waits).toHaveLength(2);
    expect([await countOf(db, 'a'), await countOf(db, 'b')]).toEqual([1, 1]);
  });
});

describeOnEachEngine('what waits for a commit', (engine) => {
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    await twoCounters(database.db);
  });

  it.each([
    ['transact', transact],
    ['transactAlone', transactAlone],
  ])('is done once after it, by %s, before whoever began it goes on', async (_, begin) => {
    const { db } = database;
    const seen: string[] = [];
    const effect = (name: string) => async (outside: Database) => {
      expect(outside).toBe(db);
      seen.push(`${name} ${await countOf(outside, 'a')}`);
    };
    await begin(db, async (tx) => {
      await afterCommit(tx, effect('first'));
      await addTo(tx, 'a');
      await transact(tx, (inner) => afterCommit(inner, effect('second')));
      expect(seen).toEqual([]);
    });
    expect(seen).toEqual(['first 1', 'second 1']);
  });

  it('is done at once where nothing is open', async () => {
    const seen: Database[] = [];
    await afterCommit(database.db, async (outside) => void seen.push(outside));
    expect(seen).toEqual([database.db]);
  });

  it('is never done for a transaction that is undone, nor for a try that was', async () => {
    const { db } = database;
    const seen: number[] = [];
    let tries = 0;
    const deadlock = () => Object.assign(new Error('deadlock'), { code: '40P01' });
    await transact(
      db,
      async (tx) => {
        tries += 1;
        const mine = tries;
        await afterCommit(tx, async () => void seen.push(mine));
        if (tries < 3) throw deadlock();
      },
      noWait(),
    );
    expect(seen).toEqual([3]);
    const undone = transact(db, async (tx) => {
      await afterCommit(tx, async () => void seen.push(0));
      throw new Error('of its own');
    });
    await expect(undone).rejects.toThrow('of its own');
    expect(seen).toEqual([3]);
  });
});
