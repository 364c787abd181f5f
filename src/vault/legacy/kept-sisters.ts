// What a letter's author keeps of its sisters, beside the letter's key, and what a letter tells its recipients of them
// (docs/formats.md, "Sisters"). Loaded where a letter has sisters.
import { between, type Check, count, matching, nullable, object, optional } from '../api/plain-checks.ts';

/** The most that a letter may have: `SISTERS_MAX` of crypto/sister-letter.ts. */
const MOST = 9;
/** `SISTER_DAYS_MAX` of the contract. */
const DAYS_MAX = 730;

/** How many that are to erase something are kept in mind: the newest. */
export const GONE_MAX = 2 * MOST;

export const list =
  <T>(check: Check<T>, most = MOST): Check<T[]> =>
  (value) => {
    if (!Array.isArray(value) || value.length > most) throw new TypeError('This is no such list.');
    return value.map(check);
  };

/** The origin of an instance: https, or this computer for trials. Nothing stands behind it, so that a path can. */
export const originText: Check<string> = matching(
  /^(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?$/,
);
export const addressText: Check<string> = matching(/^[0-9a-f]{32}$/);
export const sixteenBytes: Check<string> = matching(/^[\w-]{22}$/);
export const thirtyTwoBytes: Check<string> = matching(/^[\w-]{43}$/);

/** Another instance, as a letter knows it. */
export interface KeptSister {
  origin: string;
  address: string;
}

export interface GoneSister extends KeptSister {
  round: number;
}

/** What stands in the author's own copy of a letter. */
export interface KeptSisters {
  /** Counts up whenever it is left with others, or again with those that have ended it: nothing that was ended comes back. */
  round: number;
  /** Counts up with each sending. Both stay when no sister is left, so that the next sending has others. */
  edition: number;
  needed: number;
  days: number;
  /** `digest`: by which it is known again what that sister was given. */
  of: (KeptSister & { digest: string })[];
  /** Of what they were given: another one is made of what the letter has become since. */
  sent: string;
  /** Those that are to erase what they have of a round: what they have said of that, this device remembers. */
  gone: GoneSister[];
}

/** Of a letter that was left with none, or whose row does not say with whom. */
export const NO_SISTERS: KeptSisters = {
  ...{ round: 0, edition: 0, needed: 0, days: 1 },
  ...{ of: [], sent: 'A'.repeat(43), gone: [] },
};

const sister = { origin: originText, address: addressText };

const checkKept = nullable(
  optional(
    object<KeptSisters>({
      round: count,
      edition: between(1, Number.MAX_SAFE_INTEGER),
      needed: between(0, MOST),
      days: between(1, DAYS_MAX),
      of: list(object({ ...sister, digest: thirtyTwoBytes })),
      sent: thirtyTwoBytes,
      gone: list(object({ ...sister, round: count }), GONE_MAX),
    }),
  ),
);

/** Null for a letter without sisters, and for what was not written here. */
export function readKeptSisters(written: unknown): KeptSisters | null {
  try {
    return checkKept(written) ?? null;
  } catch {
    return null;
  }
}

/** What a recipient’s browser is told, so that sisters hear that the letter was opened. */
export interface LetterSisters {
  id: string;
  origins: string[];
}

const checkTold = object<LetterSisters>({ id: sixteenBytes, origins: list(originText) });

/** Null for a letter that tells of none. */
export function readLetterSisters(written: unknown): LetterSisters | null {
  try {
    return checkTold(written);
  } catch {
    return null;
  }
}
