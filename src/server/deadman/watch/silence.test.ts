// Silence: who is warned, how often, and when it is over; and that life and release never both win.
import { afterEach, expect, it } from 'vitest';
import { warningLadder } from '../../../shared/nouns/switch-rules.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { messageRows } from '../../../testing/scroll-rows.ts';
import { aWatchedInstance, type Watched } from '../../../testing/switch.ts';
import type { Delivery } from '../../adapters/transport.ts';
import { AT_ONCE, DECIDES_FOR } from './in-turns.ts';
import { endSilences } from './silence-store.ts';

const instances: Watched[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.close();
});

/** For days in which it is no matter at which hour something happens. */
const seldom = { tick: 6 * HOUR };

describeOnEachEngine('silence', (engine) => {
  async function anInstance() {
    const instance = await aWatchedInstance({ engine });
    instances.push(instance);
    return instance;
  }
  /** Somebody with a warning address, unless told. */
  async function anAuthor(instance: Watched, address: string | null = 'author@example.org') {
    const id = await instance.anAuthor();
    await instance.deps.db
      .insertInto('warning_addresses')
      .values({
        account_id: id,
        address,
        proved_at: address === null ? null : 1,
        asked_address: null,
        asked_message: null,
      })
      .execute();
    return id;
  }
  const warnings = (instance: Watched) => instance.messages({ kind: 'warning' });
  const steps = async (instance: Watched) =>
    (await warnings(instance)).map(({ step, state }) => `${step} ${state}`);

  it('releases at the deadline and not before, where the dashboard is enough', async () => {
    const instance = await anInstance();
    const id = await instance.watchSilence(await instance.anAuthor(), 2);
    await instance.live(2 * DAY);
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(2 * HOUR);
    expect(await instance.stateOf(id)).toBe('released');
    expect(await warnings(instance)).toEqual([]);
    expect(await instance.messages()).toMatchObject([
      {
        kind: 'release',
        channel: 'email',
        address: 'recipient@example.org',
        state: 'waiting',
        scroll_id: id,
      },
    ]);
    expect(await instance.clock()).toMatchObject({ releases: 1 });
    await instance.live(DAY);
    expect(await instance.messages()).toHaveLength(1);
  });

  it('warns once for each step; what was accepted counts, and the scroll goes at its deadline', async () => {
    const instance = await anInstance();
    const id = await instance.watchSilence(await anAuthor(instance), 14, { warning: 'mail' });
    await instance.live(7 * DAY + HOUR, { deliver: true, ...seldom });
    expect(await steps(instance)).toEqual([]);
    await instance.live(2 * HOUR, { deliver: true });
    expect(await steps(instance)).toEqual(['1 sent']);
    await instance.live(6 * DAY - 4 * HOUR, { deliver: true, ...seldom });
    expect(await steps(instance)).toEqual(['1 sent', '2 sent']);
    await instance.live(DAY, { deliver: true });
    expect(await steps(instance)).toEqual(['1 sent', '2 sent', '3 sent']);
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(4 * HOUR);
    expect(await instance.stateOf(id)).toBe('released');
    expect(instance.mail.letters).toHaveLength(3);
  });

  it('holds a scroll whose warnings nobody accepts for fourteen days, with a newer warning each day', async () => {
    const instance = await anInstance();
    instance.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    const id = await instance.watchSilence(await anAuthor(instance), 14, { warning: 'mail' });
    await instance.live(12 * DAY, seldom);
    await instance.live(2 * DAY + 4 * HOUR);
    expect(await steps(instance)).toEqual(['1 cancelled', '2 cancelled', '3 cancelled', '4 waiting']);
    await instance.live(14 * DAY - 4 * HOUR, seldom);
    expect(await instance.stateOf(id)).toBe('watching');
    expect(await steps(instance)).toHaveLength(17);
    await instance.live(4 * HOUR);
    expect(await instance.stateOf(id)).toBe('released');
    expect((await steps(instance)).every((step) => step.endsWith('cancelled'))).toBe(true);
  });

  it('waits a day after a warning that was accepted late', async () => {
    const instance = await anInstance();
    instance.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    const id = await instance.watchSilence(await anAuthor(instance), 4, { warning: 'mail' });
    await instance.live(6 * DAY, { deliver: true });
    expect(await instance.stateOf(id)).toBe('watching');
    instance.mail.answer = () => 'accepted';
    await instance.live(DAY, { deliver: true });
    const accepted = (await instance.scroll(id)).warning_accepted ?? 0;
    expect(accepted).toBeGreaterThan(0);
    await instance.live(accepted + DAY - (await instance.clock()).counted_time - HOUR);
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(2 * HOUR);
    expect(await instance.stateOf(id)).toBe('released');
  });

  it('counts no warning that was cancelled on its way', async () => {
    const instance = await anInstance();
    const author = await anAuthor(instance);
    const id = await instance.watchSilence(author, 2, { warning: 'mail' });
    instance.mail.answer = async (): Promise<Delivery> => {
      await instance.stillHere(author);
      return 'accepted';
    };
    await instance.live(DAY + 3 * HOUR, { deliver: true });
    expect(await steps(instance)).toEqual(['1 cancelled']);
    expect(await instance.scroll(id)).toMatchObject({ warning_step: 0, warning_accepted: null });
  });

  it('begins anew with every proof of life, of all scrolls of that account and no other', async () => {
    const instance = await anInstance();
    const [one, two] = [await anAuthor(instance), await anAuthor(instance)];
    const mine = [
      await instance.watchSilence(one, 2, { warning: 'mail' }),
      await instance.watchSilence(one, 3),
    ];
    const other = await instance.watchSilence(two, 2, { warning: 'mail' });
    await instance.live(DAY + 3 * HOUR);
    expect(await steps(instance)).toEqual(['1 waiting', '1 waiting']);
    await instance.stillHere(one);
    expect(await steps(instance)).toEqual(['1 cancelled', '1 waiting']);
    await instance.live(2 * DAY);
    expect(await Promise.all(mine.map(instance.stateOf))).toEqual(['watching', 'watching']);
    expect(await instance.scroll(other)).toMatchObject({ state: 'watching', warning_step: 3 });
    expect(await steps(instance)).toEqual([
      '1 cancelled',
      '1 cancelled',
      '2 cancelled',
      '1 waiting',
      '3 waiting',
    ]);
  });

  it('has nobody to warn without an address that was proved, and is over after fourteen days', async () => {
    const instance = await anInstance();
    const ids = [
      await instance.watchSilence(await anAuthor(instance, null), 1, { warning: 'mail' }),
      await instance.watchSilence(await instance.anAuthor(), 1, { warning: 'mail' }),
    ];
    await instance.live(15 * DAY - 2 * HOUR, seldom);
    expect(await warnings(instance)).toEqual([]);
    expect(await Promise.all(ids.map(instance.stateOf))).toEqual(['watching', 'watching']);
    await instance.live(6 * HOUR);
    expect(await Promise.all(ids.map(instance.stateOf))).toEqual(['released', 'released']);
  });

  it('is said to be due when what an outage holds back may go, and no sooner', async () => {
    const instance = await anInstance();
    const id = await instance.watchSilence(await anAuthor(instance), 4, { warning: 'mail' });
    await instance.live(4 * DAY - HOUR, { deliver: true });
    instance.sleep(100 * DAY);
    await instance.live(2 * HOUR, { deliver: true });
    const { counted_time, firmly_held_until } = await instance.clock();
    const { due_in, created_counted } = await instance.deps.db
      .selectFrom('messages')
      .innerJoin('warned_scrolls', 'warned_scrolls.message_id', 'messages.id')
      .select(['due_in', 'created_counted'])
      .orderBy('messages.id', 'desc')
      .executeTakeFirstOrThrow();
    expect(created_counted + due_in).toBe(firmly_held_until);
    await instance.live(firmly_held_until - counted_time - HOUR, seldom);
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(2 * HOUR);
    expect(await instance.stateOf(id)).toBe('released');
  });

  it('is held after an outage, and for fourteen days at most however often the server sleeps', async () => {
    const instance = await anInstance();
    const id = await instance.watchSilence(await instance.anAuthor(), 1);
    await instance.live(DAY);
    // Each absence counts for 26 hours.
    for (let outage = 0; outage < 6; outage += 1) {
      instance.sleep(5 * DAY);
      await instance.live(DAY);
      expect(await instance.stateOf(id)).toBe('watching');
    }
    instance.sleep(5 * DAY);
    await instance.live(DAY);
    expect(await instance.stateOf(id)).toBe('released');
  });

  it('three days after an outage is over', async () => {
    const instance = await anInstance();
    const id = await instance.watchSilence(await instance.anAuthor(), 1);
    await instance.live(DAY - 2 * HOUR);
    instance.sleep(20 * DAY);
    await instance.live(3 * DAY);
    expect(await instance.stateOf(id)).toBe('watching');
    await instance.live(2 * HOUR);
    expect(await instance.stateOf(id)).toBe('released');
  });

  it('is looked at from its first warning on, or from its deadline, and later when its author has lived', async () => {
    const instance = await anInstance();
    const author = await anAuthor(instance);
    const mailed = await instance.watchSilence(author, 30, { warning: 'mail' });
    const brief = await instance.watchSilence(author, 2, { warning: 'mail' });
    const quiet = await instance.watchSilence(author, 10);
    const looks = () =>
      Promise.all([mailed, brief, quiet].map(async (id) => (await instance.scroll(id)).next_check_at));
    expect(await looks()).toEqual([0, 0, 0]);
    await instance.live(HOUR);
    // A life counts from two ticks ahead.
    // Without warnings, from when a trusted contact would be told.
    const first = [23 * DAY, DAY, 7 * DAY].map((time) => time + 2 * HOUR);
    expect(await looks()).toEqual(first);
    await instance.live(23 * HOUR);
    await instance.stillHere(author);
    expect(await looks()).toEqual(first);
    await instance.live(3 * HOUR);
    expect(await looks()).toEqual([first[0], (first[1] ?? 0) + DAY, first[2]]);
    expect(await warnings(instance)).toEqual([]);
    await instance.live(DAY);
    expect(await warnings(instance)).toHaveLength(1);
    expect(await messageRows(instance, { id: brief })).toMatchObject([{ kind: 'warning' }]);
  });

  it('is looked at again when its next warning is due, or its deadline, and not at every tick between', async () => {
    const instance = await anInstance();
    const author = await anAuthor(instance);
    const id = await instance.watchSilence(author, 30, { warning: 'mail' });
    const next = async () => (await instance.scroll(id)).next_check_at;
    await instance.live(HOUR);
    const first = await next();
    const looks = [first];
    const ladder = warningLadder(30 * DAY, instance.deps.rules);
    while ((await instance.scroll(id)).warning_step < ladder.length) {
      await instance.live(HOUR);
      const look = await next();
      if (look !== looks.at(-1)) looks.push(look);
    }
    const deadline = first + (ladder[0] ?? 0);
    expect(looks).toEqual([...ladder, 0].map((before) => deadline - before));
    expect(await warnings(instance)).toHaveLength(ladder.length);
    // Its author lives: it is looked at when it would have been decided, and then from its first warning on.
    await instance.stillHere(author);
    await instance.live(2 * DAY);
    expect(await next()).toBeGreaterThan(deadline + 20 * DAY);
    expect(await instance.stateOf(id)).toBe('watching');
  });

  it('of more than are read at a time is over for each of them at one tick', async () => {
    const instance = await anInstance();
    const author = await instance.anAuthor();
    const ids: number[] = [];
    for (let n = 0; n < 220; n += 1) ids.push(await instance.watchSilence(author, 1));
    await instance.setClock({ counted_time: 10 * DAY });
    const { released, hasMore } = await endSilences(instance.deps, await instance.clock());
    expect([released, hasMore]).toEqual([ids.length, false]);
  });

  it('of more than one tick decides is over for the few of one author before the many of another', async () => {
    const instance = await anInstance();
    const [many, few] = [await instance.anAuthor(), await instance.anAuthor()];
    for (let n = 0; n < AT_ONCE + 20; n += 1) await instance.watchSilence(many, 1);
    const last = [await instance.watchSilence(few, 1), await instance.watchSilence(few, 1)];
    await instance.setClock({ counted_time: 10 * DAY });
    const first = await endSilences(instance.deps, await instance.clock());
    expect(first).toEqual({ released: AT_ONCE, hasMore: true });
    for (const id of last) expect(await instance.stateOf(id)).toBe('released');
    const second = await endSilences(instance.deps, await instance.clock());
    expect(second).toEqual({ released: 22, hasMore: false });
  });

  it('of more than a slow machine decides in a moment is over for one of each author before a second of any', async () => {
    const instance = await anInstance();
    const [many, few] = [await instance.anAuthor(), await instance.anAuthor()];
    for (let n = 0; n < 10; n += 1) await instance.watchSilence(many, 1);
    const last = await instance.watchSilence(few, 1);
    await instance.setClock({ counted_time: 10 * DAY });
    let time = 0;
    const slowly = () => {
      time += DECIDES_FOR / 4;
      return time;
    };
    const first = await endSilences(instance.deps, await instance.clock(), slowly);
    expect(first).toEqual({ released: 4, hasMore: true });
    expect(await instance.stateOf(last)).toBe('released');
    // One that takes for longer than that is still decided.
    const standing = () => {
      time += 2 * DECIDES_FOR;
      return time;
    };
    for (let left = 7; left > 0; left -= 1) {
      const next = await endSilences(instance.deps, await instance.clock(), standing);
      expect(next).toEqual({ released: 1, hasMore: left > 1 });
    }
  });

  it('of a watch that was activated anew since it was looked at is looked at again', async () => {
    const instance = await anInstance();
    const { db } = instance.deps;
    const id = await instance.watchSilence(await instance.anAuthor(), 300);
    const [clock, row] = [await instance.clock(), await instance.scroll(id)];
    // Between the look and the statement that follows from it.
    const plugged = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if ((result.rows[0] as { watching_since?: unknown } | undefined)?.watching_since !== undefined) {
          const anew = db.updateTable('legacy_scrolls').set({ period: DAY, next_check_at: 0 }).execute();
          // The embedded database has one connection, and whoever asks first has it first.
          if (engine === 'postgres') await anew;
        }
        return result;
      },
    });
    await endSilences({ ...instance.deps, db: plugged }, clock);
    expect(await instance.scroll(id)).toMatchObject({
      next_check_at: 0,
      period: DAY,
      watching_since: row.watching_since,
    });
  });

  it('decides nothing for a scroll that was disarmed or activated anew since it was looked at', async () => {
    const instance = await anInstance();
    const id = await instance.watchSilence(await instance.anAuthor(), 1);
    await instance.live(DAY - HOUR);
    const { db } = instance.deps;
    const releasable = { ...(await instance.clock()), counted_time: 10 * DAY };
    await instance.setClock({ counted_time: 10 * DAY });
    await db.updateTable('legacy_scrolls').set({ state: 'dormant' }).execute();
    expect(await endSilences(instance.deps, releasable)).toMatchObject({ released: 0 });
    await db
      .updateTable('legacy_scrolls')
      .set({ state: 'watching', watching_since: 10 * DAY })
      .execute();
    expect(await endSilences(instance.deps, releasable)).toMatchObject({ released: 0 });
    await db.updateTable('legacy_scrolls').set({ watching_since: 0, next_check_at: 0 }).execute();
    await instance.setClock({ paused_reason: 'restored' });
    expect(await endSilences(instance.deps, releasable)).toMatchObject({ released: 0 });
    await instance.setClock({ paused_reason: null });
    expect(await endSilences(instance.deps, releasable)).toMatchObject({ released: 1 });
    expect(await instance.stateOf(id)).toBe('released');
  });

  it('is won by life or by release, never by both, and by one of many ticks', async () => {
    const instance = await anInstance();
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const author = await instance.anAuthor();
      const id = await instance.watchSilence(author, 1);
      await instance.deps.db
        .updateTable('last_activity')
        .set({ counted_time: (await instance.clock()).counted_time })
        .where('account_id', '=', author)
        .execute();
      await instance.setClock({ counted_time: (await instance.clock()).counted_time + DAY, held_until: 0 });
      const clock = await instance.clock();
      const before = clock.releases;
      const ticks = Array.from({ length: 3 }, async () => (await endSilences(instance.deps, clock)).released);
      const [lastActivity, ...released] = await (round % 2
        ? Promise.all([instance.stillHere(author), ...ticks])
        : Promise.all([...ticks, instance.stillHere(author)]).then((all) => [all[3], ...all.slice(0, 3)]));
      expect(lastActivity).toBe(0);
      const won = released.reduce<number>((sum, count) => sum + (count ?? 0), 0);
      expect(won).toBeLessThanOrEqual(1);
      expect((await instance.clock()).releases).toBe(before + won);
      expect(await instance.stateOf(id)).toBe(won ? 'released' : 'watching');
      // Life that came first leaves nothing releasable behind.
      expect(await endSilences(instance.deps, await instance.clock())).toMatchObject({ released: 0 });
      outcomes.add(won ? 'release' : 'life');
      await instance.deps.db.updateTable('legacy_scrolls').set({ state: 'dormant' }).execute();
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  it('of one scroll that cannot be decided keeps no other waiting', async () => {
    const instance = await anInstance();
    const author = await instance.anAuthor();
    const [bad, good] = [await instance.watchSilence(author, 1), await instance.watchSilence(author, 1)];
    const day = await instance.waitUntil(author, instance.deps.now());
    // A message with the number that the first one's release would have.
    const digests = instance.deps.digests;
    const [recipient] = await instance.recipients(bad);
    const number = Buffer.from(digests.keyed('release', `${recipient?.id} ${recipient?.public_id}`), 'hex')
      .subarray(0, 16)
      .toString('base64url');
    await instance.deps.db
      .insertInto('messages')
      .values({
        public_id: number,
        kind: 'release',
        channel: 'email',
        address: 'x@example.org',
        account_id: null,
        scroll_id: null,
        scroll_public_id: null,
        deadline: null,
        why: null,
        created_at: 0,
        created_counted: 0,
        sent_at: null,
        confirmed_at: null,
      })
      .execute();
    await instance.live(DAY + 3 * HOUR);
    expect(await Promise.all([bad, good, day].map(instance.stateOf))).toEqual([
      'watching',
      'released',
      'released',
    ]);
    expect(
      instance.instance.log.filter(({ msg }) => msg === 'a legacy scroll could not be decided'),
    ).not.toEqual([]);
  });

  it('presses count three times in a row, and a sign of life from a page resets them', async () => {
    const instance = await anInstance();
    const author = await instance.anAuthor();
    const press = () => instance.stillHere(author, 'press');
    expect([await press(), await press(), await press(), await press()]).toEqual([1, 2, 3, null]);
    expect(await instance.stillHere(author)).toBe(0);
    const raced = await Promise.all(Array.from({ length: 20 }, press));
    expect(raced.filter((left) => left !== null).sort()).toEqual([1, 2, 3]);
    const before = await instance.deps.db.selectFrom('last_activity').selectAll().executeTakeFirstOrThrow();
    await instance.live(2 * DAY);
    expect(await press()).toBeNull();
    expect(await instance.deps.db.selectFrom('last_activity').selectAll().executeTakeFirstOrThrow()).toEqual(
      before,
    );
  });

  it('is never moved back by a life that is written late', async () => {
    const instance = await anInstance();
    const author = await instance.anAuthor();
    await instance.live(DAY);
    await instance.stillHere(author);
    const last_activity = () =>
      instance.deps.db.selectFrom('last_activity').selectAll().executeTakeFirstOrThrow();
    const { counted_time } = await last_activity();
    await instance.setClock({ counted_time: 0 });
    await instance.stillHere(author);
    expect(await last_activity()).toMatchObject({ counted_time });
  });
});
