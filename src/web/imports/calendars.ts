// Days of other calendars as days of ours, by the calendars that the browser knows (CLDR, as phones have them). Pure.
import { stampOf } from './local-times.ts';

/** The calendars that phones write dates in, besides ours. */
export const otherCalendars = ['buddhist', 'persian', 'islamic'] as const;
export type OtherCalendar = (typeof otherCalendars)[number];
export type Calendar = 'gregorian' | OtherCalendar;

/** What a year of two digits may be counted from, the latest first; nobody shortens those of the Islamic calendar. */
const centuries: Record<Calendar, readonly number[]> = {
  gregorian: [2000],
  buddhist: [2500],
  persian: [1400, 1300],
  islamic: [],
};

/** The first year of ours that a year of a calendar may begin or end in; null for one that cannot be of these decades. */
const roughly: Record<Calendar, (year: number) => number> = {
  gregorian: (year) => year,
  buddhist: (year) => year - 543,
  persian: (year) => year + 621,
  islamic: (year) => Math.floor((year - 1) * 0.970224 + 622.54),
};

const FIRST = 2009;

/**
 * The day of ours, `2023-12-31`, that numbers of a calendar mean, from 2009 (there was no WhatsApp before) to 2100.
 * @param year of two digits or in full
 * @param short whether it has two digits
 */
export function dayIn(
  calendar: Calendar,
  year: number,
  month: number,
  day: number,
  short: boolean,
): string | null {
  const full = short ? centuries[calendar].map((century) => century + year) : [year];
  for (const one of full) {
    const near = roughly[calendar](one);
    if (near < FIRST - 1 || near > 2100) continue;
    const found =
      calendar === 'gregorian' || calendar === 'buddhist'
        ? stampOf(near, month, day)
        : convert(calendar, one, month, day);
    if (found !== null && found >= `${FIRST}`) return found;
  }
  return null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const isoDay = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Where a year of a calendar begins in days since 1970, roughly, and how long its years and months are. */
const shapes = {
  persian: { id: 'persian', begins: -492_268, year: 365.2422, month: 30.44 },
  islamic: { id: 'islamic-umalqura', begins: -492_148, year: 354.367, month: 29.53 },
} as const;

const clocks = new Map<string, Intl.DateTimeFormat>();
const months = new Map<string, number>();

function convert(calendar: keyof typeof shapes, year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  const first = beginningOf(calendar, year, month);
  const next = month === 12 ? beginningOf(calendar, year + 1, 1) : beginningOf(calendar, year, month + 1);
  return day <= next - first ? isoDay(first + day - 1) : null;
}

/** The first day of a month, in days since 1970: guessed from the mean lengths, and put right by the calendar itself. */
function beginningOf(calendar: keyof typeof shapes, year: number, month: number): number {
  const key = `${calendar} ${year} ${month}`;
  const known = months.get(key);
  if (known !== undefined) return known;
  const shape = shapes[calendar];
  let guess = Math.round(shape.begins + (year - 1) * shape.year + (month - 1) * shape.month);
  for (let tries = 0; tries < 8; tries += 1) {
    const at = partsOf(shape.id, guess);
    const months = (year - at.year) * 12 + month - at.month;
    if (months === 0 && at.day === 1) break;
    // Months differ in length: a step that rounds to nothing is one day at least.
    const step = Math.round((year - at.year) * shape.year + (month - at.month) * shape.month) - (at.day - 1);
    guess += step !== 0 ? step : Math.sign(months);
  }
  months.set(key, guess);
  return guess;
}

function partsOf(id: string, day: number): { year: number; month: number; day: number } {
  let clock = clocks.get(id);
  if (!clock) {
    clock = new Intl.DateTimeFormat(`en-u-ca-${id}-nu-latn`, {
      timeZone: 'UTC',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    });
    clocks.set(id, clock);
  }
  const parts = new Map(clock.formatToParts(day * DAY_MS).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes) => Number.parseInt(parts.get(type) ?? '', 10);
  return { year: of('year'), month: of('month'), day: of('day') };
}
