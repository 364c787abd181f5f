// Days: kept to the day, unless nobody saw them begin or the calendar jumped to them.
import { afterEach, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aServer, aWatchedHouse, type Watched } from '../../../testing/switch.ts';
import { endWaits } from './date-store.ts';

const houses: Watched[] = [];
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close();
});

describeOnEachEngine('a day', (engine) => {
  async function aHouse() {
    const house = await aWatchedHouse({ engine });
    houses.push(house);
    return { house, author: await house.anAuthor() };
  }

  it('releases when it begins, without a warning', async () => {
    const { house, author } = await aHouse();
    const id = await house.waitUntil(author, house.deps.now() + 2 * DAY);
    await house.live(2 * DAY - HOUR);
    expect(await house.stateOf(id)).toBe('watching');
    await house.live(HOUR);
    expect(await house.stateOf(id)).toBe('released');
    expect(await house.messages()).toMatchObject([{ kind: 'release' }]);
  });

  it('that began while nobody was there waits for a day of house time, also when the server dies at once', async () => {
    const { house, author } = await aHouse();
    await house.live(DAY);
    const id = await house.waitUntil(author, house.deps.now() + DAY);
    house.sleep(3 * DAY);
    const { journal } = house.server;
    const first = aServer(house.house, journal);
    await first.beat();
    await aServer(house.house, journal).beat();
    expect(await house.stateOf(id)).toBe('watching');
    await house.live(DAY - HOUR);
    expect(await house.stateOf(id)).toBe('watching');
    await house.live(3 * HOUR);
    expect(await house.stateOf(id)).toBe('released');
  });

  it('that the calendar jumped to waits too, and goes back with it', async () => {
    const { house, author } = await aHouse();
    const due = house.deps.now() + 20 * DAY;
    const id = await house.waitUntil(author, due);
    house.sleep(30 * DAY);
    await house.live(20 * HOUR);
    expect(await house.scroll(id)).toMatchObject({ state: 'watching', date_ripe: expect.any(Number) });
    house.sleep(-30 * DAY);
    await house.live(3 * DAY);
    expect(await house.scroll(id)).toMatchObject({ state: 'watching', date_ripe: null });
    await house.live(due - house.deps.now() - HOUR);
    expect(await house.stateOf(id)).toBe('watching');
    await house.live(HOUR);
    expect(await house.stateOf(id)).toBe('released');
  });

  it('that began while the switch was paused waits for the hold after the keeper’s word', async () => {
    const { house, author } = await aHouse();
    const id = await house.waitUntil(author, house.deps.now() + DAY);
    await house.setClock({ paused_reason: 'restored', paused_at: 1 });
    await house.live(5 * DAY);
    await house.confirm();
    await house.live(2 * DAY);
    expect(await house.stateOf(id)).toBe('watching');
    await house.live(DAY + 3 * HOUR);
    expect(await house.stateOf(id)).toBe('released');
  });

  it('that was noticed before a pause waits for the hold after the keeper’s word as well', async () => {
    const { house, author } = await aHouse();
    const id = await house.waitUntil(author, house.deps.now() + 2 * DAY);
    house.sleep(3 * DAY);
    await house.live(23 * HOUR);
    expect(await house.scroll(id)).toMatchObject({ state: 'watching', date_ripe: expect.any(Number) });
    await house.setClock({ paused_reason: 'restored', paused_at: 1 });
    await house.live(HOUR);
    await house.confirm();
    await house.live(3 * DAY - HOUR);
    expect(await house.stateOf(id)).toBe('watching');
    await house.live(3 * HOUR);
    expect(await house.stateOf(id)).toBe('released');
  });

  it('is released by one of many beats, and not after it was disarmed or put off', async () => {
    const { house, author } = await aHouse();
    const id = await house.waitUntil(author, house.deps.now());
    const { db } = house.deps;
    const clock = { ...(await house.clock()), beaten_at: house.deps.now() };
    await db.updateTable('legacy_scrolls').set({ state: 'dormant' }).execute();
    expect(await endWaits(house.deps, clock)).toBe(0);
    await db
      .updateTable('legacy_scrolls')
      .set({ state: 'watching', due_at: clock.beaten_at + 1 })
      .execute();
    expect(await endWaits(house.deps, clock)).toBe(0);
    await db.updateTable('legacy_scrolls').set({ due_at: clock.beaten_at }).execute();
    await house.setClock({ paused_reason: 'restored' });
    expect(await endWaits(house.deps, clock)).toBe(0);
    await house.setClock({ paused_reason: null });
    const released = await Promise.all(Array.from({ length: 8 }, () => endWaits(house.deps, clock)));
    expect(released.reduce((sum, count) => sum + count)).toBe(1);
    expect(await house.stateOf(id)).toBe('released');
    expect(await house.messages()).toHaveLength(1);
  });
});
