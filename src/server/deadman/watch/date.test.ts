// Days: kept to the day, unless nobody saw them begin or the calendar jumped to them.
import { afterEach, describe, expect, it } from 'vitest';
import { type SwitchRules, switchRules } from '../../../shared/nouns/switch-rules.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aServer, aWatchedInstance, type Watched } from '../../../testing/switch.ts';
import { endWaits } from './date-store.ts';

const instances: Watched[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.close();
});

describeOnEachEngine('a day', (engine) => {
  async function anInstance(rules?: SwitchRules) {
    const instance = await aWatchedInstance({ engine, ...(rules && { rules }) });
    instances.push(instance);
    return { instance, author: await instance.anAuthor() };
  }

  it('releases when it begins, without a warning', async () => {
    const { instance, author } = await anInstance();
    const id = await instance.waitUntil(author, instance.deps.now() + 2 * DAY);
    await instance.live(2 * DAY - HOUR);
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(HOUR);
    expect(await instance.stateOf(id)).toBe('released');
    expect(await instance.messages()).toMatchObject([{ kind: 'release' }]);
  });

  it('that began while nobody was there waits for a day of counted time, also when the server dies at once', async () => {
    const { instance, author } = await anInstance();
    await instance.live(DAY);
    const id = await instance.waitUntil(author, instance.deps.now() + DAY);
    instance.sleep(3 * DAY);
    const { journal } = instance.server;
    const first = aServer(instance.instance, journal);
    await first.tick();
    await aServer(instance.instance, journal).tick();
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(DAY - HOUR);
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(3 * HOUR);
    expect(await instance.stateOf(id)).toBe('released');
  });

  describe('of a machine that was off for ten hours, whose calendar', () => {
    const STEP = 30 * MINUTE;

    /** A day has begun while it was off, or begins so long after its start. */
    async function aStart(dueAfter: number) {
      const { instance, author } = await anInstance(switchRules);
      await instance.live(2 * HOUR, { tick: STEP });
      const id = await instance.waitUntil(author, instance.deps.now() + 10 * HOUR + dueAfter);
      instance.sleep(10 * HOUR);
      const server = aServer(instance.instance, instance.server.journal, true);
      server.time.synchronised = false;
      await server.tick();
      let ahead = 0;
      return {
        instance,
        stateOf: () => instance.stateOf(id),
        /** Meanwhile the calendar is ahead of the truth by so much and behind it, in turn. */
        async runs(time: number, jitter: number) {
          for (let left = time; left > 0; left -= STEP) {
            const next = ahead > 0 ? -jitter : jitter;
            instance.instance.clock.advance(STEP + next - ahead);
            ahead = next;
            server.time.elapsed += STEP;
            await server.tick();
          }
        },
      };
    }

    it.each([
      ['is not set', 0],
      ['is set by minutes again and again', 12 * MINUTE],
    ])('%s, waits for a day since that start if it has begun before', async (_, jitter) => {
      const { stateOf, runs } = await aStart(-9 * HOUR);
      await runs(DAY - STEP, jitter);
      expect(await stateOf()).toBe('watching');
      await runs(STEP, jitter);
      expect(await stateOf()).toBe('released');
    });

    it('is set by minutes again and again, leaves within the hour if it begins later than that, and never before', async () => {
      const { stateOf, runs } = await aStart(2 * DAY + 10 * MINUTE);
      await runs(2 * DAY, 12 * MINUTE);
      expect(await stateOf()).toBe('watching');
      await runs(HOUR, 12 * MINUTE);
      expect(await stateOf()).toBe('released');
    });

    it('is set by hours again and again, waits for a day, and for what may be counted for the ten hours', async () => {
      const { instance, stateOf, runs } = await aStart(-9 * HOUR);
      await runs(2 * DAY + HOUR, 40 * MINUTE);
      expect((await instance.clock()).may_add).toBe(switchRules.absenceCounts);
      expect(await stateOf()).toBe('watching');
      await runs(HOUR, 40 * MINUTE);
      expect(await stateOf()).toBe('released');
    });
  });

  it('that the calendar jumped to waits too, and goes back with it', async () => {
    const { instance, author } = await anInstance();
    const due = instance.deps.now() + 20 * DAY;
    const id = await instance.waitUntil(author, due);
    instance.setCalendar(30 * DAY);
    await instance.live(20 * HOUR);
    expect(await instance.scroll(id)).toMatchObject({ state: 'watching', releasable_at: expect.any(Number) });
    instance.setCalendar(-30 * DAY);
    await instance.live(3 * DAY);
    expect(await instance.scroll(id)).toMatchObject({ state: 'watching', releasable_at: null });
    await instance.live(due - instance.deps.now() - HOUR);
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(HOUR);
    expect(await instance.stateOf(id)).toBe('released');
  });

  it('that began while the switch was paused waits for the hold after the administrator’s word', async () => {
    const { instance, author } = await anInstance();
    const id = await instance.waitUntil(author, instance.deps.now() + DAY);
    await instance.setClock({ paused_reason: 'restored', paused_at: 1 });
    await instance.live(5 * DAY);
    await instance.confirm();
    await instance.live(2 * DAY);
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(DAY + 3 * HOUR);
    expect(await instance.stateOf(id)).toBe('released');
  });

  it('that was noticed before a pause waits for the hold after the administrator’s word as well', async () => {
    const { instance, author } = await anInstance();
    const id = await instance.waitUntil(author, instance.deps.now() + 2 * DAY);
    instance.sleep(3 * DAY);
    await instance.live(23 * HOUR);
    expect(await instance.scroll(id)).toMatchObject({ state: 'watching', releasable_at: expect.any(Number) });
    await instance.setClock({ paused_reason: 'restored', paused_at: 1 });
    await instance.live(HOUR);
    await instance.confirm();
    await instance.live(3 * DAY - HOUR);
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(3 * HOUR);
    expect(await instance.stateOf(id)).toBe('released');
  });

  it('is released by one of many ticks, and not after it was disarmed or put off', async () => {
    const { instance, author } = await anInstance();
    const id = await instance.waitUntil(author, instance.deps.now());
    const { db } = instance.deps;
    const clock = { ...(await instance.clock()), ticked_at: instance.deps.now() };
    const ticked = { clock, isProved: true, mayBeAheadBy: 0 };
    await db.updateTable('legacy_scrolls').set({ state: 'dormant' }).execute();
    expect(await endWaits(instance.deps, ticked)).toMatchObject({ released: 0 });
    await db
      .updateTable('legacy_scrolls')
      .set({ state: 'watching', due_at: clock.ticked_at + 1 })
      .execute();
    expect(await endWaits(instance.deps, ticked)).toMatchObject({ released: 0 });
    await db.updateTable('legacy_scrolls').set({ due_at: clock.ticked_at }).execute();
    await instance.setClock({ paused_reason: 'restored' });
    expect(await endWaits(instance.deps, ticked)).toMatchObject({ released: 0 });
    await instance.setClock({ paused_reason: null });
    const released = await Promise.all(Array.from({ length: 8 }, () => endWaits(instance.deps, ticked)));
    expect(released.reduce((sum, one) => sum + one.released, 0)).toBe(1);
    expect(await instance.stateOf(id)).toBe('released');
    expect(await instance.messages()).toHaveLength(1);
  });
});
