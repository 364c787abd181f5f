// The queue under many hands: each job is taken once, whoever is late changes nothing, and nothing is lost.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../shared/time.ts';
import {
  describeOnEachEngine,
  describeOnPostgres,
  openTestDatabase,
  type TestDatabase,
} from '../../testing/engines.ts';
import { ackJob, enqueue, LEASE_LASTS, releaseLeases, rescheduleJob, takeJob } from './queue-store.ts';

const backoff = [0, HOUR, DAY];
const kinds = { deliver: { backoff }, other: { backoff }, x: { backoff } };

describeOnEachEngine('the queue', (engine) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
  });
  afterEach(() => database.close());

  const takeDue = (time: number) => takeJob(database, kinds, time);
  const jobs = () => database.db.selectFrom('jobs').selectAll().orderBy('id').execute();
  const take = async (time: number) => {
    const job = await takeDue(time);
    if (!job) throw new Error('There is no job.');
    return job;
  };

  it('gives each job to one of two hundred who want one', async () => {
    const { db } = database;
    const keys = Array.from({ length: 120 }, (_, i) => `job ${i}`);
    for (const key of keys) await enqueue(db, 'deliver', key, 0);
    const taken = await Promise.all(Array.from({ length: 200 }, () => takeDue(0)));
    const got = taken.flatMap((job) => (job ? [job] : []));
    // Whoever finds a job that somebody else is just taking may go without; asking again finds the rest.
    for (let job = await takeDue(0); job; job = await takeDue(0)) got.push(job);
    expect(got.map((job) => job.dedupe_key).sort()).toEqual([...keys].sort());
    expect(new Set(got.map((job) => job.lease)).size).toBe(keys.length);
    await Promise.all(got.map((job) => ackJob(db, job)));
    expect(await jobs()).toEqual([]);
  });

  it('gives a job to another when a lease has run out, and the late one changes nothing', async () => {
    const { db } = database;
    await enqueue(db, 'deliver', 'one', 5);
    expect(await takeDue(4)).toBeNull();
    const slow = await take(5);
    expect(await takeDue(5 + LEASE_LASTS - 1)).toBeNull();
    const quick = await take(5 + LEASE_LASTS);
    expect(quick).toMatchObject({ id: slow.id, attempts: 2 });
    await ackJob(db, slow);
    await rescheduleJob(db, slow, 99 * MINUTE);
    expect(await jobs()).toMatchObject([{ lease: quick.lease, attempts: 2 }]);
    await rescheduleJob(db, quick, 7 * LEASE_LASTS);
    expect(await takeDue(7 * LEASE_LASTS - 1)).toBeNull();
    await ackJob(db, await take(7 * LEASE_LASTS));
    expect(await jobs()).toEqual([]);
  });

  it('gives a job whose lease ran out to one of many', async () => {
    await enqueue(database.db, 'deliver', 'one', 0);
    await take(0);
    const taken = await Promise.all(Array.from({ length: 50 }, () => takeDue(LEASE_LASTS)));
    expect(taken.filter((job) => job !== null)).toHaveLength(1);
  });

  it('keeps one job of a kind for each key, at the earlier of the times that were asked for', async () => {
    const { db } = database;
    for (const at of [50, 20, 80]) await enqueue(db, 'deliver', 'one', at);
    await enqueue(db, 'other', 'one', 70);
    await Promise.all(Array.from({ length: 30 }, (_, i) => enqueue(db, 'deliver', 'raced', 30 + i)));
    expect((await jobs()).map(({ kind, dedupe_key, run_at }) => [kind, dedupe_key, run_at])).toEqual([
      ['deliver', 'one', 20],
      ['other', 'one', 70],
      ['deliver', 'raced', 30],
    ]);
  });

  it('asked again while somebody works on it leaves them their lease', async () => {
    await enqueue(database.db, 'deliver', 'one', 10);
    const job = await take(10);
    await enqueue(database.db, 'deliver', 'one', 3);
    expect(await jobs()).toMatchObject([{ run_at: 3, lease: job.lease }]);
    expect(await takeDue(10)).toBeNull();
  });

  it('hands out first what has waited longest', async () => {
    for (const [key, at] of [
      ['b', 2],
      ['c', 3],
      ['a', 1],
    ] as const)
      await enqueue(database.db, 'x', key, at);
    expect([await take(9), await take(9), await take(9)].map((job) => job.dedupe_key)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('forgets a job whose transaction was undone', async () => {
    const undone = database.db.transaction().execute(async (tx) => {
      await enqueue(tx, 'deliver', 'one', 0);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await takeDue(0)).toBeNull();
    expect(await jobs()).toEqual([]);
  });

  it('comes back at once, then after an hour, then daily, where no try is ever recorded', async () => {
    const { db } = database;
    await enqueue(db, 'deliver', 'one', 0);
    const waits = [0, HOUR, DAY, DAY];
    let now = 0;
    for (const wait of waits) {
      await take(now);
      // Its server is gone, and the next one begins.
      await releaseLeases(db);
      if (wait > 0) expect(await takeDue(now + wait - 1)).toBeNull();
      now += wait;
    }
    const recorded = await take(now);
    expect(recorded.attempts).toBe(5);
    await rescheduleJob(db, recorded, now + 5);
    expect(await take(now + 5)).toMatchObject({ attempts: 1, run_at: now + 5 });
  });

  it('gives back what was taken by a server that is gone', async () => {
    await enqueue(database.db, 'deliver', 'one', 0);
    const gone = await take(0);
    await releaseLeases(database.db);
    const job = await take(0);
    await ackJob(database.db, gone);
    expect(await jobs()).toMatchObject([{ lease: job.lease }]);
  });
});

describeOnPostgres('the queue of several workers', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openTestDatabase('postgres');
  });
  afterEach(() => database.close());

  it.each([
    ['of three kinds', ['deliver', 'other', 'x']],
    ['of one kind', ['x', 'x', 'x']],
  ])('gives jobs %s to three who take one in the same moment', async (_, ofKinds) => {
    const { db } = database;
    for (const [i, kind] of ofKinds.entries()) await enqueue(db, kind, `job ${i}`, i);
    const taken = await db.transaction().execute(async (first) => {
      const one = await takeJob({ db: first }, kinds, 9);
      const two = await db.transaction().execute(async (second) => {
        const another = await takeJob({ db: second }, kinds, 9);
        return [another, await takeJob(database, kinds, 9), await takeJob(database, kinds, 9)];
      });
      return [one, ...two];
    });
    expect(taken.map((job) => job?.dedupe_key)).toEqual(['job 0', 'job 1', 'job 2', undefined]);
  });
});
