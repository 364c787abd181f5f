import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../shared/time.ts';
import { watchGestures } from './proof-of-life.ts';

const press = { isTrusted: true };

/** Tabs of one browser, whose clock stands where it is put. */
function browser() {
  const state = { now: 1_000_000_000, stamp: Number.NEGATIVE_INFINITY, given: 0, deaf: false, online: true };
  const tab = () =>
    watchGestures({
      now: () => state.now,
      online: () => state.online,
      heardAt: () => state.stamp,
      keep: (moment) => {
        state.stamp = moment;
      },
      give: async () => {
        if (state.deaf) throw new TypeError('out of reach');
        state.given += 1;
      },
    });
  return { state, tab };
}

describe('a sign of life', () => {
  it('follows the first press, and is given once an hour at most, whichever tab is pressed', async () => {
    const { state, tab } = browser();
    const [one, two] = [tab(), tab()];
    await one(press);
    expect(state.given).toBe(1);
    for (let minute = 1; minute < 60; minute += 1) {
      state.now += MINUTE;
      await one(press);
      await two(press);
    }
    expect(state.given).toBe(1);
    state.now += MINUTE;
    await two(press);
    await one(press);
    expect(state.given).toBe(2);
  });

  it('is not given for a script’s event, nor for a key that something lies on', async () => {
    const { state, tab } = browser();
    const gesture = tab();
    await gesture({ isTrusted: false });
    await gesture({ isTrusted: true, repeat: true });
    expect(state.given).toBe(0);
    await gesture({ isTrusted: true, repeat: false });
    expect(state.given).toBe(1);
  });

  it('that nobody heard is given again by a later press, not by each', async () => {
    const { state, tab } = browser();
    const gesture = tab();
    state.deaf = true;
    await gesture(press);
    state.deaf = false;
    state.now += MINUTE - 1;
    await gesture(press);
    expect(state.given).toBe(0);
    state.now += 1;
    await gesture(press);
    expect(state.given).toBe(1);
  });

  it('is not tried without a connection, and follows the first press with one', async () => {
    const { state, tab } = browser();
    const gesture = tab();
    state.online = false;
    await gesture(press);
    expect(state.given).toBe(0);
    state.online = true;
    await gesture(press);
    expect(state.given).toBe(1);
  });

  it('is given once where several presses come while the first is on its way', async () => {
    const { state, tab } = browser();
    const gesture = tab();
    await Promise.all([gesture(press), gesture(press), gesture(press)]);
    expect(state.given).toBe(1);
  });

  it('is not held back by a stamp from a clock that was wrong', async () => {
    const { state, tab } = browser();
    state.stamp = state.now + 365 * 24 * 60 * MINUTE;
    await tab()(press);
    expect(state.given).toBe(1);
    expect(state.stamp).toBe(state.now);
  });
});
