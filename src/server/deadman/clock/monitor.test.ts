// Counted time: never more than has really passed, whoever counts and whatever the clocks say; and a database that is not
// the one this server has lived with stops the switch.
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { switchRules } from '../../../shared/nouns/switch-rules.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine, describeOnPostgres } from '../../../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aServer, aWatchedInstance, memoryJournal, type TestServer } from '../../../testing/switch.ts';
import { confirmSwitch, readInstanceClock } from './counted-time-store.ts';
import { instanceName } from './instance.ts';

const instances: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.close();
});

const rules = switchRules;

async function anInstance(engine: 'sqlite' | 'postgres') {
  const instance = await openTestInstance({ engine });
  instances.push(instance);
  return instance;
}

/** What an empty database has of the time before its first tick. */
const noPast = { boot_id: null, boot_time: 0, proved_at: 0, proved_counted: 0, may_add: 0 };

const clockOf = (instance: TestInstance) => readInstanceClock(instance.deps.db);

/** Lets time pass for a server and ticks once. */
async function after(instance: TestInstance, server: TestServer, lived: number, calendar = lived) {
  server.time.elapsed += lived;
  instance.clock.advance(calendar);
  await server.tick();
  return clockOf(instance);
}

describeOnEachEngine('counted time', (engine) => {
  it('begins at nothing, and counts what has passed', async () => {
    const instance = await anInstance(engine);
    const server = aServer(instance);
    await server.tick();
    expect(await clockOf(instance)).toMatchObject({
      counted_time: 0,
      tick_number: 1,
      held_until: 0,
      paused_reason: null,
      instance: instanceName(instance.deps.digests),
    });
    expect(await after(instance, server, MINUTE)).toMatchObject({ counted_time: MINUTE, tick_number: 2 });
    expect(await after(instance, server, 90_500)).toMatchObject({ counted_time: 150_500 });
    expect(await after(instance, server, 30 * MINUTE)).toMatchObject({
      counted_time: 150_500 + 30 * MINUTE,
      held_until: 0,
    });
  });

  it('holds silence for three days of its own after an outage', async () => {
    const instance = await anInstance(engine);
    const server = aServer(instance, memoryJournal(), true);
    await server.tick();
    expect(await after(instance, server, DAY)).toMatchObject({ counted_time: DAY, held_until: 0 });
    expect(await after(instance, server, 3 * DAY)).toMatchObject({
      counted_time: DAY + rules.absenceCounts,
      held_until: DAY + rules.absenceCounts + rules.holdAfterOutage,
      firmly_held_until: 0,
    });
    // In another boot, whose calendar is right.
    const restarted = aServer(instance, server.journal, true);
    expect(await after(instance, restarted, 0, 5 * DAY)).toMatchObject({
      counted_time: DAY + 2 * rules.absenceCounts,
      held_until: DAY + rules.absenceCounts + rules.holdAfterOutage,
      told_held_until: DAY + 2 * rules.absenceCounts + rules.holdAfterOutage,
    });
  });

  it('does not know across boots how long nobody was there before the calendar has proved itself', async () => {
    const instance = await anInstance(engine);
    const server = aServer(instance, memoryJournal(), true);
    await server.tick();
    const restarted = aServer(instance, server.journal, true);
    restarted.time.synchronised = false;
    expect(await after(instance, restarted, 0, 9 * HOUR)).toMatchObject({
      counted_time: 0,
      may_add: rules.absenceCounts,
    });
    for (let minute = 1; minute < 60; minute += 1) await after(instance, restarted, MINUTE);
    expect(await clockOf(instance)).toMatchObject({
      counted_time: 59 * MINUTE,
      may_add: rules.absenceCounts,
    });
    expect(await after(instance, restarted, MINUTE)).toMatchObject({ counted_time: 10 * HOUR, may_add: 0 });
  });

  it.each([-80 * DAY, -HOUR, -1, 30 * DAY])('is not moved by a calendar that jumps by %i', async (jump) => {
    const instance = await anInstance(engine);
    const server = aServer(instance);
    server.time.synchronised = false;
    await server.tick();
    expect(await after(instance, server, MINUTE, MINUTE + jump)).toMatchObject({ counted_time: MINUTE });
    expect(await after(instance, server, MINUTE, MINUTE - jump)).toMatchObject({ counted_time: 2 * MINUTE });
  });

  it('follows a calendar that was put right after the start, which locks do not', async () => {
    const instance = await anInstance(engine);
    const calendar = instance.clock.now;
    const stopped = calendar();
    const deps = { ...instance.deps, now: () => Math.min(calendar(), stopped + HOUR), calendar };
    const server = aServer({ ...instance, deps });
    await server.tick();
    expect(await after(instance, server, MINUTE, 3 * DAY)).toMatchObject({
      ticked_at: stopped + 3 * DAY,
      doubted_until: rules.absenceCounts + MINUTE + rules.holdAfterDarkDate,
    });
    expect(await after(instance, server, MINUTE)).toMatchObject({
      ticked_at: stopped + 3 * DAY + MINUTE,
      counted_time: rules.absenceCounts + 2 * MINUTE,
    });
  });

  it('holds silence for thirty days after ninety in the dark, and asks nobody', async () => {
    const instance = await anInstance(engine);
    const server = aServer(instance, memoryJournal(), true);
    await server.tick();
    const restarted = aServer(instance, server.journal, true);
    expect(await after(instance, restarted, 0, 90 * DAY + 1)).toMatchObject({
      paused_reason: null,
      counted_time: rules.absenceCounts,
      told_held_until: rules.absenceCounts + rules.holdAfterOutage,
      told_firmly_held_until: rules.absenceCounts + rules.holdAfterLongOutage,
    });
  });

  it('of two servers never runs faster than time, and never stops while one of them beats', async () => {
    const instance = await anInstance(engine);
    const step = fc.record({
      who: fc.constantFrom('one', 'two', 'both', 'restart'),
      passes: fc.integer({ min: 0, max: 3 * MINUTE }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await instance.deps.db
          .updateTable('instance_clock')
          .set({ counted_time: 0, tick_number: 0, ticked_at: 0, instance: null, epoch: 0, ...noPast })
          .execute();
        const one = aServer(instance, memoryJournal(), false);
        await one.tick();
        const two = aServer(instance, memoryJournal(one.journal.entry), false);
        let servers = { one, two };
        await two.tick();
        let passed = 0;
        let last = 0;
        for (const { who, passes } of steps) {
          passed += passes;
          instance.clock.advance(passes);
          for (const server of [servers.one, servers.two]) server.time.elapsed += passes;
          if (who === 'restart') {
            servers = { ...servers, two: aServer(instance, servers.two.journal, false) };
            await servers.two.tick();
          } else if (who === 'both') await Promise.all([servers.one.tick(), servers.two.tick()]);
          else await servers[who].tick();
          const { counted_time, paused_reason } = await clockOf(instance);
          expect(paused_reason).toBeNull();
          expect(counted_time).toBeGreaterThanOrEqual(last);
          expect(counted_time).toBeLessThanOrEqual(passed);
          last = counted_time;
        }
        // Left alone, one of them counts on by itself.
        for (let i = 0; i < 3; i += 1) await after(instance, servers.one, MINUTE);
        expect((await clockOf(instance)).counted_time).toBeGreaterThanOrEqual(last + 2 * MINUTE);
      }),
      { numRuns: engine === 'sqlite' ? 60 : 25 },
    );
  });

  it('goes on when the journal cannot be written', async () => {
    const instance = await anInstance(engine);
    const server = aServer(instance);
    server.journal.broken = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    await server.tick();
    expect(await after(instance, server, MINUTE)).toMatchObject({
      counted_time: MINUTE,
      paused_reason: null,
    });
    expect(
      instance.log.filter(({ msg }) => msg === 'the journal of the switch cannot be written'),
    ).toHaveLength(2);
    // What it cannot write down it still knows.
    await instance.deps.db.updateTable('instance_clock').set({ counted_time: 0 }).execute();
    expect(await after(instance, server, MINUTE)).toMatchObject({ paused_reason: 'restored' });
  });

  it('that went back while the server ran stops the switch, and the administrator starts it', async () => {
    const watched = await aWatchedInstance({ engine });
    instances.push(watched);
    await watched.live(DAY);
    await watched.setClock({ counted_time: HOUR });
    await watched.live(HOUR);
    expect(await watched.clock()).toMatchObject({ paused_reason: 'restored', counted_time: HOUR });
    await watched.live(DAY);
    expect(await watched.clock()).toMatchObject({ counted_time: HOUR });
    await watched.confirm();
    await watched.live(2 * HOUR);
    expect(await watched.clock()).toMatchObject({
      paused_reason: null,
      counted_time: 2 * HOUR,
      held_until: HOUR + watched.deps.rules.holdAfterOutage,
    });
    expect(watched.server.journal.entry).toMatchObject({ countedTime: 2 * HOUR, epoch: 1 });
    await aServer(watched.instance, watched.server.journal).tick();
    expect(await watched.clock()).toMatchObject({ paused_reason: null });
  });
});

describeOnEachEngine('two histories', (engine) => {
  /** A server that has lived for an hour, and is asleep since. */
  async function anOldInstance() {
    const instance = await anInstance(engine);
    const server = aServer(instance);
    await server.tick();
    for (let i = 0; i < 60; i += 1) await after(instance, server, MINUTE);
    const entry = server.journal.entry;
    if (!entry) throw new Error('There is no journal.');
    expect(entry).toEqual({
      instance: instanceName(instance.deps.digests),
      epoch: 0,
      countedTime: HOUR,
      releases: 0,
      waits: 0,
    });
    return { instance, server, entry };
  }

  /** What pauses the switch when a server starts with this journal; on PostgreSQL others may be there, so it waits. */
  async function startWith(instance: TestInstance, server: TestServer) {
    for (let i = 0; i < 4; i += 1) await after(instance, server, MINUTE);
    return (await clockOf(instance)).paused_reason;
  }

  it('are told apart by counted time, by releases, and by what the administrator has confirmed', async () => {
    const { instance, entry } = await anOldInstance();
    const ahead = [{ countedTime: HOUR + 1 }, { releases: 1 }, { epoch: 1 }];
    for (const more of ahead) {
      const server = aServer(instance, memoryJournal({ ...entry, ...more }));
      await server.tick();
      expect(await clockOf(instance)).toMatchObject({ paused_reason: 'restored' });
      await instance.deps.db.updateTable('instance_clock').set({ paused_reason: null, epoch: 0 }).execute();
    }
  });

  it('are told from a tick that a crash kept from the journal', async () => {
    const { instance, entry } = await anOldInstance();
    const journal = memoryJournal({ ...entry, countedTime: HOUR - 2 * MINUTE });
    expect(await startWith(instance, aServer(instance, journal))).toBeNull();
  });

  it('ask when the database has lived where this journal was not, unless others tick in it', async () => {
    const { instance, entry } = await anOldInstance();
    const { db } = instance.deps;
    const elsewhere = [{ counted_time: 28 * HOUR + 1 }, { epoch: 1 }, { epoch: 1, counted_time: 5 * DAY }];
    for (const lived of elsewhere) {
      const journal = memoryJournal(entry);
      await db.updateTable('instance_clock').set(lived).execute();
      await aServer(instance, journal, false).tick();
      expect(await clockOf(instance)).toMatchObject({ paused_reason: null });
      journal.entry = entry;
      const alone = aServer(instance, journal, true);
      await alone.tick();
      expect(await clockOf(instance)).toMatchObject({ ...lived, paused_reason: 'restored' });
      await alone.deliver();
      // The administrator’s word is heard by whoever has seen the pause.
      const word = { instance: entry.instance, at: instance.clock.now(), holdFor: DAY };
      await confirmSwitch(db, word);
      expect(await after(instance, alone, MINUTE)).toMatchObject({ paused_reason: null });
      expect(journal.entry).toMatchObject({ epoch: (lived.epoch ?? 0) + 1 });
      await db.updateTable('instance_clock').set({ counted_time: HOUR, epoch: 0 }).execute();
    }
  });

  it('are noticed after an empty database has taken the place of one that is put back later', async () => {
    const { instance, server, entry } = await anOldInstance();
    const old = await clockOf(instance);
    const fresh = {
      counted_time: 0,
      tick_number: 0,
      ticked_at: 0,
      held_until: 0,
      releases: 0,
      epoch: 0,
      instance: null,
      ...noPast,
    };
    await instance.deps.db.updateTable('instance_clock').set(fresh).execute();
    const second = aServer(instance, server.journal);
    // It may even live for longer than the old one had.
    for (let i = 0; i < 70; i += 1) await after(instance, second, MINUTE);
    expect(await clockOf(instance)).toMatchObject({ paused_reason: null, epoch: 1 });
    expect(server.journal.entry).toMatchObject({ epoch: entry.epoch + 1 });
    await instance.deps.db.updateTable('instance_clock').set(old).execute();
    expect(await startWith(instance, aServer(instance, server.journal))).toBe('restored');
  });

  it('without a journal ask the administrator, and with a copied one', async () => {
    const { instance, entry } = await anOldInstance();
    expect(await startWith(instance, aServer(instance))).toBe('journal-missing');
    await instance.deps.db.updateTable('instance_clock').set({ paused_reason: null }).execute();
    const copied = memoryJournal(entry);
    copied.copied = true;
    expect(await startWith(instance, aServer(instance, copied))).toBe('restored');
    await instance.deps.db.updateTable('instance_clock').set({ paused_reason: null }).execute();
    const foreign = memoryJournal({ ...entry, instance: 'another' });
    expect(await startWith(instance, aServer(instance, foreign))).toBe('journal-missing');
  });

  it('under another key ask the administrator, who makes it the one', async () => {
    const { instance, server } = await anOldInstance();
    const { db } = instance.deps;
    await db.updateTable('instance_clock').set({ instance: 'another' }).execute();
    expect(await startWith(instance, server)).toBe('another-key');
    await confirmSwitch(db, {
      instance: instanceName(instance.deps.digests),
      at: instance.clock.now(),
      holdFor: DAY,
    });
    for (let i = 0; i < 3; i += 1) await after(instance, server, MINUTE);
    expect(await clockOf(instance)).toMatchObject({
      paused_reason: null,
      epoch: 1,
      counted_time: HOUR + 2 * MINUTE,
      held_until: HOUR + DAY,
    });
  });

  it('are reconciled by the administrator also when the server starts anew before its next beat', async () => {
    const { instance, entry } = await anOldInstance();
    const journal = memoryJournal({ ...entry, countedTime: 2 * HOUR });
    await aServer(instance, journal).tick();
    expect(await clockOf(instance)).toMatchObject({ paused_reason: 'restored' });
    const confirmed = { instance: entry.instance, at: instance.clock.now(), holdFor: DAY };
    await Promise.all([
      confirmSwitch(instance.deps.db, confirmed),
      confirmSwitch(instance.deps.db, confirmed),
    ]);
    expect(await clockOf(instance)).toMatchObject({ epoch: 1, paused_reason: null });
    if (engine === 'sqlite') {
      // Nobody alive has seen the pause: whether it was confirmed here is not known.
      const second = aServer(instance, journal);
      expect(await startWith(instance, second)).toBe('restored');
      await confirmSwitch(instance.deps.db, confirmed);
      expect(await startWith(instance, second)).toBeNull();
      expect(journal.entry).toMatchObject({ epoch: 2 });
      return;
    }
    expect(await startWith(instance, aServer(instance, journal))).toBeNull();
    expect(journal.entry).toMatchObject({ epoch: 1 });
  });

  it('are no matter in a database in which nothing ever stood', async () => {
    const instance = await anInstance(engine);
    const name = instanceName(instance.deps.digests);
    const journal = memoryJournal({ instance: name, epoch: 7, countedTime: DAY, releases: 9, waits: 2 });
    await aServer(instance, journal).tick();
    expect(await clockOf(instance)).toMatchObject({ paused_reason: null, tick_number: 1 });
    expect(journal.entry).toEqual({ instance: name, epoch: 8, countedTime: 0, releases: 0, waits: 0 });
    // One of another server says nothing of this one's.
    await instance.deps.db
      .updateTable('instance_clock')
      .set({ instance: null, epoch: 0, tick_number: 0 })
      .execute();
    await aServer(
      instance,
      memoryJournal({ instance: 'another', epoch: 7, countedTime: DAY, releases: 9, waits: 0 }),
    ).tick();
    expect(await clockOf(instance)).toMatchObject({ paused_reason: null, epoch: 0 });
  });
});

describeOnPostgres('a server that joins others', () => {
  async function aPair(journal = memoryJournal()) {
    const instance = await anInstance('postgres');
    const one = aServer(instance);
    await one.tick();
    await after(instance, one, MINUTE);
    const two = aServer(instance, journal);
    const both = async () => {
      for (const server of [one, two]) server.time.elapsed += MINUTE;
      instance.clock.advance(MINUTE);
      await one.tick();
      await two.tick();
    };
    return { instance, one, two, both };
  }

  it.each(['without a journal', 'with a copied one'])(
    '%s takes part once it has seen them work',
    async (how) => {
      const { instance, one, two, both } = await aPair();
      if (how !== 'without a journal') {
        two.journal.entry = one.journal.entry;
        two.journal.copied = true;
      }
      const joined = how === 'without a journal' ? two : aServer(instance, two.journal);
      await joined.tick();
      await both();
      await after(instance, joined, 0);
      await both();
      await after(instance, joined, 0);
      expect(await clockOf(instance)).toMatchObject({ paused_reason: null, counted_time: 3 * MINUTE });
      await after(instance, joined, MINUTE);
      await after(instance, joined, MINUTE);
      expect(await clockOf(instance)).toMatchObject({ counted_time: 5 * MINUTE });
      expect(joined.journal).toMatchObject({ copied: false, entry: { countedTime: 5 * MINUTE } });
    },
  );

  it('with another key never takes part, and stops nobody who works', async () => {
    const { instance, both } = await aPair();
    const stranger = aServer({
      ...instance,
      deps: { ...instance.deps, digests: { ...instance.deps.digests, keyed: () => 'ff' } },
    });
    for (let i = 0; i < 6; i += 1) {
      await both();
      stranger.time.elapsed += MINUTE;
      await stranger.tick();
    }
    expect(await clockOf(instance)).toMatchObject({ paused_reason: null, counted_time: 7 * MINUTE });
  });

  it('remembers what others have counted, although it never counts itself', async () => {
    const { instance, two, both } = await aPair();
    for (let i = 0; i < 30; i += 1) await both();
    const { counted_time } = await clockOf(instance);
    expect(two.journal.entry).toMatchObject({ countedTime: counted_time });
    await instance.deps.db
      .updateTable('instance_clock')
      .set({ counted_time: counted_time - MINUTE })
      .execute();
    await after(instance, aServer(instance, two.journal), 0);
    expect(await clockOf(instance)).toMatchObject({ paused_reason: 'restored' });
  });

  it('counts before somebody is active, unless what it noted last is surely recent', async () => {
    const { instance, one, two, both } = await aPair();
    await both();
    await both();
    const pass = (ticks: number) => {
      for (const server of [one, two]) server.time.elapsed += ticks * rules.tick;
      instance.clock.advance(ticks * rules.tick);
    };
    pass(0.1);
    await one.tick();
    pass(1.7);
    // The first one is gone by now.
    await two.tick();
    const { tick_number } = await clockOf(instance);
    expect(await two.catchUp()).toBe(false);
    pass(1.1);
    expect(await two.countedTime()).not.toBeNull();
    expect(await two.catchUp()).toBe(true);
    expect(await clockOf(instance)).toMatchObject({ tick_number: tick_number + 1 });
    expect(await two.catchUp()).toBe(false);
  });

  it('and restarts again and again takes no time from the one that runs', async () => {
    const { instance, one, two } = await aPair();
    const before = (await clockOf(instance)).counted_time;
    for (let i = 0; i < 20; i += 1) {
      await after(instance, one, MINUTE / 2);
      await aServer(instance, two.journal).tick();
      await after(instance, one, MINUTE / 2);
    }
    expect((await clockOf(instance)).counted_time).toBe(before + 20 * MINUTE);
  });
});

describe('a heart that fails', () => {
  it('trusts no database until it has looked', async () => {
    const instance = await anInstance('sqlite');
    const send = vi.fn();
    instance.deps.transports.email = { send };
    const server = aServer(instance);
    await server.deliver();
    expect(send).not.toHaveBeenCalled();
  });
});
