// Moments of files as local stamps, `2019-05-17T14:30`. Pure, but for the time zone of this device.

import { toLocalStamp } from '../../shared/local-stamp.ts';

const isYear = (year: number) => year >= 1000 && year <= 9999;

/** A moment by this device's clock; null for what is none. */
export function stampHere(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  return !Number.isNaN(date.getTime()) && isYear(date.getFullYear()) ? toLocalStamp(date) : null;
}

/** What an entry says of its instant: the date by this device's clock, and the instant, by which it is known. */
export function momentHere(milliseconds: number | null): { happenedOn: string | null; instant?: number } {
  if (milliseconds === null) return { happenedOn: null };
  return { happenedOn: stampHere(milliseconds), instant: milliseconds };
}

/** A moment that is the same wherever it is read: what is known by its words has them everywhere. */
export const universal = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A moment by the clock of a time zone, such as `Europe/Vienna`; by this device's where that zone is not known. */
export function stampInZone(milliseconds: number, timeZone: string): string | null {
  const clock = clockOf(timeZone);
  if (!clock) return stampHere(milliseconds);
  try {
    const parts = new Map(clock.formatToParts(milliseconds).map(({ type, value }) => [type, value]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
    return validStamp(
      `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`,
    );
  } catch {
    return null;
  }
}

const clocks = new Map<string, Intl.DateTimeFormat | null>();

function clockOf(timeZone: string): Intl.DateTimeFormat | null {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    clock = timeZone === '' ? null : newClock(timeZone);
    if (clocks.size < 600) clocks.set(timeZone, clock);
  }
  return clock;
}

function newClock(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-CA-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  } catch {
    return null;
  }
}

/** A stamp that stands in the calendar, as details have them; null otherwise. */
export function validStamp(stamp: string): string | null {
  if (!/^\d{4}-\d\d-\d\d(T([01]\d|2[0-3]):[0-5]\d)?$/.test(stamp) || !isYear(Number(stamp.slice(0, 4))))
    return null;
  // A day or an hour that this device's clock has skipped is one all the same: the calendar is asked, not the clock.
  const day = new Date(`${stamp.slice(0, 10)}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(stamp.slice(0, 10)) ? stamp : null;
}

/** The stamp of numbers; null where they are no moment. */
export function stampOf(
  year: number,
  month: number,
  day: number,
  hour?: number,
  minute?: number,
): string | null {
  const two = (n: number) => String(n).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return validStamp(hour === undefined ? date : `${date}T${two(hour)}:${two(minute ?? 0)}`);
}

/** A moment in ISO 8601 with a zone, in milliseconds; null for anything else. */
export function readMoment(text: unknown): number | null {
  if (
    typeof text !== 'string' ||
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ||
    !/(Z|[+-]\d\d:?\d\d)$/.test(text)
  )
    return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : moment;
}

/** The local part of what a person or a front matter writes: `2023-12-31`, `2023-12-31 23:59:00`, `2023-12-31T23:59+01:00`. */
export function readLocal(text: string): string | null {
  const match =
    /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::\d\d(?:[.,]\d+)?)?\s*(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(
      text.trim(),
    );
  if (!match) return null;
  const [year, month, day, hour, minute] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  return stampOf(year ?? 0, month ?? 0, day ?? 0, hour, minute);
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The number of an English month, by its name or its first three letters; 0 for none. */
export const monthOf = (name: string): number =>
  name.length < 3 ? 0 : MONTHS.findIndex((month) => month.toLowerCase().startsWith(name.toLowerCase())) + 1;

/** `31 December 2023`, or `December 2023` of a month alone. */
export function longDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  const name = MONTHS[(month ?? 1) - 1];
  return day === undefined ? `${name} ${year}` : `${day} ${name} ${year}`;
}
