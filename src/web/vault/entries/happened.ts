// When something happened, as it is read.
import { isExact, parseEdtf } from '../../../shared/edtf.ts';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { formatDay, formatDayOf, formatMoment, formatMonth } from '../../ui/moments.ts';

/** By their numbers, from 21 on. */
export const SEASONS = ['spring', 'summer', 'autumn', 'winter'];

/**
 * In the middle of a sentence: "17 May 2019", "May 2019", "summer 1962", "about 1962", and with the time where one was given.
 * @returns an empty text for what is no date
 */
export function formatHappened(happenedOn: string): string {
  const date = parseEdtf(happenedOn);
  if (!date) return '';
  const { precision, start, season, isAbout } = date;
  const year = String(start.getFullYear());
  const words = {
    minute: () => formatMoment(start.getTime()),
    day: () => formatDay(start.getTime()),
    month: () => formatMonth(start.getTime()),
    season: () => `${SEASONS[(season ?? 21) - 21]} ${year}`,
    year: () => year,
  }[precision]();
  return isAbout ? `about ${words}` : words;
}

/**
 * The day of an entry in a list: when it happened, or else when it was written.
 * @param knownYear is not repeated where something else is left to say: the year of its heading, or this one
 */
export function formatEntryDay(
  { at, details }: Pick<OpenedEntry, 'at' | 'details'>,
  knownYear: number | null = null,
): string {
  const { happenedOn } = details;
  if (happenedOn === null || isExact(happenedOn)) return formatDayOf(at, knownYear);
  const words = formatHappened(happenedOn);
  const rest = words.replace(new RegExp(` ${knownYear}$`), '');
  return rest === 'about' ? words : rest;
}

/** The year that a list need not say. */
export const thisYear = (now: number) => new Date(now).getFullYear();
