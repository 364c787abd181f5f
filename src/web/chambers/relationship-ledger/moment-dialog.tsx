// Recording a moment with somebody, or changing one.
import { useId, useState } from 'react';
import {
  type EventType,
  eventLabel,
  eventTypes,
  WEIGHT_DEFAULT,
} from '../../../shared/nouns/relationship.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { WordsField } from '../../ui/words-field.tsx';
import {
  DetailsFields,
  type DetailsForm,
  type DetailsProblem,
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
    });
    return null;
  }
  return {
    texts: {
      personName: person.trim(),
      encryptedContent: content,
      details: detailsOf(form, moment),
    },
    clear: { eventType: kind, emotionalWeight: weight },
    choice: `${kind} ${weight}`,
  };
}

export function MomentDialog(props: DialogProps) {
  const { moments, people, moment, person = '', onClose, onSealed } = props;
  const names = useId();
  const [when, setWhen] = useState<DetailsProblem | null>(null);
  const entry = useEntryForm({
    collection: moments,
    entry: moment,
    initial: {
      person: moment?.name ?? person,
      kind: moment?.eventType ?? '',
      content: moment?.content ?? '',
      weight: moment?.emotionalWeight ?? WEIGHT_DEFAULT,
      ...detailsForm(moment),
    } as Form,
    toDraft(form) {
      const draft = toDraft({ ...form, person: knownName(form.person, people, moment?.name) }, moment);
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
    failure: 'Failed to Record Entry',
  });
  const { form, change } = entry;
  const known = knownName(form.person, people, moment?.name);
  const beside = entry.beside as OpenedRelationship | null;

  return (
    <EntryDialog
      title={moment ? 'Edit Moment' : 'Record Moment'}
      noun="moment"
      saveLabel="Record Moment"
      busyLabel="Sealing..."
      editing={moment !== undefined}
      entry={entry}
      otherFacts={
        beside && (
          <>
            <span>{eventLabel(beside.eventType)}</span>
            <WeightMark weight={beside.emotionalWeight} />
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
      <SelectField
        label="Kind"
        choices={eventTypes}
        placeholder="Choose one"
        value={form.kind}
        onChange={(event) => change({ kind: event.target.value as EventType })}
        error={missing(entry.tried, form.kind, 'Choose a kind.')}
      />
      <WordsField
        label="What happened"
        dir="auto"
        rows={6}
        value={form.content}
        onChange={(content) => change({ content })}
        error={missing(entry.tried, form.content, 'The words are missing.')}
      />
      <WeightField value={form.weight} onChange={(weight) => change({ weight })} />
      <DetailsFields
        form={form}
        entry={moment}
        problem={when}
        onChange={(part) => {
          change(part);
          setWhen(null);
        }}
      />
      <p className="-mt-2 text-small text-shade">
        Name and words are sealed. The kind, the weight and the day of recording can be seen by this server.
      </p>
    </EntryDialog>
  );
}
