// What an author's form says of a scroll, as the database keeps it. Whatever is wrong with it is a sentence.

import {
  INACTIVITY_MAX,
  INACTIVITY_MIN,
  type ScrollInput,
  type TriggerType,
} from '../../../../shared/nouns/legacy.ts';
import type { ScrollAccess } from '../../../../shared/nouns/scroll-recipients.ts';
import { startOfDay } from '../../../../shared/start-of-day.ts';
import { DAY } from '../../../../shared/time.ts';
import { AppError } from '../../../errors.ts';

const SOME_DAY = '2000-01-01';

/** What is wrong with a field of a form. */
export const wrong = (field: string, sentence: string) =>
  new AppError('invalid-input', `${field}: ${sentence}`);

export interface Trigger {
  trigger_type: TriggerType;
  trigger_value: string;
  time_zone: string;
}

/** @throws AppError `invalid-input` */
export function readTrigger(
  { triggerType, triggerValue }: Pick<ScrollInput, 'triggerType' | 'triggerValue'>,
  timeZone: string,
): Trigger {
  if (startOfDay(SOME_DAY, timeZone) === null) {
    throw wrong('timeZone', 'This time zone is not known here. One is called Europe/Vienna.');
  }
  const trigger_value = readTriggerValue(triggerType, triggerValue.trim(), timeZone);
  return { trigger_type: triggerType, trigger_value, time_zone: timeZone };
}

function readTriggerValue(type: TriggerType, value: string, timeZone: string): string {
  if (type === 'manual') return 'manual';
  if (type === 'date') {
    if (startOfDay(value, timeZone) !== null) return value;
    throw wrong('triggerValue', 'A day is written as 2031-01-31.');
  }
  const days = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (days >= INACTIVITY_MIN && days <= INACTIVITY_MAX) return String(days);
  throw wrong(
    'triggerValue',
    `Inactivity is counted in whole days, from ${INACTIVITY_MIN} to ${INACTIVITY_MAX}.`,
  );
}

/** What a trigger waits for: milliseconds of silence, or the first moment of its day. */
export function watchOf({ trigger_type, trigger_value, time_zone }: Trigger): {
  period: number | null;
  due_at: number | null;
} {
  return {
    period: trigger_type === 'inactivity' ? Number(trigger_value) * DAY : null,
    due_at: trigger_type === 'date' ? startOfDay(trigger_value, time_zone) : null,
  };
}

/** @throws AppError `invalid-input` for a day that has begun */
export function refuseBegunDay(trigger: Trigger, time: number): void {
  const { due_at } = watchOf(trigger);
  if (due_at !== null && due_at <= time) {
    throw wrong('triggerValue', 'This day has begun already. Choose a later one.');
  }
}

/** Whether two of them mean the same. A time zone means something to a day alone. */
export function sameTrigger(one: Trigger, other: Trigger): boolean {
  return (
    one.trigger_type === other.trigger_type &&
    one.trigger_value === other.trigger_value &&
    (one.trigger_type !== 'date' || one.time_zone === other.time_zone)
  );
}

/** @throws AppError `invalid-input` where nobody has said that the recipient has what opens it */
export function refuseUnhanded(accesses: readonly ScrollAccess[]): void {
  if (accesses.includes('card'))
    throw wrong('handedOver', 'First hand over the key cards, and confirm it here.');
  if (accesses.includes('passphrase')) {
    throw wrong(
      'handedOver',
      'First tell the recipients where to look and what opens it, and confirm it here.',
    );
  }
}

/** @throws AppError `invalid-input` */
export function refuseKeyless(): never {
  throw wrong('encryptedScrollKey', 'Under another vault key the letter’s own key must be sealed anew.');
}
