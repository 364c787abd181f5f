// Connections are lent by turns: whoever asks for many waits behind nobody but themselves, and so does everybody else.
import { Hono } from 'hono';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createPostgres, describeOnPostgres } from '../../testing/engines.ts';
import { openTestInstance } from '../../testing/instance.ts';
import { signUpByPassphrase } from '../../testing/people.ts';
import { accountIdOf } from '../../testing/planting.ts';
import { aServer } from '../../testing/switch.ts';
import { readConfig } from '../config.ts';
import { createCurrentHolders } from '../holders/current-holders.ts';
import { lendByNetwork } from '../http/lending.ts';
import { createLendingTurns, doFor, doForServer } from './lending-turns.ts';
import { lockAccount } from './locks.ts';
import { openPostgres } from './open.ts';
import { transact } from './transact.ts';

/** Nobody waits so long here. */
const PATIENCE = 10 * 60_000;

describe('turns', () => {
  /** Asks for one and writes down when it has it. */
  function aCounter(turns: ReturnType<typeof createLendingTurns>) {
    const begun: string[] = [];
    const giveBack: (() => void)[] = [];
    const ask = (asker: string) =>
      doFor(asker, async () => {
        const end = await turns.take();
        begun.push(asker);
        giveBack.push(end);
      });
    return { begun, giveBack, ask };
  }
  const soon = () => new Promise((resolve) => setImmediate(resolve));

  it('goes to whoever has fewest, however many somebody else asked for before', async () => {
    const { begun, giveBack, ask } = aCounter(createLendingTurns({ all: 3, each: 3, patience: PATIENCE }));
    const asked = Array.from({ length: 50 }, () => ask('many'));
    for (const one of ['a', 'b']) asked.push(ask(one));
    await soon();
    expect(begun).toEqual(['many', 'many', 'many']);
    for (let i = 0; i < 4; i += 1) {
      giveBack[i]?.();
      await soon();
    }
    expect(begun.slice(3)).toEqual(['a', 'b', 'many', 'many']);
    for (let i = 4; i < 52; i += 1) {
      giveBack[i]?.();
      await soon();
    }
    await Promise.all(asked);
    expect(begun).toHaveLength(52);
  });

  it('leaves some for others, and none for nobody', async () => {
    const { begun, giveBack, ask } = aCounter(createLendingTurns({ all: 3, each: 2, patience: PATIENCE }));
    const asked = Array.from({ length: 4 }, () => ask('many'));
    await soon();
    expect(begun).toEqual(['many', 'many']);
    await ask('a');
    expect(begun).toEqual(['many', 'many', 'a']);
    for (let i = 0; i < 3; i += 1) giveBack[i]?.();
    await Promise.all(asked);
    // The server's own are not bounded.
    for (const end of giveBack) end();
    for (let i = 0; i < 3; i += 1) await ask('');
    expect(begun.slice(-3)).toEqual(['', '', '']);
  });

  it('comes first to the server itself', async () => {
    const { begun, giveBack, ask } = aCounter(createLendingTurns({ all: 1, each: 1, patience: PATIENCE }));
    const asked = ['many', 'many', 'a', ''].map(ask);
    for (let i = 0; i < 4; i += 1) {
      await soon();
      giveBack[i]?.();
    }
    await Promise.all(asked);
    expect(begun).toEqual(['many', '', 'many', 'a']);
  });

  /** Turns of which somebody has all that are theirs: whoever asks as them is refused. */
  async function exhaustedBy(asker: string) {
    const turns = createLendingTurns({ all: 3, each: 1, patience: 1 });
    await doFor(asker, turns.take);
    return turns;
  }

  it('is the server’s own for what a request begins for all', async () => {
    const turns = await exhaustedBy('many');
    await expect(doFor('many', turns.take)).rejects.toThrow('no connection was free in time');
    await doFor('many', () => doForServer(turns.take));
    const instance = await openTestInstance();
    let lent = 0;
    const db = instance.deps.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        (await turns.take())();
        lent += 1;
        return result;
      },
    });
    const holders = createCurrentHolders({ db, now: () => 0, mint: 'a mint', refresh: 1 });
    expect(await doFor('many', holders.read)).toBeNull();
    const byHolders = lent;
    await doFor('many', aServer({ ...instance, deps: { ...instance.deps, db } }).tick);
    expect([byHolders > 0, lent > byHolders]).toEqual([true, true]);
    await instance.close();
  });

  it('is not the server’s own for a request whose address nobody knows', async () => {
    const turns = createLendingTurns({ all: 3, each: 1, patience: 1 });
    const app = new Hono().use(lendByNetwork({ config: readConfig({}), engine: 'postgres' }));
    app.get('/', async (c) =>
      c.text(
        await turns.take().then(
          () => 'lent',
          () => 'refused',
        ),
      ),
    );
    const ask = async () => (await app.request('/')).text();
    expect([await ask(), await ask()]).toEqual(['lent', 'refused']);
  });

  it('is given back once, and not waited for without end', async () => {
    const turns = createLendingTurns({ all: 1, each: 1, patience: 1 });
    const end = await turns.take();
    await expect(turns.take()).rejects.toThrow('no connection was free in time');
    end();
    end();
    const again = await turns.take();
    await expect(turns.take()).rejects.toThrow('no connection was free in time');
    again();
    (await turns.take())();
  });
});

describeOnPostgres('a pool', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean();
  });

  it('has a connection for others while one address waits for a row by hundreds of calls', async () => {
    const database = await createPostgres();
    cleanups.push(database.drop);
    const opened = await openPostgres(database.direct, {
      poolSize: 4,
      connectWithin: 60_000,
      queryWithin: 60_000,
    });
    cleanups.push(() => opened.db.destroy());
    const instance = await openTestInstance({ deps: { ...opened }, env: { TRUSTED_PROXIES: '127.0.0.1' } });
    cleanups.push(() => instance.close());
    const hostile = await signUpByPassphrase(instance);
    const victim = await signUpByPassphrase(instance);
    const through = (client: string) => ({
      from: '127.0.0.1',
      headers: { 'x-forwarded-for': client, 'x-forwarded-host': 'localhost:3000' },
    });
    const id = await accountIdOf(instance, hostile);
    const admin = await openPostgres(database.direct, { poolSize: 1 });
    cleanups.push(() => admin.db.destroy());
    let flood: Promise<Response>[] = [];
    await transact(admin.db, async (tx) => {
      await lockAccount(tx, id);
      flood = Array.from({ length: 100 }, () =>
        hostile.request('DELETE', '/api/warning-address', through('203.0.113.1')),
      );
      // All that they may have waits for the row by now.
      const waits = () =>
        sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`.execute(tx);
      while (((await waits()).rows[0]?.n ?? 0) < 2);
      const answer = await victim.request('GET', '/api/summary', through('203.0.113.2'));
      expect(answer.status).toBe(200);
    });
    for (const answer of await Promise.all(flood)) expect(answer.status).toBe(204);
  });
});
