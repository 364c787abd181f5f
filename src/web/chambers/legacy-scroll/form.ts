// What the form of a legacy scroll holds, what may be missing in it, and what a change of one answer does to the others.

import { authorNameProblem } from '../../../shared/author-name.ts';
import {
  INACTIVITY_MAX,
  INACTIVITY_MIN,
  type Scroll,
  type TriggerType,
} from '../../../shared/nouns/legacy.ts';
import {
  addressProblem,
  isSameAddress,
  type RecipientType,
  type Tell,
  tellProblem,
} from '../../../shared/nouns/scroll-recipients.ts';
import { ENTRY_TITLE_MAX } from '../../../shared/sealed-kinds.ts';
import { startOfDay } from '../../../shared/start-of-day.ts';
import type { Letter } from '../../../vault/legacy/letter.ts';
import { detailsOfLetter, type LetterFiles } from '../../../vault/legacy/letter-files.ts';
import type { ScrollDraft } from '../../../vault/outbox/scroll-draft.ts';
import { type DraftFiles, NO_FILES, settled, withFiles } from '../../vault/files/draft-files.ts';

export interface ScrollForm {
  title: string;
  content: string;
  triggerType: TriggerType;
  /** A number of days, a day as `YYYY-MM-DD`, or `manual`. */
  triggerValue: string;
  /** What mails to the recipients give as their author's name; may be empty. */
  authorName: string;
  recipients: RecipientForm[];
  /** What it does with the letter's files; absent while that is nothing. */
  files?: DraftFiles;
}

/** One recipient of a form. */
export interface RecipientForm {
  /** Tells it from the others of this form. */
  key: string;
  /** The number in its address; null for one that is new. */
  publicId: string | null;
  recipientType: RecipientType;
  recipientAddress: string;
  tell: Tell;
  /** What its author calls them, for nobody else to know. */
  name: string;
  /** How the key of a new one reaches them, unless it is sealed to their vault. */
  kind: 'card' | 'passphrase';
}

/** In a sentence each; those of recipients by their key. */
export type FormProblems = { [Field in Exclude<keyof ScrollForm, 'recipients' | 'files'>]?: string } & {
  recipients?: Record<string, string>;
  /** Of who is told when. */
  tell?: string;
};

export const blankRecipient = (recipientType: RecipientType = 'email'): RecipientForm => ({
  key: crypto.randomUUID(),
  publicId: null,
  recipientType,
  recipientAddress: '',
  tell: 'at-release',
  name: '',
  kind: 'card',
});

export const blankForm = (): ScrollForm => ({
  title: '',
  content: '',
  triggerType: 'inactivity',
  triggerValue: '',
  authorName: '',
  recipients: [blankRecipient()],
});

/** Another trigger has another value. */
export const withTrigger = (form: ScrollForm, triggerType: TriggerType): ScrollForm => ({
  ...form,
  triggerType,
  triggerValue: triggerType === 'manual' ? 'manual' : '',
});

/** One recipient changed, the others as they are. */
export const withRecipient = (form: ScrollForm, key: string, fields: Partial<RecipientForm>): ScrollForm => ({
  ...form,
  recipients: form.recipients.map((one) => (one.key === key ? { ...one, ...fields } : one)),
});

/** Without one of them. Who is left alone is told at the release. */
export function withoutRecipient(form: ScrollForm, key: string): ScrollForm {
  const left = form.recipients.filter((one) => one.key !== key);
  return {
    ...form,
    recipients: left.length === 1 ? left.map((one) => ({ ...one, tell: 'at-release' as const })) : left,
  };
}

/** What a form's trigger waits for, as the server keeps it. */
const triggerValueOf = ({ triggerType, triggerValue }: ScrollForm): string => {
  const value = triggerValue.trim();
  if (triggerType === 'manual') return 'manual';
  return triggerType === 'inactivity' && /^\d+$/.test(value) ? String(Number(value)) : value;
};

/** The time zone in which a day is meant here. */
export const timeZoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/**
 * A form as it is sealed and sent.
 * @param timeZone in which its day begins
 * @param letter the one that it changes; none for a new one, which has only the files that were added
 * @throws FilesNotWritten
 */
export function draftOfForm(
  { files, ...form }: ScrollForm,
  timeZone: string,
  letter: Pick<Letter, 'files'> = {},
): ScrollDraft {
  const changed = filesAfter(files, detailsOfLetter(letter));
  return {
    ...{ ...form, triggerValue: triggerValueOf(form), timeZone },
    ...(changed && { files: changed }),
  };
}

/** @param details what the letter says of its files now. @returns null where that stays */
function filesAfter(ofForm: DraftFiles = NO_FILES, details: string | null): LetterFiles | null {
  const files = settled(details, ofForm);
  const { added, removed } = files;
  if (added.length === 0 && removed.length === 0) return null;
  return {
    details: withFiles(details, details, files) ?? null,
    added: added.map(({ id }) => id),
    removed,
  };
}

/** In which zone the day of a form begins: a day that is not changed stays where it was. */
export const zoneOf = (
  form: ScrollForm,
  scroll?: Pick<Scroll, 'triggerType' | 'triggerValue' | 'timeZone'>,
) =>
  scroll && scroll.triggerType === form.triggerType && scroll.triggerValue === form.triggerValue
    ? scroll.timeZone
    : timeZoneHere();

/** The longest name of a recipient: eight of them fit beside the scroll's own key. */
export const RECIPIENT_NAME_MAX = 100;

/** The longest title that is sure to fit once it is sealed. */
export const TITLE_MAX = Math.min(1000, ENTRY_TITLE_MAX);

function triggerProblem({ triggerType, triggerValue }: ScrollForm, now: number, zone: string) {
  if (triggerType === 'manual') return undefined;
  if (triggerType === 'date') {
    if (triggerValue === '') return 'Choose the day on which it is sent.';
    const begins = startOfDay(triggerValue, zone);
    if (begins === null) return 'There is no such day.';
    return begins <= now ? 'That day has begun already. Choose one that is still to come.' : undefined;
  }
  if (triggerValue.trim() === '') return 'Enter after how many days without activity it is sent.';
  const days = /^\d{1,3}$/.test(triggerValue.trim()) ? Number(triggerValue) : Number.NaN;
  return days >= INACTIVITY_MIN && days <= INACTIVITY_MAX
    ? undefined
    : `A whole number of days, from ${INACTIVITY_MIN} to ${INACTIVITY_MAX}.`;
}

/** What is missing or wrong, by field; empty when nothing is. */
export function formProblems(form: ScrollForm, now: number, zone: string): FormProblems {
  const trigger = triggerProblem(form, now, zone);
  const recipients = Object.fromEntries(
    form.recipients.flatMap((one, i) => {
      const problem = recipientProblem(one, form.recipients.slice(0, i));
      return problem ? [[one.key, problem]] : [];
    }),
  );
  const tell = tellProblem(form.recipients);
  const authorName = authorNameProblem(form.authorName);
  return {
    ...(form.title.trim() === '' && { title: 'Give it a title. The recipient reads it with the letter.' }),
    ...(form.content.trim() === '' && { content: 'The letter is still empty.' }),
    ...(trigger && { triggerValue: trigger }),
    ...(authorName && { authorName }),
    ...(Object.keys(recipients).length > 0 && { recipients }),
    ...(tell && { tell }),
  };
}

function recipientProblem(one: RecipientForm, before: readonly RecipientForm[]): string | null {
  if (one.recipientType !== 'card' && one.recipientAddress.trim() === '') return 'Enter who receives it.';
  const problem = addressProblem(one.recipientType, one.recipientAddress);
  if (problem) return problem;
  return before.some((other) => isSameAddress(one, other)) ? 'This address stands above already.' : null;
}

const fieldsOfTheServer: Record<string, 'title' | 'content' | 'triggerValue' | 'authorName'> = {
  title: 'title',
  encryptedContent: 'content',
  triggerValue: 'triggerValue',
  timeZone: 'triggerValue',
  authorName: 'authorName',
};

/** What the server says is wrong with one field, at that field; null when its sentence is about no field of the form. */
export function problemAtField(sentence: string, { recipients }: ScrollForm): FormProblems | null {
  const [, name = '', words = ''] = /^([\w.]+): (.+)$/s.exec(sentence) ?? [];
  const [, place] = /^recipients\.(\d+)\.recipientAddress$/.exec(name) ?? [];
  const recipient = place === undefined ? undefined : recipients[Number(place)];
  if (recipient) return { recipients: { [recipient.key]: words } };
  const field = fieldsOfTheServer[name];
  return field ? { [field]: words } : null;
}
