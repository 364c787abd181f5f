// The rules by which a sister opens a letter: silence is over as for a scroll that waits for it and whose author is warned by
// nobody, shares of others count for some days, and each sister writes to recipients in turns of its own. They decide nothing
// by themselves.
import type { Selectable } from 'kysely';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import type { SisterLettersTable } from '../../db/schema/sisters.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../digests.ts';
import type { InstanceClock } from '../clock/counted-time-store.ts';
import { isReleasable, nextCheckAt, type Silent } from '../watch/silence.ts';

export const countedColumns = ['id', 'days', 'watching_since', 'signed_counted', 'from_origin'] as const;
export type CountedLetter = Pick<Selectable<SisterLettersTable>, (typeof countedColumns)[number]>;

/** A challenge may be answered for so long, by the calendar. */
export const CHALLENGE_LASTS = 10 * MINUTE;

/** For how long another sister's share counts, in counted time: what it said before its author came back must not. */
export const SHARE_LASTS = 7 * DAY;
/** A share that is older is asked for again before recipients are written to. */
export const SHARE_IS_NEW = DAY;

/** After each try to get enough shares, in counted time; the last one repeats. */
const BACKOFF = [10 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR];

/** Without a first sign of its author it is kept for so long, in counted time: nobody has said that it is wanted. */
export const KEPT_UNSIGNED = 30 * DAY;

/** After a release it is kept for so long, in counted time: as letters without a vault are. */
export const KEPT_AFTER_RELEASE = 365 * DAY;

/**
 * How long one sister's turn begins after that of the one before it, and how long it lasts: three days lie between the end of
 * one and the beginning of the next. By the calendar, which all of them have, so that nobody has to believe what another one
 * says about having written.
 */
const TURN_EVERY = 4 * DAY;
const TURN_LASTS = DAY;

const asSilent = ({ days, watching_since }: CountedLetter): Silent => ({
  ...{ id: 0, account_id: 0, period: days * DAY, watching_since },
  ...{ warning: 'dashboard', warning_step: 0, warning_accepted: null },
  ...{ contact_told_at: null, postponed_until: null },
});

const lastSign = ({ signed_counted }: CountedLetter): number => signed_counted ?? 0;

/** Whether its author's silence is over at this sister, and nothing holds it any more. */
export const isSilenceOver = (letter: CountedLetter, clock: InstanceClock, rules: Deps['rules']): boolean =>
  isReleasable(asSilent(letter), lastSign(letter), clock, rules);

/** Counted time before which nothing is due of it; null after its deadline, when it is looked at with each tick. */
export const nextLetterCheck = (
  letter: CountedLetter,
  countedTime: number,
  rules: Deps['rules'],
): number | null => nextCheckAt(asSilent(letter), lastSign(letter), countedTime, rules);

/** When to try again to get enough shares, in milliseconds. */
export const triesAgainAfter = (tries: number): number => BACKOFF[Math.min(tries, BACKOFF.length - 1)] ?? DAY;

/**
 * Whether it is a sister's turn to write to the recipients of a letter; and how long until the next one begins.
 * @param calendar epoch milliseconds
 */
export function turnOf(
  { id, place, count }: { id: string; place: number; count: number },
  calendar: number,
): { isNow: boolean; next: number } {
  const cycle = TURN_EVERY * count;
  // Which sister is first differs from letter to letter, so that none has to write for all.
  const first = Number.parseInt(sha256(id).slice(0, 8), 16) % count;
  const begins = ((place + first) % count) * TURN_EVERY;
  const since = (((calendar - begins) % cycle) + cycle) % cycle;
  return { isNow: since < TURN_LASTS, next: cycle - since };
}
