// Recording a moment with somebody, or changing one.
import { useId, useState } from 'react';
import {
  type EventType,
  eventLabel,
  eventTypes,
  WEIGHT_DEFAULT,
} from '../../../shared/nouns/moment-kinds.ts';
import { canEditDetails } from '../../../vault/entries/details.ts';
import { sealMoment } from '../../../vault/entries/sealed-moment.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { WordsField } from '../../ui/words-field.tsx';
import {
  DETAILS_FIELDS,
  DetailsFields,
  type DetailsForm,
  type DetailsProblem,
  dateTakenInto,
  detailsForm,
  detailsOf,
  detailsProblem,
} from '../../vault/entries/details-fields.tsx';
import { EntryDialog } from '../../vault/entries/entry-dialog.tsx';
import { knownName, type Person } from '../../vault/entries/people.ts';
import type {
  OpenedRelationship,
  RelationshipDraft,
  Relationships,
} from '../../vault/entries/relationships.ts';
import { missing } from '../../vault/entries/titled-fields.tsx';
import { type AfterSealing, useEntryForm } from '../../vault/entries/use-entry-form.ts';
import { WeightField, WeightMark } from './weight.tsx';

interface Form extends DetailsForm {
  person: string;
  /** Empty until one is chosen. */
  kind: EventType | '';
  content: string;
  weight: number;
}

interface DialogProps {
  moments: Relationships;
  /** Whose names are offered. */
  people: readonly Person[];
  /** The moment to change; absent for a new one. */
  moment?: OpenedRelationship;
  /** The person of a new one, as far as it is known. */
  person?: string | undefined;
  onClose: () => void;
  onSealed: AfterSealing<OpenedRelationship>;
}

/** As many names as a list that opens under a field can hold. */
const OFFERED = 200;

function toDraft(form: Form, moment: OpenedRelationship | undefined): RelationshipDraft | null {
  const { person, kind, content, weight } = form;
  if (person.trim() === '' || kind === '' || content.trim() === '') {
    toast({
      title: 'Incomplete Entry',
      description: 'Please fill in all fields before recording this moment.',
      tone: 'destructive',
      isMistake: true,
    });
    return null;
  }
  const { details, clear } = sealMoment(detailsOf(form, moment), { kind, weight });
  return {
    texts: { personName: person.trim(), encryptedContent: content, details },
    clear,
    choice: `${kind} ${weight}`,
  };
}

/** The form until its moment is sealed, and what is wrong with when it happened. */
function useMomentForm({ moments, people, moment, person = '', onClose, onSealed }: DialogProps) {
  const [when, setWhen] = useState<DetailsProblem | null>(null);
  const entry = useEntryForm({
    collection: moments,
    entry: moment,
    initial: {
      person: moment?.name ?? person,
      kind: moment?.kind ?? '',
      content: moment?.content ?? '',
      weight: moment?.weight ?? WEIGHT_DEFAULT,
      ...detailsForm(moment),
    } as Form,
    inDetails: [...DETAILS_FIELDS, 'kind', 'weight'],
    toDraft(form) {
      const person = knownName(form.person, people, moment?.name);
      const draft = toDraft({ ...form, person }, moment);
      const wrong = draft && detailsProblem(form, new Date());
      setWhen(wrong);
      return wrong ? null : draft;
    },
    onSealed(sealed, link) {
      toast({
        title: 'Entry Recorded',
        description: 'Name and words were sealed in this browser. Nobody else can read them.',
      });
      onSealed(sealed, link);
    },
    onWaits: onClose,
    failure: 'Failed to Record Entry',
  });
  return { entry, when, forgetWhen: () => setWhen(null) };
}

export function MomentDialog(props: DialogProps) {
  const { people, moment, onClose } = props;
  const names = useId();
  const { entry, when, forgetWhen } = useMomentForm(props);
  const { form, change } = entry;
  const known = knownName(form.person, people, moment?.name);
  const beside = entry.beside as OpenedRelationship | null;
  const isSealedHere = !entry.hidesDetails && canEditDetails(moment ? moment.detailsText : null);

  return (
    <EntryDialog
      title={moment ? 'Edit Moment' : 'Record Moment'}
      noun="moment"
      saveLabel="Record Moment"
      busyLabel="Sealing..."
      editing={moment !== undefined}
      entry={entry}
      onDateTaken={dateTakenInto(form, change)}
      otherFacts={
        beside && (
          <>
            <span>{eventLabel(beside.kind)}</span>
            <WeightMark weight={beside.weight} />
          </>
        )
      }
      onClose={onClose}
    >
      <TextField
        label="Person"
        dir="auto"
        value={form.person}
        maxLength={1000}
        onChange={(event) => change({ person: event.target.value })}
        error={missing(entry.tried, form.person, 'A name is missing.')}
        onBlur={() => {
          if (known !== form.person) change({ person: known });
        }}
        list={names}
        autoComplete="off"
      />
      <datalist id={names}>
        {people.slice(0, OFFERED).map(({ key, name }) => (
          <option key={key} value={name} />
        ))}
      </datalist>
      {isSealedHere && (
        <SelectField
          label="Kind"
          choices={eventTypes}
          placeholder="Choose one"
          value={form.kind}
          onChange={(event) => change({ kind: event.target.value as EventType })}
          error={missing(entry.tried, form.kind, 'Choose a kind.')}
        />
      )}
      <WordsField
        label="What happened"
        dir="auto"
        rows={6}
        value={form.content}
        onChange={(content) => change({ content })}
        error={missing(entry.tried, form.content, 'The words are missing.')}
      />
      {isSealedHere && <WeightField value={form.weight} onChange={(weight) => change({ weight })} />}
      <DetailsFields
        isHidden={entry.hidesDetails}
        form={form}
        entry={moment}
        problem={when}
        onChange={(part) => {
          change(part);
          forgetWhen();
        }}
      />
      <p className="-mt-2 text-small text-shade">
        {isSealedHere
          ? 'Name, words, kind and weight are sealed. The day of recording can be seen by this server.'
          : entry.hidesDetails
            ? 'Its kind and weight are sealed with its date and tags, and are not shown either.'
            : 'Its kind and weight are sealed with its date and tags, and stay as they are too.'}
      </p>
    </EntryDialog>
  );
}
