// When something happened, as it is read.

import { happenedAt } from '../../../vault/entries/details.ts';
import { formatDay, formatMoment } from '../../ui/moments.ts';

/** Such as "17 May 2019", and with the time where one was given. */
export function formatHappened(happenedOn: string): string {
  const at = happenedAt(happenedOn) ?? 0;
  return happenedOn.includes('T') ? formatMoment(at) : formatDay(at);
}
