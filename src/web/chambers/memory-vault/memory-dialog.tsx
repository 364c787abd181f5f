// Writing a memory, or changing one, and until when it is locked.
import { useState } from 'react';
import { type LockOption, lockOptions, lockUntil } from '../../../shared/nouns/memory.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import { fromLocalStamp } from '../../ui/local-stamp.ts';
import { formatMoment } from '../../ui/moments.ts';
import { TextArea, TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import {
  DetailsFields,
  type DetailsForm,
  type DetailsProblem,
  detailsForm,
  detailsOf,
  detailsProblem,
} from '../../vault/entries/details-fields.tsx';
import { EntryDialog } from '../../vault/entries/entry-dialog.tsx';
import type { Memories, MemoryDraft, OpenedMemory } from '../../vault/entries/memories.ts';
import { type AfterSealing, useEntryForm } from '../../vault/entries/use-entry-form.ts';

interface Form extends DetailsForm {
  title: string;
  content: string;
  lock: LockOption;
  custom: string;
}

interface DialogProps {
  memories: Memories;
  /** The memory to change; absent for a new one. */
  memory?: OpenedMemory;
  onClose: () => void;
  onSealed: AfterSealing<OpenedMemory>;
}

const customMoment = ({ lock, custom }: Form) =>
  lock === 'custom' ? (fromLocalStamp(custom)?.getTime() ?? null) : null;

export function MemoryDialog({ memories, memory, onClose, onSealed }: DialogProps) {
  const [lockProblem, setLockProblem] = useState<string>();
  const [when, setWhen] = useState<DetailsProblem | null>(null);

  function toDraft(form: Form): MemoryDraft | null {
    if (form.title.trim() === '' || form.content.trim() === '') {
      toast({
        title: 'Incomplete Memory',
        description: 'Please provide both a title and content for your memory.',
        tone: 'destructive',
      });
      return null;
    }
    const custom = customMoment(form);
    if (custom !== null && custom <= Date.now()) {
      setLockProblem('That moment has passed. Choose one that is still to come.');
      return null;
    }
    const wrong = detailsProblem(form, new Date());
    setWhen(wrong);
    if (wrong) return null;
    const until = lockUntil(form.lock, custom, Date.now());
    const timeLockUntil = until === null ? null : new Date(until).toISOString();
    return {
      texts: { title: form.title, encryptedContent: form.content, details: detailsOf(form, memory) },
      // A change without a choice leaves the lock as it is.
      clear: memory && timeLockUntil === null ? {} : { timeLockUntil },
      choice: `${form.lock} ${form.custom}`,
    };
  }

  const entry = useEntryForm({
    collection: memories,
    entry: memory,
    initial: {
      ...{ title: memory?.name ?? '', content: memory?.content ?? '', lock: 'none', custom: '' },
      ...detailsForm(memory),
    } as Form,
    toDraft,
    onSealed(sealed, link) {
      const { timeLockUntil } = sealed;
      toast({
        title: 'Memory Sealed',
        description:
          timeLockUntil === null || Date.parse(timeLockUntil) <= Date.now()
            ? 'It was sealed in this browser. Nobody else can read it.'
            : `It opens on ${formatMoment(timeLockUntil)}.`,
      });
      onSealed(sealed, link);
    },
    failure: 'Failed to Seal Memory',
    linkObstacle: (form) =>
      lockUntil(form.lock, customMoment(form), Date.now()) === null
        ? null
        : 'A memory that is locked cannot be given away before it opens.',
  });
  const { form } = entry;
  const until = lockUntil(form.lock, customMoment(form), Date.now());

  function change(part: Partial<Form>) {
    entry.change(part);
    setLockProblem(undefined);
    setWhen(null);
  }

  return (
    <EntryDialog
      title={memory ? 'Edit Memory' : 'New Memory'}
      noun="memory"
      saveLabel="Seal Memory"
      busyLabel="Sealing..."
      editing={memory !== undefined}
      entry={entry}
      onClose={onClose}
    >
      <TextField
        label="Title"
        value={form.title}
        maxLength={1000}
        onChange={(event) => change({ title: event.target.value })}
        autoComplete="off"
      />
      <TextArea
        label="Memory"
        rows={7}
        value={form.content}
        onChange={(event) => change({ content: event.target.value })}
      />
      <DetailsFields form={form} entry={memory} problem={when} onChange={change} />
      <SelectField
        label="Time lock"
        choices={lockOptions}
        value={form.lock}
        onChange={(event) => change({ lock: event.target.value as LockOption })}
        hint={
          until === null
            ? 'A lock can be set later, but never shortened or removed.'
            : `Opens ${formatMoment(until)}. Until then nobody can read it, and the lock can be neither shortened nor removed.`
        }
      />
      {form.lock === 'custom' && (
        <DateTimeField
          label="Opens on"
          min={new Date()}
          value={form.custom}
          onChange={(event) => change({ custom: event.target.value })}
          error={lockProblem}
          hint="Without a date no lock is set."
        />
      )}
    </EntryDialog>
  );
}
