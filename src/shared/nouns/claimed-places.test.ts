import { expect, test } from 'vitest';
import { claimedPlaces } from './holders.ts';

test.each([
  [0, 'None holds and thirteen are unclaimed.'],
  [1, 'One holds and twelve are unclaimed.'],
  [2, 'Two hold and eleven are unclaimed.'],
  [12, 'Twelve hold and one is unclaimed.'],
  [13, 'Thirteen hold and none is unclaimed.'],
  [1204, '1,204 hold and none is unclaimed.'],
])('at %i holders: %s', (count, words) => {
  expect(claimedPlaces(count)).toBe(words);
});
