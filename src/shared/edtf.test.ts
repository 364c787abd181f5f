// Dates as exactly as somebody knows them.
import { expect, test } from 'vitest';
import { isExact, parseEdtf } from './edtf.ts';

test.each([
  ['2019-05-17', 'day', new Date(2019, 4, 17), null, false],
  ['2019-05-17T14:30', 'minute', new Date(2019, 4, 17, 14, 30), null, false],
  ['2019-05', 'month', new Date(2019, 4, 1), null, false],
  ['1962', 'year', new Date(1962, 0, 1), null, false],
  ['1962-21', 'season', new Date(1962, 2, 1), 21, false],
  ['1962-22', 'season', new Date(1962, 5, 1), 22, false],
  ['1962-23', 'season', new Date(1962, 8, 1), 23, false],
  ['1962-24', 'season', new Date(1962, 11, 1), 24, false],
  ['1962-22~', 'season', new Date(1962, 5, 1), 22, true],
  ['1962~', 'year', new Date(1962, 0, 1), null, true],
  ['2019-05-17~', 'day', new Date(2019, 4, 17), null, true],
  ['0987', 'year', new Date(new Date(2000, 0, 1).setFullYear(987)), null, false],
])('%s is a %s', (text, precision, start, season, isAbout) =>
  expect(parseEdtf(text)).toEqual({ precision, start, season, isAbout }),
);

test.each([
  '',
  '62',
  '1962-13',
  '1962-20',
  '1962-25',
  '1962-00',
  '1962-22-01',
  '2019-02-29',
  '2019-05-17T24:00',
  '2019-05-17T14:30~',
  '2019-05-17T14:30Z',
  '1962~~',
  '~1962',
  '1962-5',
  '196X',
  '1962/1963',
  '-0500',
  '19620',
  '2019-05-17 ',
  'summer 1962',
])('%o is none', (text) => expect(parseEdtf(text)).toBeNull());

test.each([
  ['2019-05-17', true],
  ['2019-05-17T14:30', true],
  ['2019-05-17~', false],
  ['2019-05', false],
  ['2019', false],
  ['', false],
])('%o names one day: %s', (text, exact) => expect(isExact(text)).toBe(exact));
