// The two optional fields of an entry's form that say when it happened and how it is tagged.

import { fromLocalStamp } from '../../../shared/local-stamp.ts';
import {
  canEditDetails,
  type Made,
  tagsFromLine,
  tagsProblem,
  writeDetails,
} from '../../../vault/entries/details.ts';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import { TextField } from '../../ui/text-fields.tsx';

/** What the fields hold, as they are typed. A draft of before there were such fields lacks them. */
export interface DetailsForm {
  day?: string;
  time?: string;
  tags?: string;
}

export const DETAILS_FIELDS = ['day', 'time', 'tags'] as const;

type Written = Pick<OpenedEntry, 'details' | 'detailsText'>;

export const detailsForm = (entry: Written | undefined): Required<DetailsForm> => {
  const [day = '', time = ''] = (entry?.details.happenedOn ?? '').split('T');
  return { day, time, tags: entry?.details.tags.join(', ') ?? '' };
};

const stampOf = ({ day = '', time = '' }: DetailsForm) =>
  day === '' || time === '' ? day : `${day}T${time}`;

export interface DetailsProblem {
  when?: string | undefined;
  tags?: string | undefined;
}

/** What is wrong with what was typed; null when nothing is. */
export function detailsProblem(form: DetailsForm, now: Date): DetailsProblem | null {
  const stamp = stampOf(form);
  const moment = fromLocalStamp(stamp);
  const passed = moment !== null && moment <= now;
  const when = stamp === '' || passed ? undefined : 'That is still to come. Choose a moment in the past.';
  const tags = tagsProblem(form.tags ?? '');
  return when || tags ? { when, tags } : null;
}

/**
 * The details to be sealed: null for none, undefined where those that are there do not open and stay as they are.
 * @param entry what is changed; absent for a new entry
 * @param made how a new myth was made
 */
export function detailsOf(
  form: DetailsForm,
  entry: Written | undefined,
  made?: Made,
): string | null | undefined {
  if (entry?.detailsText === undefined && entry) return undefined;
  const happenedOn = stampOf(form);
  return writeDetails(entry?.detailsText ?? null, {
    happenedOn: happenedOn === '' ? null : happenedOn,
    tags: tagsFromLine(form.tags ?? ''),
    ...(made && { made }),
  });
}

interface FieldsProps {
  form: DetailsForm;
  entry: Written | undefined;
  /** The server shows it without the ones that there are. */
  isHidden: boolean;
  problem: DetailsProblem | null;
  onChange: (part: DetailsForm) => void;
}

export function DetailsFields({ form, entry, isHidden, problem, onChange }: FieldsProps) {
  if (isHidden)
    return (
      <p className="text-small text-blood">
        It has a date or tags, and this server does not show them: your vault’s book says so. It cannot be
        sealed anew until they are shown. What you write stays in this browser until then.
      </p>
    );
  if (entry && !canEditDetails(entry.detailsText)) {
    return (
      <p className="text-small text-shade">
        Its date and tags were written by a newer version, or cannot be read with this key. They stay as they
        are.
      </p>
    );
  }
  const { day = '', time = '', tags = '' } = form;
  return (
    <>
      <div className="grid items-start gap-6 sm:grid-cols-[1fr_14rem]">
        <DateTimeField
          label="When it happened"
          optional
          precision="date"
          max={new Date()}
          value={day}
          onChange={({ target }) =>
            onChange(target.value === '' ? { day: '', time: '' } : { day: target.value })
          }
          error={problem?.when}
        />
        {day !== '' && (
          <TextField
            label="At what time"
            optional
            type="time"
            value={time}
            onChange={(event) => onChange({ time: event.target.value })}
          />
        )}
      </div>
      <TextField
        label="Tags"
        optional
        dir="auto"
        value={tags}
        maxLength={1000}
        onChange={(event) => onChange({ tags: event.target.value })}
        error={problem?.tags}
        hint="Short words with commas between them. Date and tags are sealed like the words."
        autoComplete="off"
      />
    </>
  );
}
