// A phone number as its author writes it, and the country it belongs to. What is kept and sent is the number with its
// country in front; what cannot be one is handed on as it was typed, for the form to refuse.
import { useEffect, useEffectEvent, useState } from 'react';
import { SelectField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import type { Country } from './phone-numbers.ts';

interface PhoneProps {
  /** The number with its country, or what was typed. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  disabled: boolean;
}

type Numbers = typeof import('./phone-numbers.ts');

const hasCountry = (typed: string) => /^\s*(?:\+|00)/.test(typed);

export function PhoneField({ value, onChange, error, disabled }: PhoneProps) {
  const [typed, setTyped] = useState(value);
  const [said, setSaid] = useState(value);
  const [country, setCountry] = useState('');
  const [loaded, setLoaded] = useState<{ numbers: Numbers; countries: Country[] } | null>(null);

  // The form was filled by something else: a draft, or a version from elsewhere.
  if (value !== said) {
    setSaid(value);
    setTyped(value);
  }

  function say(text: string, where: string, numbers: Numbers | undefined) {
    const number = numbers?.withCountry(text, where) ?? text;
    setTyped(text);
    setSaid(number);
    if (number !== value) onChange(number);
  }

  // Without the library (offline, say) a number that names its country still goes.
  const load = useEffectEvent((numbers: Numbers) => {
    const here = numbers.countryOf(navigator.languages) ?? '';
    setLoaded({ numbers, countries: numbers.countriesIn('en-GB') });
    setCountry(here);
    // What was typed before it came is read again.
    if (!disabled) say(typed, here, numbers);
  });
  useEffect(() => {
    let current = true;
    import('./phone-numbers.ts').then(
      (numbers) => current && load(numbers),
      () => {},
    );
    return () => {
      current = false;
    };
  }, []);

  const own = hasCountry(typed);
  return (
    <div className="grid content-start gap-y-5 sm:gap-y-3">
      {loaded && (
        <SelectField
          label="Country"
          placeholder="Choose a country"
          choices={loaded.countries}
          value={own ? (loaded.numbers.ownCountry(typed) ?? '') : country}
          onChange={(event) => {
            setCountry(event.target.value);
            say(typed, event.target.value, loaded.numbers);
          }}
          disabled={disabled || own}
        />
      )}
      <TextField
        label="Phone number"
        type="tel"
        placeholder="07700 900123 or +44 7700 900123"
        hint={said !== typed && said.startsWith('+') ? `Kept as ${said}.` : undefined}
        autoComplete="off"
        maxLength={40}
        value={typed}
        onChange={(event) => say(event.target.value, country, loaded?.numbers)}
        error={
          error && typed.trim() !== '' && !own && country !== ''
            ? 'This is not a phone number in the country above.'
            : error
        }
        disabled={disabled}
      />
    </div>
  );
}
