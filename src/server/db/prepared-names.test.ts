// Statements stay prepared where the session is ours, and nowhere else.
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { createPostgres, describeOnPostgres, describeThroughPgBouncer } from '../../testing/engines.ts';
import type { Way } from '../../testing/kept-databases.ts';
import { isDatabaseAway } from './away.ts';
import { openPostgres } from './open.ts';
import { isStale } from './postgres.ts';
import { createPreparedNames } from './prepared-names.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** One connection to a database of its own. */
async function open(way: Way) {
  const { url, drop } = await createPostgres('empty', way);
  const { db } = await openPostgres(url, { poolSize: 1 });
  cleanups.push(drop, () => db.destroy());
  const query = <Row>(text: string) => sql.raw<Row>(text).execute(db);
  const session = async () => (await query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const prepared = async () =>
    (await query<{ statement: string }>('select statement from pg_prepared_statements')).rows;
  await query('create table things (id int)');
  return { query, session, prepared };
}

it('each text has a name, settings and several statements at once have none, and a session is full in the end', () => {
  const names = createPreparedNames();
  const one = names.of('select 1');
  expect(one).toMatch(/^s[0-9a-f]{32}$/);
  expect(names.of(' Insert into a')).not.toBe(one);
  expect(names.of('select 1')).toBe(one);
  for (const text of ['begin', 'set local a = 1', 'select 1; select 2', `select ${'1, '.repeat(3000)}1`])
    expect(names.of(text), text.slice(0, 20)).toBeUndefined();
  for (let i = 0; i < 600; i += 1) names.of(`select ${i}`);
  expect(names.isFull).toBe(true);
  expect(names.of('select 1000')).toBeUndefined();
  expect(names.of('select 1')).toBe(one);
  // What one client has prepared in a session that it shares is what every other one means by that name.
  const others = createPreparedNames();
  others.of('select 2');
  expect(others.of('select 1')).toBe(one);
});

it('a changed table is known by where it was found, in whatever language the server says it', () => {
  const said = (routine: string) =>
    Object.assign(new Error('gecachter Plan darf den Ergebnistyp nicht ändern'), { code: '0A000', routine });
  expect(isStale(said('RevalidateCachedQuery'))).toBe(true);
  expect(isStale(said('transformLockingClause'))).toBe(false);
});

describeOnPostgres('a session of our own', () => {
  it('keeps what it has prepared, in transactions and outside, and gives way to another one when it is full', async () => {
    const { query, session, prepared } = await open('direct');
    for (let i = 0; i < 3; i += 1) await query('select id from things');
    expect((await prepared()).filter(({ statement }) => statement === 'select id from things')).toHaveLength(
      1,
    );
    const first = await session();
    for (let i = 0; i < 520; i += 1) await query(`select ${i} from things`);
    expect(await session()).not.toBe(first);
    expect((await prepared()).length).toBeLessThan(100);
  });

  it('is given up once where a newer server has changed what a statement answers', async () => {
    const { query, session } = await open('direct');
    const read = () => query('select * from things');
    await read();
    const first = await session();
    await query('alter table things add column more text');
    const failure = await read().catch((error: unknown) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    expect((await read()).rows).toEqual([]);
    expect(await session()).not.toBe(first);
  });

  it.each([
    ['has lost its statements', 'deallocate all'],
    [
      'has those of others',
      `prepare ${createPreparedNames().of('select max(id) from things')} as select id from things`,
    ],
  ])('is one of several where it %s, and then none keeps any', async (_, change) => {
    const { query, prepared } = await open('direct');
    await query('select id from things');
    await query(change);
    const read = async () =>
      [
        (await query('select id from things')).rows,
        (await query('select max(id) from things')).rows,
      ] as const;
    expect(isDatabaseAway(await read().catch((error: unknown) => error))).toBe(true);
    for (let i = 0; i < 2; i += 1) expect(await read()).toEqual([[], [{ max: null }]]);
    expect(await prepared()).toEqual([]);
  });
});

describeThroughPgBouncer('a session of others', () => {
  it('is left without anything that was prepared', async () => {
    const { query, prepared } = await open('pooled');
    for (let i = 0; i < 3; i += 1) await query('select id from things');
    expect(await prepared()).toEqual([]);
  });
});
