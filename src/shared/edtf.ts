// When something happened, as exactly as somebody knows: a part of the Extended Date/Time Format, level 1 (ISO 8601-2:2019). A
// day `2019-05-17`, a month `2019-05`, a season `1962-22`, a year `1962`, each with `~` behind it for "about"; or a minute
// `2019-05-17T14:30`. All of it by the clock and the calendar of the place, so it has no zone.
import { fromLocalStamp } from './local-stamp.ts';

export interface Edtf {
  precision: 'minute' | 'day' | 'month' | 'season' | 'year';
  /** Its first minute in this device's own time. */
  start: Date;
  /** A season by its number, 21 for spring to 24 for winter. */
  season: number | null;
  isAbout: boolean;
}

const PATTERN =
  /^(?<year>\d{4})(?:-(?<part>\d\d)(?:-(?<day>\d\d)(?<time>T(?:[01]\d|2[0-3]):[0-5]\d)?)?)?(?<about>~)?$/;

/** The seasons of the format, which knows no hemisphere, by the month in which each begins in the north. */
const SEASONS: Record<string, string> = { 21: '03', 22: '06', 23: '09', 24: '12' };

/**
 * Reads a date; null for what is none, or is none of these forms.
 * @example parseEdtf('1962-22~') // summer 1962, about
 */
export function parseEdtf(text: string): Edtf | null {
  const { year, part, day, time, about } = PATTERN.exec(text)?.groups ?? {};
  if (year === undefined || (time && about)) return null;
  const season = part !== undefined && part in SEASONS && day === undefined ? part : null;
  const month = season === null ? part : SEASONS[season];
  const start = fromLocalStamp(`${year}-${month ?? '01'}-${day ?? '01'}${time ?? ''}`);
  if (start === null) return null;
  const precision = time ? 'minute' : day ? 'day' : season !== null ? 'season' : part ? 'month' : 'year';
  return { precision, start, season: season === null ? null : Number(season), isAbout: about !== undefined };
}

export const isEdtf = (value: unknown): value is string =>
  typeof value === 'string' && parseEdtf(value) !== null;

/** Whether it names one day, and no day but that. */
export function isExact(text: string): boolean {
  const date = parseEdtf(text);
  return date !== null && !date.isAbout && (date.precision === 'day' || date.precision === 'minute');
}
