// Moments as people read them, in their own time zone. One wording for the whole server.
import { HOUR } from '../../shared/time.ts';

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Such as "14 June 2027". Takes ISO 8601 or epoch milliseconds. */
export function formatDay(moment: string | number): string {
  return day.format(new Date(moment));
}

/** Such as "June 2027". */
export function formatMonth(moment: string | number): string {
  return month.format(new Date(moment));
}

const monthAlone = new Intl.DateTimeFormat('en-GB', { month: 'long' });

/** Such as "June". @param month from 1 to 12 */
export function monthName(month: number): string {
  return monthAlone.format(new Date(2000, month - 1, 1));
}

/** As `formatDay`, without the year if it is this one. */
export function formatRecentDay(moment: string | number, now: number): string {
  return formatDayOf(moment, new Date(now).getFullYear());
}

/** As `formatDay`, without the year if it is one that is known where it stands. */
export function formatDayOf(moment: string | number, knownYear: number | null): string {
  const date = new Date(moment);
  return (date.getFullYear() === knownYear ? dayOfYear : day).format(date);
}

/** Such as "09:05". */
export function formatTime(moment: string | number): string {
  return time.format(new Date(moment));
}

/** Such as "14 June 2027, 09:05". */
export function formatMoment(moment: string | number): string {
  return `${formatDay(moment)}, ${formatTime(moment)}`;
}

const NEAR = 48 * HOUR;

/** A day, and with its time when it is less than two days away. */
export function formatUntil(moment: string | number, now: number): string {
  return new Date(moment).getTime() - now < NEAR ? formatMoment(moment) : formatDay(moment);
}
