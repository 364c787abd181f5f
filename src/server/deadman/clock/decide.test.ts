// What a server decides at a tick, case by case. What becomes of it in a database: monitor.test.ts.
import { describe, expect, it } from 'vitest';
import { switchRules } from '../../../shared/nouns/switch-rules.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import type { Readings } from '../../clock.ts';
import type { InstanceClock, Tick } from './counted-time-store.ts';
import {
  type Action,
  adopted,
  begin,
  decide,
  type MonitorState,
  noted,
  paused,
  saw,
  trusts,
} from './decide.ts';

const rules = switchRules;
const NOON = Date.parse('2030-06-01T12:00:00Z');

const aRow = (values: Partial<InstanceClock> = {}): InstanceClock => ({
  id: 1,
  counted_time: 5 * HOUR,
  tick_number: 300,
  ticked_at: NOON,
  boot_id: 'a boot',
  boot_time: 1000,
  proved_at: NOON,
  proved_counted: 5 * HOUR,
  may_add: 0,
  ran: 0,
  unticked_may_add: 0,
  reached_counted: null,
  reached_origin: null,
  out_of_reach_since: null,
  elsewhere: null,
  home_origin: null,
  waits: 0,
  held_until: 0,
  firmly_held_until: 0,
  doubted_until: 0,
  steady_for: 0,
  moved_by: 0,
  set_forward_by: 0,
  told_length: 0,
  told_credit: 0,
  owed: 0,
  told_held_until: 0,
  told_firmly_held_until: 0,
  stood_still: 0,
  vouched: 0,
  releases: 2,
  epoch: 1,
  instance: 'ours',
  identity: 'a database',
  paused_reason: null,
  paused_at: null,
  paused_for: 0,
  told_at: null,
  ...values,
});

const entry = { instance: 'ours', epoch: 1, countedTime: 5 * HOUR, releases: 2, waits: 0 };

/** A server that has just started with a journal of this very database. */
const aState = (values: Partial<MonitorState> = {}): MonitorState => ({
  ...begin({ instance: 'ours', alone: true, rules, origin: 'ours' }, { entry, copied: false }),
  ...values,
});

/** One that has seen the last tick a second after the boot of its machine. */
const SEEN = { number: 300, at: 1000 };

interface Later extends Partial<Readings> {
  /** How far the calendar has come, if not as far as the time. */
  calendarBy?: number;
}

/** What the clocks say when so much has passed since the last tick; the calendar follows a time server unless told. */
const later = (passed: number, { calendarBy = passed, ...more }: Later = {}): Readings => ({
  calendar: NOON + calendarBy,
  elapsed: 1000 + passed,
  bootId: 'a boot',
  synchronised: true,
  ...more,
});
/** The same in another boot of the machine, which has just begun. */
const anotherBoot = (passed: number, more: Later = {}) =>
  later(passed, { bootId: 'another boot', elapsed: 20_000, ...more });
const doubtful = { synchronised: false };

const tick = (counts: number, more: Partial<Tick> & { absence?: number } = {}) => {
  const { absence = null, ...changes } = more;
  return expect.objectContaining({
    kind: 'tick',
    absence,
    tick: expect.objectContaining({
      ...{ after: 300, counts, proves: true, mayAdd: 0 },
      ...{ holdFor: 0, holdFirmlyFor: 0, warnAnew: false, doubtFor: 0, forgetsReach: false, isPaused: false },
      ...changes,
    }),
  });
};
/** @param lived how much of the day that follows has been lived through */
const darkSince = (lived: number) => ({ doubtFor: rules.holdAfterDarkDate - lived });
const dark = darkSince(0);
const outage = { ...dark, holdFor: rules.holdAfterOutage, warnAnew: true };
/** The same as the calendar alone tells it. */
const toldOutage = (length: number, holdFirmlyFor = 0) => ({
  ...{ ...dark, warnAnew: true, absence: length },
  told: {
    // A time server vouches for it.
    ...{ length: 0, credit: 0, owed: 0 },
    ...{ holdFor: rules.holdAfterOutage, holdFirmlyFor, isAnotherBoot: expect.any(Boolean), takesBack: null },
  },
});
const pause = (reason: string, epoch = 1) => ({ kind: 'pause', reason, epoch });
const rest = { kind: 'rest' };

describe('how much a tick counts', () => {
  const HALF = 30 * MINUTE;
  it.each([
    ['what has passed since the last one', SEEN, later(MINUTE), tick(MINUTE)],
    ['whole milliseconds', SEEN, later(MINUTE + 0.7), tick(MINUTE)],
    ['all of a long one', SEEN, later(HALF), tick(HALF)],
    ['the same for a process that has just started in the same boot', null, later(HALF), tick(HALF)],
    [
      'a night that the machine slept, in which a day may have begun',
      SEEN,
      later(9 * HOUR),
      tick(9 * HOUR, dark),
    ],
    [
      'twenty-six hours of a longer sleep, which is an outage',
      SEEN,
      later(40 * HOUR),
      tick(26 * HOUR, { ...outage, absence: 40 * HOUR }),
    ],
    ['no outage of a day', SEEN, later(DAY), tick(DAY, dark)],
    [
      'a longer hold after ninety days',
      SEEN,
      later(91 * DAY),
      tick(26 * HOUR, { ...outage, holdFirmlyFor: rules.holdAfterLongOutage, absence: 91 * DAY }),
    ],
    [
      'the same by a calendar that goes back, and days are doubted',
      SEEN,
      later(MINUTE, { calendarBy: -DAY }),
      tick(MINUTE, dark),
    ],
  ])('%s', (_, seen, now, action) => {
    expect(decide(aState({ seen }), aRow(), now).action).toEqual(action);
  });

  it('is nothing of a calendar before the first one', () => {
    const first = aRow({ ticked_at: 0, boot_id: null, proved_at: 0 });
    expect(decide(aState(), first, later(400 * DAY)).action).toEqual(tick(0));
  });
});

describe('an absence across boots', () => {
  it.each([
    [
      'counts at once where the system says that the calendar is right',
      anotherBoot(10 * HOUR),
      tick(10 * HOUR, dark),
    ],
    ['counts for twenty-six hours at most', anotherBoot(60 * DAY), tick(26 * HOUR, toldOutage(60 * DAY))],
    [
      'is an outage of more than ninety days',
      anotherBoot(91 * DAY),
      tick(26 * HOUR, toldOutage(91 * DAY, rules.holdAfterLongOutage)),
    ],
    [
      'counts for nothing by a calendar that went back, and days are doubted',
      anotherBoot(-5 * HOUR),
      tick(0, dark),
    ],
    [
      'counts for nothing by a calendar that is not proved, which may be added later',
      anotherBoot(10 * HOUR, doubtful),
      tick(0, { proves: false, mayAdd: rules.absenceCounts }),
    ],
  ])('%s', (_, now, action) => {
    expect(decide(aState(), aRow(), now).action).toEqual(action);
  });

  /** Ticks once a minute in a new boot, as its calendar says. Returns the last action, and what was counted in all. */
  function run(
    minutes: number,
    calendarAt: (minute: number) => number,
    begin: Partial<InstanceClock> = {},
    bootId: string | null = 'another boot',
  ) {
    let state = aState();
    let row = aRow(begin);
    let action: Action = { kind: 'rest' };
    for (let minute = 0; minute <= minutes; minute += 1) {
      const now = {
        ...anotherBoot(0, { ...doubtful, bootId }),
        calendar: NOON + calendarAt(minute),
        elapsed: 20_000 + minute * MINUTE,
      };
      ({ action, state } = decide(state, row, now));
      if (action.kind !== 'tick') throw new Error('It does not tick.');
      const { counts, at, proves, boot, mayAdd, told, stoodStill, steadyFor, setForwardBy, movedBy } =
        action.tick;
      const counted_time = row.counted_time + counts;
      row = {
        ...row,
        ...{ counted_time, tick_number: row.tick_number + 1, ticked_at: at, may_add: mayAdd },
        ...{ boot_id: boot.id, boot_time: boot.time },
        ...{ told_length: told.length, told_credit: told.credit, owed: told.owed, stood_still: stoodStill },
        ...{ steady_for: steadyFor, set_forward_by: setForwardBy, moved_by: movedBy },
        ...(proves ? { proved_at: at, proved_counted: counted_time } : {}),
      };
      state = noted(saw(state, row, now), row);
    }
    return { action, row, state, counted: row.counted_time - 5 * HOUR };
  }
  const off = 10 * HOUR;

  it('is known after an hour in which the calendar was not set', () => {
    expect(run(59, (minute) => off + minute * MINUTE)).toMatchObject({
      counted: 59 * MINUTE,
      row: { may_add: rules.absenceCounts, proved_at: NOON },
    });
    const { action, counted } = run(60, (minute) => off + minute * MINUTE);
    expect(action).toEqual(tick(off + MINUTE, { ...darkSince(HOUR), after: 360 }));
    expect(counted).toBe(off + 60 * MINUTE);
  });

  it('is added once', () => {
    expect(run(200, (minute) => off + minute * MINUTE).counted).toBe(off + 200 * MINUTE);
  });

  it('is measured anew from when the calendar was put right', () => {
    const right = (minute: number) => (minute < 30 ? -365 * DAY : off) + minute * MINUTE;
    expect(run(89, right).counted).toBe(89 * MINUTE);
    expect(run(90, right).counted).toBe(off + 90 * MINUTE);
  });

  it('of which a calendar tells hours later is another one, and an outage', () => {
    const late = (minute: number) => (minute < 120 ? 2 * HOUR : 60 * DAY) + minute * MINUTE;
    const { action, counted } = run(180, late);
    expect(counted).toBe(2 * HOUR + 26 * HOUR + 180 * MINUTE);
    expect(action).toMatchObject({
      tick: { counts: 26 * HOUR + MINUTE, told: { holdFor: rules.holdAfterOutage }, warnAnew: true },
    });
  });

  it('stays unknown where the calendar stands where the last tick ended, and warnings begin anew once', () => {
    const still = (minute: number) => minute * MINUTE;
    expect(run(59, still).action).toMatchObject({ tick: { stoodStill: 0, warnAnew: false } });
    const hour = run(60, still);
    expect(hour.action).toMatchObject({ tick: { stoodStill: 1, warnAnew: true, proves: false } });
    expect(hour.row.may_add).toBe(rules.absenceCounts);
    const day = run(24 * 60, still);
    expect(day.counted).toBe(DAY);
    expect(day.action).toMatchObject({ tick: { stoodStill: 1, warnAnew: false } });
    // The same for one that begins with 1970.
    expect(run(60, (minute) => minute * MINUTE - NOON).action).toMatchObject({ tick: { stoodStill: 1 } });
  });

  it('of a system that does not tell its boots is the same: each process is one', () => {
    const still = (minute: number) => minute * MINUTE;
    const noBoots = { boot_id: null };
    expect(run(60, still, noBoots, null).action).toMatchObject({ tick: { stoodStill: 1, warnAnew: true } });
    expect(run(90, still, noBoots, null).action).toMatchObject({ tick: { stoodStill: 1, warnAnew: false } });
  });

  it.each([
    ['a time server', { synchronised: true }, {}],
    ['the administrator', {}, { vouched: 1 } as const],
  ])('is known once %s vouches for a calendar that stood still', (_, reading, word) => {
    const { state, row } = run(120, (minute) => minute * MINUTE);
    const now = { calendar: NOON + 121 * MINUTE, elapsed: 20_000 + 121 * MINUTE };
    const { action } = decide(
      state,
      { ...row, ...word },
      {
        ...anotherBoot(0, doubtful),
        ...now,
        ...reading,
      },
    );
    expect(action).toEqual(tick(MINUTE, { after: 421, stoodStill: 0 }));
  });

  it.each([
    ['of another boot', { boot_id: 'an earlier boot' }, {}],
    ['of a calendar that was set since', {}, { calendar: NOON + DAY + 121 * MINUTE }],
  ])('is not known by a word of the administrator %s', (_, word, reading) => {
    const { state, row } = run(120, (minute) => minute * MINUTE);
    const restarted = { ...state, hasTicked: false };
    const now = {
      ...anotherBoot(0, doubtful),
      calendar: NOON + 121 * MINUTE,
      elapsed: 20_000 + 121 * MINUTE,
    };
    const { action } = decide(restarted, { ...row, ...word, vouched: 1 }, { ...now, ...reading });
    expect(action).toMatchObject({ tick: { mayAdd: rules.absenceCounts, endsWord: true } });
  });

  it('and a longer gap that is known do not count twice', () => {
    const { state, row } = run(120, (minute) => minute * MINUTE);
    const slept = 120 * MINUTE + 5 * DAY;
    const now = { ...anotherBoot(0), calendar: NOON + slept, elapsed: 20_000 + slept };
    const { action } = decide(state, row, now);
    expect(action).toMatchObject({ tick: { counts: 26 * HOUR, mayAdd: 0 } });
    const unsure = decide(state, row, { ...now, ...doubtful });
    expect(unsure.action).toMatchObject({
      tick: { counts: 26 * HOUR, stoodStill: 1, lost: 5 * DAY - 26 * HOUR },
    });
  });

  it('is known from a calendar that stood still once that is set right', () => {
    const right = (minute: number) => (minute < 120 ? 0 : 60 * DAY) + minute * MINUTE;
    const { action, counted } = run(180, right);
    expect(counted).toBe(26 * HOUR + 180 * MINUTE);
    expect(action).toMatchObject({ tick: { told: { length: 60 * DAY }, stoodStill: 0, warnAnew: true } });
  });

  it('stood still in an earlier boot of the machine is to be noticed anew', () => {
    const { action } = decide(aState(), aRow({ may_add: 1, stood_still: 1 }), anotherBoot(MINUTE, doubtful));
    expect(action).toMatchObject({ tick: { stoodStill: 0 } });
    const restarted = decide(aState(), aRow({ may_add: 1, stood_still: 1 }), later(MINUTE, doubtful));
    expect(restarted.action).toMatchObject({ tick: { stoodStill: 1, warnAnew: false } });
  });

  describe('that a calendar takes back', () => {
    const ahead = (minute: number) => (minute < 120 ? 365 * DAY : 8 * HOUR) + minute * MINUTE;

    it('holds nothing any more, and what it added is owed', () => {
      expect(run(60, ahead).action).toMatchObject({
        tick: { told: { credit: 26 * HOUR, holdFirmlyFor: rules.holdAfterLongOutage } },
      });
      expect(run(179, ahead).action).toMatchObject({ tick: { told: { takesBack: null } } });
      const { action, row } = run(180, ahead);
      expect(action).toMatchObject({ tick: { counts: MINUTE, told: { takesBack: 'outage' } } });
      expect(row).toMatchObject({ told_length: 8 * HOUR, told_credit: 8 * HOUR, owed: 18 * HOUR });
    });

    it('is repaid by the next ones, so that each start adds what has passed', () => {
      const { row, counted } = run(180, ahead);
      expect(counted).toBe(26 * HOUR + 180 * MINUTE);
      const again = run(180, (minute) => row.ticked_at - NOON + ahead(minute), {
        ...row,
        ...{ counted_time: 5 * HOUR, proved_counted: 5 * HOUR, boot_id: 'the boot before' },
      });
      expect(again.counted).toBe(8 * HOUR + 180 * MINUTE);
      expect(again.row.owed).toBe(18 * HOUR);
    });

    it('is still an outage where more than a day is left', () => {
      const less = (minute: number) => (minute < 120 ? 365 * DAY : 2 * DAY) + minute * MINUTE;
      expect(run(180, less).action).toMatchObject({ tick: { told: { takesBack: 'long-outage' } } });
    });

    it('holds on where the calendar that was proved before was ahead as well: nobody knows what is true of it', () => {
      const behind = (minute: number) => (minute < 120 ? 365 * DAY : -10 * DAY) + minute * MINUTE;
      const { action, row } = run(180, behind);
      expect(action).toMatchObject({ tick: { counts: MINUTE, told: { takesBack: null } } });
      expect(row).toMatchObject({ told_length: 0, owed: 26 * HOUR });
    });
  });

  it('is not believed of a calendar that is set for three minutes', () => {
    const { counted, row } = run(
      200,
      (minute) => off + minute * MINUTE + (minute > 90 && minute < 94 ? 91 * DAY : 0),
    );
    expect(counted).toBe(off + 200 * MINUTE);
    expect(row).toMatchObject({ paused_reason: null, held_until: 0, told_length: off, owed: 0 });
  });

  it('that an earlier process left open is still open, also in the same boot', () => {
    const { action } = decide(
      aState(),
      aRow({
        may_add: rules.absenceCounts,
        proved_at: NOON - 20 * HOUR,
        proved_counted: 5 * HOUR - 2 * MINUTE,
      }),
      later(MINUTE),
    );
    expect(action).toEqual(tick(20 * HOUR - MINUTE, dark));
  });
});

describe('what proves a calendar', () => {
  const proofOf = (state: MonitorState, row: InstanceClock, now: Readings) =>
    decide(state, row, now).state.calendar;

  it.each([
    ['the system’s word', anotherBoot(MINUTE), true],
    ['nothing at first', anotherBoot(MINUTE, doubtful), false],
    ['an earlier process of this boot', later(MINUTE, doubtful), true],
    [
      'not one of this boot, if somebody has set it since',
      later(MINUTE, { ...doubtful, calendarBy: DAY }),
      false,
    ],
  ])('%s', (_, now, isProved) => {
    expect(proofOf(aState(), aRow(), now)).toMatchObject({ isProved });
  });

  it('is lost by setting it by more than minutes, and what it was set forward by may be added', () => {
    const { state } = decide(aState({ seen: SEEN }), aRow(), later(0, doubtful));
    expect(state.calendar?.isProved).toBe(true);
    const setBy = (by: number) => later(MINUTE, { ...doubtful, calendarBy: MINUTE + by });
    const far = decide(state, aRow(), setBy(rules.jitter + 1));
    expect(far.action).toEqual(tick(MINUTE, { proves: false, mayAdd: rules.jitter + 1 }));
    expect(far.state.calendar).toMatchObject({ isProved: false, movedBy: rules.jitter + 1 });
    const near = decide(state, aRow(), setBy(rules.drift + 1));
    expect(near.action).toEqual(tick(MINUTE, { mayAdd: rules.drift + 1 }));
    expect(near.state.calendar).toMatchObject({ isProved: true, isStill: false, movedBy: rules.drift + 1 });
    const drifted = decide(state, aRow(), later(MINUTE, { ...doubtful, calendarBy: MINUTE + rules.drift }));
    expect(drifted.action).toEqual(tick(MINUTE));
  });

  it('is lost by a calendar that creeps', () => {
    let { state } = decide(aState({ seen: SEEN }), aRow(), later(0, doubtful));
    let wasSet = false;
    for (let minute = 1; minute <= 62; minute += 1) {
      const now = later(minute * MINUTE, { ...doubtful, calendarBy: minute * 1.5 * MINUTE });
      state = { ...decide(state, aRow(), now).state, seen: SEEN };
      wasSet ||= !state.calendar?.isProved;
    }
    expect(wasSet).toBe(true);
  });
});

describe('a calendar that is set by minutes again and again', () => {
  const jitter = (minute: number) => ((minute * 7) % 25) * MINUTE - 12 * MINUTE;
  const nightly = { night: 16 * HOUR, on: 8 * 60 };

  /** So many days, in each of which the machine is on for eight hours. Returns what was counted after each. */
  function live(days: number): { counted: number; row: InstanceClock }[] {
    let row = aRow();
    let truth = NOON;
    return Array.from({ length: days }, (_, day) => {
      truth += nightly.night;
      let state = aState({ kept: { ...entry, countedTime: row.counted_time } });
      for (let minute = 0; minute <= nightly.on; minute += 1) {
        const now = {
          ...{ bootId: `boot ${day}`, elapsed: 20_000 + minute * MINUTE, synchronised: false },
          calendar: truth + minute * MINUTE + jitter(minute + 3 * day),
        };
        const decided = decide(state, row, now);
        if (decided.action.kind !== 'tick') throw new Error('It does not tick.');
        const { counts, at, proves, boot, mayAdd, told, steadyFor, setForwardBy, movedBy } =
          decided.action.tick;
        const counted_time = row.counted_time + counts;
        row = {
          ...row,
          ...{ counted_time, tick_number: row.tick_number + 1, ticked_at: at, may_add: mayAdd },
          ...{ boot_id: boot.id, boot_time: boot.time, moved_by: movedBy },
          ...{ told_length: told.length, told_credit: told.credit, owed: told.owed },
          ...{ steady_for: steadyFor, set_forward_by: setForwardBy },
          ...(proves ? { proved_at: at, proved_counted: counted_time } : {}),
        };
        state = noted(saw(decided.state, row, now), row);
      }
      truth += nightly.on * MINUTE;
      return { counted: row.counted_time - 5 * HOUR, row };
    });
  }

  it('counts the nights like one that is not, however often it is set: never ahead by more than it jitters', () => {
    for (const [day, { counted, row }] of live(60).entries()) {
      expect(Math.abs(counted - (day + 1) * DAY)).toBeLessThanOrEqual(rules.jitter);
      expect(row).toMatchObject({ proved_at: row.ticked_at, told_credit: expect.any(Number) });
      expect(row.may_add).toBeLessThanOrEqual(rules.jitter);
    }
  });

  it('takes nothing from what it was set forward by', () => {
    // How long it was off it never learns.
    let row = aRow({ set_forward_by: 20 * DAY, may_add: rules.absenceCounts, stood_still: 1 });
    let state = aState({ seen: SEEN });
    for (let minute = 0; minute < 3000; minute += 1) {
      const now = later(minute * MINUTE, {
        ...doubtful,
        calendarBy: minute * MINUTE + jitter(minute) - jitter(0),
      });
      const decided = decide(state, row, now);
      if (decided.action.kind !== 'tick') throw new Error('It does not tick.');
      const { counts, setForwardBy, movedBy, at, mayAdd } = decided.action.tick;
      row = { ...row, set_forward_by: setForwardBy, moved_by: movedBy, ticked_at: at, may_add: mayAdd };
      row = { ...row, counted_time: row.counted_time + counts, tick_number: row.tick_number + 1 };
      row = { ...row, boot_time: now.elapsed };
      state = noted(saw(decided.state, row, now), row);
      expect(Math.abs(setForwardBy - 20 * DAY)).toBeLessThanOrEqual(rules.jitter);
      expect(mayAdd).toBe(rules.absenceCounts);
    }
  });

  it('is as near to the truth as the administrator’s word', () => {
    const open = { may_add: rules.absenceCounts, vouched: 1 } as const;
    const near = later(MINUTE, { ...doubtful, calendarBy: 20 * MINUTE });
    expect(decide(aState(), aRow(open), near).action).toMatchObject({ tick: { mayAdd: 0, endsWord: true } });
  });
});

describe('a machine whose boot clock stood still while it slept', () => {
  /** Runs for `before` minutes, sleeps, and runs for `after` more. */
  function sleep(slept: number, after: number, reading: Partial<Readings> = doubtful) {
    let { state } = decide(aState({ seen: SEEN }), aRow(), later(0, doubtful));
    let row = aRow();
    let action: Action = { kind: 'rest' };
    let counted = 0;
    for (let minute = 1; minute <= after; minute += 1) {
      const now = later(minute * MINUTE, { ...reading, calendarBy: slept + minute * MINUTE });
      ({ action, state } = decide(state, row, now));
      if (action.kind !== 'tick') throw new Error('It does not tick.');
      const { counts, at, proves, mayAdd, setForwardBy, movedBy } = action.tick;
      counted += counts;
      const counted_time = row.counted_time + counts;
      row = {
        ...row,
        ...{ counted_time, tick_number: row.tick_number + 1, ticked_at: at, may_add: mayAdd },
        ...{ boot_time: Math.floor(now.elapsed), set_forward_by: setForwardBy, moved_by: movedBy },
        ...(proves ? { proved_at: at, proved_counted: counted_time } : {}),
      };
      state = saw(state, row, now);
    }
    return { action, counted, row };
  }

  it.each([
    ['half an hour', HOUR / 2, HOUR / 2],
    ['a night', 9 * HOUR, 9 * HOUR],
    ['a week', 7 * DAY, 26 * HOUR],
  ])('counts %s at once where a time server vouches for the calendar', (_, slept, counts) => {
    expect(sleep(slept, 1, { synchronised: true }).counted).toBe(counts + MINUTE);
  });

  it('counts it after an hour in which nobody set the calendar, and no more than was slept meanwhile', () => {
    expect(sleep(9 * HOUR, 60)).toMatchObject({ counted: HOUR, row: { may_add: 9 * HOUR } });
    expect(sleep(9 * HOUR, 61)).toMatchObject({ counted: 9 * HOUR + 61 * MINUTE, row: { may_add: 0 } });
  });

  it('notices an outage', () => {
    expect(sleep(7 * DAY, 61).action).toMatchObject({
      tick: { told: { holdFor: rules.holdAfterOutage }, warnAnew: true },
    });
  });

  it('is none where the calendar was set back and comes back within the hour, or the other way round', () => {
    for (const sign of [1, -1]) {
      let { state } = decide(aState({ seen: SEEN }), aRow(), later(0, doubtful));
      let row = aRow();
      for (let minute = 1; minute <= 120; minute += 1) {
        const wrong = minute >= 10 && minute < 40 ? sign * 9 * DAY : 0;
        const now = later(minute * MINUTE, { ...doubtful, calendarBy: wrong + minute * MINUTE });
        const decided = decide(state, row, now);
        if (decided.action.kind !== 'tick') throw new Error('It does not tick.');
        const { tick: written } = decided.action;
        expect(written).toMatchObject({ counts: MINUTE, warnAnew: false, told: { length: 0, owed: 0 } });
        expect(written.setForwardBy).toBe(Math.max(0, wrong));
        row = { ...row, counted_time: row.counted_time + MINUTE, tick_number: 300 + minute };
        row = { ...row, ticked_at: now.calendar, boot_time: now.elapsed, may_add: written.mayAdd };
        row = { ...row, moved_by: written.movedBy, set_forward_by: written.setForwardBy };
        state = noted(saw(decided.state, row, now), row);
      }
    }
  });

  it('doubts days where more than a day was slept, until somebody vouches', () => {
    expect(sleep(9 * HOUR, 61).row.set_forward_by).toBe(0);
    expect(sleep(2 * DAY, 61).row.set_forward_by).toBe(2 * DAY);
    expect(sleep(2 * DAY, 61, { synchronised: true }).row.set_forward_by).toBe(0);
  });
});

describe('a calendar that was steady in earlier boots', () => {
  const carried = (steady_for: number | null, passed: number) =>
    decide(aState(), aRow({ steady_for }), anotherBoot(passed, doubtful));

  it.each([
    ['is proved by none of them alone', 20 * HOUR, 23 * HOUR, false],
    ['is not where it stands where it was', HOUR, MINUTE, false],
    ['is not where it went back', HOUR, -DAY, false],
    ['is not where it was set in the last one', null, 23 * HOUR, false],
  ])('%s', (_, steady, passed, isProved) => {
    const { state, action } = carried(steady, passed);
    expect(state.calendar?.isProved).toBe(isProved);
    expect(action).toMatchObject({ tick: { counts: isProved ? passed : 0 } });
  });

  it('is proved by a quarter of an hour more, however long it was', () => {
    const { state } = carried(20 * HOUR, 23 * HOUR);
    const minutesIn = (minutes: number) =>
      anotherBoot(23 * HOUR + minutes * MINUTE, { ...doubtful, elapsed: 20_000 + minutes * MINUTE });
    expect(decide(state, aRow({ may_add: 1 }), minutesIn(14)).state.calendar?.isProved).toBe(false);
    expect(decide(state, aRow({ may_add: 1 }), minutesIn(15)).action).toMatchObject({
      tick: { counts: 23 * HOUR + 15 * MINUTE, proves: true },
    });
  });

  it('is proved by five minutes more where the last one was too short to prove it', () => {
    const { state } = carried(HOUR - 1, 23 * HOUR);
    const minutesIn = (minutes: number) =>
      anotherBoot(23 * HOUR + minutes * MINUTE, { ...doubtful, elapsed: 20_000 + minutes * MINUTE });
    expect(state.calendar?.isProved).toBe(false);
    expect(decide(state, aRow({ may_add: 1 }), minutesIn(4)).state.calendar?.isProved).toBe(false);
    expect(decide(state, aRow({ may_add: 1 }), minutesIn(5)).action).toMatchObject({
      tick: { counts: 23 * HOUR + 5 * MINUTE, proves: true },
    });
  });

  it('takes what it has along', () => {
    const { state } = carried(30 * MINUTE, 23 * HOUR);
    const now = anotherBoot(23 * HOUR + 30 * MINUTE, { ...doubtful, elapsed: 20_000 + 30 * MINUTE });
    const { action } = decide(state, aRow({ may_add: 1 }), now);
    expect(action).toMatchObject({ tick: { steadyFor: HOUR, proves: true } });
    const set = decide(state, aRow({ may_add: 1 }), { ...now, calendar: now.calendar + DAY });
    expect(set.action).toMatchObject({ tick: { steadyFor: null } });
  });
});

describe('a server that nobody can reach', () => {
  const since = { out_of_reach_since: NOON };
  const wait = { kind: 'wait', after: 300, mayAdd: rules.absenceCounts + 3 * rules.tick, isOutOfReach: true };

  it('counts nothing, after a restart neither', () => {
    expect(decide(aState({ seen: SEEN }), aRow(since), later(MINUTE)).action).toEqual(wait);
    expect(decide(aState(), aRow(since), later(40 * DAY)).action).toEqual(wait);
    expect(decide(aState(), aRow(since), anotherBoot(40 * DAY)).action).toEqual(wait);
  });

  it('counts that time as an absence when it is reached again', () => {
    let { state } = decide(aState({ seen: SEEN }), aRow(since), later(9 * DAY));
    ({ state } = decide(state, aRow({ ...since, unticked_may_add: wait.mayAdd }), later(10 * DAY)));
    const reached = decide(state, aRow({ unticked_may_add: wait.mayAdd }), later(10 * DAY + MINUTE));
    expect(reached.action).toEqual(tick(26 * HOUR, { ...outage, absence: 10 * DAY + MINUTE }));
  });

  it('is counted once after a restart that nobody could reach either', () => {
    const { state } = decide(aState(), aRow({ ...since, unticked_may_add: wait.mayAdd }), later(10 * DAY));
    const reached = decide(state, aRow({ unticked_may_add: wait.mayAdd }), later(10 * DAY));
    expect(reached.action).toEqual(tick(26 * HOUR, { ...outage, absence: 10 * DAY }));
  });

  it('is not believed for longer than ninety days, by a calendar that is proved', () => {
    const long = 90 * DAY + MINUTE;
    const firmly = { ...outage, holdFirmlyFor: rules.holdAfterLongOutage };
    expect(decide(aState({ seen: SEEN }), aRow(since), later(long)).action).toEqual(
      tick(26 * HOUR, { ...firmly, forgetsReach: true, absence: long }),
    );
    expect(decide(aState({ seen: SEEN }), aRow(since), later(long - MINUTE)).action).toEqual(wait);
    const early = aRow({ out_of_reach_since: 1000, proved_at: NOON });
    expect(decide(aState({ seen: SEEN }), early, later(DAY)).action).toEqual(wait);
    const doubted = { ...doubtful, calendarBy: long };
    expect(decide(aState({ seen: SEEN }), aRow(since), later(MINUTE, doubted)).action).toEqual(wait);
  });
});

describe('a server among others', () => {
  const join = {
    kind: 'wait',
    after: 300,
    mayAdd: rules.absenceCounts + 3 * rules.tick,
    isOutOfReach: false,
  };
  const among = (values: Partial<MonitorState> = {}) => aState({ alone: false, joined: false, ...values });

  it('lets them tick, and remembers what they have reached', () => {
    const { action, state } = decide(among({ seen: { number: 299, at: 0 } }), aRow(), later(MINUTE));
    expect(action).toEqual({ kind: 'note' });
    expect(state).toMatchObject({ seen: { number: 300, at: 1000 + MINUTE }, trusted: true });
  });

  it.each([
    ['waits when it joins', aRow(), later(MINUTE), join],
    [
      'ticks when nobody on this machine has for three intervals',
      aRow(),
      later(3 * MINUTE),
      tick(3 * MINUTE),
    ],
    [
      'waits longer for servers elsewhere, whose clocks it does not know',
      aRow(),
      anotherBoot(5 * HOUR),
      join,
    ],
    ['ticks first', aRow({ ticked_at: 0, boot_id: null, proved_at: 0 }), later(MINUTE), tick(0)],
  ])('%s', (_, row, now, action) => {
    expect(decide(among(), row, now).action).toEqual(action);
  });

  it('ticks when it has seen for three intervals that nobody elsewhere does, and adds the absence', () => {
    const away = 5 * HOUR;
    const at = (minutes: number) =>
      anotherBoot(away + minutes * MINUTE, { elapsed: 20_000 + minutes * MINUTE });
    let { state } = decide(among(), aRow(), at(0));
    expect(decide(state, aRow(), at(2)).action).toEqual(join);
    ({ state } = decide(state, aRow(), at(2)));
    expect(decide(state, aRow(), at(3)).action).toEqual(tick(away + 3 * MINUTE, darkSince(3 * MINUTE)));
  });

  it('adds nothing where somebody has ticked meanwhile', () => {
    const { state } = decide(among(), aRow(), anotherBoot(5 * HOUR));
    const seen = decide(
      state,
      aRow({ tick_number: 301 }),
      anotherBoot(5 * HOUR + MINUTE, { elapsed: 80_000 }),
    );
    expect(seen).toMatchObject({ action: { kind: 'note' }, state: { absence: null, joined: true } });
  });

  it('knows what another one on this machine has told, but for the minutes that are still to be told', () => {
    let { state } = decide(among({ seen: SEEN }), aRow(), later(0, doubtful));
    const slept = { ...doubtful, calendarBy: 9 * HOUR + 2 * MINUTE };
    const theirs = { proved_at: NOON, boot_time: 1000 + MINUTE, moved_by: 10 * MINUTE };
    const row = (more: object) => aRow({ tick_number: 301, ticked_at: NOON + 9 * HOUR, ...theirs, ...more });
    ({ state } = decide(state, row({}), later(2 * MINUTE, slept)));
    expect(state.calendar?.movedBy).toBe(9 * HOUR);
    const told = row({ tick_number: 302, proved_at: NOON + 9 * HOUR });
    ({ state } = decide(state, told, later(3 * MINUTE, { ...slept, calendarBy: 9 * HOUR + 18 * MINUTE })));
    expect(state.calendar?.movedBy).toBe(26 * MINUTE);
  });

  it('measures an absence that another server has not, when that one stops', () => {
    const open = { may_add: rules.absenceCounts, tick_number: 301, boot_id: 'another boot' };
    let { state } = decide(among(), aRow({ tick_number: 300 }), anotherBoot(5 * DAY, doubtful));
    ({ state } = decide(state, aRow(open), anotherBoot(5 * DAY, doubtful)));
    expect(state.absence).toMatchObject({ from: NOON });
    // The other one has counted an hour since, and its calendar has proved nothing.
    const later = { ...open, counted_time: 6 * HOUR, tick_number: 360, boot_time: 20_000 + HOUR };
    const hour = { elapsed: 20_000 + HOUR };
    ({ state } = decide(state, aRow(later), anotherBoot(5 * DAY + HOUR, hour)));
    const alone = { elapsed: 20_000 + HOUR + 3 * MINUTE };
    const measured = decide(state, aRow(later), anotherBoot(5 * DAY + HOUR + 3 * MINUTE, alone));
    const length = 5 * DAY - 0;
    const credit = { after: 360, ...toldOutage(length), ...darkSince(63 * MINUTE) };
    expect(measured.action).toEqual(tick(26 * HOUR + 3 * MINUTE, credit));
    // Somebody has measured it meanwhile.
    const done = decide(
      state,
      aRow({ ...later, tick_number: 361, may_add: 0 }),
      anotherBoot(5 * DAY + HOUR, hour),
    );
    expect(done.state.absence).toBe(null);
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
    expect(third.action.kind).toBe(reason === 'another-key' ? 'rest' : 'wait');
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
    ['another address than the one that led to it', aRow({ home_origin: 'another' }), {}, pause('moved')],
    ['no address, where one has led to it', aRow({ home_origin: 'ours' }), { origin: null }, pause('moved')],
    ['the address that led to it', aRow({ home_origin: 'ours' }), {}, tick(0)],
    [
      'another address, which was confirmed',
      aRow({ home_origin: 'another', epoch: 2 }),
      { pausedIn: 1 },
      tick(0),
    ],
    ['time that was lived elsewhere', aRow({ counted_time: 32 * HOUR + 1 }), {}, pause('restored')],
    ['time that a crash kept from the journal', aRow({ counted_time: 32 * HOUR }), {}, tick(0)],
    ['an administrator’s word that it was waiting for', aRow({ epoch: 2 }), { pausedIn: 1 }, tick(0)],
    ['the epoch in which it was paused', aRow({ releases: 1 }), { pausedIn: 1 }, pause('restored')],
  ])('%s', (_, row, values, action) => {
    const decision = decide(aState(values), row, later(0));
    expect(decision.action).toEqual(action);
    expect(decision.state.trusted).toBe(decision.action.kind === 'tick');
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
  const isPaused = { paused_reason: 'restored', releases: 1 } as const;

  it('only the pause is counted, and nobody is warned anew', () => {
    const { action, state } = decide(aState({ trusted: true, seen: SEEN }), aRow(isPaused), later(40 * HOUR));
    expect(action).toEqual(tick(26 * HOUR, { isPaused: true, absence: 40 * HOUR }));
    expect(state).toMatchObject({ trusted: false, pausedIn: 1 });
  });

  it('a proved calendar adds what was missed before, and nothing of the pause twice', () => {
    const row = aRow({ ...isPaused, paused_for: 3 * HOUR, proved_counted: 8 * HOUR });
    expect(decide(aState(), row, anotherBoot(5 * HOUR)).action).toEqual(tick(5 * HOUR, { isPaused: true }));
  });

  it('a backup that was made in an earlier pause begins another one', () => {
    const kept = { ...entry, epoch: 3 };
    expect(decide(aState({ kept }), aRow({ ...isPaused, epoch: 2 }), later(0)).action).toEqual(
      pause('restored', 3),
    );
  });

  it('another server counts it just as well', () => {
    const seen = { number: 299, at: 0 };
    const { action, state } = decide(aState({ seen, joined: false }), aRow(isPaused), later(MINUTE));
    expect(action).toEqual(rest);
    expect(state).toMatchObject({ seen: { number: 300 }, joined: true });
    expect(decide(aState({ alone: false, joined: false }), aRow(isPaused), later(MINUTE)).action).toEqual(
      rest,
    );
  });

  it('the administrator’s word is an epoch beyond the one that was seen', () => {
    const row = aRow(isPaused);
    const state = saw(decide(aState(), row, later(0)).state, row, later(0));
    const confirmed = aRow({ releases: 1, epoch: 2, tick_number: 301 });
    expect(decide(state, confirmed, later(MINUTE)).action).toEqual({ kind: 'note' });
    // What was seen paused in the same epoch is no word of anybody.
    expect(decide(paused(state, aRow({ epoch: 2 }), later(0)), confirmed, later(MINUTE)).action).toEqual(
      pause('restored', 2),
    );
  });
});

describe('what a server remembers', () => {
  it('is what it has noted', () => {
    const doubtful = aState({ kept: null, copied: true, pausedIn: 4 });
    const row = aRow({ counted_time: DAY, epoch: 5, releases: 7, waits: 3 });
    expect(noted(doubtful, row)).toMatchObject({
      kept: { instance: 'ours', epoch: 5, countedTime: DAY, releases: 7, waits: 3 },
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
