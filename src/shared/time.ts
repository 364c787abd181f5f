// Durations in milliseconds, and how one is told. Calendar days and time zones are elsewhere: a DAY here is 24 hours.

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * How long something lasts, in the one unit that fits, such as "90 minutes" or "3 days". Never less than it is.
 * @param least the smallest unit that is told
 */
export function formatDuration(milliseconds: number, least: 'second' | 'minute' = 'minute'): string {
  const say = (unit: number, one: string) => {
    const count = Math.max(1, Math.ceil(milliseconds / unit));
    return `${count} ${one}${count === 1 ? '' : 's'}`;
  };
  if (least === 'second' && milliseconds <= 90 * SECOND) return say(SECOND, 'second');
  if (milliseconds <= 2 * HOUR) return say(MINUTE, 'minute');
  return milliseconds <= 2 * DAY ? say(HOUR, 'hour') : say(DAY, 'day');
}
