import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { SqliteConnection } from '../server/db/sqlite-driver.ts';
import { openTestDatabase } from './engines.ts';
import { PlanWatch } from './planned-anew.ts';

let watch: PlanWatch;
beforeEach(() => {
  const database = new SqliteConnection(':memory:');
  database.exec('create table letters (id integer primary key, state text, title text, n integer)');
  database.exec("create index waiting on letters (n) where state = 'waiting'");
  database.exec('create index titles on letters (title)');
  watch = new PlanWatch(database.image());
  database.close();
});

it.each([
  ['select id from letters where n = ? and state = ?', [1, 'waiting']],
  ['select id from letters where title like ?', ['a%']],
  ['select id from letters order by n limit ?', [5]],
])('%s is planned anew, and is told of once', (sql, parameters) => {
  watch.note({ sql, parameters });
  watch.note({ sql, parameters });
  expect(watch.take()).toEqual([sql]);
  expect(watch.take()).toEqual([]);
});

it.each([
  ["select id from letters where n = ? and state = 'waiting'", [1]],
  ['update letters set state = ? where id = ?', ['waiting', 1]],
  ['select id from letters order by n limit ? + 0', [5]],
  ['insert into letters (n) values (?)', [1]],
  ['select id from a_table_of_another_test where n = ? limit ?', [1, 1]],
  ['pragma user_version', []],
])('%s is not', (sql, parameters) => {
  watch.note({ sql, parameters });
  watch.note({ sql, parameters });
  expect(watch.take()).toEqual([]);
});

it('closing a test database fails where a statement was planned anew that is prepared already', async () => {
  const database = await openTestDatabase('sqlite');
  const state = 'watching';
  await sql`select id from legacy_scrolls where account_id = 1 and state = ${state}`.execute(database.db);
  await expect(database.close()).rejects.toThrow('legacy_scrolls');
});
