// When a letter that watches is sent, in words. Pure: the present is handed in.
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import { formatDay, formatRecentDay } from '../../ui/moments.ts';

/** @property at epoch milliseconds, which later letters follow; infinite where there is no date */
interface NextDate {
  at: number;
  says: string;
}

/** @param fetchedAt when the server said it, in epoch milliseconds */
export function nextDate(
  {
    triggerType,
    triggerValue,
    remaining,
    hold,
  }: Pick<Scroll, 'triggerType' | 'triggerValue' | 'remaining' | 'hold'>,
  fetchedAt: number,
  now: number,
): NextDate {
  if (triggerType === 'manual') return { at: Number.POSITIVE_INFINITY, says: 'Sent when you release it.' };
  if (triggerType === 'date') {
    const noon = new Date(`${triggerValue}T12:00:00`).getTime();
    const held = hold === null ? '' : ' It is held back at present.';
    return { at: noon, says: `Sent on ${formatDay(noon)}.${held}` };
  }
  const at = fetchedAt + (remaining ?? 0);
  if (hold !== null) return { at, says: 'It is held back at present.' };
  if (remaining === null || at <= now) return { at, says: 'Its time is over: it can be sent at any moment.' };
  return { at, says: `Sent on ${formatRecentDay(at, now)} if you do not sign in before.` };
}
