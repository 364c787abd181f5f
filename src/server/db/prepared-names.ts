// Under which names a session of PostgreSQL keeps the statements that it has prepared.
import { createHash } from 'node:crypto';

/** The app has some hundred statements; lists of values make a few more. In statements a session. */
const KEPT = 500;
/** In characters. Longer ones have a list of values that seldom comes back as long, and their plans take megabytes. */
const LONGEST = 8000;
/** In hexadecimal digits: 128 bits. */
const DIGITS = 32;

export interface PreparedNames {
  /** The name of a statement, another one for each text; undefined for one that is not kept. */
  of(text: string): string | undefined;
  /** Whether the session has as many as it may keep, and another one is to take its place. */
  readonly isFull: boolean;
}

/** What is worth a plan. Several statements in one text cannot be prepared. */
const isPlanned = (text: string) =>
  text.length <= LONGEST && /^\s*(select|insert|update|delete|with)\b/i.test(text) && !text.includes(';');

/**
 * The names of one session. A name is a digest of its text: where two clients share a session after all, what one of them has
 * prepared is never run in place of another statement.
 */
export function createPreparedNames(): PreparedNames {
  const names = new Map<string, string>();
  return {
    of(text) {
      const known = names.get(text);
      if (known !== undefined || names.size >= KEPT || !isPlanned(text)) return known;
      const name = `s${createHash('sha256').update(text).digest('hex').slice(0, DIGITS)}`;
      names.set(text, name);
      return name;
    },
    get isFull() {
      return names.size >= KEPT;
    },
  };
}
