// Reading the chain in the background: one server for all, patiently, and never for a visitor.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Gathering } from '../../../shared/nouns/holders.ts';
import { MINUTE, SECOND } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { anOwner, holderRunner, MINT, readingOf, type ToyChain, toyChain } from '../../../testing/wallets.ts';
import { HolderReadError } from '../../adapters/holder-reading.ts';
import { enqueue, takeJob } from '../../jobs/queue-store.ts';
import { listTroubledJobs } from '../../jobs/troubled-store.ts';
import { beginReading, READ_HOLDERS } from './refresher.ts';

const owners = (count: number) => Array.from({ length: count }, (_, n) => [anOwner(n), 500 - n] as const);

describeOnEachEngine('reading the holders', (engine) => {
  let chain: ToyChain;
  let instance: TestInstance;
  let run: () => Promise<void>;
  beforeEach(async () => {
    chain = toyChain();
    chain.hold(owners(12));
    instance = await openTestInstance({ engine, deps: { holderSource: chain } });
    run = holderRunner(instance);
    await beginReading(instance.deps);
  });
  afterEach(() => instance.close());

  /** Null before the first reading. */
  const check = async (of: TestInstance = instance) => {
    const response = await of.request('GET', '/api/holders/check');
    return response.status === 503 ? null : ((await response.json()) as Gathering);
  };
  const row = () => instance.deps.db.selectFrom('holder_lists').selectAll().executeTakeFirst();
  const job = () => instance.deps.db.selectFrom('jobs').selectAll().executeTakeFirst();
  const fail = (error: unknown) => {
    chain.answer = () => Promise.reject(error);
  };

  it('begins at the start and goes on every minute', async () => {
    expect(await check()).toBeNull();
    await run();
    expect(chain.reads).toBe(1);
    expect(await check()).toMatchObject({ count: 12, isStale: false });
    instance.clock.advance(MINUTE - 1);
    await run();
    expect(chain.reads).toBe(1);
    chain.hold(owners(13));
    instance.clock.advance(1);
    await run();
    expect(chain.reads).toBe(2);
    expect(await check()).toMatchObject({ count: 13, unlocked: true });
  });

  it('is asked of a server that starts again only when the last reading is old', async () => {
    await run();
    instance.clock.advance(MINUTE / 2);
    await beginReading(instance.deps);
    await run();
    expect(chain.reads).toBe(1);
    instance.clock.advance(MINUTE / 2);
    await run();
    expect(chain.reads).toBe(2);
  });

  it('is done by one of two servers, which both know what was read', async () => {
    const sibling = instance.sibling();
    const runs = [run, holderRunner(sibling)];
    await Promise.all([beginReading(instance.deps), beginReading(sibling.deps)]);
    for (let minute = 1; minute <= 5; minute += 1) {
      chain.hold(owners(minute));
      // Both look, several times, at the same moment.
      await Promise.all([...runs, ...runs, ...runs].map((each) => each()));
      expect(chain.reads).toBe(minute);
      instance.clock.advance(SECOND);
      expect((await check())?.count).toBe(minute);
      expect((await check(sibling))?.count).toBe(minute);
      instance.clock.advance(MINUTE - SECOND);
    }
  });

  it('is taken over by another server two minutes after one was killed in the middle', async () => {
    const kinds = { [READ_HOLDERS]: { backoff: [MINUTE], lease: 2 * MINUTE } };
    expect(await takeJob(instance.deps, kinds, instance.clock.now())).not.toBeNull();
    const other = holderRunner(instance.sibling());
    instance.clock.advance(2 * MINUTE - 1);
    await other();
    expect(chain.reads).toBe(0);
    instance.clock.advance(1);
    await other();
    expect(chain.reads).toBe(1);
  });

  it('keeps nothing of a reading that took so long that another server has read since', async () => {
    const late = chain.answer();
    let answer = () => {};
    chain.answer = () =>
      new Promise((resolve) => {
        answer = () => resolve(late);
      });
    const slow = run();
    await expect.poll(() => chain.reads).toBe(1);
    instance.clock.advance(3 * MINUTE);
    chain.hold(owners(5));
    await holderRunner(instance.sibling())();
    answer();
    await slow;
    instance.clock.advance(SECOND);
    expect(await check()).toMatchObject({ count: 5 });
  });

  it('notes no failure over what another server has read since', async () => {
    const before = chain.answer;
    let answer = () => {};
    chain.answer = () =>
      new Promise((_, reject) => {
        answer = () => reject(new HolderReadError('timeout'));
      });
    const slow = run();
    await expect.poll(() => chain.reads).toBe(1);
    instance.clock.advance(3 * MINUTE);
    chain.answer = before;
    await holderRunner(instance.sibling())();
    answer();
    await slow;
    expect(await row()).toMatchObject({ failures: 0, failure: null });
  });

  it('leaves the RPC alone for an interval after a reading, however long that took', async () => {
    chain.answer = () => {
      instance.clock.advance(MINUTE - SECOND);
      return readingOf(owners(12));
    };
    await run();
    expect((await job())?.run_at).toBe(instance.clock.now() + MINUTE);
  });

  it('forgets what was read of another token once there is a list of this one', async () => {
    const { keepFailure } = await import('../../holders/list-store.ts');
    await keepFailure(instance.deps.db, 'another mint', 'refused', 0);
    await run();
    const kept = await instance.deps.db.selectFrom('holder_lists').select('mint').execute();
    expect(kept).toEqual([{ mint: MINT }]);
  });

  it('is given back at once by a server that stops', async () => {
    const stopping = new AbortController();
    chain.answer = () => {
      stopping.abort();
      throw stopping.signal.reason;
    };
    await holderRunner(instance, stopping.signal)();
    expect(chain.reads).toBe(1);
    expect(await job()).toMatchObject({ lease: null, error: null });
    expect(await row()).toBeUndefined();
    chain.hold(owners(12));
    instance.clock.advance(5 * SECOND);
    await holderRunner(instance.sibling())();
    expect(chain.reads).toBe(2);
  });

  it('asks no chain for any visitor', async () => {
    await run();
    for (let n = 0; n < 50; n += 1) {
      await check();
      await instance.request('GET', `/api/holders/verify?walletAddress=${MINT}`);
      await instance.request('GET', '/');
      await instance.request('GET', '/thirteen-holders');
      instance.clock.advance(SECOND);
    }
    expect(chain.reads).toBe(1);
  });

  it('asks the database once a second at most, whoever comes', async () => {
    await run();
    await check();
    let asked = 0;
    const selectFrom = (table: 'holder_lists') => {
      asked += 1;
      return instance.deps.db.selectFrom(table);
    };
    const db = { selectFrom } as never;
    const { createCurrentHolders } = await import('../../holders/current-holders.ts');
    const holders = createCurrentHolders({ db, now: instance.clock.now, mint: MINT, refresh: MINUTE });
    for (let n = 0; n < 20; n += 1) await holders.read();
    await Promise.all(Array.from({ length: 20 }, () => holders.read()));
    // Whether there is a list, and the list.
    expect(asked).toBe(2);
    instance.clock.advance(SECOND);
    await Promise.all(Array.from({ length: 20 }, () => holders.read()));
    expect(asked).toBe(3);
  });

  it('writes a list only when it has changed', async () => {
    await run();
    const before = await row();
    // What is in the row itself is not written again.
    await instance.deps.db.updateTable('holder_lists').set({ decimals: 7 }).execute();
    instance.clock.advance(MINUTE);
    await run();
    expect(await row()).toMatchObject({ digest: before?.digest, decimals: 7, read_at: instance.clock.now() });
    chain.hold(owners(11));
    instance.clock.advance(MINUTE);
    await run();
    expect(await row()).toMatchObject({ decimals: 6 });
    expect((await row())?.digest).not.toBe(before?.digest);
  });

  it('serves the last list with its age when the chain fails, and says when it is stale', async () => {
    await run();
    const readAt = new Date(instance.clock.now()).toISOString();
    fail(new HolderReadError('unreachable'));
    instance.clock.advance(4 * MINUTE);
    await run();
    expect(await check()).toMatchObject({ count: 12, readAt, isStale: false });
    instance.clock.advance(1);
    expect(await check()).toMatchObject({ count: 12, readAt, isStale: true });
    expect(await row()).toMatchObject({ failure: 'unreachable', failures: 1 });
    chain.hold(owners(3));
    instance.clock.advance(15 * MINUTE);
    await run();
    expect(await check()).toMatchObject({ count: 3, isStale: false });
    expect(await row()).toMatchObject({ failure: null, failures: 0 });
  });

  it('waits twice as long after each failure, a quarter of an hour at most, and is never given up', async () => {
    fail(new HolderReadError('garbage'));
    const waits: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      await run();
      expect(chain.reads).toBe(n + 1);
      const { run_at = 0, dead_at } = (await job()) ?? {};
      expect(dead_at).toBeNull();
      waits.push((run_at - instance.clock.now()) / MINUTE);
      instance.clock.set(run_at);
    }
    expect(waits.slice(0, 7)).toEqual([1, 2, 4, 8, 15, 15, 15]);
    expect(await listTroubledJobs(instance.deps.db, [READ_HOLDERS])).toEqual([]);
  });

  it('waits for as long as the RPC asks, an hour at most', async () => {
    fail(new HolderReadError('rate-limited', 7 * MINUTE));
    await run();
    expect((await job())?.run_at).toBe(instance.clock.now() + 7 * MINUTE);
    instance.clock.advance(7 * MINUTE);
    fail(new HolderReadError('rate-limited', 1000 * MINUTE));
    await run();
    expect((await job())?.run_at).toBe(instance.clock.now() + 60 * MINUTE);
  });

  it('logs and keeps the reason of a failure, and nothing that it says', async () => {
    fail(new TypeError('https://rpc.example/?api-key=canary-5f1e'));
    await run();
    expect(await row()).toMatchObject({ failure: 'TypeError', rows: null, digest: null });
    expect(instance.log.some(({ reason }) => reason === 'TypeError')).toBe(true);
    expect(JSON.stringify([instance.log, await row(), await job()])).not.toContain('canary-5f1e');
    expect(await check()).toBeNull();
  });

  it('of a token that is configured no more ends by itself', async () => {
    await enqueue(instance.deps.db, READ_HOLDERS, 'another mint', 0);
    await run();
    const left = await instance.deps.db.selectFrom('jobs').select('dedupe_key').execute();
    expect(left).toEqual([{ dedupe_key: MINT }]);
    expect(chain.reads).toBe(1);
    const without = await openTestInstance({ engine });
    await enqueue(without.deps.db, READ_HOLDERS, MINT, 0);
    await holderRunner(without)();
    expect(await without.deps.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
    await beginReading(without.deps);
    expect(await without.deps.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
    await without.close();
  });

  it('is told to the administrator in figures', async () => {
    const token = 'a-token-of-sixteen';
    const watched = instance.sibling({ METRICS_TOKEN: token });
    const figures = async () =>
      (await watched.request('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } })).text();
    expect(await figures()).toContain('\nlatebra_holders_failures 0\n');
    expect(await figures()).not.toContain('latebra_holders_age_seconds');
    await run();
    instance.clock.advance(90 * SECOND);
    fail(new HolderReadError('timeout'));
    await run();
    const text = await figures();
    for (const figure of ['holders 12', 'holders_failures 1', 'holders_age_seconds 90']) {
      expect(text).toContain(`\nlatebra_${figure}\n`);
    }
  });

  it('keeps the list that there was while another one takes its place', async () => {
    await run();
    expect(await check()).toMatchObject({ count: 12 });
    const { readList } = await import('../../holders/list-store.ts');
    expect(await readList(instance.deps.db, MINT, '0'.repeat(64))).toBeNull();
  });

  it.each([0, 1, 2499, 2500, 2501, 6000])('brings a list of %i back to another server', async (count) => {
    chain.answer = () => readingOf(Array.from({ length: count }, (_, n) => [anOwner(n), 9000 - n]));
    await run();
    const holders = await instance.sibling().deps.holders.read();
    expect(holders?.count).toBe(count);
    for (const n of [0, count - 1].filter((n) => n >= 0 && n < count)) {
      expect(holders?.find(anOwner(n))).toEqual({ rank: n + 1, amount: 9000 - n, hasRituals: true });
    }
  });

  it('brings back every byte of a list', async () => {
    const reading = readingOf(owners(300));
    chain.answer = () => reading;
    await run();
    const kept = await row();
    expect(Buffer.from(kept?.rows ?? []).equals(Buffer.from(reading.rows))).toBe(true);
  });
});
