// While the database is away the answer is 503, and nothing waits for ever.
import { Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startDatabaseProxy } from '../../testing/database-proxy.ts';
import { createPostgres, describeOnPostgres } from '../../testing/engines.ts';
import { failure, openTestInstance } from '../../testing/instance.ts';
import { signUpByPassphrase } from '../../testing/people.ts';
import { aServer, aWatchedInstance } from '../../testing/switch.ts';
import { keepGoing } from '../deadman/engine.ts';
import { releaseScroll } from '../deadman/watch/release-store.ts';
import { DatabaseAway, isDatabaseAway } from './away.ts';
import { openPostgres } from './open.ts';
import { transact } from './transact.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

describe('an error', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code });

  it.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', '40001', '40P01'])('%s asks for patience', (code) => {
    expect(isDatabaseAway(withCode(code))).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ENOENT', '57P01', '23505', 'SQLITE_CONSTRAINT_UNIQUE'])(
    '%s says nothing of the database by itself: it may come from anywhere',
    (code) => {
      expect(isDatabaseAway(withCode(code))).toBe(false);
    },
  );

  it('that is none is not taken for one', () => {
    for (const thrown of [null, undefined, 'x', 1, {}]) expect(isDatabaseAway(thrown)).toBe(false);
    expect(new DatabaseAway('x').message).toBe('no reason given');
  });
});

/** A server on this database, opened as the server opens it but for small limits. */
async function anInstanceOn(url: string, limits: Parameters<typeof openPostgres>[1] = {}) {
  const opened = await openPostgres(url, { poolSize: 3, ...limits });
  cleanups.push(() => opened.db.destroy());
  const instance = await openTestInstance({ deps: { ...opened } });
  cleanups.push(() => instance.close());
  return { instance, opened };
}

/** A request that must read the database. */
const ask = (instance: Awaited<ReturnType<typeof openTestInstance>>) =>
  instance.request('POST', '/api/gate/passphrase/salt', { body: { name: 'ann' } });

/** A request that must write into it. */
const askForNonce = (instance: Awaited<ReturnType<typeof openTestInstance>>) =>
  instance.request('POST', '/api/gate/words/nonce');

async function expectAway(response: Response): Promise<void> {
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await failure(response)).toEqual({ status: 503, code: 'database-away' });
}

/** The pool finds its recovery method by itself; on a busy machine not at the first try. */
async function untilAnswered(
  instance: Awaited<ReturnType<typeof openTestInstance>>,
  asking = ask,
): Promise<void> {
  while ((await asking(instance)).status !== 200);
}

describe('a database that is not there', () => {
  it.each(['postgresql://latebra@127.0.0.1:1/nothing', 'postgresql://latebra@%2Fno%2Fsuch%2Ffolder/nothing'])(
    'is answered with 503 and Retry-After, and one line that names no request: %s',
    async (url) => {
      const { instance } = await anInstanceOn(url);
      await expectAway(await ask(instance));
      const told = instance.log.filter(({ msg }) => msg === 'the database is away');
      expect(told).toHaveLength(1);
      expect(instance.log.some(({ msg }) => msg === 'an answer failed')).toBe(false);
      expect(JSON.stringify(instance.log)).not.toContain('ann');
    },
  );
});

describeOnPostgres('a database that goes and comes back', () => {
  async function aDatabase() {
    const database = await createPostgres();
    cleanups.push(database.drop);
    const admin = await openPostgres(database.direct, { poolSize: 1 });
    cleanups.push(() => admin.db.destroy());
    return { ...database, admin };
  }

  it('is away for a statement whose connection an administrator has ended, and for none after it', async () => {
    const { direct } = await aDatabase();
    const { opened } = await anInstanceOn(direct, { poolSize: 1 });
    const ended = sql`select pg_terminate_backend(pg_backend_pid())`.execute(opened.db);
    await expect(ended).rejects.toMatchObject({ name: 'DatabaseAway' });
    expect((await sql`select 1 as one`.execute(opened.db)).rows).toEqual([{ one: 1 }]);
  });

  it('is away while it only reads, as one that was the primary, and is found again once it writes', async () => {
    const { direct, admin } = await aDatabase();
    const name = sql.ref(new URL(direct).pathname.slice(1));
    const { instance } = await anInstanceOn(direct);
    expect((await askForNonce(instance)).status).toBe(200);
    const only = (value: 'on' | 'off') =>
      sql`alter database ${name} set default_transaction_read_only = ${sql.raw(value)}`.execute(admin.db);
    await only('on');
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(admin.db);
    // The connection that was ended may take another moment to notice.
    let answer = await askForNonce(instance);
    while (answer.status === 200) answer = await askForNonce(instance);
    await expectAway(answer);
    await expectAway(await askForNonce(instance));
    await sql`set default_transaction_read_only = off`.execute(admin.db);
    await only('off');
    await untilAnswered(instance, askForNonce);
  });

  it('is away for whoever waits too long for a row, in a transaction and outside of one', async () => {
    const { direct, admin } = await aDatabase();
    const { instance, opened } = await anInstanceOn(direct, { queryWithin: 400 });
    const { request } = await signUpByPassphrase((await anInstanceOn(direct)).instance);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held = () => {};
    const holding = new Promise<void>((resolve) => {
      held = resolve;
    });
    const holder = admin.db.transaction().execute(async (tx) => {
      await sql`lock table accounts, attempts in access exclusive mode`.execute(tx);
      held();
      await released;
    });
    await holding;
    await expectAway(await ask(instance));
    const waiting = opened.db.transaction().execute((tx) => tx.selectFrom('accounts').select('id').execute());
    await expect(waiting).rejects.toMatchObject({ name: 'DatabaseAway' });
    release();
    await holder;
    await untilAnswered(instance);
    expect((await request('GET', '/api/auth/user')).status).toBe(200);
  });

  it('answers nothing any more, and yet no request hangs; then it does, and the pool finds it', async () => {
    const { direct } = await aDatabase();
    const proxy = await startDatabaseProxy(direct);
    cleanups.push(() => proxy.close());
    const { instance, opened } = await anInstanceOn(proxy.url, { queryWithin: 400, connectWithin: 400 });
    await untilAnswered(instance);
    proxy.swallow();
    // More than the pool holds, several times: connections that hang, and new ones that cannot be made.
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(instance)));
      for (const answer of answers) await expectAway(answer);
    }
    const inTransaction = opened.db.transaction().execute((tx) => sql`select 1`.execute(tx));
    await expect(inTransaction).rejects.toMatchObject({ name: 'DatabaseAway' });
    proxy.flow();
    await untilAnswered(instance);
    expect(proxy.open()).toBeLessThanOrEqual(3);
  });

  it('stops neither the switch nor its mail when it swallows an answer', async () => {
    const { direct, admin } = await aDatabase();
    const proxy = await startDatabaseProxy(direct);
    cleanups.push(() => proxy.close());
    const { db } = await openPostgres(proxy.url, { poolSize: 2, queryWithin: 400, connectWithin: 400 });
    cleanups.push(() => db.destroy());
    const watched = await aWatchedInstance({ alone: false, deps: { db: admin.db, engine: 'postgres' } });
    cleanups.push(() => watched.close());
    const rules = { ...watched.deps.rules, tick: 20 };
    const deps = { ...watched.deps, db, rules };
    const { tick, deliver, time } = aServer({ ...watched.instance, deps }, watched.server.journal, false);
    const stop = keepGoing({ tick, runJobs: deliver, slowLanes: [] }, deps);
    cleanups.push(stop);
    const heard = (sentence: string) => watched.instance.log.filter(({ msg }) => msg === sentence).length;
    const ticks = async () => (await watched.clock()).tick_number;
    const until = async (holds: () => boolean | Promise<boolean>) => {
      while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
    };
    proxy.swallow();
    await until(() => heard('a tick failed') > 0 && heard('running jobs failed') > 0);
    const before = await ticks();
    proxy.flow();
    await until(async () => {
      // Nobody else has ticked for some intervals.
      time.elapsed += rules.tick;
      return (await ticks()) > before;
    });
    const scroll = await watched.aScroll(await watched.anAuthor(), {
      state: 'watching',
      trigger_type: 'manual',
    });
    await transact(admin.db, (tx) => releaseScroll(watched.deps, tx, scroll));
    await until(() => watched.mail.letters.length > 0);
  });

  it('is asked by keep-alive whether it is still there', async () => {
    const { direct } = await aDatabase();
    const proxy = await startDatabaseProxy(direct);
    cleanups.push(() => proxy.close());
    const asked = vi.spyOn(Socket.prototype, 'setKeepAlive');
    cleanups.push(() => asked.mockRestore());
    const { db } = await openPostgres(proxy.url, { poolSize: 2 });
    await Promise.all([sql`select 1`.execute(db), sql`select 1`.execute(db)]);
    expect(asked.mock.calls).toEqual([
      [true, 10_000],
      [true, 10_000],
    ]);
    await db.destroy();
  });
});
