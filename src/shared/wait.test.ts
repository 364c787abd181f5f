import { expect, it } from 'vitest';
import { formatWait } from './wait.ts';

it.each([
  [1, '1 second'],
  [40, '40 seconds'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [600, '10 minutes'],
  [5400, '90 minutes'],
  [5401, '2 hours'],
  [86_400, '24 hours'],
])('a wait of %i seconds is told as %s', (seconds, words) => {
  expect(formatWait(seconds)).toBe(words);
});
