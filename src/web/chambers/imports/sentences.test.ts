// What is asked about dates names the order, and the calendar where it is not ours.
import { expect, test } from 'vitest';
import { dateOrderLabel, dateOrderQuestion } from './sentences.ts';

test('the ways to read dates', () => {
  expect((['dmy', 'mdy', 'ymd', 'dmy buddhist', 'ymd persian'] as const).map(dateOrderLabel)).toEqual([
    'Day first: 1/2 is 1 February',
    'Month first: 1/2 is January 2',
    'Year first',
    'Day first, years of the Buddhist era',
    'Year first, Persian calendar',
  ]);
});

test('the question names what is not known', () => {
  expect(dateOrderQuestion(['dmy', 'mdy'])).toMatch(/which number is the day/);
  expect(dateOrderQuestion(['dmy', 'dmy buddhist'])).toMatch(/by which calendar/);
});
