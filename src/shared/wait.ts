// How a wait is told, by the server in its refusals and by the pages.

/** How long somebody is asked to wait: in seconds, minutes or hours, whichever is not too many. Never less than it is. */
export function formatWait(seconds: number): string {
  const say = (unit: number, one: string) => {
    const count = Math.ceil(seconds / unit);
    return `${count} ${one}${count === 1 ? '' : 's'}`;
  };
  if (seconds <= 90) return say(1, 'second');
  return seconds <= 90 * 60 ? say(60, 'minute') : say(3600, 'hour');
}
