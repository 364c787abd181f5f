// Times as the database keeps them, epoch milliseconds, and as the wire carries them, ISO 8601 in UTC.

export const iso = (time: number): string => new Date(time).toISOString();

export const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

export const epoch = (moment: string | null | undefined): number | null =>
  moment ? Date.parse(moment) : null;
