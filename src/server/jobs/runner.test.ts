// The registry under failing, unknown and deadly jobs, and two clocks. A toy kind takes one entry.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../shared/time.ts';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../testing/people.ts';
import { DatabaseAway } from '../db/away.ts';
import { ackJob, enqueue, LEASE_LASTS, releaseLeases, rescheduleJob, takeJob } from './queue-store.ts';
import type { JobKind, JobRegistry } from './registry.ts';
import { createJobRunner } from './runner.ts';

describeOnEachEngine('the job runner', (engine) => {
  let instance: TestInstance;
  /** The counted time; null while it is not known. */
  let counted: number | null;
  let ran: string[];
  beforeEach(async () => {
    instance = await openTestInstance({ engine });
    counted = 0;
    ran = [];
  });
  afterEach(() => instance.close());

  const runnerOf = (registry: JobRegistry) =>
    createJobRunner(instance.deps, registry, {
      uptime: async () => counted,
      calendar: async () => instance.clock.now(),
    });
  /** A kind that notes what it ran and acknowledges it. */
  const toy = (fields: Partial<JobKind> = {}): JobKind => ({
    clock: 'uptime',
    tries: 3,
    backoff: [MINUTE, HOUR],
    async run(job) {
      ran.push(`${job.kind} ${job.dedupe_key}`);
      await ackJob(instance.deps.db, job);
    },
    ...fields,
  });
  const failing = (error: Error = new TypeError('of somebody’s words')) =>
    toy({
      async run(job) {
        ran.push(job.dedupe_key);
        throw error;
      },
    });
  const jobs = () => instance.deps.db.selectFrom('jobs').selectAll().orderBy('id').execute();
  const add = (kind: string, key: string, at = 0) => enqueue(instance.deps.db, kind, key, at);

  it('runs what is due by the clock of its kind', async () => {
    const run = runnerOf({ counted: toy(), dated: toy({ clock: 'calendar' }) });
    const today = instance.clock.now();
    await add('counted', 'now', 0);
    await add('counted', 'later', HOUR);
    await add('dated', 'now', today);
    await add('dated', 'tomorrow', today + DAY);
    await run();
    expect(ran.sort()).toEqual(['counted now', 'dated now']);
    instance.clock.advance(DAY);
    await run();
    expect(ran.sort()).toEqual(['counted now', 'dated now', 'dated tomorrow']);
    counted = HOUR;
    await run();
    expect(await jobs()).toEqual([]);
  });

  it('goes on by the calendar while the counted time is not known', async () => {
    counted = null;
    const run = runnerOf({ counted: toy(), dated: toy({ clock: 'calendar' }) });
    await add('counted', 'now');
    await add('dated', 'now');
    await run();
    expect(ran).toEqual(['dated now']);
  });

  it('leaves jobs of kinds that it does not know as they are', async () => {
    await add('invoice', 'one');
    const before = await jobs();
    await runnerOf({ toy: toy() })();
    expect(await jobs()).toEqual(before);
    await runnerOf({ toy: toy(), invoice: toy() })();
    expect(ran).toEqual(['invoice one']);
  });

  it('tries a failing job again after its backoff, and gives it up in the end', async () => {
    const run = runnerOf({ toy: failing() });
    await add('toy', 'one');
    await run();
    await run();
    expect(ran).toHaveLength(1);
    expect(await jobs()).toMatchObject([
      { attempts: 1, run_at: MINUTE, lease: null, error: 'TypeError', dead_at: null },
    ]);
    counted = MINUTE;
    await run();
    counted += HOUR;
    await run();
    expect(ran).toHaveLength(3);
    const dead_at = instance.clock.now();
    expect(await jobs()).toMatchObject([{ attempts: 3, error: 'TypeError', failed_at: dead_at, dead_at }]);
    counted += 365 * DAY;
    await run();
    expect(ran).toHaveLength(3);
    expect(instance.log.filter(({ msg }) => msg === 'a job is given up')).toMatchObject([
      { kind: 'toy', attempt: 3 },
    ]);
  });

  it('does not stop at a failing job', async () => {
    await add('bad', 'one', 0);
    await add('toy', 'two', 1);
    counted = 1;
    await runnerOf({ bad: failing(), toy: toy() })();
    expect(ran.sort()).toEqual(['one', 'toy two']);
  });

  it('gives up a job that no server survives, without running it once more', async () => {
    const kinds = { toy: toy() };
    await add('toy', 'one');
    for (let tried = 0; tried < 3; tried += 1) {
      expect(await takeJob(instance.deps, kinds, counted as number)).not.toBeNull();
      await releaseLeases(instance.deps.db);
      counted = (counted as number) + HOUR;
    }
    await runnerOf(kinds)();
    expect(ran).toEqual([]);
    expect(await jobs()).toMatchObject([
      { error: 'The server stopped while running it.', dead_at: instance.clock.now(), lease: null },
    ]);
  });

  it('does not count a database that is away as a failure', async () => {
    const run = runnerOf({ toy: failing(new DatabaseAway('it is')) });
    await add('toy', 'one');
    await expect(run()).rejects.toBeInstanceOf(DatabaseAway);
    expect(await jobs()).toMatchObject([{ error: null, dead_at: null }]);
    counted = LEASE_LASTS;
    await expect(run()).rejects.toBeInstanceOf(DatabaseAway);
  });

  it('forgets failures when a job is rescheduled', async () => {
    let isBroken = true;
    const kind = toy({
      async run(job, time) {
        if (isBroken) throw new Error('broken');
        await rescheduleJob(instance.deps.db, job, time + DAY);
      },
    });
    const run = runnerOf({ toy: kind });
    await add('toy', 'one');
    await run();
    isBroken = false;
    counted = MINUTE;
    await run();
    expect(await jobs()).toMatchObject([{ attempts: 0, error: null, failed_at: null, run_at: MINUTE + DAY }]);
  });

  it('brings a job to life that is asked for again after it was given up', async () => {
    await add('toy', 'one');
    await instance.deps.db.updateTable('jobs').set({ dead_at: 1, attempts: 3, run_at: DAY }).execute();
    await add('toy', 'one', 0);
    await runnerOf({ toy: toy() })();
    expect(ran).toEqual(['toy one']);
  });
});

describe('the administrator', () => {
  let instance: TestInstance;
  let admin: Person;
  beforeEach(async () => {
    instance = await openTestInstance({
      env: { METRICS_TOKEN: 'a token for figures' },
      deps: { jobKinds: ['toy'] },
    });
    admin = await signUpByPassphrase(instance);
    const { db } = instance.deps;
    await db.updateTable('accounts').set({ is_admin: 1 }).execute();
    for (const kind of ['toy', 'toy', 'toy', 'invoice']) {
      await enqueue(db, kind, String(Math.random()), 0);
    }
    const [failing, dead] = await db.selectFrom('jobs').select('id').orderBy('id').execute();
    const failed = { error: 'TypeError', failed_at: instance.clock.now(), attempts: 2 };
    await db
      .updateTable('jobs')
      .set(failed)
      .where('id', '=', failing?.id ?? 0)
      .execute();
    await db
      .updateTable('jobs')
      .set({ ...failed, dead_at: instance.clock.now() })
      .where('id', '=', dead?.id ?? 0)
      .execute();
  });
  afterEach(() => instance.close());

  type Listed = { id: number; kind: string; state: string; error: string | null };
  const list = async () => (await (await admin.request('GET', '/api/jobs')).json()) as Listed[];

  it('reads of jobs that fail, that were given up, and that nobody can run; not of those that wait', async () => {
    expect(await list()).toMatchObject([
      { kind: 'toy', state: 'dead', attempts: 2, error: 'TypeError' },
      { kind: 'toy', state: 'failing', attempts: 2, error: 'TypeError' },
      { kind: 'invoice', state: 'unknown', error: null, failedAt: null },
    ]);
  });

  it('retries one that was given up; one of an unknown kind stays', async () => {
    const [dead, , unknown] = await list();
    expect((await admin.request('POST', `/api/jobs/${dead?.id}/retry`)).status).toBe(204);
    expect((await admin.request('POST', `/api/jobs/${unknown?.id}/retry`)).status).toBe(404);
    expect((await admin.request('POST', '/api/jobs/999/retry')).status).toBe(404);
    expect((await list()).map(({ state }) => state)).toEqual(['failing', 'unknown']);
    const job = await takeJob(instance.deps, { toy: { backoff: [0] } }, 0);
    expect(job).not.toBeNull();
  });

  it('sees their number in the metrics', async () => {
    const headers = { authorization: 'Bearer a token for figures' };
    const body = await (await instance.request('GET', '/metrics', { headers })).text();
    expect(body.match(/^latebra_jobs\{.*$/gm)?.sort()).toEqual([
      'latebra_jobs{kind="invoice",state="unknown"} 1',
      'latebra_jobs{kind="toy",state="dead"} 1',
      'latebra_jobs{kind="toy",state="failing"} 1',
      'latebra_jobs{kind="toy",state="waiting"} 1',
    ]);
  });
});
