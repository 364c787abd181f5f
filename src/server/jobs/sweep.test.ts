import type { Updateable } from 'kysely';
import { expect, it, vi } from 'vitest';
import type { HouseClockTable } from '../db/schema.ts';
import { issueChallenge } from '../http/challenge-store.ts';
import { countAttempt, GATE } from '../http/rate-limit.ts';
import { DAY, HOUR, MINUTE } from '../testing/clock.ts';
import { describeOnEachEngine } from '../testing/engines.ts';
import { openTestHouse } from '../testing/house.ts';
import { signUpByPassphrase } from '../testing/people.ts';
import { plantingFor, plantMessage } from '../testing/planting.ts';
import { aShare, redeem, reserve } from '../testing/shares.ts';
import { startSweeping } from './sweep.ts';
import { deleteExpired, eraseOldestChallenges } from './sweep-store.ts';

describeOnEachEngine('the sweep', (engine) => {
  it('deletes what has expired and nothing else', async () => {
    const house = await openTestHouse({ engine });
    const { deps, clock } = house;
    const fill = async () => {
      const person = await signUpByPassphrase(house);
      await issueChallenge(deps, 'words', `nonce ${clock.now()}`);
      await countAttempt(deps, `bucket ${clock.now()}`, GATE);
      return person;
    };
    const count = async () => {
      const tables = ['sessions', 'challenges', 'attempts', 'accounts'] as const;
      const rows = await Promise.all(tables.map((table) => deps.db.selectFrom(table).selectAll().execute()));
      return Object.fromEntries(tables.map((table, i) => [table, rows[i]?.length]));
    };
    const old = await fill();
    clock.advance(30 * DAY);
    const recent = await fill();
    await deleteExpired(deps);
    expect(await count()).toEqual({ sessions: 1, challenges: 1, attempts: 2, accounts: 2 });
    expect((await old.request('GET', '/api/auth/user')).status).toBe(401);
    expect((await recent.request('GET', '/api/auth/user')).status).toBe(200);
    await house.close();
  });

  it('keeps the newest challenges where strangers have asked for too many', async () => {
    const house = await openTestHouse({ engine });
    const { deps, clock } = house;
    for (let n = 0; n < 6; n += 1) {
      await issueChallenge(deps, 'words', `nonce ${n}`);
      clock.advance(1000);
    }
    const kept = async (max: number) => {
      await eraseOldestChallenges(deps.db, max);
      const rows = await deps.db
        .selectFrom('challenges')
        .select('expires_at')
        .orderBy('expires_at')
        .execute();
      return rows.map(({ expires_at }) => expires_at);
    };
    const all = await kept(6);
    expect(all).toHaveLength(6);
    expect(await kept(4)).toEqual(all.slice(2));
    expect(await kept(100)).toEqual(all.slice(2));
    await house.close();
  });

  it('erases the words behind spent one-time links, whose rows stay', async () => {
    const house = await openTestHouse({ engine });
    const owner = await signUpByPassphrase(house);
    const [opened, untouched, expiring, lasting] = [
      await aShare(owner),
      await reserve(owner, { expiresInHours: 1 }),
      await aShare(owner, { expiresInHours: 1 }),
      await aShare(owner),
    ];
    const wordless = async () => {
      await deleteExpired(house.deps);
      const rows = await house.deps.db.selectFrom('shareable_keys').selectAll().orderBy('id').execute();
      expect(rows.map(({ id }) => id)).toEqual(
        [opened.key, untouched, expiring.key, lasting.key].map(({ id }) => id),
      );
      return rows.map((row) => row.encrypted_content === null && row.claim_hash === null);
    };
    await redeem(house, opened);
    house.clock.advance(10 * MINUTE - 1);
    expect(await wordless()).toEqual([false, true, false, false]);
    house.clock.advance(1);
    expect(await wordless()).toEqual([true, true, false, false]);
    house.clock.advance(HOUR);
    expect(await wordless()).toEqual([true, true, true, false]);
    await house.close();
  });

  it('erases scrolls that were left behind when their year of house time is over, whatever the calendar says', async () => {
    const house = await openTestHouse({ engine });
    const owner = await signUpByPassphrase(house);
    const plant = await plantingFor(house, owner, '0'.repeat(16));
    const until = 365 * DAY;
    const [mine, left] = [
      await plant.legacyScroll(),
      await plant.legacyScroll({ account_id: null, kept_until: until }),
    ];
    await plantMessage(house, { scroll_id: left.id, state: 'sent' });
    const setClock = (values: Updateable<HouseClockTable>) =>
      house.deps.db.updateTable('house_clock').set(values).execute();
    const kept = async () => {
      await deleteExpired(house.deps);
      const { db } = house.deps;
      const scrolls = await db.selectFrom('legacy_scrolls').select('id').orderBy('id').execute();
      const messages = await db.selectFrom('messages').select('id').execute();
      return [scrolls.map(({ id }) => id), messages.length];
    };
    house.clock.advance(400 * DAY);
    await setClock({ house_time: until - 1 });
    expect(await kept()).toEqual([[mine.id, left.id], 1]);
    await setClock({ house_time: until, paused_reason: 'restored' });
    expect(await kept()).toEqual([[mine.id, left.id], 1]);
    await setClock({ paused_reason: null });
    expect(await kept()).toEqual([[mine.id], 0]);
    await house.close();
  });

  it('keeps a scroll whose message has not left, and a month longer', async () => {
    const house = await openTestHouse({ engine });
    const { db } = house.deps;
    const plant = await plantingFor(house, await signUpByPassphrase(house), '0'.repeat(16));
    const left = await plant.legacyScroll({ account_id: null, kept_until: 365 * DAY });
    await plantMessage(house, { scroll_id: left.id, kind: 'release', state: 'waiting' });
    const keptAt = async (house_time: number) => {
      await db.updateTable('house_clock').set({ house_time }).execute();
      await deleteExpired(house.deps);
      return (await db.selectFrom('legacy_scrolls').select('id').execute()).length === 1;
    };
    expect(await keptAt(800 * DAY)).toBe(true);
    await db.updateTable('messages').set({ state: 'sent' }).execute();
    expect(await keptAt(830 * DAY)).toBe(true);
    expect(await keptAt(831 * DAY)).toBe(false);
    await house.close();
  });

  it('forgets messages after a year of house time, but for those that wait and those of releases that stand', async () => {
    const house = await openTestHouse({ engine });
    const states = ['sent', 'cancelled', 'failed', 'waiting'] as const;
    const { db } = house.deps;
    const plant = await plantingFor(house, await signUpByPassphrase(house), '0'.repeat(16));
    const scroll = await plant.legacyScroll();
    for (const created_house of [0, DAY]) {
      for (const state of states) await plantMessage(house, { state, created_house });
    }
    await plantMessage(house, { kind: 'release', state: 'failed', scroll_id: scroll.id });
    const left = async (house_time: number) => {
      await db.updateTable('house_clock').set({ house_time }).execute();
      await deleteExpired(house.deps);
      const rows = await db.selectFrom('messages').select('state').orderBy('id').execute();
      return rows.map(({ state }) => state);
    };
    house.clock.advance(4000 * DAY);
    expect(await left(365 * DAY - 1)).toEqual([...states, ...states, 'failed']);
    expect(await left(365 * DAY)).toEqual(['waiting', ...states, 'failed']);
    expect(await left(800 * DAY)).toEqual(['waiting', 'waiting', 'failed']);
    // Its author has deleted the scroll, or it went with its year.
    await db.deleteFrom('legacy_scrolls').execute();
    expect(await left(800 * DAY)).toEqual(['waiting', 'waiting']);
    await house.close();
  });

  it('that fails is logged and harms nobody', async () => {
    const house = await openTestHouse({ engine });
    await deleteExpired(house.deps);
    await house.deps.db.destroy();
    const logged = new Promise((resolve) => {
      const log = { error: (_: unknown, message: string) => resolve(message) };
      const stop = startSweeping({ ...house.deps, log: log as never });
      stop();
    });
    expect(await logged).toBe('sweeping failed');
  });

  it('forgets after ninety days of counted time who had a turn, but nothing that a message still holds', async () => {
    const house = await openTestHouse({ engine });
    const { db } = house.deps;
    const { public_id: waits } = await plantMessage(house, { state: 'waiting' });
    const { public_id: cancelled } = await plantMessage(house, { state: 'cancelled' });
    const slot = { limit_key: 'server:email', author_hash: 'author', turn: 1 };
    const taken = { ...slot, taken_at: 10 * DAY };
    await db
      .insertInto('message_slots')
      .values([
        { ...taken, message: 'old', held: 0 },
        { ...taken, message: 'newer', held: 0, taken_at: 10 * DAY + 1 },
        { ...taken, message: waits, held: 1 },
        { ...taken, message: cancelled, held: 1 },
      ])
      .execute();
    await db
      .updateTable('house_clock')
      .set({ house_time: 100 * DAY })
      .execute();
    await deleteExpired(house.deps);
    const left = await db.selectFrom('message_slots').select('message').execute();
    expect(left.map(({ message }) => message).sort()).toEqual(['newer', waits].sort());
    await house.close();
  });
});

it('the sweep comes at once and every minute, until it is stopped', async () => {
  const house = await openTestHouse();
  const begun = vi.fn(() => {
    throw new Error('This test only counts how often a sweep begins.');
  });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const stop = startSweeping({ ...house.deps, now: begun });
  expect(begun).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(MINUTE);
  expect(begun).toHaveBeenCalledTimes(2);
  stop();
  vi.advanceTimersByTime(MINUTE);
  expect(begun).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
  await house.close();
});
