// Other calendars: every day of three decades, against the calendars of CLDR.
import { expect, test } from 'vitest';
import { dayIn } from './calendars.ts';

test.each([
  ['persian', 'persian'],
  ['islamic', 'islamic-umalqura'],
  ['buddhist', 'buddhist'],
] as const)('every day of the %s calendar', (calendar, id) => {
  const clock = new Intl.DateTimeFormat(`en-u-ca-${id}-nu-latn`, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  const wrong: string[] = [];
  for (let day = Date.UTC(2009, 0, 1); day < Date.UTC(2040, 0, 1); day += 86_400_000) {
    const of = new Map(clock.formatToParts(day).map(({ type, value }) => [type, Number.parseInt(value, 10)]));
    const [year = 0, month = 0, date = 0] = [of.get('year'), of.get('month'), of.get('day')];
    const expected = new Date(day).toISOString().slice(0, 10);
    if (dayIn(calendar, year, month, date, false) !== expected) wrong.push(expected);
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['gregorian', 23, 12, 31, true, '2023-12-31'],
  ['gregorian', 2023, 2, 30, false, null],
  ['gregorian', 2008, 12, 31, false, null],
  ['buddhist', 66, 12, 31, true, '2023-12-31'],
  ['buddhist', 66, 2, 30, true, null],
  ['persian', 2, 10, 10, true, '2023-12-31'],
  ['persian', 99, 12, 30, true, '2021-03-20'],
  ['persian', 1400, 12, 30, false, null],
  ['persian', 1400, 13, 1, false, null],
  ['islamic', 1445, 6, 18, false, '2023-12-31'],
  ['islamic', 0, 0, 0, false, null],
] as const)('%s %i-%i-%i', (calendar, year, month, day, short, expected) => {
  expect(dayIn(calendar, year, month, day, short)).toBe(expected);
});
