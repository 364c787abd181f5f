// Choices that look free and are not: the same words and the same seed choose the same. Never used for secrets.

export interface Chance {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** One of `choices` that was not drawn before and satisfies `fits`, or undefined when none is left. */
  draw<T>(choices: readonly T[], fits?: (choice: T) => boolean): T | undefined;
}

/** FNV-1a over UTF-16 code units, 32 bits. */
function hash(text: string): number {
  let value = 2166136261;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 16777619);
  return value >>> 0;
}

/** @param key everything that the choices depend on */
export function chanceOf(key: string): Chance {
  let state = hash(key);
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const drawn = new Set<unknown>();
  const below = (limit: number) => next() % limit;
  return {
    below,
    draw(choices, fits = () => true) {
      const left = choices.filter((choice) => !drawn.has(choice) && fits(choice));
      const choice = left.length > 0 ? left[below(left.length)] : undefined;
      if (choice !== undefined) drawn.add(choice);
      return choice;
    },
  };
}
