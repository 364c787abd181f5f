// The dead man’s switch in numbers, and what follows from them on both sides of the wire. docs/legacy.md explains them.
import { DAY, HOUR, MINUTE } from '../time.ts';

/** All times are milliseconds; those of the switch are counted time. */
export const switchRules = {
  /** A tick comes this often. */
  tick: MINUTE,
  /** Without a tick for more than so many intervals, nothing is answered or delivered before the next. */
  tickCounts: 2,
  /** Each absence between two ticks counts for so long at most. */
  absenceCounts: 26 * HOUR,
  /** Without counted time advancing for so long, something is wrong. */
  standsStillAfter: 10 * MINUTE,
  /** A calendar that moves by more than this against a clock that nobody can set was set. */
  drift: 5 * MINUTE,
  /** One that is set by minutes again and again, and stays so near to where it was, is believed like one that is not set. */
  jitter: 30 * MINUTE,
  /** A calendar that was not set for so long has proved itself. */
  provedAfter: HOUR,
  /** A day that begins within an absence longer than this has begun in the dark. */
  dark: HOUR,
  /** A longer absence is an outage… */
  outage: DAY,
  /** …and one longer than this a long one. */
  longOutage: 90 * DAY,
  /** After an outage silence releases nothing for so long. */
  holdAfterOutage: 3 * DAY,
  /** After a long outage it releases nothing for so long, whatever else ends. */
  holdAfterLongOutage: 30 * DAY,
  /** A date that passed in the dark waits so long. */
  holdAfterDarkDate: DAY,
  /** A pause that nobody answers ends by itself when so much of it was counted since an author was told… */
  pauseEndsAfter: 90 * DAY,
  /** …and when so much of it was counted, whether or not anybody could be told. */
  pauseEndsUntoldAfter: 180 * DAY,
  /** How long before the deadline warnings go, and after it while none was accepted. */
  warnings: [7 * DAY, 3 * DAY, DAY],
  warnAgainEvery: DAY,
  /** An author gets one warning in so long: what falls due within it goes along, and what has just fallen due may wait. */
  warningsApart: DAY,
  /** From an accepted warning to the release, at least. */
  graceAfterWarning: DAY,
  /** How long before a release by silence the trusted contact is told of it, and by how much they may postpone it. */
  contactToldBefore: 3 * DAY,
  postponement: 30 * DAY,
  /** Nothing but a pause, a long outage and the trusted contact holds a scroll longer than this after its deadline. */
  holdAtMost: 14 * DAY,
  /** After so many confirmations in a row only a sign-in counts. */
  confirmationsInARow: 3,
  /** How long after a recipient was told reminders go, until they have opened the letter. */
  reminders: [3 * DAY, 14 * DAY, 45 * DAY],
  /** How long after it the letter is taken for unopened, and who is told only then is told. */
  unopenedAfter: 60 * DAY,
  /** How long a rehearsal waits for its recipient, and when the author of one that watches is reminded of the next one. */
  rehearsalLasts: 30 * DAY,
  rehearseEvery: 365 * DAY,
} as const;

/** The rules as the engine takes them: the same, but a rehearsal may set its own. */
export type SwitchRules = {
  -readonly [Rule in keyof typeof switchRules]: (typeof switchRules)[Rule] extends readonly number[]
    ? readonly number[]
    : number;
};

/**
 * How long before the deadline each warning goes, longest first. None goes before half the period, and a period too
 * short for any of them gets one at its half.
 * @param period milliseconds
 */
export function warningLadder(period: number, { warnings }: Pick<SwitchRules, 'warnings'>): number[] {
  const steps = warnings.filter((before) => before <= period / 2);
  return steps.length > 0 ? steps : [period / 2];
}

/**
 * The step that is due, counted from one, or 0 for none yet. After the deadline a further step comes each
 * `warnAgainEvery`, for as long as no warning was accepted.
 * @param remaining milliseconds of counted time to the deadline; negative after it
 */
export function dueStep(
  period: number,
  remaining: number,
  rules: Pick<SwitchRules, 'warnings' | 'warnAgainEvery'>,
): number {
  const ladder = warningLadder(period, rules);
  if (remaining > 0) return ladder.filter((before) => remaining <= before).length;
  return ladder.length + 1 + Math.floor(-remaining / rules.warnAgainEvery);
}

/**
 * When a scroll that watches for silence is released, in counted time: the later of its deadline and the grace after a
 * warning that a mail server accepted. Without any, the deadline and the longest hold.
 * @param accepted counted time of the first warning that was accepted in this silence; null for none
 */
export function silenceReleaseAt(
  deadline: number,
  warning: 'mail' | 'dashboard',
  accepted: number | null,
  rules: Pick<SwitchRules, 'graceAfterWarning' | 'holdAtMost'>,
): number {
  if (warning === 'dashboard') return deadline;
  return accepted === null
    ? deadline + rules.holdAtMost
    : Math.max(deadline, accepted + rules.graceAfterWarning);
}
