// What this device remembers of sisters: when each was last reached, and what it said. It holds no key and no word; a device that
// forgets it only asks again.
import { DAY, HOUR } from '../../shared/time.ts';
import { between, object, oneOf, text } from '../api/plain-checks.ts';
import type { GoneSister, KeptSister, KeptSisters } from './kept-sisters.ts';

/** What a sister said last: it keeps what it was given, something else, nothing any more, or it has let the letter out. */
const answers = ['kept', 'other', 'ended-by-author', 'ended-by-sister', 'released', 'unknown'] as const;
export type SisterAnswer = (typeof answers)[number];

export interface Remembered {
  /** Since when this device has tried to reach it. */
  since: number;
  /** When it was tried last, and when it answered last; 0 for never. In epoch milliseconds by this device’s clock. */
  tried: number;
  reached: number;
  answer: SisterAnswer;
}

/** By what a letter's sister is remembered, as `keyOf` makes it. */
export type SisterMemory = ReadonlyMap<string, Remembered>;

const checkRemembered = object<Remembered>({
  since: between(0, Number.MAX_SAFE_INTEGER),
  tried: between(0, Number.MAX_SAFE_INTEGER),
  reached: between(0, Number.MAX_SAFE_INTEGER),
  answer: oneOf(answers),
});

/** @param letter its seal number, and the round in which this sister has it */
export const keyOf = (
  { sealId, round }: { sealId: string; round: number },
  { origin, address }: KeptSister,
): string => `${sealId} ${round} ${origin} ${address}`;

/** Nothing of what was not written here. */
export function readMemory(written: string | null): Map<string, Remembered> {
  try {
    const entries = Object.entries(JSON.parse(written ?? '{}') as object);
    return new Map(entries.map(([key, one]) => [text(key), checkRemembered(one)]));
  } catch {
    return new Map();
  }
}

export const writeMemory = (memory: SisterMemory): string => JSON.stringify(Object.fromEntries(memory));

/** Whether it has said that it has no letter any more. One that has let it out still gives it to whoever shows a token. */
export const hasEnded = ({ answer }: Pick<Remembered, 'answer'>): boolean =>
  answer === 'ended-by-author' || answer === 'ended-by-sister' || answer === 'unknown';

/** Sisters that may keep a letter, as far as this device remembers: not in the order in which they have answered, which is chance. */
const keepers = (memory: SisterMemory): (GoneSister & { sealId: string })[] =>
  [...memory]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, remembered]) => {
      const [sealId = '', round, origin = '', address = ''] = key.split(' ');
      return hasEnded(remembered) ? [] : [{ sealId, round: Number(round), origin, address }];
    });

/** Those that may keep one letter, in whatever round. */
export const keepersOf = (memory: SisterMemory, letter: string): GoneSister[] =>
  keepers(memory).flatMap(({ sealId, ...sister }) => (sealId === letter ? [sister] : []));

/**
 * The origins of sisters that may have a letter of which this device knows, and which is not among these.
 * @param opened seal numbers
 */
export const originsOfOthers = (memory: SisterMemory, opened: ReadonlySet<string>): string[] => [
  ...new Set(keepers(memory).flatMap(({ sealId, origin }) => (opened.has(sealId) ? [] : [origin]))),
];

/**
 * The same of those alone that have not answered this device for longer.
 * @param span milliseconds
 */
export const unheardFor = (
  memory: SisterMemory,
  opened: ReadonlySet<string>,
  span: number,
  now: number,
): string[] => {
  const late = [...memory].filter(([, { since, reached }]) => now - Math.max(since, reached) > span);
  return originsOfOthers(new Map(late), opened);
};

/** How often a letter’s sister is given a sign, and tried again after it was not reached. */
const EVERY = DAY;
const AGAIN = HOUR;

const isWithin = (now: number, since: number, span: number) => now - since >= 0 && now - since < span;

/** Whether a sister is to be asked now. A stamp of the future was written before the clock was put back. */
export function isDue(before: Remembered | undefined, now: number): boolean {
  if (!before) return true;
  return !isWithin(now, before.reached, EVERY) && !isWithin(now, before.tried, AGAIN);
}

/** Whether the last try to reach it was in vain. */
export const wasMissed = ({ tried, reached }: Remembered): boolean => tried > reached;

/** What an author has to know of one sister; null where it keeps what it was given. */
export type Trouble = 'unreached' | 'other' | 'ended-by-sister' | 'ended-by-author' | 'released' | 'unknown';

/** A sister counts as not reached once that lasts for more than half of the silence that it counts. */
export function troubleOf(
  remembered: Remembered | undefined,
  { days }: Pick<KeptSisters, 'days'>,
  now: number,
): Trouble | null {
  if (!remembered) return null;
  if (remembered.answer !== 'kept') return remembered.reached > 0 ? remembered.answer : null;
  const last = Math.max(remembered.since, remembered.reached);
  return now - last > (days * DAY) / 2 ? 'unreached' : null;
}
