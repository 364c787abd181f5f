// When a day begins somewhere on earth.
import { HOUR } from './time.ts';

/**
 * The first moment of a day somewhere on earth.
 * @param day `YYYY-MM-DD`
 * @param timeZone an IANA name
 * @returns epoch milliseconds; null when there is no such day, or the zone is not known here
 */
export function startOfDay(day: string, timeZone: string): number | null {
  const [, year, month, date] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined || year < 1970) return null;
  const asUtc = Date.UTC(year, month - 1, date);
  if (new Date(asUtc).toISOString().slice(0, 10) !== day) return null;
  let clock: Intl.DateTimeFormat;
  try {
    clock = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  } catch {
    return null;
  }
  // Days begin at midnight but for the few places that skip it in spring, so the change of day is looked for. No zone
  // is further than fifteen hours from UTC.
  let [before, after] = [asUtc - 15 * HOUR, asUtc + 15 * HOUR];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle, clock) < day) before = middle;
    else after = middle;
  }
  return after;
}

/** `YYYY-MM-DD`, of parts: how a language puts them together changes. */
function dayOf(time: number, clock: Intl.DateTimeFormat): string {
  const parts = Object.fromEntries(clock.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}
