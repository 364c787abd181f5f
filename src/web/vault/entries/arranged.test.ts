// In which order a list stands, and the calendar of its days.
import { expect, test } from 'vitest';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { calendarOf, inOrder, weeksOf, yearIn } from './arranged.ts';

const entry = (name: string | null, at: Date, written: Date, happenedOn: string | null = null) =>
  ({
    name,
    at: at.getTime(),
    createdAt: written.toISOString(),
    changed: null,
    details: { happenedOn, tags: [] },
  }) as never as OpenedEntry;

const [y62, y19, y26] = [new Date(1962, 5, 1), new Date(2019, 4, 17, 9), new Date(2026, 0, 2)];
const list = [
  entry('Äpfel', y26, y26),
  entry('apple 10', y19, new Date(2026, 2, 1), '2019-05-17'),
  entry(null, y62, new Date(2020, 2, 1), '1962-22'),
  entry('apple 9', y62, new Date(2021, 2, 1), '1962-06~'),
];

test.each([
  ['newest', ['Äpfel', 'apple 10', null, 'apple 9']],
  ['oldest', ['apple 9', null, 'apple 10', 'Äpfel']],
  ['written', ['apple 10', 'Äpfel', 'apple 9', null]],
  ['name', ['Äpfel', 'apple 9', 'apple 10', null]],
] as const)('%s', (order, names) => {
  expect(inOrder(list, order).map(({ name }) => name)).toEqual(names);
});

test('years stand over orders of time', () => {
  const [, second] = list;
  if (!second) throw new Error('there are four');
  expect(yearIn(second, 'newest')).toBe(2019);
  expect(yearIn(second, 'written')).toBe(2026);
  expect(yearIn(second, 'name')).toBeNull();
  expect(yearIn({ ...second, changed: [] }, 'newest')).toBeNull();
  expect(yearIn({ ...second, name: null }, 'newest')).toBeNull();
});

test('a calendar has the days that are known, the latest year first', () => {
  const years = calendarOf(list);
  expect(
    years.map(({ year, entries, months }) => [
      year,
      entries.length,
      months.map(({ month, entries: all, days }) => [month, all.length, [...days.keys()]]),
    ]),
  ).toEqual([
    [2026, 1, [[1, 1, [2]]]],
    [2019, 1, [[5, 1, [17]]]],
    // What is about a month is on no day; of what does not open nobody but the server says a day.
    [1962, 1, [[6, 1, []]]],
  ]);
});

test('a season and a year are in no month', () => {
  const vague = ['1962-22', '1962'].map((happenedOn) => entry('a', y62, y62, happenedOn));
  expect(calendarOf(vague)).toMatchObject([{ year: 1962, entries: [{}, {}], months: [] }]);
});

test('weeks begin on Monday', () => {
  expect(weeksOf(2026, 2)).toEqual([
    [0, 0, 0, 0, 0, 0, 1],
    [2, 3, 4, 5, 6, 7, 8],
    [9, 10, 11, 12, 13, 14, 15],
    [16, 17, 18, 19, 20, 21, 22],
    [23, 24, 25, 26, 27, 28, 0],
  ]);
  expect(weeksOf(2024, 2).flat().filter(Boolean)).toHaveLength(29);
});
