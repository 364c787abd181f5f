// Writes that are committed together: each on its own terms, nobody told before the disk has it, nobody kept waiting.
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../testing/engines.ts';
import { UndoneWithOthers } from './away.ts';
import type { Database } from './open.ts';
import { SqliteConnection } from './sqlite-driver.ts';
import { retried, transact, transactAlone } from './transact.ts';
import { truncateLog } from './truncate-log.ts';

describe('writes of one turn (embedded database)', () => {
  let database: TestDatabase;
  let db: Database;
  beforeEach(async () => {
    database = await openTestDatabase('sqlite');
    db = database.db;
  });
  afterEach(() => database.close());

  const insert = (bucket: string, by: Database = db) =>
    by.insertInto('attempts').values({ bucket, count: 0, resets_at: 1 }).execute();
  const buckets = async (of: Database = db) =>
    (await of.selectFrom('attempts').select('bucket').orderBy('bucket').execute()).map((row) => row.bucket);
  /** What another process sees: all that was committed. */
  function committed(): string[] {
    const other = new SqliteConnection(database.file ?? '', { readonly: true });
    const rows = other.rows<{ bucket: string }>('select bucket from attempts order by bucket');
    other.close();
    return rows.map(({ bucket }) => bucket);
  }
  /** How often the log was written to by a commit: SQLite changes this number with each of another connection. */
  function countCommits() {
    const other = new SqliteConnection(database.file ?? '', { readonly: true });
    const version = () => other.rows<{ data_version: number }>('pragma data_version')[0]?.data_version;
    let [before, commits] = [version(), 0];
    return {
      look() {
        const now = version();
        if (now !== before) commits += 1;
        before = now;
      },
      end() {
        other.close();
        return commits;
      },
    };
  }

  it('are one commit, and each is answered after it', async () => {
    const commits = countCommits();
    const answered: string[] = [];
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (bucket, i) => {
        await (i % 2 ? insert(bucket) : transact(db, (tx) => insert(bucket, tx)));
        commits.look();
        answered.push(bucket);
        expect(committed()).toEqual(['a', 'b', 'c', 'd']);
      }),
    );
    expect(answered).toHaveLength(4);
    expect(commits.end()).toBe(1);
  });

  it('are seen by nobody outside of them before they are committed', async () => {
    let seen: string[] | undefined;
    await transact(db, async (tx) => {
      await insert('a', tx);
      expect(await buckets(tx)).toEqual(['a']);
      seen = await buckets();
    });
    expect(seen).toEqual([]);
    const [, between] = await Promise.all([insert('b'), buckets()]);
    expect(between).toEqual(['a']);
    expect(await buckets()).toEqual(['a', 'b']);
  });

  it('that are refused, or fail by themselves, touch none of the others', async () => {
    await insert('taken');
    const results = await Promise.allSettled([
      insert('a'),
      insert('taken'),
      transact(db, (tx) => insert('b', tx)),
      transact(db, async (tx) => {
        await insert('half', tx);
        await insert('taken', tx);
      }),
      transact(db, async (tx) => {
        await insert('regretted', tx);
        throw new Error('of its own');
      }),
      transact(db, async (tx) => {
        await insert('c', tx);
        // A statement that was refused undoes itself alone.
        await insert('taken', tx).catch(() => {});
      }),
      insert('d'),
    ]);
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      false,
      true,
      false,
      false,
      true,
      true,
    ]);
    expect(await buckets()).toEqual(['a', 'b', 'c', 'd', 'taken']);
  });

  it('that fail first of all leave the turn to the others', async () => {
    const failing = transact(db, async (tx) => {
      await insert('a', tx);
      throw new Error('of its own');
    });
    const results = await Promise.allSettled([failing, insert('b'), transact(db, (tx) => insert('c', tx))]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(committed()).toEqual(['b', 'c']);
  });

  it('that a full disk undoes are made again, but for the one that does not fit', async () => {
    await insert('before');
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 3)}`.execute(db);
    let tries = 0;
    const results = await Promise.allSettled([
      insert('a'),
      transact(db, async (tx) => {
        tries += 1;
        await insert('b', tx);
      }),
      transact(db, (tx) => insert('x'.repeat(1024 * 1024), tx)),
      insert('c'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect((results[2] as PromiseRejectedResult).reason).toMatchObject({ code: 'SQLITE_FULL' });
    expect(tries).toBeLessThanOrEqual(2);
    expect(committed()).toEqual(['a', 'b', 'before', 'c']);
  });

  describe('whose commit fails', () => {
    /** A broken reference that is looked at with the commit stands for a disk that is full by then. */
    const impossible = (by: Database = db) => sql`insert into child (parent) values (1)`.execute(by);
    beforeEach(async () => {
      await sql`create table parent (id integer primary key)`.execute(db);
      await sql`create table child (parent integer references parent deferrable initially deferred)`.execute(
        db,
      );
    });

    it('are made again, but for the one that is to blame', async () => {
      const results = await Promise.allSettled([
        insert('a'),
        transact(db, (tx) => insert('b', tx)),
        impossible(),
        transact(db, impossible),
        transact(db, (tx) => insert('c', tx)),
        insert('d'),
      ]);
      const blamed = { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } };
      const made = { status: 'fulfilled' };
      expect(results).toMatchObject([made, made, blamed, blamed, made, made]);
      expect(committed()).toEqual(['a', 'b', 'c', 'd']);
      // They are committed together again before long.
      for (let i = 0; i < 6; i += 1) await insert(`after ${i}`);
      const commits = countCommits();
      await Promise.all(['x', 'y', 'z'].map((bucket) => insert(bucket).then(() => commits.look())));
      expect(commits.end()).toBe(1);
    });

    it('have never been there for those who saw them', async () => {
      // The first one is undone in the end: nobody is told that the name is taken.
      const results = await Promise.allSettled([
        transact(db, async (tx) => {
          await insert('name', tx);
          await impossible(tx);
        }),
        insert('name'),
      ]);
      expect(results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled' }]);
      await db.deleteFrom('attempts').execute();
      const others = await Promise.allSettled([
        transact(db, async (tx) => {
          await insert('name', tx);
          await impossible(tx);
        }),
        transact(db, async (tx) => {
          if ((await buckets(tx)).includes('name')) throw new Error('taken');
          await insert('name', tx);
        }),
      ]);
      expect(others).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled' }]);
      expect(committed()).toEqual(['name']);
    });
  });

  it('that are refused because of another one are answered after that one is committed', async () => {
    const answers: string[][] = [];
    const first = insert('name');
    const refused = [
      insert('name'),
      transact(db, async (tx) => {
        if ((await buckets(tx)).includes('name')) throw new Error('taken');
      }),
    ];
    await Promise.all(refused.map((one) => one.catch(() => answers.push(committed()))));
    await first;
    expect(answers).toEqual([['name'], ['name']]);
  });

  it('that nobody waits for in their transaction are not made behind it', async () => {
    const late: Promise<unknown>[] = [];
    const failing = transact(db, async (tx) => {
      for (let delay = 0; delay < 20; delay += 1) {
        const one = (async () => {
          for (let i = 0; i < delay; i += 1) await null;
          await insert(`late ${delay}`, tx);
        })();
        late.push(one.catch(() => {}));
      }
      throw new Error('of its own');
    });
    await Promise.allSettled([insert('a'), failing]);
    await Promise.all(late);
    expect(await buckets()).toEqual(['a']);
    // Its end is under way: it is not known yet that it was committed.
    let behind: Promise<unknown> | undefined;
    await transact(db, async (tx) => {
      await insert('b', tx);
      behind = (async () => {
        for (let i = 0; i < 20; i += 1) await null;
        await insert('behind', tx);
      })();
      behind.catch(() => {});
    });
    await expect(behind).rejects.toThrow('is over');
    expect(await buckets()).toEqual(['a', 'b']);
  });

  it('that were undone with others are run again by whoever runs what stood in another’s way', async () => {
    const outcomes = [new UndoneWithOthers(new Error('full')), 'done'];
    const work = async () => {
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    expect(await retried(db, work, { random: () => 0, wait: async () => {} })).toBe('done');
  });

  it('wait for a slow one once, in the order in which they came, and reads do not wait for it', async () => {
    let finish = () => {};
    const slow = transact(db, async (tx) => {
      await insert('slow', tx);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    const order: string[] = [];
    const others = ['a', 'b', 'c'].map((bucket) => insert(bucket).then(() => order.push(bucket)));
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    expect(await buckets()).toEqual([]);
    expect(order).toEqual([]);
    finish();
    await slow;
    await Promise.all(others);
    expect(order).toEqual(['a', 'b', 'c']);
  });

  it('of a crowd are all made, and others have their turn between them', async () => {
    let turns = 0;
    let over = false;
    const watching = (async () => {
      for (; !over; turns += 1) await setImmediate();
    })();
    await Promise.all(Array.from({ length: 500 }, (_, i) => transact(db, (tx) => insert(`${i}`, tx))));
    over = true;
    await watching;
    expect(committed()).toHaveLength(500);
    expect(turns).toBeGreaterThanOrEqual(500 / 64);
  });

  it('are done before what needs the connection for itself', async () => {
    const [, log] = await Promise.all([
      insert('a'),
      sql`pragma wal_checkpoint(truncate)`.execute(db),
      insert('b'),
    ]);
    expect(log.rows).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
    expect(await buckets()).toEqual(['a', 'b']);
  });

  it('that are much at once are committed by themselves, or undone so', async () => {
    const commits = countCommits();
    const results = await Promise.allSettled([
      insert('a').then(() => commits.look()),
      transactAlone(db, async (tx) => {
        await insert('much', tx);
        expect(committed()).toEqual(['a']);
        commits.look();
        await setImmediate();
      }).then(() => commits.look()),
      transactAlone(db, async (tx) => {
        await insert('half', tx);
        throw new Error('of its own');
      }),
      insert('b').then(() => commits.look()),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(commits.end()).toBe(3);
    expect(committed()).toEqual(['a', 'b', 'much']);
  });

  it('have their log truncated once, for all that were committed before', async () => {
    let truncations = 0;
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.some((row) => 'checkpointed' in row)) truncations += 1;
        return result;
      },
    });
    const opened = { db: counting, engine: 'sqlite' as const };
    await Promise.all(Array.from({ length: 20 }, (_, i) => insert(`${i}`).then(() => truncateLog(opened))));
    expect(truncations).toBe(1);
    await insert('later');
    await truncateLog(opened);
    expect(truncations).toBe(2);
  });
});
