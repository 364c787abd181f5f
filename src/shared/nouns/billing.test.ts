// How prices are written.
import { expect, it } from 'vitest';
import { inUsualUnit, priceText } from './billing.ts';

it.each([
  [999, 'usd', 9.99, '$9.99/month'],
  [999, 'jpy', 999, '¥999/month'],
  [9990, 'kwd', 9.99, /^KWD\s9\.990\/month$/],
  // Nobody writes fractions of these, and the provider counts the first three in hundredths.
  [90_000, 'isk', 900, /900\.00\/month$/],
  [900_000, 'ugx', 9000, /9,000\.00\/month$/],
  [90_000, 'all', 900, /900\.00\/month$/],
  [45_000, 'mga', 45_000, /45,000\/month$/],
])('writes %d of %s as the provider counts it', (minor, currency, usual, text) => {
  expect(inUsualUnit(minor, currency)).toBe(usual);
  expect(priceText(minor, currency)).toMatch(text);
});
