// The fields of a legacy scroll: the letter, what releases it, who shall have it, and who says to have written it.
import type { ReactNode } from 'react';
import { AUTHOR_NAME_MAX } from '../../../shared/author-name.ts';
import { INACTIVITY_MAX, INACTIVITY_MIN, type TriggerType } from '../../../shared/nouns/legacy.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { type RecipientForm, TITLE_MAX, withTrigger } from './form.ts';
import { LetterField } from './letter-field.tsx';
import { RecipientsFields, type RecipientsProps } from './recipients-fields.tsx';
import { zoneWords } from './scroll-words.ts';

interface FieldsProps extends RecipientsProps {
  /** In which the day of release begins. */
  zone: string;
  rows?: number;
  /** Beneath the letter: the field for its files. */
  beneath?: ReactNode;
}

const triggers: { value: TriggerType; label: string }[] = [
  { value: 'inactivity', label: 'After days without activity' },
  { value: 'date', label: 'On a day' },
  { value: 'manual', label: 'When I press “Release now”' },
];

/** Who reads the name beside the recipients. */
const nameHint = (recipients: readonly Pick<RecipientForm, 'recipientType'>[]) =>
  `Stands on key cards, on the page where your recipients wait and in the letter, for them alone. ${
    recipients.some(({ recipientType }) => recipientType === 'email')
      ? 'Mails give it as well, so that they believe them: there the server can read it.'
      : 'This server cannot read it.'
  } Without it they read that somebody has written to them.`;

export function ScrollFields(props: FieldsProps) {
  const { form, onChange, problems, locked = false, busy = false, rows = 7 } = props;
  return (
    <>
      <Question asks="What do you want to say?">
        <TextField
          label="Title"
          value={form.title}
          maxLength={TITLE_MAX}
          onChange={(event) => onChange({ ...form, title: event.target.value })}
          error={problems.title}
          autoComplete="off"
          disabled={busy}
        />
        <LetterField
          label="Letter"
          dir="auto"
          rows={rows}
          value={form.content}
          onChange={(content) => onChange({ ...form, content })}
          error={problems.content}
          hint="Letter and title are sealed in this browser under a key of their own."
          disabled={busy}
        />
        {props.beneath}
      </Question>
      <Question asks="Who is it for?">
        <RecipientsFields {...props} />
        <TextField
          label="Your name"
          optional
          value={form.authorName}
          maxLength={AUTHOR_NAME_MAX}
          onChange={(event) => onChange({ ...form, authorName: event.target.value })}
          error={problems.authorName}
          hint={nameHint(form.recipients)}
          autoComplete="name"
          disabled={busy}
        />
      </Question>
      <Question asks="When is it sent?">
        <TriggerFields {...props} disabled={locked || busy} />
      </Question>
    </>
  );
}

/** One of the three questions that a letter answers. */
function Question({ asks, children }: { asks: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-6 border-t border-line pt-6">
      <legend className="float-left mb-5 w-full font-display text-name font-medium">{asks}</legend>
      {children}
    </fieldset>
  );
}

type PartProps = FieldsProps & { disabled: boolean };

function TriggerFields({ form, onChange, problems, zone, disabled }: PartProps) {
  const value = (triggerValue: string) => onChange({ ...form, triggerValue });
  return (
    <div className="grid gap-x-6 gap-y-5 sm:gap-y-3 sm:grid-cols-2">
      <SelectField
        label="When"
        choices={triggers}
        value={form.triggerType}
        onChange={(event) => onChange(withTrigger(form, event.target.value as TriggerType))}
        disabled={disabled}
      />
      {form.triggerType === 'inactivity' && (
        <TextField
          label="Days without activity"
          type="number"
          inputMode="numeric"
          min={INACTIVITY_MIN}
          max={INACTIVITY_MAX}
          step={1}
          placeholder={`${INACTIVITY_MIN} to ${INACTIVITY_MAX}`}
          value={form.triggerValue}
          onChange={(event) => value(event.target.value)}
          error={problems.triggerValue}
          disabled={disabled}
        />
      )}
      {form.triggerType === 'date' && (
        <DateTimeField
          label="The day"
          precision="date"
          min={tomorrow()}
          value={form.triggerValue}
          onChange={(event) => value(event.target.value)}
          error={problems.triggerValue}
          disabled={disabled}
        />
      )}
      <p className="text-small text-shade sm:col-span-2">{triggerHint(form.triggerType, zone)}</p>
    </div>
  );
}

function triggerHint(type: TriggerType, zone: string): string {
  if (type === 'manual') return 'Sent only when you press “Release now”, never by itself.';
  if (type === 'date')
    return `Sent when that day begins in the time zone ${zoneWords(zone)}, whether or not you still sign in.`;
  return 'Sent if you do not sign in for this many days. Using this server while signed in counts as well. Time in which the server is off counts as well, but no more than a day each time.';
}

function tomorrow(): Date {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  return day;
}
