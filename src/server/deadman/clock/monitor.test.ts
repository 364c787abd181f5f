// House time: never more than has really passed, whoever counts and whatever the clocks say; and a database that is not
// the one this house has lived with stops the switch.
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { switchRules } from '../../../shared/nouns/switch.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { describeOnEachEngine, describeOnPostgres } from '../../../testing/engines.ts';
import { openTestHouse, type TestHouse } from '../../../testing/instance.ts';
import { aServer, aWatchedHouse, memoryJournal, type TestServer } from '../../../testing/switch.ts';
import { confirmSwitch, readHouseClock } from './counted-time-store.ts';
import { instanceName } from './instance.ts';

const houses: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close();
});

const rules = switchRules;

async function aHouse(engine: 'sqlite' | 'postgres') {
  const house = await openTestHouse({ engine });
  houses.push(house);
  return house;
}

const clockOf = (house: TestHouse) => readHouseClock(house.deps.db);

/** Lets time pass for a server and beats once. */
async function after(house: TestHouse, server: TestServer, lived: number, calendar = lived) {
  server.time.elapsed += lived;
  house.clock.advance(calendar);
  await server.beat();
  return clockOf(house);
}

describeOnEachEngine('house time', (engine) => {
  it('begins at nothing, counts what has passed, and two intervals at most', async () => {
    const house = await aHouse(engine);
    const server = aServer(house);
    await server.beat();
    expect(await clockOf(house)).toMatchObject({
      house_time: 0,
      beat_number: 1,
      held_until: 0,
      paused_reason: null,
      instance: instanceName(house.deps.digests),
    });
    expect(await after(house, server, MINUTE)).toMatchObject({ house_time: MINUTE, beat_number: 2 });
    expect(await after(house, server, 90_500)).toMatchObject({ house_time: 150_500 });
    expect(await after(house, server, 30 * MINUTE)).toMatchObject({ house_time: 270_500, held_until: 0 });
  });

  it('holds silence for three days of its own after an outage', async () => {
    const house = await aHouse(engine);
    const server = aServer(house);
    await server.beat();
    await after(house, server, MINUTE);
    expect(await after(house, server, HOUR)).toMatchObject({ held_until: 0 });
    // Nothing that runs was asleep if its monotonic clock is to be believed; but nobody has beaten either.
    expect(await after(house, server, HOUR + 1)).toMatchObject({
      house_time: 5 * MINUTE,
      held_until: 5 * MINUTE + rules.holdAfterOutage,
    });
    const restarted = aServer(house, server.journal);
    expect(await after(house, restarted, 0, 5 * HOUR)).toMatchObject({
      house_time: 5 * MINUTE,
      held_until: 5 * MINUTE + rules.holdAfterOutage,
    });
    // A machine that slept: its calendar has gone on, its monotonic clock has not.
    expect(await after(house, restarted, MINUTE, 8 * HOUR)).toMatchObject({
      house_time: 6 * MINUTE,
      held_until: 6 * MINUTE + rules.holdAfterOutage,
    });
  });

  it.each([-80 * DAY, -HOUR, -1, 30 * DAY])('is not moved by a calendar that jumps by %i', async (jump) => {
    const house = await aHouse(engine);
    const server = aServer(house);
    await server.beat();
    expect(await after(house, server, MINUTE, MINUTE + jump)).toMatchObject({ house_time: MINUTE });
    expect(await after(house, server, MINUTE, MINUTE - jump)).toMatchObject({ house_time: 2 * MINUTE });
  });

  it('follows a calendar that was put right after the start, which locks do not', async () => {
    const house = await aHouse(engine);
    const calendar = house.clock.now;
    const stopped = calendar();
    const deps = { ...house.deps, now: () => Math.min(calendar(), stopped + HOUR), calendar };
    const server = aServer({ ...house, deps });
    await server.beat();
    expect(await after(house, server, MINUTE, 3 * DAY)).toMatchObject({
      beaten_at: stopped + 3 * DAY,
      doubted_until: MINUTE + rules.holdAfterDarkDate,
    });
    expect(await after(house, server, MINUTE)).toMatchObject({
      beaten_at: stopped + 3 * DAY + MINUTE,
      house_time: 2 * MINUTE,
    });
  });

  it('asks the keeper after ninety days in the dark', async () => {
    const house = await aHouse(engine);
    const server = aServer(house);
    await server.beat();
    const restarted = aServer(house, server.journal);
    expect(await after(house, restarted, 0, 90 * DAY + 1)).toMatchObject({
      paused_reason: 'long-outage',
      paused_at: house.clock.now(),
      house_time: 0,
    });
    expect(await after(house, restarted, MINUTE)).toMatchObject({ beat_number: 1 });
  });

  it('of two servers never runs faster than time, and never stops while one of them beats', async () => {
    const house = await aHouse(engine);
    const step = fc.record({
      who: fc.constantFrom('one', 'two', 'both', 'restart'),
      passes: fc.integer({ min: 0, max: 3 * MINUTE }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await house.deps.db
          .updateTable('house_clock')
          .set({ house_time: 0, beat_number: 0, beaten_at: 0, instance: null, epoch: 0 })
          .execute();
        const one = aServer(house, memoryJournal(), false);
        await one.beat();
        const two = aServer(house, memoryJournal(one.journal.entry), false);
        let servers = { one, two };
        await two.beat();
        let passed = 0;
        let last = 0;
        for (const { who, passes } of steps) {
          passed += passes;
          house.clock.advance(passes);
          for (const server of [servers.one, servers.two]) server.time.elapsed += passes;
          if (who === 'restart') {
            servers = { ...servers, two: aServer(house, servers.two.journal, false) };
            await servers.two.beat();
          } else if (who === 'both') await Promise.all([servers.one.beat(), servers.two.beat()]);
          else await servers[who].beat();
          const { house_time, paused_reason } = await clockOf(house);
          expect(paused_reason).toBeNull();
          expect(house_time).toBeGreaterThanOrEqual(last);
          expect(house_time).toBeLessThanOrEqual(passed);
          last = house_time;
        }
        // Left alone, one of them counts on by itself.
        for (let i = 0; i < 3; i += 1) await after(house, servers.one, MINUTE);
        expect((await clockOf(house)).house_time).toBeGreaterThanOrEqual(last + 2 * MINUTE);
      }),
      { numRuns: engine === 'sqlite' ? 60 : 25 },
    );
  });

  it('goes on when the journal cannot be written', async () => {
    const house = await aHouse(engine);
    const server = aServer(house);
    server.journal.broken = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    await server.beat();
    expect(await after(house, server, MINUTE)).toMatchObject({ house_time: MINUTE, paused_reason: null });
    expect(house.log.filter(({ msg }) => msg === 'the journal of the switch cannot be written')).toHaveLength(
      2,
    );
    // What it cannot write down it still knows.
    await house.deps.db.updateTable('house_clock').set({ house_time: 0 }).execute();
    expect(await after(house, server, MINUTE)).toMatchObject({ paused_reason: 'restored' });
  });

  it('that went back while the house ran stops the switch, and the keeper starts it', async () => {
    const watched = await aWatchedHouse({ engine });
    houses.push(watched);
    await watched.live(DAY);
    await watched.setClock({ house_time: HOUR });
    await watched.live(HOUR);
    expect(await watched.clock()).toMatchObject({ paused_reason: 'restored', house_time: HOUR });
    await watched.live(DAY);
    expect(await watched.clock()).toMatchObject({ house_time: HOUR });
    await watched.confirm();
    await watched.live(2 * HOUR);
    expect(await watched.clock()).toMatchObject({
      paused_reason: null,
      house_time: 2 * HOUR,
      held_until: HOUR + watched.deps.rules.holdAfterOutage,
    });
    expect(watched.server.journal.entry).toMatchObject({ houseTime: 2 * HOUR, epoch: 1 });
    await aServer(watched.house, watched.server.journal).beat();
    expect(await watched.clock()).toMatchObject({ paused_reason: null });
  });
});

describeOnEachEngine('two histories', (engine) => {
  /** A house that has lived for an hour, and is asleep since. */
  async function anOldHouse() {
    const house = await aHouse(engine);
    const server = aServer(house);
    await server.beat();
    for (let i = 0; i < 60; i += 1) await after(house, server, MINUTE);
    const entry = server.journal.entry;
    if (!entry) throw new Error('There is no journal.');
    expect(entry).toEqual({
      instance: instanceName(house.deps.digests),
      epoch: 0,
      houseTime: HOUR,
      releases: 0,
    });
    return { house, server, entry };
  }

  /** What pauses the switch when a server starts with this journal; on PostgreSQL others may be there, so it waits. */
  async function startWith(house: TestHouse, server: TestServer) {
    for (let i = 0; i < 4; i += 1) await after(house, server, MINUTE);
    return (await clockOf(house)).paused_reason;
  }

  it('are told apart by house time, by releases, and by what the keeper has confirmed', async () => {
    const { house, entry } = await anOldHouse();
    const ahead = [{ houseTime: HOUR + 1 }, { releases: 1 }, { epoch: 1 }];
    for (const more of ahead) {
      const server = aServer(house, memoryJournal({ ...entry, ...more }));
      await server.beat();
      expect(await clockOf(house)).toMatchObject({ paused_reason: 'restored' });
      await house.deps.db.updateTable('house_clock').set({ paused_reason: null, epoch: 0 }).execute();
    }
  });

  it('are told from a heartbeat that a crash kept from the journal', async () => {
    const { house, entry } = await anOldHouse();
    const journal = memoryJournal({ ...entry, houseTime: HOUR - 2 * MINUTE });
    expect(await startWith(house, aServer(house, journal))).toBeNull();
  });

  it('ask when the database has lived where this journal was not, unless others beat in it', async () => {
    const { house, entry } = await anOldHouse();
    const { db } = house.deps;
    const elsewhere = [{ house_time: 2 * HOUR + 1 }, { epoch: 1 }, { epoch: 1, house_time: 5 * DAY }];
    for (const lived of elsewhere) {
      const journal = memoryJournal(entry);
      await db.updateTable('house_clock').set(lived).execute();
      await aServer(house, journal, false).beat();
      expect(await clockOf(house)).toMatchObject({ paused_reason: null });
      journal.entry = entry;
      const alone = aServer(house, journal, true);
      await alone.beat();
      expect(await clockOf(house)).toMatchObject({ ...lived, paused_reason: 'restored' });
      await alone.deliver();
      // The keeper’s word is heard by whoever has seen the pause.
      const word = { instance: entry.instance, at: house.clock.now(), holdFor: DAY };
      await confirmSwitch(db, word);
      expect(await after(house, alone, MINUTE)).toMatchObject({ paused_reason: null });
      expect(journal.entry).toMatchObject({ epoch: (lived.epoch ?? 0) + 1 });
      await db.updateTable('house_clock').set({ house_time: HOUR, epoch: 0 }).execute();
    }
  });

  it('are noticed after an empty database has taken the place of one that is put back later', async () => {
    const { house, server, entry } = await anOldHouse();
    const old = await clockOf(house);
    const fresh = {
      house_time: 0,
      beat_number: 0,
      beaten_at: 0,
      held_until: 0,
      releases: 0,
      epoch: 0,
      instance: null,
    };
    await house.deps.db.updateTable('house_clock').set(fresh).execute();
    const second = aServer(house, server.journal);
    // It may even live for longer than the old one had.
    for (let i = 0; i < 70; i += 1) await after(house, second, MINUTE);
    expect(await clockOf(house)).toMatchObject({ paused_reason: null, epoch: 1 });
    expect(server.journal.entry).toMatchObject({ epoch: entry.epoch + 1 });
    await house.deps.db.updateTable('house_clock').set(old).execute();
    expect(await startWith(house, aServer(house, server.journal))).toBe('restored');
  });

  it('ask also when the backup was made during a long outage’s pause, and all silences begin anew', async () => {
    const { house, entry } = await anOldHouse();
    await house.deps.db
      .updateTable('house_clock')
      .set({ paused_reason: 'long-outage', paused_at: 1 })
      .execute();
    const server = aServer(house, memoryJournal({ ...entry, houseTime: HOUR + 1 }));
    await server.beat();
    expect(await clockOf(house)).toMatchObject({ paused_reason: 'restored', epoch: 0 });
    const word = { instance: entry.instance, at: house.clock.now(), holdFor: rules.holdAfterOutage };
    await confirmSwitch(house.deps.db, word);
    expect(await startWith(house, server)).toBeNull();
  });

  it('without a journal ask the keeper, and with a copied one', async () => {
    const { house, entry } = await anOldHouse();
    expect(await startWith(house, aServer(house))).toBe('journal-missing');
    await house.deps.db.updateTable('house_clock').set({ paused_reason: null }).execute();
    const copied = memoryJournal(entry);
    copied.copied = true;
    expect(await startWith(house, aServer(house, copied))).toBe('restored');
    await house.deps.db.updateTable('house_clock').set({ paused_reason: null }).execute();
    const foreign = memoryJournal({ ...entry, instance: 'another' });
    expect(await startWith(house, aServer(house, foreign))).toBe('journal-missing');
  });

  it('under another key ask the keeper, who makes it the one', async () => {
    const { house, server } = await anOldHouse();
    const { db } = house.deps;
    await db.updateTable('house_clock').set({ instance: 'another' }).execute();
    expect(await startWith(house, server)).toBe('another-key');
    await confirmSwitch(db, {
      instance: instanceName(house.deps.digests),
      at: house.clock.now(),
      holdFor: DAY,
    });
    for (let i = 0; i < 3; i += 1) await after(house, server, MINUTE);
    expect(await clockOf(house)).toMatchObject({
      paused_reason: null,
      epoch: 1,
      house_time: HOUR + 2 * MINUTE,
      held_until: HOUR + DAY,
    });
  });

  it('are reconciled by the keeper also when the server starts anew before its next beat', async () => {
    const { house, entry } = await anOldHouse();
    const journal = memoryJournal({ ...entry, houseTime: 2 * HOUR });
    await aServer(house, journal).beat();
    expect(await clockOf(house)).toMatchObject({ paused_reason: 'restored' });
    const confirmed = { instance: entry.instance, at: house.clock.now(), holdFor: DAY };
    await Promise.all([confirmSwitch(house.deps.db, confirmed), confirmSwitch(house.deps.db, confirmed)]);
    expect(await clockOf(house)).toMatchObject({ epoch: 1, paused_reason: null });
    if (engine === 'sqlite') {
      // Nobody alive has seen the pause: whether it was confirmed here is not known.
      const second = aServer(house, journal);
      expect(await startWith(house, second)).toBe('restored');
      await confirmSwitch(house.deps.db, confirmed);
      expect(await startWith(house, second)).toBeNull();
      expect(journal.entry).toMatchObject({ epoch: 2 });
      return;
    }
    expect(await startWith(house, aServer(house, journal))).toBeNull();
    expect(journal.entry).toMatchObject({ epoch: 1 });
  });

  it('are no matter in a database in which nothing ever stood', async () => {
    const house = await aHouse(engine);
    const instance = instanceName(house.deps.digests);
    const journal = memoryJournal({ instance, epoch: 7, houseTime: DAY, releases: 9 });
    await aServer(house, journal).beat();
    expect(await clockOf(house)).toMatchObject({ paused_reason: null, beat_number: 1 });
    expect(journal.entry).toEqual({ instance, epoch: 8, houseTime: 0, releases: 0 });
    // One of another house says nothing of this one's.
    await house.deps.db
      .updateTable('house_clock')
      .set({ instance: null, epoch: 0, beat_number: 0 })
      .execute();
    await aServer(
      house,
      memoryJournal({ instance: 'another', epoch: 7, houseTime: DAY, releases: 9 }),
    ).beat();
    expect(await clockOf(house)).toMatchObject({ paused_reason: null, epoch: 0 });
  });
});

describeOnPostgres('a server that joins others', () => {
  async function aPair(journal = memoryJournal()) {
    const house = await aHouse('postgres');
    const one = aServer(house);
    await one.beat();
    await after(house, one, MINUTE);
    const two = aServer(house, journal);
    const both = async () => {
      for (const server of [one, two]) server.time.elapsed += MINUTE;
      house.clock.advance(MINUTE);
      await one.beat();
      await two.beat();
    };
    return { house, one, two, both };
  }

  it.each(['without a journal', 'with a copied one'])(
    '%s takes part once it has seen them work',
    async (how) => {
      const { house, one, two, both } = await aPair();
      if (how !== 'without a journal') {
        two.journal.entry = one.journal.entry;
        two.journal.copied = true;
      }
      const joined = how === 'without a journal' ? two : aServer(house, two.journal);
      await joined.beat();
      await both();
      await after(house, joined, 0);
      await both();
      await after(house, joined, 0);
      expect(await clockOf(house)).toMatchObject({ paused_reason: null, house_time: 3 * MINUTE });
      await after(house, joined, MINUTE);
      await after(house, joined, MINUTE);
      expect(await clockOf(house)).toMatchObject({ house_time: 5 * MINUTE });
      expect(joined.journal).toMatchObject({ copied: false, entry: { houseTime: 5 * MINUTE } });
    },
  );

  it('with another key never takes part, and stops nobody who works', async () => {
    const { house, both } = await aPair();
    const stranger = aServer({
      ...house,
      deps: { ...house.deps, digests: { ...house.deps.digests, keyed: () => 'ff' } },
    });
    for (let i = 0; i < 6; i += 1) {
      await both();
      stranger.time.elapsed += MINUTE;
      await stranger.beat();
    }
    expect(await clockOf(house)).toMatchObject({ paused_reason: null, house_time: 7 * MINUTE });
  });

  it('remembers what others have counted, although it never counts itself', async () => {
    const { house, two, both } = await aPair();
    for (let i = 0; i < 30; i += 1) await both();
    const { house_time } = await clockOf(house);
    expect(two.journal.entry).toMatchObject({ houseTime: house_time });
    await house.deps.db
      .updateTable('house_clock')
      .set({ house_time: house_time - MINUTE })
      .execute();
    await after(house, aServer(house, two.journal), 0);
    expect(await clockOf(house)).toMatchObject({ paused_reason: 'restored' });
  });

  it('and restarts again and again takes no time from the one that runs', async () => {
    const { house, one, two } = await aPair();
    const before = (await clockOf(house)).house_time;
    for (let i = 0; i < 20; i += 1) {
      await after(house, one, MINUTE / 2);
      await aServer(house, two.journal).beat();
      await after(house, one, MINUTE / 2);
    }
    expect((await clockOf(house)).house_time).toBe(before + 20 * MINUTE);
  });
});

describe('a heart that fails', () => {
  it('trusts no database until it has looked', async () => {
    const house = await aHouse('sqlite');
    const send = vi.fn();
    house.deps.couriers.email = { send };
    const server = aServer(house);
    await server.deliver();
    expect(send).not.toHaveBeenCalled();
  });
});
