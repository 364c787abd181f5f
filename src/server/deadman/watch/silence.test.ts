// Silence: who is warned, how often, and when it is over; and that life and release never both win.
import { afterEach, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aWatchedHouse, type Watched } from '../../../testing/switch.ts';
import type { Delivery } from '../../adapters/transport.ts';
import { endSilences } from './silence-store.ts';

const houses: Watched[] = [];
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close();
});

describeOnEachEngine('silence', (engine) => {
  async function aHouse() {
    const house = await aWatchedHouse({ engine });
    houses.push(house);
    return house;
  }
  /** Somebody with a warning address, unless told. */
  async function anAuthor(house: Watched, address: string | null = 'author@example.org') {
    const id = await house.anAuthor();
    await house.deps.db
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
  const warnings = (house: Watched) => house.messages({ kind: 'warning' });
  const rungs = async (house: Watched) =>
    (await warnings(house)).map(({ rung, state }) => `${rung} ${state}`);

  it('releases at the deadline and not before, where the dashboard is enough', async () => {
    const house = await aHouse();
    const id = await house.watchSilence(await house.anAuthor(), 2);
    await house.live(2 * DAY);
    expect(await house.stateOf(id)).toBe('watching');
    await house.live(2 * HOUR);
    expect(await house.stateOf(id)).toBe('released');
    expect(await warnings(house)).toEqual([]);
    expect(await house.messages()).toMatchObject([
      {
        kind: 'release',
        channel: 'email',
        address: 'recipient@example.org',
        state: 'waiting',
        scroll_id: id,
      },
    ]);
    expect(await house.clock()).toMatchObject({ releases: 1 });
    await house.live(DAY);
    expect(await house.messages()).toHaveLength(1);
  });

  it('warns once for each rung; what was accepted counts, and the scroll goes at its deadline', async () => {
    const house = await aHouse();
    const id = await house.watchSilence(await anAuthor(house), 14, { warning: 'mail' });
    await house.live(7 * DAY + HOUR, { deliver: true });
    expect(await rungs(house)).toEqual([]);
    await house.live(2 * HOUR, { deliver: true });
    expect(await rungs(house)).toEqual(['1 sent']);
    await house.live(6 * DAY - 4 * HOUR, { deliver: true });
    expect(await rungs(house)).toEqual(['1 sent', '2 sent']);
    await house.live(DAY, { deliver: true });
    expect(await rungs(house)).toEqual(['1 sent', '2 sent', '3 sent']);
    expect(await house.stateOf(id)).toBe('watching');
    await house.live(4 * HOUR);
    expect(await house.stateOf(id)).toBe('released');
    expect(house.mail.letters).toHaveLength(3);
  });

  it('holds a scroll whose warnings nobody accepts for fourteen days, with a newer warning each day', async () => {
    const house = await aHouse();
    house.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    const id = await house.watchSilence(await anAuthor(house), 14, { warning: 'mail' });
    await house.live(14 * DAY + 4 * HOUR);
    expect(await rungs(house)).toEqual(['1 cancelled', '2 cancelled', '3 cancelled', '4 waiting']);
    await house.live(14 * DAY - 4 * HOUR);
    expect(await house.stateOf(id)).toBe('watching');
    expect(await rungs(house)).toHaveLength(17);
    await house.live(4 * HOUR);
    expect(await house.stateOf(id)).toBe('released');
    expect((await rungs(house)).every((rung) => rung.endsWith('cancelled'))).toBe(true);
  });

  it('waits a day after a warning that was accepted late', async () => {
    const house = await aHouse();
    house.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    const id = await house.watchSilence(await anAuthor(house), 4, { warning: 'mail' });
    await house.live(6 * DAY, { deliver: true });
    expect(await house.stateOf(id)).toBe('watching');
    house.mail.answer = () => 'accepted';
    await house.live(DAY, { deliver: true });
    const accepted = (await house.scroll(id)).warning_accepted ?? 0;
    expect(accepted).toBeGreaterThan(0);
    await house.live(accepted + DAY - (await house.clock()).house_time - HOUR);
    expect(await house.stateOf(id)).toBe('watching');
    await house.live(2 * HOUR);
    expect(await house.stateOf(id)).toBe('released');
  });

  it('counts no warning that was cancelled on its way', async () => {
    const house = await aHouse();
    const author = await anAuthor(house);
    const id = await house.watchSilence(author, 2, { warning: 'mail' });
    house.mail.answer = async (): Promise<Delivery> => {
      await house.stillHere(author);
      return 'accepted';
    };
    await house.live(DAY + 3 * HOUR, { deliver: true });
    expect(await rungs(house)).toEqual(['1 cancelled']);
    expect(await house.scroll(id)).toMatchObject({ warned_rung: 0, warning_accepted: null });
  });

  it('begins anew with every proof of life, of all scrolls of that account and no other', async () => {
    const house = await aHouse();
    const [one, two] = [await anAuthor(house), await anAuthor(house)];
    const mine = [await house.watchSilence(one, 2, { warning: 'mail' }), await house.watchSilence(one, 3)];
    const other = await house.watchSilence(two, 2, { warning: 'mail' });
    await house.live(DAY + 3 * HOUR);
    expect(await rungs(house)).toEqual(['1 waiting', '1 waiting']);
    await house.stillHere(one);
    expect(await rungs(house)).toEqual(['1 cancelled', '1 waiting']);
    await house.live(2 * DAY);
    expect(await Promise.all(mine.map(house.stateOf))).toEqual(['watching', 'watching']);
    expect(await house.scroll(other)).toMatchObject({ state: 'watching', warned_rung: 3 });
    expect(await rungs(house)).toEqual([
      '1 cancelled',
      '1 cancelled',
      '2 cancelled',
      '1 waiting',
      '3 waiting',
    ]);
  });

  it('has nobody to warn without an address that was proved, and is over after fourteen days', async () => {
    const house = await aHouse();
    const ids = [
      await house.watchSilence(await anAuthor(house, null), 1, { warning: 'mail' }),
      await house.watchSilence(await house.anAuthor(), 1, { warning: 'mail' }),
    ];
    await house.live(15 * DAY - 2 * HOUR);
    expect(await warnings(house)).toEqual([]);
    expect(await Promise.all(ids.map(house.stateOf))).toEqual(['watching', 'watching']);
    await house.live(6 * HOUR);
    expect(await Promise.all(ids.map(house.stateOf))).toEqual(['released', 'released']);
  });

  it('is held after an outage, and for fourteen days at most however often the house sleeps', async () => {
    const house = await aHouse();
    const id = await house.watchSilence(await house.anAuthor(), 1);
    await house.live(DAY);
    for (let day = 0; day < 13; day += 1) {
      house.sleep(9 * HOUR);
      await house.live(DAY);
      expect(await house.stateOf(id)).toBe('watching');
    }
    house.sleep(9 * HOUR);
    await house.live(DAY + 4 * HOUR);
    expect(await house.stateOf(id)).toBe('released');
  });

  it('three days after an outage is over', async () => {
    const house = await aHouse();
    const id = await house.watchSilence(await house.anAuthor(), 1);
    await house.live(DAY - 2 * HOUR);
    house.sleep(20 * DAY);
    await house.live(3 * DAY);
    expect(await house.stateOf(id)).toBe('watching');
    await house.live(2 * HOUR);
    expect(await house.stateOf(id)).toBe('released');
  });

  it('is looked at from its first warning on, or from its deadline, and later when its author has lived', async () => {
    const house = await aHouse();
    const author = await anAuthor(house);
    const mailed = await house.watchSilence(author, 30, { warning: 'mail' });
    const brief = await house.watchSilence(author, 2, { warning: 'mail' });
    const quiet = await house.watchSilence(author, 10);
    const looks = () =>
      Promise.all([mailed, brief, quiet].map(async (id) => (await house.scroll(id)).look_at));
    expect(await looks()).toEqual([0, 0, 0]);
    await house.live(HOUR);
    // A life counts from two beats ahead.
    const first = [23 * DAY, DAY, 10 * DAY].map((time) => time + 2 * HOUR);
    expect(await looks()).toEqual(first);
    await house.live(23 * HOUR);
    await house.stillHere(author);
    expect(await looks()).toEqual(first);
    await house.live(3 * HOUR);
    expect(await looks()).toEqual([first[0], (first[1] ?? 0) + DAY, first[2]]);
    expect(await warnings(house)).toEqual([]);
    await house.live(DAY);
    expect(await warnings(house)).toMatchObject([{ scroll_id: brief }]);
  });

  it('of a watch that was activated anew since it was looked at is looked at again', async () => {
    const house = await aHouse();
    const { db } = house.deps;
    const id = await house.watchSilence(await house.anAuthor(), 300);
    const [clock, row] = [await house.clock(), await house.scroll(id)];
    // Between the look and the statement that follows from it.
    const plugged = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if ((result.rows[0] as { watching_since?: unknown } | undefined)?.watching_since !== undefined) {
          const anew = db.updateTable('legacy_scrolls').set({ period: DAY, look_at: 0 }).execute();
          // The embedded database has one connection, and whoever asks first has it first.
          if (engine === 'postgres') await anew;
        }
        return result;
      },
    });
    await endSilences({ ...house.deps, db: plugged }, clock);
    expect(await house.scroll(id)).toMatchObject({
      look_at: 0,
      period: DAY,
      watching_since: row.watching_since,
    });
  });

  it('decides nothing for a scroll that was disarmed or activated anew since it was looked at', async () => {
    const house = await aHouse();
    const id = await house.watchSilence(await house.anAuthor(), 1);
    await house.live(DAY - HOUR);
    const { db } = house.deps;
    const ripe = { ...(await house.clock()), house_time: 10 * DAY };
    await house.setClock({ house_time: 10 * DAY });
    await db.updateTable('legacy_scrolls').set({ state: 'dormant' }).execute();
    expect(await endSilences(house.deps, ripe)).toBe(0);
    await db
      .updateTable('legacy_scrolls')
      .set({ state: 'watching', watching_since: 10 * DAY })
      .execute();
    expect(await endSilences(house.deps, ripe)).toBe(0);
    await db.updateTable('legacy_scrolls').set({ watching_since: 0, look_at: 0 }).execute();
    await house.setClock({ paused_reason: 'restored' });
    expect(await endSilences(house.deps, ripe)).toBe(0);
    await house.setClock({ paused_reason: null });
    expect(await endSilences(house.deps, ripe)).toBe(1);
    expect(await house.stateOf(id)).toBe('released');
  });

  it('is won by life or by release, never by both, and by one of many beats', async () => {
    const house = await aHouse();
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const author = await house.anAuthor();
      const id = await house.watchSilence(author, 1);
      await house.deps.db
        .updateTable('lives')
        .set({ house_time: (await house.clock()).house_time })
        .where('account_id', '=', author)
        .execute();
      await house.setClock({ house_time: (await house.clock()).house_time + DAY, held_until: 0 });
      const clock = await house.clock();
      const before = clock.releases;
      const beats = Array.from({ length: 3 }, () => endSilences(house.deps, clock));
      const [life, ...released] = await (round % 2
        ? Promise.all([house.stillHere(author), ...beats])
        : Promise.all([...beats, house.stillHere(author)]).then((all) => [all[3], ...all.slice(0, 3)]));
      expect(life).toBe(0);
      const won = released.reduce<number>((sum, count) => sum + (count ?? 0), 0);
      expect(won).toBeLessThanOrEqual(1);
      expect((await house.clock()).releases).toBe(before + won);
      expect(await house.stateOf(id)).toBe(won ? 'released' : 'watching');
      // Life that came first leaves nothing ripe behind.
      expect(await endSilences(house.deps, await house.clock())).toBe(0);
      outcomes.add(won ? 'release' : 'life');
      await house.deps.db.updateTable('legacy_scrolls').set({ state: 'dormant' }).execute();
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  it('of one scroll that cannot be decided keeps no other waiting', async () => {
    const house = await aHouse();
    const author = await house.anAuthor();
    const [bad, good] = [await house.watchSilence(author, 1), await house.watchSilence(author, 1)];
    const day = await house.waitUntil(author, house.deps.now());
    // A message with the number that the first one's release would have.
    const digests = house.deps.digests;
    const { public_id } = await house.scroll(bad);
    const number = Buffer.from(digests.keyed('release', public_id), 'hex')
      .subarray(0, 16)
      .toString('base64url');
    await house.deps.db
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
        created_house: 0,
        sent_at: null,
        pressed_at: null,
      })
      .execute();
    await house.live(DAY + 3 * HOUR);
    expect(await Promise.all([bad, good, day].map(house.stateOf))).toEqual([
      'watching',
      'released',
      'released',
    ]);
    expect(house.house.log.filter(({ msg }) => msg === 'a legacy scroll could not be decided')).not.toEqual(
      [],
    );
  });

  it('presses count three times in a row, and a sign of life from a page resets them', async () => {
    const house = await aHouse();
    const author = await house.anAuthor();
    const press = () => house.stillHere(author, 'press');
    expect([await press(), await press(), await press(), await press()]).toEqual([1, 2, 3, null]);
    expect(await house.stillHere(author)).toBe(0);
    const raced = await Promise.all(Array.from({ length: 20 }, press));
    expect(raced.filter((left) => left !== null).sort()).toEqual([1, 2, 3]);
    const before = await house.deps.db.selectFrom('lives').selectAll().executeTakeFirstOrThrow();
    await house.live(2 * DAY);
    expect(await press()).toBeNull();
    expect(await house.deps.db.selectFrom('lives').selectAll().executeTakeFirstOrThrow()).toEqual(before);
  });

  it('is never moved back by a life that is written late', async () => {
    const house = await aHouse();
    const author = await house.anAuthor();
    await house.live(DAY);
    await house.stillHere(author);
    const lives = () => house.deps.db.selectFrom('lives').selectAll().executeTakeFirstOrThrow();
    const { house_time } = await lives();
    await house.setClock({ house_time: 0 });
    await house.stillHere(author);
    expect(await lives()).toMatchObject({ house_time });
  });
});
