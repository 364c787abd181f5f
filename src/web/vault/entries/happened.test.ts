// When something happened, in words.
import { expect, test } from 'vitest';
import { onThisDay } from './days.ts';
import { formatEntryDay, formatHappened } from './happened.ts';

test.each([
  ['2019-05-17', '17 May 2019'],
  ['2019-05-17T14:30', '17 May 2019, 14:30'],
  ['2019-05-17~', 'about 17 May 2019'],
  ['2019-05', 'May 2019'],
  ['1962-21', 'spring 1962'],
  ['1962-24~', 'about winter 1962'],
  ['1962', '1962'],
  ['1962~', 'about 1962'],
  ['whenever', ''],
])('%s is %s', (happenedOn, words) => expect(formatHappened(happenedOn)).toBe(words));

const entry = (happenedOn: string | null, at: number) => ({ at, details: { happenedOn, tags: [] } });

test('a list says no more of a day than is known, and no year that is known where it stands', () => {
  const may = new Date(2019, 4, 17).getTime();
  expect(formatEntryDay(entry(null, may), 2019)).toBe('17 May');
  expect(formatEntryDay(entry('2019-05-17T14:30', may), 2019)).toBe('17 May');
  expect(formatEntryDay(entry('2019-05-17', may))).toBe('17 May 2019');
  expect(formatEntryDay(entry('2019-05-17', may), 2020)).toBe('17 May 2019');
  expect(formatEntryDay(entry('2019-05-17~', may), 2019)).toBe('about 17 May');
  expect(formatEntryDay(entry('2019-05', may), 2019)).toBe('May');
  expect(formatEntryDay(entry('1962-22~', new Date(1962, 5, 1).getTime()), 1962)).toBe('about summer');
  expect(formatEntryDay(entry('1962-22~', new Date(1962, 5, 1).getTime()))).toBe('about summer 1962');
  // Nothing else would be left to say.
  expect(formatEntryDay(entry('2019~', may), 2019)).toBe('about 2019');
  expect(formatEntryDay(entry('2019', new Date(2019, 0, 1).getTime()), 2019)).toBe('2019');
});

test('nothing vague happened on this day', () => {
  const first = new Date(1962, 0, 1).getTime();
  const known = (happenedOn: string | null) => ({
    kind: { lockedUntil: () => null },
    entry: { ...entry(happenedOn, first), content: 'words', changed: null },
  });
  const all = ['1962', '1962-01', '1962-01-01~', '1962-01-01', null].map(known);
  const found = onThisDay(all as never, new Date(2026, 0, 1).getTime());
  expect(found.map((one) => one.entry.details.happenedOn)).toEqual(['1962-01-01', null]);
});
