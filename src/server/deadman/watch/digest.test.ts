// One warning a day: the scrolls of one author leave in one mail, and each keeps its own rules.
import { afterEach, expect, it } from 'vitest';
import { switchRules } from '../../../shared/nouns/switch-rules.ts';
import { DAY, HOUR } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aWatchedInstance, type Watched } from '../../../testing/switch.ts';
import type { Delivery } from '../../adapters/transport.ts';
import { transact } from '../../db/transact.ts';
import { unwarn } from '../delivery/warned-scrolls-store.ts';
import { type isReleasable, type Silent, stepInDigest, waitsUntil } from './silence.ts';

const instances: Watched[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.close();
});

describeOnEachEngine('warnings of one author', (engine) => {
  async function anInstance() {
    const instance = await aWatchedInstance({ engine });
    instances.push(instance);
    return instance;
  }
  async function anAuthor(instance: Watched) {
    const account_id = await instance.anAuthor();
    const proved = { address: 'author@example.org', proved_at: 1, asked_address: null, asked_message: null };
    await instance.deps.db
      .insertInto('warning_addresses')
      .values({ account_id, ...proved })
      .execute();
    return account_id;
  }
  const watch = (instance: Watched, author: number, days: number) =>
    instance.watchSilence(author, days, { warning: 'mail' });
  async function watchAll(instance: Watched, author: number, days: readonly number[]) {
    const ids: number[] = [];
    for (const period of days) ids.push(await watch(instance, author, period));
    return ids;
  }
  /** Each warning: its state, and which scrolls it names at which of their steps. */
  async function warnings(instance: Watched) {
    const messages = await instance.messages({ kind: 'warning' });
    const named = await instance.deps.db
      .selectFrom('warned_scrolls')
      .selectAll()
      .orderBy('scroll_id')
      .execute();
    return messages.map(({ id, state, sent_counted }) => ({
      state,
      sent: sent_counted,
      names: named.flatMap((row) => (row.message_id === id ? [[row.scroll_id, row.step]] : [])),
    }));
  }
  const states = (instance: Watched, ids: readonly number[]) => Promise.all(ids.map(instance.stateOf));

  it('are three mails in all for eighty scrolls of one period, and each scroll goes at its deadline', {
    timeout: 240_000,
  }, async () => {
    const instance = await anInstance();
    const ids = await watchAll(instance, await anAuthor(instance), Array<number>(80).fill(30));
    // The first of them comes a week before the deadline.
    await instance.live(22 * DAY, { deliver: true, tick: 6 * HOUR });
    await instance.live(8 * DAY, { deliver: true });
    expect(instance.mail.letters).toHaveLength(3);
    expect(await warnings(instance)).toMatchObject(
      [1, 2, 3].map((step) => ({ state: 'sent', names: ids.map((id) => [id, step]) })),
    );
    expect(new Set(await states(instance, ids))).toEqual(new Set(['watching']));
    await instance.live(4 * HOUR);
    expect(new Set(await states(instance, ids))).toEqual(new Set(['released']));
  });

  // Five hundred ticks, which take PostgreSQL half a minute on a busy machine.
  it('are one mail a day at most for scrolls of every period from four days on', {
    timeout: 240_000,
  }, async () => {
    const instance = await anInstance();
    const periods = Array.from({ length: 37 }, (_, i) => i + 4);
    const ids = await watchAll(instance, await anAuthor(instance), periods);
    await instance.live(41 * DAY, { deliver: true, tick: 2 * HOUR });
    const sent = (await warnings(instance)).map((warning) => warning.sent ?? 0);
    expect(sent.length).toBeGreaterThan(10);
    for (const [i, time] of sent.slice(1).entries()) {
      expect(time - (sent[i] ?? 0)).toBeGreaterThanOrEqual(DAY - 2 * HOUR);
    }
    expect(new Set(await states(instance, ids))).toEqual(new Set(['released']));
    for (const id of ids) {
      const { period, warning_accepted } = await instance.scroll(id);
      // From the end of a tick, which a life is ahead of by two.
      expect(warning_accepted).toBeGreaterThanOrEqual((period ?? 0) / 2);
      expect(warning_accepted).toBeLessThanOrEqual((period ?? 0) - DAY + 5 * HOUR);
    }
  });

  it('do not wait for each other where a switch is short: one of a day warns at twelve hours', async () => {
    const instance = await anInstance();
    const author = await anAuthor(instance);
    const [day, two, month] = await watchAll(instance, author, [1, 2, 30]);
    await instance.live(DAY + 6 * HOUR, { deliver: true });
    expect((await warnings(instance)).map(({ names }) => names)).toEqual([[[day, 1]], [[two, 1]]]);
    await instance.live(12 * HOUR, { deliver: true });
    expect(await states(instance, [day ?? 0, two ?? 0, month ?? 0])).toEqual([
      'released',
      'watching',
      'watching',
    ]);
    await instance.live(HOUR * 12, { deliver: true });
    expect(await instance.stateOf(two ?? 0)).toBe('released');
  });

  it('that fall due while one waits to leave take its place, with all that it named', async () => {
    const instance = await anInstance();
    instance.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    const [one, other] = await watchAll(instance, await anAuthor(instance), [14, 10]);
    await instance.live(7 * DAY + 4 * HOUR, { deliver: true });
    expect(await warnings(instance)).toMatchObject([
      {
        state: 'waiting',
        names: [
          [one, 1],
          [other, 1],
        ],
      },
    ]);
    await instance.live(2 * DAY, { deliver: true });
    instance.mail.answer = () => 'accepted';
    await instance.live(DAY, { deliver: true });
    expect((await warnings(instance)).map(({ state }) => state)).toEqual(['cancelled', 'sent']);
    expect((await warnings(instance)).at(-1)?.names).toEqual([
      [one, 1],
      [other, 2],
    ]);
    expect(await instance.scroll(one ?? 0)).toMatchObject({ warning_accepted: expect.any(Number) });
  });

  it('lose a scroll that is disarmed or released, count for the others, and end with the last', async () => {
    const instance = await anInstance();
    instance.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    const [one = 0, other = 0] = await watchAll(instance, await anAuthor(instance), [14, 14]);
    await instance.live(7 * DAY + 4 * HOUR, { deliver: true });
    const drop = (id: number) => transact(instance.deps.db, (tx) => unwarn(tx, id));
    await drop(one);
    expect(await warnings(instance)).toMatchObject([{ state: 'waiting', names: [[other, 1]] }]);
    instance.mail.answer = async (): Promise<Delivery> => {
      await drop(other);
      return 'accepted';
    };
    await instance.live(HOUR * 2, { deliver: true });
    expect(await warnings(instance)).toMatchObject([{ state: 'cancelled', names: [] }]);
    for (const id of [one, other])
      expect(await instance.scroll(id)).toMatchObject({ warning_accepted: null });
  });

  it('are cancelled by a sign of life, whatever they name, and those of others are not', async () => {
    const instance = await anInstance();
    const [author, other] = [await anAuthor(instance), await anAuthor(instance)];
    await watchAll(instance, author, [14, 14, 14]);
    await watchAll(instance, other, [14]);
    await instance.live(7 * DAY + 4 * HOUR);
    expect((await warnings(instance)).map(({ names }) => names.length)).toEqual([3, 1]);
    await instance.stillHere(author);
    expect((await warnings(instance)).map(({ state }) => state)).toEqual(['cancelled', 'waiting']);
    await instance.live(2 * HOUR, { deliver: true });
    expect(instance.mail.letters).toHaveLength(1);
  });

  it('count as one message, so that the limit of an account lets a digest through', async () => {
    const instance = await aWatchedInstance({ engine, env: { MESSAGES_PER_ACCOUNT: '1' } });
    instances.push(instance);
    await watchAll(instance, await anAuthor(instance), Array<number>(20).fill(14));
    await instance.live(7 * DAY + 4 * HOUR, { deliver: true });
    expect(await warnings(instance)).toMatchObject([{ state: 'sent' }]);
  });
});

const scroll = (days: number, over: Partial<Silent> = {}): Silent => ({
  id: 1,
  account_id: 1,
  period: days * DAY,
  watching_since: 0,
  warning: 'mail',
  warning_step: 0,
  warning_accepted: null,
  contact_told_at: null,
  postponed_until: null,
  ...over,
});
const clockAt = (counted_time: number, over: object = {}) =>
  ({
    ...{ counted_time, held_until: 0, firmly_held_until: 0 },
    ...{ told_held_until: 0, told_firmly_held_until: 0, may_add: 0 },
    ...over,
  }) as Parameters<typeof isReleasable>[2];

it.each([
  ['falls due within the day', 30, 22 * DAY, 1],
  ['does not fall due within the day', 30, 22 * DAY - 1, null],
  ['falls due within the day, but half of the period has not passed', 14, 7 * DAY - 1, null],
  ['is due', 14, 7 * DAY, 1],
] as const)('a warning that %s goes along or not', (_, days, time, step) => {
  expect(stepInDigest(scroll(days), 0, time, switchRules)).toBe(step);
});

it('a scroll that was warned of goes along after its deadline no more', () => {
  const warned = scroll(30, { warning_step: 3, warning_accepted: 29 * DAY });
  expect(stepInDigest(warned, 0, 29 * DAY + 1, switchRules)).toBeNull();
  expect(stepInDigest({ ...warned, warning_accepted: null }, 0, 29 * DAY + 1, switchRules)).toBe(4);
});

it.each([
  ['there was none', 30, null, 23 * DAY, null],
  ['the last one left a day ago', 30, 22 * DAY, 23 * DAY, null],
  ['the last one left less than a day ago', 30, 22 * DAY + HOUR, 23 * DAY, 23 * DAY + HOUR],
  ['less than a day would be left', 30, 28 * DAY + HOUR, 29 * DAY, null],
  ['it is a switch of a day', 1, HOUR, 12 * HOUR, null],
] as const)('a warning that is due waits or not, where %s', (_, days, left, time, until) => {
  const last = left === null ? null : { at: left, namesIt: false };
  expect(waitsUntil(scroll(days), 0, last, clockAt(time), switchRules)).toBe(until);
});

it('a scroll that was warned of may wait, and is looked at by its deadline', () => {
  const warned = scroll(30, { warning_step: 2, warning_accepted: 27 * DAY });
  const until = (at: number) => waitsUntil(warned, 0, { at, namesIt: true }, clockAt(29 * DAY), switchRules);
  expect(until(28 * DAY + HOUR)).toBe(29 * DAY + HOUR);
  expect(until(29 * DAY)).toBe(30 * DAY);
  expect(until(29 * DAY + HOUR)).toBe(30 * DAY);
});

it('a scroll that is warned of anew waits for a day after the warning that named it', () => {
  const late = clockAt(31 * DAY);
  expect(waitsUntil(scroll(30), 0, { at: 30 * DAY + HOUR, namesIt: true }, late, switchRules)).toBe(
    31 * DAY + HOUR,
  );
  expect(waitsUntil(scroll(30), 0, { at: 30 * DAY + HOUR, namesIt: false }, late, switchRules)).toBeNull();
});

it('a warning may wait where an outage leaves a day', () => {
  const held = clockAt(29 * DAY, { held_until: 32 * DAY });
  const last = { at: 28 * DAY + HOUR, namesIt: false };
  expect(waitsUntil(scroll(30), 0, last, held, switchRules)).toBe(29 * DAY + HOUR);
});
