// How a list is arranged: in which order, under which years, and which days of a calendar it has. Pure.
import { parseEdtf } from '../../../shared/edtf.ts';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';

export type Order = 'newest' | 'oldest' | 'written' | 'name';

export const ORDERS: readonly { value: Order; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'written', label: 'Last written first' },
  { value: 'name', label: 'By name' },
];

const names = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' });

/** @param entries as lists have them, the newest first. What has no name comes last by name */
export function inOrder<E extends OpenedEntry>(entries: readonly E[], order: Order): readonly E[] {
  if (order === 'newest') return entries;
  if (order === 'oldest') return entries.toReversed();
  if (order === 'written')
    return entries.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  return entries.toSorted((a, b) =>
    a.name === null || b.name === null
      ? Number(a.name === null) - Number(b.name === null)
      : names.compare(a.name, b.name),
  );
}

/** The year that stands over an entry; null where the order is none of time, or nobody but the server says when it was. */
export function yearIn({ at, changed, createdAt, name }: OpenedEntry, order: Order): number | null {
  if (order === 'name' || changed || name === null) return null;
  return new Date(order === 'written' ? createdAt : at).getFullYear();
}

/** A month that has entries. */
export interface CalendarMonth<E> {
  /** From 1 to 12. */
  month: number;
  entries: E[];
  /** By the day of the month. What is known to the month alone, or about, is in none. */
  days: Map<number, E[]>;
}

/** A year that has entries; those of a season or the year alone are in none of its months. */
export interface CalendarYear<E> {
  year: number;
  entries: E[];
  months: CalendarMonth<E>[];
}

/** The years and months that have entries, each in the order of the calendar, the latest year first. */
export function calendarOf<E extends Pick<OpenedEntry, 'at' | 'changed' | 'details' | 'name'>>(
  entries: readonly E[],
): CalendarYear<E>[] {
  const years = new Map<number, CalendarYear<E>>();
  for (const entry of entries) {
    // What a server says of a day is no day of the author's.
    if (entry.changed || entry.name === null) continue;
    const date = new Date(entry.at);
    const said = parseEdtf(entry.details.happenedOn ?? '');
    const found = years.get(date.getFullYear()) ?? { year: date.getFullYear(), entries: [], months: [] };
    years.set(found.year, found);
    found.entries.push(entry);
    if (said?.precision === 'year' || said?.precision === 'season') continue;
    const number = date.getMonth() + 1;
    const month = found.months.find((one) => one.month === number) ?? {
      month: number,
      entries: [],
      days: new Map<number, E[]>(),
    };
    if (month.entries.length === 0) found.months.push(month);
    month.entries.push(entry);
    if (said?.isAbout || said?.precision === 'month') continue;
    month.days.set(date.getDate(), [...(month.days.get(date.getDate()) ?? []), entry]);
  }
  const inTime = [...years.values()].sort((a, b) => b.year - a.year);
  for (const { months } of inTime) months.sort((a, b) => a.month - b.month);
  return inTime;
}

/** The weeks of a month from Monday to Sunday, with 0 for the places before and after it. @param month from 1 to 12 */
export function weeksOf(year: number, month: number): number[][] {
  const first = new Date(year, month - 1, 1);
  const before = (first.getDay() + 6) % 7;
  const length = new Date(year, month, 0).getDate();
  const places = Array.from({ length: Math.ceil((before + length) / 7) * 7 }, (_, i) => {
    const day = i - before + 1;
    return day >= 1 && day <= length ? day : 0;
  });
  return Array.from({ length: places.length / 7 }, (_, i) => places.slice(i * 7, i * 7 + 7));
}
