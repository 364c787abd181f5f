// What a server decides at a tick, case by case. What becomes of it in a database: monitor.test.ts.
import { describe, expect, it } from 'vitest';
import { switchRules } from '../../../shared/nouns/switch.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import type { InstanceClock } from './counted-time-store.ts';
import { adopted, begin, decide, type MonitorState, noted, paused, saw, trusts } from './decide.ts';

const rules = switchRules;
const NOON = Date.parse('2030-06-01T12:00:00Z');

const aRow = (values: Partial<InstanceClock> = {}): InstanceClock => ({
  id: 1,
  counted_time: 5 * HOUR,
  tick_number: 300,
  ticked_at: NOON,
  held_until: 0,
  doubted_until: 0,
  releases: 2,
  epoch: 1,
  instance: 'ours',
  paused_reason: null,
  paused_at: null,
  ...values,
});

const entry = { instance: 'ours', epoch: 1, countedTime: 5 * HOUR, releases: 2 };

/** A server that has just started with a journal of this very database. */
const aState = (values: Partial<MonitorState> = {}): MonitorState => ({
  ...begin({ instance: 'ours', alone: true, rules }, { entry, copied: false }),
  ...values,
});

/** One that has seen the last tick at its monotonic time 1000. */
const SEEN = { number: 300, at: 1000 };
const later = (lived: number, calendar = lived) => ({ calendar: NOON + calendar, monotonic: 1000 + lived });

const tick = (
  counts: number,
  at: number,
  more: { holdFor?: number; doubtFor?: number; outage?: boolean } = {},
) => ({
  kind: 'tick',
  tick: { after: 300, counts, at: NOON + at, holdFor: more.holdFor ?? 0, doubtFor: more.doubtFor ?? 0 },
  outage: more.outage ?? false,
});
const asleep = { holdFor: rules.holdAfterOutage, doubtFor: rules.holdAfterDarkDate, outage: true };
const dark = { doubtFor: rules.holdAfterDarkDate };
const pause = (reason: string, epoch = 1) => ({ kind: 'pause', reason, epoch });
const rest = { kind: 'rest' };

describe('how much a tick counts', () => {
  it.each([
    ['what has passed since the last one', SEEN, later(MINUTE), tick(MINUTE, MINUTE)],
    ['whole milliseconds', SEEN, later(MINUTE + 0.7, MINUTE), tick(MINUTE, MINUTE)],
    ['two intervals at most', SEEN, later(30 * MINUTE), tick(2 * MINUTE, 30 * MINUTE)],
    ['nothing for a server that has just started', null, later(MINUTE), tick(0, MINUTE)],
    ['the same by a calendar that goes back', SEEN, later(MINUTE, -DAY), tick(MINUTE, -DAY)],
    [
      'the same by one that goes forth, and days are doubted',
      SEEN,
      later(MINUTE, DAY),
      tick(MINUTE, DAY, asleep),
    ],
    [
      'the same by one that drifts',
      SEEN,
      later(MINUTE, MINUTE + rules.drift),
      tick(MINUTE, MINUTE + rules.drift),
    ],
    [
      'the same by one that drifts too far, and days are doubted',
      SEEN,
      later(MINUTE, MINUTE + rules.drift + 1),
      tick(MINUTE, MINUTE + rules.drift + 1, dark),
    ],
    ['and silence is held after an outage', SEEN, later(HOUR + 1), tick(2 * MINUTE, HOUR + 1, asleep)],
    ['and not before one', SEEN, later(HOUR), tick(2 * MINUTE, HOUR)],
    ['also by the calendar of a restart', null, later(0, HOUR + 1), tick(0, HOUR + 1, asleep)],
    ['also by one that was set back', null, later(0, -HOUR - 1), tick(0, -HOUR - 1, asleep)],
    ['until nobody was there for too long', null, later(0, 90 * DAY + 1), pause('long-outage')],
    ['which is so within a process, too', SEEN, later(MINUTE, 90 * DAY + 1), pause('long-outage')],
  ])('%s', (_, seen, now, action) => {
    expect(decide(aState({ seen }), aRow(), now).action).toEqual(action);
  });

  it('is nothing of a calendar before the first one', () => {
    const first = aRow({ ticked_at: 0 });
    expect(decide(aState(), first, later(0, 400 * DAY)).action).toEqual(tick(0, 400 * DAY));
  });
});

describe('a server among others', () => {
  const among = (values: Partial<MonitorState> = {}) => aState({ alone: false, ...values });

  it('lets them tick, and remembers what they have reached', () => {
    const { action, state } = decide(among({ seen: { number: 299, at: 0 } }), aRow(), later(MINUTE));
    expect(action).toEqual({ kind: 'note' });
    expect(state).toMatchObject({ seen: { number: 300, at: 1000 + MINUTE }, trusted: true });
  });

  it.each([
    ['waits when it joins', aRow(), later(0, MINUTE), rest],
    ['ticks when nobody has for three intervals', aRow(), later(0, 3 * MINUTE), tick(0, 3 * MINUTE)],
    ['ticks first', aRow({ ticked_at: 0 }), later(0, MINUTE), tick(0, MINUTE)],
  ])('%s', (_, row, now, action) => {
    expect(decide(among(), row, now).action).toEqual(action);
  });

  it.each([
    ['another-key', { instance: 'another' }, {}],
    ['journal-missing', {}, { kept: null }],
    ['restored', {}, { copied: true }],
  ] as const)('neither stops them nor takes part with a reason to ask: %s', (reason, row, values) => {
    const first = decide(among(values), aRow(row), later(0));
    expect(first).toMatchObject({ action: rest, state: { trusted: false, seen: { number: 300 } } });
    // Nobody ticks: it is alone after all.
    expect(decide(first.state, aRow(row), later(3 * MINUTE - 1)).action).toEqual(rest);
    expect(decide(first.state, aRow(row), later(3 * MINUTE)).action).toEqual(pause(reason));
    // Somebody does: whoever has this key takes that for the administrator's word.
    const next = aRow({ ...row, tick_number: 301 });
    const second = decide(first.state, next, later(MINUTE));
    expect(second.action).toEqual(rest);
    const third = decide(second.state, next, later(2 * MINUTE));
    expect(third.action).toEqual(
      reason === 'another-key'
        ? rest
        : { ...tick(MINUTE, 2 * MINUTE), tick: { ...tick(MINUTE, 2 * MINUTE).tick, after: 301 } },
    );
  });

  it('stops all of them when the database has gone back', () => {
    expect(decide(among(), aRow({ releases: 1 }), later(0)).action).toEqual(pause('restored'));
  });
});

describe('two histories', () => {
  it.each([
    ['a key that is not its own', aRow({ instance: 'another' }), {}, pause('another-key')],
    ['no journal', aRow(), { kept: null }, pause('journal-missing')],
    [
      'a journal of another instance',
      aRow(),
      { kept: { ...entry, instance: 'another' } },
      pause('journal-missing'),
    ],
    ['a copied journal', aRow(), { copied: true }, pause('restored')],
    ['counted time that went back', aRow({ counted_time: 5 * HOUR - 1 }), {}, pause('restored')],
    ['a release that is forgotten', aRow({ releases: 1 }), {}, pause('restored')],
    ['an administrator’s word that is forgotten', aRow({ epoch: 0 }), {}, pause('restored')],
    ['an administrator’s word that was given elsewhere', aRow({ epoch: 2 }), {}, pause('restored', 2)],
    ['time that was lived elsewhere', aRow({ counted_time: 6 * HOUR + 1 }), {}, pause('restored')],
    ['time that a crash kept from the journal', aRow({ counted_time: 6 * HOUR }), {}, tick(0, 0)],
    ['an administrator’s word that it was waiting for', aRow({ epoch: 2 }), { pausedIn: 1 }, tick(0, 0)],
    ['the epoch in which it was paused', aRow({ releases: 1 }), { pausedIn: 1 }, pause('restored')],
  ])('%s', (_, row, values, action) => {
    const decision = decide(aState(values), row, later(0));
    expect(decision.action).toEqual(action);
    expect(decision.state.trusted).toBe(action.kind === 'tick');
  });

  it.each([
    ['none', null, 0],
    ['its own', entry, 2],
    ['another instance’s', { ...entry, instance: 'another' }, 0],
  ])('an empty database begins beyond its journal: %s', (_, kept, epoch) => {
    const empty = aRow({ instance: null, epoch: 0, counted_time: 0, releases: 0 });
    const { action, state } = decide(aState({ kept }), empty, later(0));
    expect(action).toEqual({ kind: 'adopt', epoch });
    const row = { ...empty, instance: 'ours', epoch };
    expect(decide(adopted(state, row), row, later(0)).action).toMatchObject({ kind: 'tick' });
  });
});

describe('while the switch is paused', () => {
  it.each([
    ['nothing is done', aRow({ paused_reason: 'restored' }), {}, rest],
    ['a long outage is no reason to ask anew', aRow({ paused_reason: 'long-outage' }), {}, rest],
    ['a restored database is', aRow({ paused_reason: 'long-outage', releases: 1 }), {}, pause('restored')],
    [
      'for one among others, too',
      aRow({ paused_reason: 'long-outage', releases: 1 }),
      { alone: false },
      pause('restored'),
    ],
    [
      'a copied journal is for one that is alone',
      aRow({ paused_reason: 'long-outage' }),
      { copied: true },
      pause('restored'),
    ],
    ['and not among others', aRow({ paused_reason: 'long-outage' }), { copied: true, alone: false }, rest],
  ] as const)('%s', (_, row, values, action) => {
    const { action: decided, state } = decide(aState({ ...values, trusted: true }), row, later(0));
    expect(decided).toEqual(action);
    expect(state).toMatchObject({ trusted: false, pausedIn: 1 });
  });

  it('the administrator’s word is an epoch beyond the one that was seen', () => {
    const { state } = decide(aState(), aRow({ paused_reason: 'restored', releases: 1 }), later(0));
    const confirmed = aRow({ releases: 1, epoch: 2, tick_number: 301 });
    expect(decide(state, confirmed, later(MINUTE)).action).toEqual({ kind: 'note' });
    // What was seen paused in the same epoch is no word of anybody.
    expect(decide(paused(state, 2), confirmed, later(MINUTE)).action).toEqual(pause('restored', 2));
  });
});

describe('what a server remembers', () => {
  it('is what it has noted', () => {
    const doubtful = aState({ kept: null, copied: true, pausedIn: 4 });
    const row = aRow({ counted_time: DAY, epoch: 5, releases: 7 });
    expect(noted(doubtful, row)).toMatchObject({
      kept: { instance: 'ours', epoch: 5, countedTime: DAY, releases: 7 },
      copied: false,
      pausedIn: null,
    });
  });

  it('is when it has first seen a tick', () => {
    const state = saw(aState(), aRow(), later(0));
    expect(saw(state, aRow(), later(MINUTE)).seen).toEqual({ number: 300, at: 1000 });
    expect(saw(state, aRow({ tick_number: 301 }), later(MINUTE)).seen).toEqual({
      number: 301,
      at: 1000 + MINUTE,
    });
  });

  it('is trusted while the database says the same', () => {
    const { state } = decide(aState({ seen: SEEN }), aRow(), later(MINUTE));
    expect(trusts(state, aRow())).toBe(true);
    expect(trusts(state, aRow({ counted_time: 1 }))).toBe(false);
    expect(trusts(aState(), aRow())).toBe(false);
  });
});
