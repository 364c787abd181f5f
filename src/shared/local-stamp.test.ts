import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromLocalStamp, toLocalStamp } from './local-stamp.ts';

test('a moment is written in local time, to the minute or to the day', () => {
  const moment = new Date(2027, 0, 5, 9, 7, 41);
  expect(toLocalStamp(moment)).toBe('2027-01-05T09:07');
  expect(toLocalStamp(moment, 'date')).toBe('2027-01-05');
});

test('a bare date is the first minute of that day here, not in Greenwich', () => {
  expect(fromLocalStamp('2027-01-05')).toEqual(new Date(2027, 0, 5, 0, 0));
});

test.each(['', '  ', 'tomorrow', '2027-02-30', '2027-13-01', '2027-1-1'])('%j is no moment', (text) => {
  expect(fromLocalStamp(text)).toBeNull();
});

test('what was written can be read back', () => {
  const minutes = fc.date({ min: new Date(1900, 0, 1), max: new Date(2500, 0, 1), noInvalidDate: true });
  fc.assert(
    fc.property(minutes, (date) => {
      const stamp = toLocalStamp(date);
      const back = fromLocalStamp(stamp);
      expect(back && toLocalStamp(back)).toBe(stamp);
    }),
  );
});
