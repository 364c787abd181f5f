// The sweep of counters: in small pieces that an index finds, however many there are.
import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../shared/time.ts';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { expireAttempts, giveBack, type Taken, takeAttempt } from './attempt-store.ts';

const MANY = 30_000;

describeOnEachEngine('the sweep of counters', (engine) => {
  let instance: TestInstance;
  beforeEach(async () => {
    instance = await openTestInstance({ engine });
  });
  afterEach(() => instance.close());

  /** Counters of one to five attempts, whose windows end one after the other. */
  async function plant(ends: number): Promise<void> {
    const { db } = instance.deps;
    await sql`insert into attempts (bucket, count, resets_at)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MANY)})
      select 'bucket ' || n, 1 + n % 5, ${sql.lit(ends)} + n from numbers`.execute(db);
    await sql`analyze`.execute(db);
  }

  /** The statements of a sweep that delete, and how many there were. */
  async function sweep(most: number) {
    const statements: CompiledQuery[] = [];
    const { db } = instance.deps;
    const listen: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (node.kind === 'DeleteQueryNode') statements.push(compiled(node));
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const compiled = (node: RootOperationNode) => db.getExecutor().compileQuery(node, createQueryId());
    await expireAttempts({ ...instance.deps, db: db.withPlugin(listen) }, most);
    return statements;
  }

  /** How the database would go about a statement, line by line. */
  async function planOf({ sql: text, parameters }: CompiledQuery): Promise<string> {
    const how = engine === 'postgres' ? 'explain' : 'explain query plan';
    const { rows } = await instance.deps.db.executeQuery(
      CompiledQuery.raw(`${how} ${text}`, [...parameters]) as CompiledQuery<Record<string, unknown>>,
    );
    return rows.map((row) => String(row['QUERY PLAN'] ?? row.detail)).join('\n');
  }

  it.each([
    ['what is too much', DAY, MANY - 5500, 'attempts_by_weight'],
    ['what is over', -1 - MANY, MANY, 'attempts_by_reset'],
  ])('finds %s by an index, sorts nothing, and deletes it piece by piece', async (_, ends, most, index) => {
    await plant(instance.clock.now() + ends);
    const statements = await sweep(most);
    const ofThis = statements.slice(most === MANY ? 0 : 1);
    expect(ofThis.length).toBeGreaterThan(5);
    for (const { parameters } of ofThis) expect(parameters.at(-1)).toBeLessThanOrEqual(1000);
    const plan = await planOf(ofThis[0] as CompiledQuery);
    expect(plan).toContain(index);
    // PostgreSQL reads a table of this size from end to end to find a piece of it again; not one of a million.
    expect(plan).not.toMatch(/sort|b-tree|scan attempts$/im);
  });

  it('leaves the largest counters, and of equal ones those that end last', async () => {
    await plant(instance.clock.now() + DAY);
    await expireAttempts(instance.deps, MANY - 6500);
    const { db, now } = instance.deps;
    const left = await db
      .selectFrom('attempts')
      .select([
        'count',
        (eb) => eb.fn.countAll<number>().as('of'),
        (eb) => eb.fn.min('resets_at').as('first'),
      ])
      .groupBy('count')
      .orderBy('count')
      .execute();
    expect(left.map(({ count, of }) => [count, Number(of)])).toEqual([
      [2, 5500],
      [3, 6000],
      [4, 6000],
      [5, 6000],
    ]);
    expect(Number(left[0]?.first)).toBe(now() + DAY + 500 * 5 + 1);
  });
});

describeOnEachEngine('a counter of a time when the calendar was ahead', (engine) => {
  let instance: TestInstance;
  beforeEach(async () => {
    instance = await openTestInstance({ engine });
  });
  afterEach(() => instance.close());
  const take = (taking: Parameters<typeof takeAttempt>[2]) => takeAttempt(instance.deps, 'somebody', taking);

  it.each([
    ['is full', { window: 10 * MINUTE, most: 2 }],
    ['pauses', { window: DAY, pause: { free: 2, longest: 10 * MINUTE } }],
  ])('and %s, refuses nobody for years once it is put right', async (_, taking) => {
    instance.clock.advance(2 * 365 * DAY);
    for (let i = 0; i < 3; i += 1) await take(taking);
    expect(await take(taking)).toMatchObject({ wait: expect.any(Number) });
    instance.clock.advance(-2 * 365 * DAY);
    expect(await take(taking)).toMatchObject({ count: 1 });
  });

  it('counts on where two servers differ by minutes', async () => {
    const taking = { window: 10 * MINUTE, most: 2 };
    await take(taking);
    instance.clock.advance(5 * MINUTE - HOUR);
    expect(await take(taking)).toMatchObject({ count: 2 });
    expect(await take(taking)).toMatchObject({ wait: expect.any(Number) });
  });
});

describeOnEachEngine('an attempt that is given back', (engine) => {
  let instance: TestInstance;
  beforeEach(async () => {
    instance = await openTestInstance({ engine });
  });
  afterEach(() => instance.close());
  const take = async () => (await takeAttempt(instance.deps, 'somebody', { window: MINUTE })) as Taken;

  it('leaves the counter as it was before', async () => {
    const first = await take();
    await giveBack(instance.deps, 'somebody', await take());
    expect(await take()).toMatchObject({ count: 2 });
    await giveBack(instance.deps, 'somebody', first, 2);
    expect(await take()).toMatchObject({ count: 1 });
  });

  it('takes nothing from a window that has begun since, however few it has counted', async () => {
    const before = await take();
    instance.clock.advance(MINUTE);
    await take();
    await giveBack(instance.deps, 'somebody', before);
    expect(await take()).toMatchObject({ count: 2 });
    await giveBack(instance.deps, 'somebody', before);
    expect(await take()).toMatchObject({ count: 3 });
  });
});
