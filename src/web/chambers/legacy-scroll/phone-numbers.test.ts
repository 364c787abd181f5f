import { expect, test } from 'vitest';
import { addressProblem, normaliseAddress } from '../../../shared/nouns/scroll-recipients.ts';
import { countriesIn, countryOf, ownCountry, withCountry } from './phone-numbers.ts';

test.each([
  ['07700 900123', 'GB', '+447700900123'],
  ['(07700) 900-123', 'GB', '+447700900123'],
  ['0151 23456789', 'DE', '+4915123456789'],
  ['06 12 34 56 78', 'FR', '+33612345678'],
  ['(212) 555-0123', 'US', '+12125550123'],
  ['3201234567', 'IT', '+393201234567'],
  ['06 20 123 4567', 'HU', '+36201234567'],
  ['+44 7700 900123', 'DE', '+447700900123'],
  ['0044 7700 900123', 'DE', '+447700900123'],
])('%j in %s is %s', (typed, country, number) => {
  expect(withCountry(typed, country)).toBe(number);
  expect(addressProblem('sms', number)).toBeNull();
  expect(normaliseAddress('sms', number)).toBe(number);
});

test.each([
  ['', 'GB'],
  ['12', 'GB'],
  ['nobody', 'DE'],
  ['07700 900123 900123', 'GB'],
])('%j in %s is none', (typed, country) => {
  expect(withCountry(typed, country)).toBeNull();
});

test.each([
  [['en-GB', 'en'], 'GB'],
  [['de'], 'DE'],
  [['pt-BR', 'pt'], 'BR'],
  [['eo', 'fr-CA'], 'CA'],
  [['not a tag', 'hu'], 'HU'],
  [[], null],
])('the languages %j point to %s', (languages, country) => {
  expect(countryOf(languages)).toBe(country);
});

test('countries are named and sorted in a language, each with its code', () => {
  const countries = countriesIn('en-GB');
  expect(countries.length).toBeGreaterThan(200);
  expect(countries).toContainEqual({ value: 'GB', label: 'United Kingdom (+44)' });
  const labels = countries.map(({ label }) => label);
  expect(labels.indexOf('Germany (+49)')).toBeLessThan(labels.indexOf('Hungary (+36)'));
});

test('a number that begins with its country names it', () => {
  expect(ownCountry('+36 20 123 4567')).toBe('HU');
  expect(ownCountry('0049 151 23456789')).toBe('DE');
  expect(ownCountry('0151 23456789')).toBeNull();
});
