// How a ghost entry is spoken of: its readings, and the time it has left. Pure.

import type { Ghost } from '../../../shared/nouns/ghost.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/time.ts';

/** Below this many milliseconds the seconds are shown. */
export const COUNTS_DOWN = HOUR;

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Such as "1 of 3 readings" or "7 of ∞ readings". */
export function readingsUsed({ maxReads, currentReads }: Pick<Ghost, 'maxReads' | 'currentReads'>): string {
  return `${currentReads} of ${maxReads === null ? '∞ readings' : plural(maxReads, 'reading')}`;
}

/** Such as "2 readings left". */
export function readingsLeft({ maxReads, currentReads }: Pick<Ghost, 'maxReads' | 'currentReads'>): string {
  if (maxReads === null) return '∞ readings left';
  const left = Math.max(0, maxReads - currentReads);
  return left === 0 ? 'No reading left' : `${plural(left, 'reading')} left`;
}

/** Whether the next reading is the last that is permitted. */
export function isLastReading({ maxReads, currentReads }: Pick<Ghost, 'maxReads' | 'currentReads'>): boolean {
  return maxReads !== null && currentReads + 1 >= maxReads;
}

/** The one or two units that matter, such as "6 d 4 h", "24 h", "23 h 12 min", "12 min 5 s". Takes milliseconds. */
export function timeLeft(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  const [size, larger, smaller] = unitsFor(left);
  const many = Math.floor(left / size);
  const few = Math.floor((left % size) / smaller.size);
  if (many === 0) return `${few} ${smaller.name}`;
  return few === 0 ? `${many} ${larger}` : `${many} ${larger} ${few} ${smaller.name}`;
}

function unitsFor(left: number): [size: number, larger: string, smaller: { size: number; name: string }] {
  if (left >= 2 * DAY) return [DAY, 'd', { size: HOUR, name: 'h' }];
  if (left >= HOUR) return [HOUR, 'h', { size: MINUTE, name: 'min' }];
  return [MINUTE, 'min', { size: SECOND, name: 's' }];
}

/** What will become of a thought that may be read so often and vanishes at `until`, a moment in words. */
export function fateOf(maxReads: number | null, until: string): string {
  if (maxReads === null)
    return `The words can be read as often as you like until ${until}. Then they vanish.`;
  const reading = ordinals[maxReads];
  const which = reading ? `The ${reading} reading` : `Reading number ${maxReads}`;
  return `${which} is the last: then the words are deleted. Read or not, they vanish on ${until}.`;
}
const ordinals: Record<number, string> = { 1: 'first', 3: 'third', 5: 'fifth', 10: 'tenth' };
