// What the form of a legacy scroll holds, what may be missing in it, and what a change of one answer does to the others.

import {
  addressProblem,
  INACTIVITY_MAX,
  INACTIVITY_MIN,
  type RecipientType,
  type Scroll,
  startOfDay,
  type TriggerType,
} from '../../../shared/nouns/legacy.ts';
import { ENTRY_TITLE_MAX } from '../../../shared/sealed-kinds.ts';

export interface ScrollForm {
  title: string;
  content: string;
  triggerType: TriggerType;
  /** A number of days, a day as `YYYY-MM-DD`, or `manual`. */
  triggerValue: string;
  recipientType: RecipientType;
  recipientAddress: string;
}

export type FormProblems = { [Field in keyof ScrollForm]?: string };

export const blankForm: ScrollForm = {
  title: '',
  content: '',
  triggerType: 'inactivity',
  triggerValue: '',
  recipientType: 'email',
  recipientAddress: '',
};

/** Another trigger has another value. */
export const withTrigger = (form: ScrollForm, triggerType: TriggerType): ScrollForm => ({
  ...form,
  triggerType,
  triggerValue: triggerType === 'manual' ? 'manual' : '',
});

/** Another kind of recipient has another address. */
export const withRecipient = (form: ScrollForm, recipientType: RecipientType): ScrollForm => ({
  ...form,
  recipientType,
  recipientAddress: '',
});

/** The time zone in which a day is meant here. */
export const timeZoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** In which zone the day of a form begins: a day that is not changed stays where it was. */
export const zoneOf = (
  form: ScrollForm,
  scroll?: Pick<Scroll, 'triggerType' | 'triggerValue' | 'timeZone'>,
) =>
  scroll && scroll.triggerType === form.triggerType && scroll.triggerValue === form.triggerValue
    ? scroll.timeZone
    : timeZoneHere();

/** The longest title that is sure to fit once it is sealed. */
export const TITLE_MAX = Math.min(1000, ENTRY_TITLE_MAX);

function triggerProblem({ triggerType, triggerValue }: ScrollForm, now: number, zone: string) {
  if (triggerType === 'manual') return undefined;
  if (triggerType === 'date') {
    if (triggerValue === '') return 'Choose the day on which it is released.';
    const begins = startOfDay(triggerValue, zone);
    if (begins === null) return 'There is no such day.';
    return begins <= now ? 'That day has begun already. Choose one that is still to come.' : undefined;
  }
  if (triggerValue.trim() === '') return 'Enter after how many days without activity it is released.';
  const days = /^\d{1,3}$/.test(triggerValue.trim()) ? Number(triggerValue) : Number.NaN;
  return days >= INACTIVITY_MIN && days <= INACTIVITY_MAX
    ? undefined
    : `A whole number of days, from ${INACTIVITY_MIN} to ${INACTIVITY_MAX}.`;
}

/** What is missing or wrong, by field; empty when nothing is. */
export function formProblems(form: ScrollForm, now: number, zone: string): FormProblems {
  const trigger = triggerProblem(form, now, zone);
  const address =
    form.recipientType !== 'card' && form.recipientAddress.trim() === ''
      ? 'Enter who receives it.'
      : addressProblem(form.recipientType, form.recipientAddress);
  return {
    ...(form.title.trim() === '' && { title: 'Give it a title. The recipient reads it with the letter.' }),
    ...(form.content.trim() === '' && { content: 'The letter is still empty.' }),
    ...(trigger && { triggerValue: trigger }),
    ...(address && { recipientAddress: address }),
  };
}

const fieldsOfTheServer: Record<string, keyof ScrollForm> = {
  title: 'title',
  encryptedContent: 'content',
  triggerValue: 'triggerValue',
  timeZone: 'triggerValue',
  recipientAddress: 'recipientAddress',
};

/** What the server says is wrong with one field, at that field; null when its sentence is about no field of the form. */
export function problemAtField(sentence: string): FormProblems | null {
  const [, name = '', words = ''] = /^(\w+): (.+)$/s.exec(sentence) ?? [];
  const field = fieldsOfTheServer[name];
  return field ? { [field]: words } : null;
}
