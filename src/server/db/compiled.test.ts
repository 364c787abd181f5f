import { expect, it } from 'vitest';
import { describeOnEachEngine, openTestDatabase, type TestDatabase } from '../../testing/engines.ts';
import { compiled } from './compiled.ts';
import { keepStatements } from './kept-statements.ts';

const bucketsSince = compiled<{ since: number; least: number }>()((db, value) =>
  db
    .selectFrom('attempts')
    .select(['bucket', 'count'])
    .where('resets_at', '>=', value('since'))
    .where('count', '>=', value('least'))
    .where('bucket', '<>', 'never')
    .orderBy('bucket'),
);

async function fill({ db }: TestDatabase, ...buckets: string[]): Promise<void> {
  await db
    .insertInto('attempts')
    .values(buckets.map((bucket, i) => ({ bucket, count: i, resets_at: 10 * i })))
    .execute();
}

describeOnEachEngine('a compiled statement', (engine) => {
  it('answers as if it were built anew, with each call’s values', async () => {
    const database = await openTestDatabase(engine);
    await fill(database, 'a', 'b', 'c', 'never');
    const ask = async (since: number, least: number) =>
      (await bucketsSince(database.db, { since, least })).map(({ bucket }) => bucket);
    expect(await ask(0, 0)).toEqual(['a', 'b', 'c']);
    expect(await ask(10, 0)).toEqual(['b', 'c']);
    expect(await ask(0, 2)).toEqual(['c']);
    expect(await Promise.all([ask(20, 0), ask(0, 0), ask(30, 0)])).toEqual([['c'], ['a', 'b', 'c'], []]);
    await database.close();
  });

  it('is heard of by plugins each time, before it runs and after', async () => {
    const database = await openTestDatabase(engine);
    await fill(database, 'a');
    const heard: string[] = [];
    const listening = database.db.withPlugin({
      transformQuery({ node }) {
        heard.push(node.kind);
        return node;
      },
      async transformResult({ result }) {
        heard.push(`${result.rows.length} row`);
        return result;
      },
    });
    for (let times = 0; times < 2; times += 1) await bucketsSince(listening, { since: 0, least: 0 });
    expect(heard).toEqual(['SelectQueryNode', '1 row', 'SelectQueryNode', '1 row']);
    await database.close();
  });

  it('serves two databases without mixing them up, also inside a transaction', async () => {
    const [one, two] = [await openTestDatabase(engine), await openTestDatabase(engine)];
    await fill(one, 'one');
    await fill(two, 'two');
    expect(await bucketsSince(one.db, { since: 0, least: 0 })).toEqual([{ bucket: 'one', count: 0 }]);
    expect(await bucketsSince(two.db, { since: 0, least: 0 })).toEqual([{ bucket: 'two', count: 0 }]);
    const inside = await one.db.transaction().execute(async (tx) => {
      await tx.updateTable('attempts').set({ count: 7 }).execute();
      return bucketsSince(tx, { since: 0, least: 0 });
    });
    expect(inside).toEqual([{ bucket: 'one', count: 7 }]);
    await Promise.all([one.close(), two.close()]);
  });
});

it('kept statements are prepared once, and forgotten before they become too many; pragmas are never kept', () => {
  const prepared: string[] = [];
  const database = keepStatements({
    prepare: (sql) => {
      prepared.push(sql);
      return {} as never;
    },
    close: () => {},
  });
  expect(database.prepare('a')).toBe(database.prepare('a'));
  expect(prepared).toEqual(['a']);
  for (let i = 0; i < 1000; i += 1) database.prepare(`statement ${i}`);
  database.prepare('a');
  expect(prepared.filter((sql) => sql === 'a')).toHaveLength(2);
  for (let i = 0; i < 2; i += 1) database.prepare('pragma busy_timeout = 0');
  expect(prepared.filter((sql) => sql.startsWith('pragma'))).toHaveLength(2);
});
