// The first step of a myth: what kind of story, of what words, about whom, and in which tone.
import { useId } from 'react';
import { Link } from 'wouter';
import { RITUAL_MINIMUM, TOKEN_SYMBOL } from '../../../shared/nouns/holders.ts';
import { type EmotionalTone, isRitualTone, ritualTones, SOURCE_MAX } from '../../../shared/nouns/myth.ts';
import { type StoryType, storyTypes } from '../../../shared/nouns/story-types.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { TextArea, TextField } from '../../ui/text-fields.tsx';
import type { Person } from '../../vault/entries/people.ts';
import { NAME_MAX, type StoryForm } from './story-form.ts';
import { asksDuration, toneChoices } from './story-words.ts';

interface FieldsProps {
  form: StoryForm;
  /** How many characters the words have together. */
  length: number;
  /** Whose names are offered. */
  people: readonly Person[];
  /** Whether the further tones of a eulogy can be chosen. */
  rituals: boolean;
  problem: { type?: string | undefined; source?: string | undefined; tone?: string | undefined };
  onChange: (part: Partial<StoryForm>) => void;
  /** What stands before the words, of a eulogy. */
  picks: React.ReactNode;
}

/** As many names as a list that opens under a field can hold. */
const OFFERED = 200;

export function SourceFields({ form, length, people, rituals, problem, onChange, picks }: FieldsProps) {
  const names = useId();
  const { storyType } = form;
  const isEulogy = storyType === 'eulogy';

  function chooseType(type: StoryType) {
    const tone = form.tone !== '' && isRitualTone(form.tone) && type !== 'eulogy' ? '' : form.tone;
    onChange({ storyType: type, tone });
  }

  return (
    <>
      <SelectField
        label="Story type"
        placeholder="Choose one"
        choices={storyTypes}
        value={storyType}
        onChange={(event) => chooseType(event.target.value as StoryType)}
        error={problem.type}
      />
      {(asksDuration(storyType) || isEulogy) && (
        <div className={isEulogy ? 'grid' : 'grid items-start gap-6 sm:grid-cols-2'}>
          <TextField
            label={isEulogy ? 'For whom' : 'Person'}
            optional={!isEulogy}
            dir="auto"
            maxLength={NAME_MAX}
            value={form.person}
            onChange={(event) => onChange({ person: event.target.value, ...(isEulogy && { picked: null }) })}
            list={names}
            autoComplete="off"
            hint={isEulogy ? 'The names of your ledger are offered as you type.' : undefined}
          />
          <datalist id={names}>
            {people.slice(0, OFFERED).map(({ key, name }) => (
              <option key={key} value={name} />
            ))}
          </datalist>
          {asksDuration(storyType) && (
            <TextField
              label="For how long"
              optional
              dir="auto"
              maxLength={NAME_MAX}
              value={form.duration}
              onChange={(event) => onChange({ duration: event.target.value })}
              autoComplete="off"
            />
          )}
        </div>
      )}
      {picks}
      <TextArea
        label={isEulogy ? 'In your own words' : 'Source'}
        optional={isEulogy}
        dir="auto"
        rows={isEulogy ? 4 : 6}
        value={form.source}
        onChange={(event) => onChange({ source: event.target.value })}
        aside={`${length.toLocaleString('en-GB')} of ${SOURCE_MAX.toLocaleString('en-GB')}`}
        error={problem.source}
        hint={
          isEulogy
            ? 'They follow the chosen entries, which come in the order in which they happened.'
            : 'What happened, as you would tell it: a page of a diary, a letter, some lines.'
        }
      />
      <SelectField
        label="Tone"
        optional
        choices={toneChoices(storyType, rituals)}
        value={form.tone}
        onChange={(event) => onChange({ tone: event.target.value as EmotionalTone | '' })}
        error={problem.tone}
        hint={isEulogy && !rituals ? <RitualsNeeded /> : undefined}
      />
    </>
  );
}

function RitualsNeeded() {
  const names = ritualTones.map(({ label }) => label);
  return (
    <>
      {names.slice(0, -1).join(', ')} and {names.at(-1)} are for those who hold {RITUAL_MINIMUM}{' '}
      {TOKEN_SYMBOL} or more in a wallet that they have linked to their vault, which is done{' '}
      <Link href="/settings/plan" className="text-dust underline underline-offset-4 hover:text-bone">
        in Settings
      </Link>
      .
    </>
  );
}
