// Phone numbers as people write them at home. The library knows every country's plan (25 KB on the wire) and is
// loaded where a phone number is asked for.
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

export interface Country {
  /** ISO 3166, two letters. */
  value: string;
  label: string;
}

/** Every country that has a numbering plan, by its name in a language. */
export function countriesIn(language: string): Country[] {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return getCountries()
    .map((code) => ({ value: code, name: names.of(code) ?? code, calling: getCountryCallingCode(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, language))
    .map(({ value, name, calling }) => ({ value, label: `${name} (+${calling})` }));
}

/** The country of the first language that names one or is spoken mainly in one; null where none does. */
export function countryOf(languages: readonly string[]): string | null {
  for (const language of languages) {
    try {
      const { region } = new Intl.Locale(language).maximize();
      if (region && isSupportedCountry(region)) return region;
    } catch {
      // No language tag: the next one may be.
    }
  }
  return null;
}

/**
 * A number as it was typed, with its country in front (E.164).
 * @param country where a number without one belongs; a number that begins with + or 00 names its own
 * @returns null where it cannot be a number there
 */
export function withCountry(typed: string, country: string): string | null {
  const own = typed.trim().replace(/^00/, '+');
  const number = parsePhoneNumberFromString(own, country as CountryCode);
  // Whether its length is right. Which blocks are in use changes with the day, and is for a telephone company to say.
  return number?.isPossible() ? number.number : null;
}

/** The country that a number names itself, as far as its first digits tell. */
export function ownCountry(typed: string): string | null {
  return parsePhoneNumberFromString(typed.trim().replace(/^00/, '+'))?.country ?? null;
}
