import { expect, it } from 'vitest';
import { formatAmount, shortAddress } from './amounts.ts';

it.each([
  [0, '0'],
  [1, '1'],
  [1204, '1,204'],
  [1_234_567.891, '1,234,567.89'],
  [0.999999, '0.99'],
  [1.5, '1.5'],
])('%d tokens are written %s', (amount, text) => {
  expect(formatAmount(amount)).toBe(text);
});

it('shortens an address to its ends, and leaves alone what is short already', () => {
  expect(shortAddress('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosg9fQe')).toBe('7xKX…9fQe');
  expect(shortAddress('7xKX9fQe')).toBe('7xKX9fQe');
});
