// What an author is told of how much this server runs.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aWatchedInstance, type Watched } from '../../../testing/switch.ts';
import { readUptime } from './uptime-store.ts';

describeOnEachEngine('the measured uptime', (engine) => {
  let w: Watched;
  beforeEach(async () => {
    w = await aWatchedInstance({ engine });
  });
  afterEach(() => w.close());

  const uptime = async () => readUptime(w.deps.db, await w.clock());
  const marks = () => w.deps.db.selectFrom('uptime_marks').selectAll().orderBy('day').execute();

  it('is not told before a whole day was seen', async () => {
    expect(await uptime()).toBe(null);
    await w.live(23 * HOUR);
    expect(await uptime()).toBe(null);
    await w.live(HOUR);
    expect(await uptime()).toEqual({ passed: DAY, counted: DAY, ran: DAY });
  });

  it('tells a machine that sleeps at night from one that runs, and what it loses by a month of absence', async () => {
    for (let day = 0; day < 10; day += 1) {
      await w.live(16 * HOUR);
      w.sleep(8 * HOUR);
      await w.server.tick();
    }
    expect(await uptime()).toEqual({ passed: 10 * DAY, counted: 10 * DAY, ran: 160 * HOUR });
    w.sleep(15 * DAY);
    await w.live(HOUR);
    expect(await uptime()).toMatchObject({ counted: 11 * DAY + 2 * HOUR, ran: 160 * HOUR });
  });

  it('looks back at thirty days, one mark for each, and believes no mark of a calendar that was ahead', async () => {
    await w.live(2 * DAY);
    await w.deps.db
      .insertInto('uptime_marks')
      .values({ day: 1_000_000, at: 1_000_000 * DAY, counted: 0, ran: 0 })
      .execute();
    w.sleep(20 * DAY);
    await w.live(15 * DAY);
    const kept = await marks();
    expect(kept.length).toBeLessThanOrEqual(31);
    expect((kept.at(-1)?.day ?? 0) - (kept[0]?.day ?? 0)).toBeLessThanOrEqual(30);
    expect((await uptime())?.passed).toBeLessThanOrEqual(31 * DAY);
  });
});
