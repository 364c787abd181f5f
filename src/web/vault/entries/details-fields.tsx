// The two optional fields of an entry's form that say when it happened and how it is tagged.

import { parseEdtf } from '../../../shared/edtf.ts';
import {
  canEditDetails,
  type Made,
  tagsFromLine,
  tagsProblem,
  writeDetails,
} from '../../../vault/entries/details.ts';
import type { OpenedEntry } from '../../../vault/kinds/entry-kind.ts';
import { capitalised } from '../../ui/capitalised.ts';
import { Checkbox, SelectField } from '../../ui/choice-fields.tsx';
import { classes } from '../../ui/classes.ts';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import { monthName } from '../../ui/moments.ts';
import { TextField } from '../../ui/text-fields.tsx';
import { SEASONS } from './happened.ts';

/** What the fields hold, as they are typed. What a draft lacks is empty. */
export interface DetailsForm {
  precision?: Precision;
  day?: string;
  time?: string;
  /** The number of the month or the season, with two digits. */
  part?: string;
  year?: string;
  /** `~` for about then. */
  about?: string;
  tags?: string;
}

type Precision = 'day' | 'month' | 'season' | 'year';

export const DETAILS_FIELDS = ['precision', 'day', 'time', 'part', 'year', 'about', 'tags'] as const;

type Written = Pick<OpenedEntry, 'details' | 'detailsText'>;

const EMPTY = { precision: 'day', day: '', time: '', part: '', year: '', about: '' } as const;

export function detailsForm(entry: Written | undefined): Required<DetailsForm> {
  const tags = entry?.details.tags.join(', ') ?? '';
  const happenedOn = entry?.details.happenedOn ?? '';
  const date = parseEdtf(happenedOn);
  if (!date) return { ...EMPTY, tags };
  const [bare = ''] = happenedOn.split('~');
  const about = date.isAbout ? '~' : '';
  if (date.precision === 'day' || date.precision === 'minute') {
    const [day = '', time = ''] = bare.split('T');
    return { ...EMPTY, day, time, about, tags };
  }
  const [year = '', part = ''] = bare.split('-');
  return { ...EMPTY, precision: date.precision, year, part, about, tags };
}

/** What takes over when a photo was taken, `2019-05-17T14:30:05`; undefined where something was said of when it happened. */
export const dateTakenInto = (form: DetailsForm, change: (part: DetailsForm) => void) =>
  stampOf(form) === ''
    ? (moment: string) => change({ ...EMPTY, day: moment.slice(0, 10), time: moment.slice(11, 16) })
    : undefined;

/** In EDTF; empty where nothing was typed. What was typed may be no date. */
function stampOf({ precision, day, time, part, year, about }: DetailsForm): string {
  const typed = { ...EMPTY, ...noHoles({ precision, day, time, part, year, about }) };
  if (typed.precision === 'day') {
    const exactly = typed.time === '' || typed.about ? typed.day : `${typed.day}T${typed.time}`;
    return typed.day && `${exactly}${typed.about}`;
  }
  const isWhole = typed.precision === 'year';
  if (typed.year.trim() === '' && (isWhole || typed.part === '')) return '';
  return `${typed.year.trim()}${isWhole ? '' : `-${typed.part}`}${typed.about}`;
}

const noHoles = <T extends object>(all: T) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]-?: NonNullable<T[K]>;
  };

export interface DetailsProblem {
  when?: string | undefined;
  tags?: string | undefined;
}

/** What is wrong with what was typed; null when nothing is. */
export function detailsProblem(form: DetailsForm, now: Date): DetailsProblem | null {
  const when = dateProblem(form, now);
  const tags = tagsProblem(form.tags ?? '');
  return when || tags ? { when, tags } : null;
}

function dateProblem(form: DetailsForm, now: Date): string | undefined {
  const stamp = stampOf(form);
  if (stamp === '') return undefined;
  const date = parseEdtf(stamp);
  if (date && date.start <= now) return undefined;
  if (date) return 'That is still to come. Choose a moment in the past.';
  if (!/^\d{4}$/.test((form.year ?? '').trim())) return 'Enter the year with four digits.';
  return `Choose the ${form.precision}, or say only the year.`;
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
  const { tags = '' } = form;
  return (
    <>
      <WhenFields form={form} error={problem?.when} onChange={onChange} />
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

const PRECISIONS: { value: Precision; label: string }[] = [
  { value: 'day', label: 'To the day' },
  { value: 'month', label: 'To the month' },
  { value: 'season', label: 'To the season' },
  { value: 'year', label: 'To the year' },
];

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** The months and the seasons with the numbers that EDTF gives them. */
const PARTS = {
  month: Array.from({ length: 12 }, (_, i) => ({
    value: twoDigits(i + 1),
    label: monthName(i + 1),
  })),
  season: SEASONS.map((name, i) => ({ value: String(21 + i), label: capitalised(name) })),
};

interface WhenProps {
  form: DetailsForm;
  error: string | undefined;
  onChange: (part: DetailsForm) => void;
}

/** When it happened, as exactly as its author knows. */
function WhenFields({ form, error, onChange }: WhenProps) {
  const { precision, day, time, part, year, about } = { ...EMPTY, ...form };
  const isGiven = precision === 'day' ? day !== '' : year !== '' || part !== '';

  function choose(next: Precision) {
    // What was said already is said with the other fields.
    const [dayYear = '', dayMonth = ''] = day.split('-');
    const before = precision === 'day' ? { year: dayYear, part: dayMonth } : { year, part };
    const isKept = next === 'month' && precision === 'day';
    onChange({
      precision: next,
      day: '',
      time: '',
      about,
      year: before.year,
      part: isKept ? before.part : '',
    });
  }

  return (
    <>
      <div className="grid items-start gap-6 sm:grid-cols-[1fr_14rem]">
        {precision === 'day' && (
          <DateTimeField
            label="When it happened"
            optional
            precision="date"
            max={new Date()}
            value={day}
            onChange={({ target }) =>
              onChange(target.value === '' ? { day: '', time: '', about: '' } : { day: target.value })
            }
            error={error}
          />
        )}
        {precision !== 'day' && (
          <div className={classes('grid items-start gap-6', precision !== 'year' && 'grid-cols-[1fr_7rem]')}>
            {precision !== 'year' && (
              <SelectField
                label={precision === 'month' ? 'Month' : 'Season'}
                placeholder="Choose"
                choices={PARTS[precision]}
                value={part}
                onChange={({ target }) => onChange({ part: target.value })}
              />
            )}
            <TextField
              label="Year"
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              value={year}
              onChange={({ target }) => onChange({ year: target.value })}
              error={error}
            />
          </div>
        )}
        <SelectField
          label="How exactly"
          choices={PRECISIONS}
          value={precision}
          onChange={({ target }) => choose(target.value as Precision)}
        />
      </div>
      {isGiven && (
        <div className="grid items-end gap-6 sm:grid-cols-[1fr_14rem]">
          <Checkbox
            label="About then, not for certain"
            checked={about !== ''}
            onChange={({ target }) => onChange({ about: target.checked ? '~' : '' })}
          />
          {precision === 'day' && about === '' && (
            <TextField
              label="At what time"
              optional
              type="time"
              value={time}
              onChange={(event) => onChange({ time: event.target.value })}
            />
          )}
        </div>
      )}
    </>
  );
}
