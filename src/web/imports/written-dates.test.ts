// Dates as people write them, and texts that are none.
import { expect, test } from 'vitest';
import { stampHere } from './local-times.ts';
import { readSaidDate, readWritten, saysMore } from './written-dates.ts';

test.each<[string, string | null]>([
  ['2023-12-31', '2023-12-31'],
  ['2023-12-31T23:59+01:00', '2023-12-31T23:59'],
  ['2023-12-31 23:59:10.5', '2023-12-31T23:59'],
  ['2023.12.31 11:59 PM', '2023-12-31T23:59'],
  ['2023/12/31 下午11:59', '2023-12-31T23:59'],
  ['20231231', '2023-12-31'],
  ['31.12.2023', '2023-12-31'],
  ['31. 12. 2023 23.59', '2023-12-31T23:59'],
  ['12/31/2023 9 am', '2023-12-31T09:00'],
  ['5/5/2023', '2023-05-05'],
  ['1/2/2023', null],
  ['Dec 31st, 2023', '2023-12-31'],
  ['Sunday, December 31, 2023 at 11:59:00 PM CET', '2023-12-31T23:59'],
  ['le dimanche 31 décembre 2023 à 23 h 59', '2023-12-31T23:59'],
  ['So., 31. Dez. 2023 um 23:59 MEZ', '2023-12-31T23:59'],
  ['31 de diciembre de 2023 11:59 p. m.', '2023-12-31T23:59'],
  ['31 декабря 2023 г., 23:59', '2023-12-31T23:59'],
  ['31 Aralık 2023 Pazar', '2023-12-31'],
  ['31 दिसंबर 2023', '2023-12-31'],
  ['2023年12月31日', '2023-12-31'],
  ['2023년 12월 31일', '2023-12-31'],
  ['December 31, 2023 → January 2, 2024', '2023-12-31'],
  ['@December 31, 2023 9:00 AM (GMT+1)', '2023-12-31T09:00'],
  ['December 31, 2023 9:00 xyzzy', null],
  ['31 February 2023', null],
  ['December 2023', null],
  ['31 December', null],
  ['The lake, 31 December 2023', null],
  ['Chapter 12, 2023', null],
  ['2023', null],
  ['23:59', null],
  ['', null],
  [`31 December 2023${' '.repeat(100)}`, null],
])('%s', (text, happenedOn) => expect(readWritten(text)?.happenedOn ?? null).toBe(happenedOn));

test.each([
  ['3 June 2024 → 5 June 2024', true],
  ['3 June 2024 – 5 June 2024', true],
  ['3 June 2024 (about noon)', true],
  ['3 June 2024 9:00 AM (GMT+1)', false],
  ['3 June 2024 (CEST)', false],
  ['3 June 2024', false],
])('%s says more than where it begins: %s', (text, more) => expect(saysMore(text)).toBe(more));

test('what ends in Z is an instant, but midnight itself is a day', () => {
  const instant = Date.UTC(2023, 11, 31, 23, 59);
  expect(readWritten('2023-12-31T23:59:00.000Z')).toEqual({ happenedOn: stampHere(instant), instant });
  expect(readWritten('2023-12-31 23:59Z')).toEqual({ happenedOn: stampHere(instant), instant });
  expect(readWritten('2023-12-31T00:00:00.000Z')).toEqual({ happenedOn: '2023-12-31' });
  expect(readWritten('2023-12-31T99:59:00Z')).toBeNull();
});

test.each<[string, string | null]>([
  ['2023-12-31 23:59', '2023-12-31T23:59'],
  ['1962', '1962'],
  ['1962-05', '1962-05'],
  ['5/1962', '1962-05'],
  ['May 1962', '1962-05'],
  ['mai 1962', '1962-05'],
  ['Summer 1962', '1962-22'],
  ['the summer of 1962', '1962-22'],
  ['Fall, 1962', '1962-23'],
  ['1962-24', '1962-24'],
  ['about 1962', '1962~'],
  ['c. 1962', '1962~'],
  ['circa May 1962', '1962-05~'],
  ['1962?', '1962~'],
  ['~1962', '1962~'],
  ['about 3 June 2024 at 9 am', '2024-06-03~'],
  ['1962-13', null],
  ['13/1962', null],
  ['May', null],
  ['1962 1963', null],
  ['Chapter 1962', null],
  ['', null],
])('where a date is called one, %s', (text, happenedOn) =>
  expect(readSaidDate(text)?.happenedOn ?? null).toBe(happenedOn),
);
