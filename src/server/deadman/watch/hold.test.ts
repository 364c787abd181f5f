import { describe, expect, it } from 'vitest';
import { switchRules } from '../../../shared/nouns/switch-rules.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { deadlineOf, holdOf, type Moment, remainingOf, type Watch } from './hold.ts';

const NOW = Date.parse('2030-06-01T12:00:00Z');

const silence = (fields: Partial<Watch> = {}): Watch => ({
  state: 'watching',
  trigger_type: 'inactivity',
  period: 30 * DAY,
  due_at: null,
  watching_since: 100 * DAY,
  warning: 'dashboard',
  warning_accepted: null,
  contact_told_at: null,
  releasable_at: null,
  ...fields,
});
const day = (fields: Partial<Watch> = {}) =>
  silence({ trigger_type: 'date', period: null, due_at: NOW + DAY, ...fields });
const byHand = (fields: Partial<Watch> = {}) => silence({ trigger_type: 'manual', period: null, ...fields });
const mail = (fields: Partial<Watch> = {}) => silence({ warning: 'mail', ...fields });

const at = (
  counted_time: number,
  fields: Partial<Moment['clock']> = {},
  lastActivity: number | null = null,
): Moment => ({
  lastActivity: lastActivity === null ? null : { counted_time: lastActivity },
  clock: {
    ...{ counted_time, held_until: 0, firmly_held_until: 0, paused_reason: null },
    ...{ told_held_until: 0, told_firmly_held_until: 0, out_of_reach_since: null },
    ...{ may_add: 0, stood_still: 0 as const, set_forward_by: 0 },
    ...fields,
  },
  postponedUntil: null,
  now: NOW,
  rules: switchRules,
});

describe('a deadline', () => {
  it.each([
    ['counts from the activation', silence(), null, 130 * DAY],
    ['counts from a later sign of life', silence(), 105 * DAY, 135 * DAY],
    ['does not count from an earlier one', silence(), 50 * DAY, 130 * DAY],
    ['is none while dormant', silence({ state: 'dormant' }), 105 * DAY, null],
    ['is none once released', silence({ state: 'released' }), 105 * DAY, null],
    ['is none for a day', day(), 105 * DAY, null],
    ['is none where only a hand releases', byHand(), 105 * DAY, null],
  ])('%s', (_, scroll, lastActivity, deadline) => {
    expect(deadlineOf(scroll, lastActivity === null ? null : { counted_time: lastActivity })).toBe(deadline);
  });
});

describe('what remains', () => {
  it.each([
    ['the whole period at first', silence(), at(100 * DAY), 30 * DAY],
    ['never more than the period', silence(), at(100 * DAY - MINUTE), 30 * DAY],
    ['less with every day', silence(), at(104 * DAY), 26 * DAY],
    ['the whole again after a sign of life', silence(), at(120 * DAY, {}, 120 * DAY), 30 * DAY],
    ['less than nothing after it', silence(), at(131 * DAY), -DAY],
    ['the calendar’s for a day', day(), at(100 * DAY), DAY],
    ['less than nothing once the day has begun', day({ due_at: NOW - HOUR }), at(100 * DAY), -HOUR],
    ['nothing to speak of for a hand', byHand(), at(100 * DAY), null],
    ['nothing while dormant', day({ state: 'dormant' }), at(100 * DAY), null],
  ])('is %s', (_, scroll, moment, remaining) => {
    expect(remainingOf(scroll, moment)).toBe(remaining);
  });
});

describe('what holds a scroll', () => {
  const paused = { paused_reason: 'restored' as const };
  const deadline = 130 * DAY;
  it.each([
    ['nothing before its time', silence(), at(110 * DAY), null],
    ['nothing after it without warnings', silence(), at(deadline), null],
    ['a pause, before its time too', silence(), at(110 * DAY, paused), 'paused'],
    ['a pause, for a day', day(), at(110 * DAY, paused), 'paused'],
    ['nothing where only a hand releases', byHand(), at(110 * DAY, paused), null],
    ['nothing while dormant', silence({ state: 'dormant' }), at(140 * DAY, paused), null],
    ['nothing once released', silence({ state: 'released' }), at(140 * DAY, paused), null],
    [
      'an outage that ends after its deadline',
      silence(),
      at(129 * DAY, { held_until: 131 * DAY }),
      'after-outage',
    ],
    ['no outage that ends before', silence(), at(110 * DAY, { held_until: 113 * DAY }), null],
    ['no outage that is over', silence(), at(131 * DAY, { held_until: 131 * DAY }), null],
    ['an outage of last week again', silence(), at(143 * DAY, { held_until: 146 * DAY }), 'after-outage'],
    ['no outage for ever', silence(), at(144 * DAY, { held_until: 146 * DAY }), null],
    [
      'a long outage, whatever else ends',
      silence(),
      at(144 * DAY, { held_until: 146 * DAY, firmly_held_until: 160 * DAY }),
      'after-outage',
    ],
    ['an absence whose length nobody knows', silence(), at(deadline, { may_add: DAY }), 'after-start'],
    ['nothing of it before its time', silence(), at(deadline - 1, { may_add: DAY }), null],
    ['an address that leads elsewhere', silence(), at(5 * DAY, { out_of_reach_since: NOW }), 'out-of-reach'],
    ['the same, for a day', day(), at(100 * DAY, { out_of_reach_since: NOW }), 'out-of-reach'],
    ['that it began lately, as nobody has noticed', day({ due_at: NOW }), at(100 * DAY), 'after-start'],
    ['nothing of it before the day', day({ due_at: NOW + 1 }), at(100 * DAY), null],
    [
      'a calendar that was set forward, until it has come by the day without that',
      day({ due_at: NOW - DAY + 1, releasable_at: 100 * DAY }),
      at(100 * DAY, { set_forward_by: DAY }),
      'calendar-set',
    ],
    [
      'no such calendar after that',
      day({ due_at: NOW - DAY, releasable_at: 100 * DAY }),
      at(100 * DAY, { set_forward_by: DAY }),
      null,
    ],
    [
      'what a calendar has told, just as well',
      silence(),
      at(129 * DAY, { told_held_until: 131 * DAY }),
      'after-outage',
    ],
    [
      'no long outage for ever',
      silence(),
      at(174 * DAY, { firmly_held_until: 190 * DAY, told_firmly_held_until: 190 * DAY }),
      null,
    ],
    [
      'a calendar that stood still',
      silence(),
      at(deadline, { may_add: DAY, stood_still: 1 }),
      'calendar-stood-still',
    ],
    [
      'the same without a fresh warning',
      mail(),
      at(deadline + DAY, { may_add: DAY, stood_still: 1 }),
      'calendar-stood-still',
    ],
    [
      'nothing of it a day after one',
      mail({ warning_accepted: deadline }),
      at(deadline + DAY, { may_add: DAY, stood_still: 1 }),
      null,
    ],
    [
      'nothing that nobody knows for ever',
      silence(),
      at(deadline + 14 * DAY, { may_add: DAY, stood_still: 1 }),
      null,
    ],
    ['no outage, for a day', day(), at(129 * DAY, { held_until: 131 * DAY }), null],
    ['nothing before a day that comes', day(), at(100 * DAY), null],
    [
      'a day that passed in the dark',
      day({ due_at: NOW, releasable_at: 101 * DAY }),
      at(100 * DAY),
      'dark-date',
    ],
    ['no day that is releasable', day({ due_at: NOW, releasable_at: 100 * DAY }), at(100 * DAY), null],
    ['no missing warning before the deadline', mail(), at(deadline - 1), null],
    ['a warning that nobody accepted', mail(), at(deadline), 'warning-unaccepted'],
    ['the same to the last moment', mail(), at(deadline + 14 * DAY - 1), 'warning-unaccepted'],
    ['and no longer', mail(), at(deadline + 14 * DAY), null],
    ['a warning of today', mail({ warning_accepted: deadline }), at(deadline + DAY - 1), 'warned-lately'],
    ['no warning of yesterday', mail({ warning_accepted: deadline }), at(deadline + DAY), null],
    ['no warning of last week', mail({ warning_accepted: deadline - 7 * DAY }), at(deadline), null],
  ])('is %s', (_, scroll, moment, hold) => {
    expect(holdOf(scroll, moment)).toBe(hold);
  });
});
