// Checks of values by plain functions. The contract's schemas (zod) weigh as much as all that the app has of its own in its
// first load; what is checked before they are there, is checked by these. A check gives back what it knows and nothing else,
// as a schema does, or throws.

export type Check<T> = (value: unknown) => T;

function refuse(): never {
  throw new Error('This answer is not what the contract says.');
}

const only =
  <T>(holds: (value: unknown) => boolean): Check<T> =>
  (value) =>
    holds(value) ? (value as T) : refuse();

export const text: Check<string> = only((value) => typeof value === 'string');
export const flag: Check<boolean> = only((value) => typeof value === 'boolean');
export const whole: Check<number> = only(Number.isSafeInteger);
export const number: Check<number> = only(Number.isFinite);

/** What is judged elsewhere, by whoever uses it. */
export const anything: Check<unknown> = (value) => value;

/** A whole number within these bounds. */
export const between = (least: number, most: number): Check<number> =>
  only((value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most);

/** How many there are of something. */
export const count = between(0, Number.MAX_SAFE_INTEGER);

/** A text with so many characters. */
export const textWithin = (least: number, most: number): Check<string> =>
  only((value) => typeof value === 'string' && value.length >= least && value.length <= most);

/** A ciphertext: no blank text, and none that is longer than the contract has it. */
export const sealedText = (max: number): Check<string> =>
  only((value) => typeof value === 'string' && value.length <= max && value.trim() !== '');

export const oneOf = <const T extends readonly string[]>(choices: T): Check<T[number]> =>
  only((value) => (choices as readonly unknown[]).includes(value));

export const matching = (pattern: RegExp): Check<string> =>
  only((value) => typeof value === 'string' && pattern.test(value));

/** A moment as this server writes it: ISO 8601 in UTC, to the millisecond, from the year 1 to 9999. */
export const moment: Check<string> = only((value) => {
  const time = typeof value === 'string' && value >= '0001' ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
});

export const nullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value) =>
    value === null ? null : check(value);

export const optional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value) =>
    value === undefined ? undefined : check(value);

export const object =
  <T extends object>(shape: { [K in keyof T]-?: Check<T[K]> }): Check<T> =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse();
    const checks = Object.entries<Check<unknown>>(shape);
    return Object.fromEntries(
      checks.map(([name, check]) => [name, check((value as Record<string, unknown>)[name])]),
    ) as T;
  };
