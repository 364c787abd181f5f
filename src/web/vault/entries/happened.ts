// When something happened, as it is read.
import { formatDay, formatMoment } from '../../ui/moments.ts';
import { happenedAt } from './details.ts';

/** Such as "17 May 2019", and with the time where one was given. */
export function formatHappened(happenedOn: string): string {
  const at = happenedAt(happenedOn) ?? 0;
  return happenedOn.includes('T') ? formatMoment(at) : formatDay(at);
}
