// The text that date controls speak, to and from moments in the reader's own time zone. It must never go through UTC:
// `new Date('2027-01-01')` would be the evening before in half of the world.

/** What a control asks for: a day, or a day and a time to the minute. */
export type StampPrecision = 'date' | 'datetime';

/** Writes a moment as a date control wants it, in local time: `2027-01-31` or `2027-01-31T09:05`. */
export function toLocalStamp(moment: Date, precision: StampPrecision = 'datetime'): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const year = String(moment.getFullYear()).padStart(4, '0');
  const day = `${year}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return precision === 'date' ? day : `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

/** Reads a control's text as a local moment (a bare date is its first minute); null when it is empty or unreadable. */
export function fromLocalStamp(text: string): Date | null {
  const match = /^(\d{4,6})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?)?$/.exec(text.trim());
  if (!match) return null;
  const [year, month, day, hour, minute] = match.slice(1).map((part) => Number(part ?? 0));
  const moment = new Date(0);
  moment.setFullYear(year ?? 0, (month ?? 1) - 1, day ?? 1);
  moment.setHours(hour ?? 0, minute ?? 0, 0, 0);
  const same = moment.getMonth() === (month ?? 1) - 1 && moment.getDate() === day;
  return same ? moment : null;
}
