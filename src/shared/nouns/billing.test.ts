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

// The provider ships no list of them. ISO's own, as Intl has it, knows the same ones without a fraction, and those that people
// write without one although it has one.
it('counts whole only what the world counts whole', () => {
  const unlike = Intl.supportedValuesOf('currency').filter((code) => {
    const { maximumFractionDigits: digits } = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: code,
    }).resolvedOptions();
    const decimals = -Math.log10(inUsualUnit(1, code.toLowerCase()));
    return Math.round(decimals) > 2 ? digits !== 3 : Math.round(decimals) === 0 && digits !== 0;
  });
  expect(unlike).toEqual([]);
});
