import type { Updateable } from 'kysely';
import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../shared/time.ts';
import { describeOnEachEngine } from '../testing/engines.ts';
import { openTestInstance, type TestInstance } from '../testing/instance.ts';
import { aMember, signUpByPassphrase } from '../testing/people.ts';
import { plantingFor, plantMessage } from '../testing/planting.ts';
import { aShare, redeem, reserve } from '../testing/shares.ts';
import { countedFor, recount } from '../testing/usage.ts';
import { DatabaseAway } from './db/away.ts';
import type { InstanceClockTable } from './db/schema/deadman.ts';
import { givenUpSentences } from './deadman/delivery/send-limits.ts';
import { deleteExpired } from './expiry.ts';
import { eraseOldestChallenges, issueChallenge } from './http/challenge-store.ts';
import { countAttempt, GATE } from './http/rate-limit.ts';

describeOnEachEngine('the sweep', (engine) => {
  it('deletes what has expired and nothing else', async () => {
    const instance = await openTestInstance({ engine });
    const { deps, clock } = instance;
    const fill = async () => {
      const person = await signUpByPassphrase(instance);
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
    await instance.close();
  });

  it('keeps the newest challenges where strangers have asked for too many', async () => {
    const instance = await openTestInstance({ engine });
    const { deps, clock } = instance;
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
    await instance.close();
  });

  it('erases the words behind spent one-time links, whose rows stay', async () => {
    const instance = await openTestInstance({ engine });
    const owner = await signUpByPassphrase(instance);
    const [opened, untouched, expiring, lasting] = [
      await aShare(owner),
      await reserve(owner, { expiresInHours: 1 }),
      await aShare(owner, { expiresInHours: 1 }),
      await aShare(owner),
    ];
    const wordless = async () => {
      await deleteExpired(instance.deps);
      const rows = await instance.deps.db.selectFrom('shareable_keys').selectAll().orderBy('id').execute();
      expect(rows.map(({ id }) => id)).toEqual(
        [opened.key, untouched, expiring.key, lasting.key].map(({ id }) => id),
      );
      return rows.map((row) => row.encrypted_content === null && row.claim_hash === null);
    };
    await redeem(instance, opened);
    instance.clock.advance(10 * MINUTE - 1);
    expect(await wordless()).toEqual([false, true, false, false]);
    instance.clock.advance(1);
    expect(await wordless()).toEqual([true, true, false, false]);
    instance.clock.advance(HOUR);
    expect(await wordless()).toEqual([true, true, true, false]);
    await instance.close();
  });

  it('erases scrolls that were left behind when their year of counted time is over, whatever the calendar says', async () => {
    const instance = await openTestInstance({ engine });
    const owner = await signUpByPassphrase(instance);
    const plant = await plantingFor(instance, owner, '0'.repeat(16));
    const until = 365 * DAY;
    const [mine, left] = [
      await plant.legacyScroll(),
      await plant.legacyScroll({ account_id: null, kept_until: until }),
    ];
    await plantMessage(instance, { kind: 'release', scroll_id: left.id, state: 'sent' });
    const setClock = (values: Updateable<InstanceClockTable>) =>
      instance.deps.db.updateTable('instance_clock').set(values).execute();
    const kept = async () => {
      await deleteExpired(instance.deps);
      const { db } = instance.deps;
      const scrolls = await db.selectFrom('legacy_scrolls').select('id').orderBy('id').execute();
      const messages = await db.selectFrom('messages').select('id').execute();
      return [scrolls.map(({ id }) => id), messages.length];
    };
    instance.clock.advance(400 * DAY);
    await setClock({ counted_time: until - 1 });
    expect(await kept()).toEqual([[mine.id, left.id], 1]);
    await setClock({ counted_time: until, paused_reason: 'restored' });
    expect(await kept()).toEqual([[mine.id, left.id], 1]);
    await setClock({ paused_reason: null });
    expect(await kept()).toEqual([[mine.id], 0]);
    await instance.close();
  });

  it('gives up a message that was left a month before its scroll goes, and says why', async () => {
    const instance = await openTestInstance({ engine });
    const { db } = instance.deps;
    const plant = await plantingFor(instance, await signUpByPassphrase(instance), '0'.repeat(16));
    const left = async (fields: object) => {
      const { id } = await plant.legacyScroll({ account_id: null, kept_until: 365 * DAY, state: 'released' });
      return plantMessage(instance, { scroll_id: id, kind: 'release', state: 'waiting', ...fields });
    };
    await left({ channel: 'sms', withheld: 'permission' });
    await left({ withheld: 'address', waits_for: 'address:ada' });
    await left({});
    await left({ attempts: 7, why: 'The mail server is busy.' });
    const onItsWay = await left({});
    const mine = await plant.legacyScroll({ state: 'released' });
    await plantMessage(instance, { scroll_id: mine.id, kind: 'release', state: 'waiting' });
    const day = 335 * DAY;
    await db
      .insertInto('jobs')
      .values({
        kind: 'deliver',
        dedupe_key: onItsWay.public_id,
        run_at: 0,
        lease: 'x',
        lease_until: day + 1,
      })
      .execute();
    const sweepAt = async (counted_time: number) => {
      await db.updateTable('instance_clock').set({ counted_time }).execute();
      await deleteExpired(instance.deps);
      const rows = await db.selectFrom('messages').selectAll().orderBy('id').execute();
      return rows.map(({ state, why, withheld, waits_for }) => ({ state, why, withheld, waits_for }));
    };
    const before = await sweepAt(day - 1);
    expect(before.map(({ state }) => state)).toEqual(Array(6).fill('waiting'));
    const after = await sweepAt(day);
    const given = { state: 'failed', withheld: null, waits_for: null };
    expect(after).toEqual([
      { ...given, why: givenUpSentences.permission },
      { ...given, why: givenUpSentences.turn },
      { ...given, why: givenUpSentences.unsent },
      { ...given, why: givenUpSentences.refused },
      before[4],
      before[5],
    ]);
    // Its lease has run out, and the administrator has had another one tried again.
    await db.updateTable('messages').set({ state: 'waiting' }).where('state', '=', 'failed').execute();
    const again = await sweepAt(day + 1);
    expect(again.map(({ state }) => state)).toEqual([...Array(5).fill('failed'), 'waiting']);
    await instance.close();
  });

  it('keeps no scroll that was left for longer than its year, whatever its message waits for', async () => {
    const instance = await openTestInstance({ engine });
    const { db } = instance.deps;
    const plant = await plantingFor(instance, await signUpByPassphrase(instance), '0'.repeat(16));
    for (let n = 0; n < 250; n += 1) {
      const { id } = await plant.legacyScroll({ account_id: null, kept_until: 365 * DAY });
      const fields = { scroll_id: id, kind: 'release', state: 'waiting', withheld: 'permission' } as const;
      const { public_id } = await plantMessage(instance, fields);
      await db
        .insertInto('jobs')
        .values({ kind: 'deliver', dedupe_key: public_id, run_at: 999 * DAY, lease: null, lease_until: null })
        .execute();
    }
    const keptAt = async (counted_time: number) => {
      await db.updateTable('instance_clock').set({ counted_time }).execute();
      await deleteExpired(instance.deps);
      const tables = ['legacy_scrolls', 'messages', 'jobs'] as const;
      const rows = await Promise.all(tables.map((table) => db.selectFrom(table).select('id').execute()));
      return rows.map(({ length }) => length);
    };
    expect(await keptAt(365 * DAY - 1)).toEqual([250, 250, 250]);
    expect(await keptAt(365 * DAY)).toEqual([0, 0, 0]);
    await instance.close();
  });

  it('erases what has expired in steps, however much it is', async () => {
    const instance = await openTestInstance({ engine });
    const { db } = instance.deps;
    const person = await aMember(instance);
    const plant = await plantingFor(instance, person, '0'.repeat(16));
    const soon = instance.clock.now() + HOUR;
    for (let n = 0; n < 230; n += 1) {
      await plant.ghost({ expires_at: soon });
      await plant.sacredKey({ expires_at: soon });
    }
    await plant.ghost({ expires_at: soon + 2 * DAY });
    const left = async () => {
      await deleteExpired(instance.deps);
      const words = await db.selectFrom('ghost_words').select('ghost_id').execute();
      const ghosts = await db.selectFrom('ghost_entries').select('id').execute();
      const links = await db
        .selectFrom('shareable_keys')
        .select('id')
        .where('encrypted_content', 'is not', null)
        .execute();
      return [words.length, ghosts.length, links.length];
    };
    expect(await left()).toEqual([231, 231, 230]);
    instance.clock.advance(HOUR);
    expect(await left()).toEqual([1, 231, 0]);
    instance.clock.advance(DAY);
    expect(await left()).toEqual([1, 1, 0]);
    expect(await countedFor(instance, plant.accountId)).toEqual(await recount(instance, plant.accountId));
    await instance.close();
  });

  it('forgets messages after a year of counted time, but for those that wait and those of releases that stand', async () => {
    const instance = await openTestInstance({ engine });
    const states = ['sent', 'cancelled', 'failed', 'waiting'] as const;
    const { db } = instance.deps;
    const plant = await plantingFor(instance, await signUpByPassphrase(instance), '0'.repeat(16));
    const scroll = await plant.legacyScroll();
    for (const created_counted of [0, DAY]) {
      for (const state of states) await plantMessage(instance, { state, created_counted });
    }
    await plantMessage(instance, { kind: 'release', state: 'failed', scroll_id: scroll.id });
    const left = async (counted_time: number) => {
      await db.updateTable('instance_clock').set({ counted_time }).execute();
      await deleteExpired(instance.deps);
      const rows = await db.selectFrom('messages').select('state').orderBy('id').execute();
      return rows.map(({ state }) => state);
    };
    instance.clock.advance(4000 * DAY);
    expect(await left(365 * DAY - 1)).toEqual([...states, ...states, 'failed']);
    expect(await left(365 * DAY)).toEqual(['waiting', ...states, 'failed']);
    expect(await left(800 * DAY)).toEqual(['waiting', 'waiting', 'failed']);
    // Its author has deleted the scroll, or it went with its year.
    await db.deleteFrom('legacy_scrolls').execute();
    expect(await left(800 * DAY)).toEqual(['waiting', 'waiting']);
    await instance.close();
  });

  it('goes on with everything else where something cannot be deleted', async () => {
    const instance = await openTestInstance({ engine });
    const { db } = instance.deps;
    await issueChallenge(instance.deps, 'words', 'a challenge');
    await db.schema.alterTable('sessions').renameTo('gone').execute();
    instance.clock.advance(DAY);
    await expect(deleteExpired(instance.deps)).rejects.toThrow(AggregateError);
    expect(await db.selectFrom('challenges').select('purpose').execute()).toEqual([]);
    await instance.close();
  });

  it('ends between two features when it is told to', async () => {
    const instance = await openTestInstance({ engine });
    await issueChallenge(instance.deps, 'words', 'a challenge');
    instance.clock.advance(DAY);
    await deleteExpired(instance.deps, AbortSignal.abort());
    expect(await instance.deps.db.selectFrom('challenges').select('purpose').execute()).toHaveLength(1);
    await instance.close();
  });

  it('asks a database that is out of reach once', async () => {
    const instance = await openTestInstance({ engine });
    let asked = 0;
    const db = {
      deleteFrom() {
        asked += 1;
        throw new DatabaseAway(new Error('out of reach'));
      },
    } as unknown as TestInstance['deps']['db'];
    await expect(deleteExpired({ ...instance.deps, db })).rejects.toThrow(AggregateError);
    expect(asked).toBe(1);
    await instance.close();
  });

  it('forgets after ninety days of counted time who had a turn, but nothing that a message still holds', async () => {
    const instance = await openTestInstance({ engine });
    const { db } = instance.deps;
    const { public_id: waits } = await plantMessage(instance, { state: 'waiting' });
    const { public_id: cancelled } = await plantMessage(instance, { state: 'cancelled' });
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
      .updateTable('instance_clock')
      .set({ counted_time: 100 * DAY })
      .execute();
    await deleteExpired(instance.deps);
    const left = await db.selectFrom('message_slots').select('message').execute();
    expect(left.map(({ message }) => message).sort()).toEqual(['newer', waits].sort());
    await instance.close();
  });
});
