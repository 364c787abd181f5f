// Writing a memory, or changing one, and until when it is locked.
import { useRef, useState } from 'react';
import { fromLocalStamp } from '../../../shared/local-stamp.ts';
import { LONG_LOCK, type LockOption, lockOptions, lockUntil } from '../../../shared/nouns/memory.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { toast } from '../../ui/toaster.tsx';
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
import type { Memories, MemoryDraft, OpenedMemory } from '../../vault/entries/memories.ts';
import { TitledFields } from '../../vault/entries/titled-fields.tsx';
import { useBegun } from '../../vault/entries/use-begun.ts';
import { type AfterSealing, useEntryForm } from '../../vault/entries/use-entry-form.ts';
import { LockQuestion, type LockQuestionKind } from './lock-question.tsx';

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

/** A draft that waits keeps its words, and what was begun elsewhere follows them. */
const joinWords = (before: string, begun: string) =>
  before.trim() === '' ? begun : `${before.trimEnd()}\n\n${begun}`;

/** The form until its memory is sealed, and what is asked and said of its lock and its day. */
function useMemoryForm({ memories, memory, onClose, onSealed }: DialogProps) {
  const [lockProblem, setLockProblem] = useState<string>();
  const [when, setWhen] = useState<DetailsProblem | null>(null);
  /** What is asked about the lock before it is set, and whether it was answered: any change asks anew. */
  const [asking, setAsking] = useState<{ kind: LockQuestionKind; times: number } | null>(null);
  // Sealing once more asks once more: it is brought into sight, and read aloud again.
  const ask = (kind: LockQuestionKind) => setAsking((before) => ({ kind, times: (before?.times ?? 0) + 1 }));
  const isAnswered = useRef(false);

  function toDraft(form: Form): MemoryDraft | null {
    if (form.title.trim() === '' || form.content.trim() === '') {
      toast({
        title: 'Incomplete Memory',
        description: 'Please provide both a title and content for your memory.',
        tone: 'destructive',
        isMistake: true,
      });
      return null;
    }
    const custom = customMoment(form);
    // Some browsers show today's date in an empty field: a lock must not be missing unnoticed.
    if (form.lock === 'custom' && custom === null && !isAnswered.current) {
      ask('no-date');
      return null;
    }
    if (custom !== null && custom <= Date.now()) {
      setLockProblem('That moment has passed. Choose one that is still to come.');
      return null;
    }
    const wrong = detailsProblem(form, new Date());
    setWhen(wrong);
    if (wrong) return null;
    const now = Date.now();
    const until = lockUntil(form.lock, custom, now);
    if (until !== null && until - now >= LONG_LOCK && !isAnswered.current) {
      ask('long');
      return null;
    }
    const timeLockUntil = until === null ? null : new Date(until).toISOString();
    return {
      texts: { title: form.title, encryptedContent: form.content, details: detailsOf(form, memory) },
      // A change without a choice leaves the lock as it is.
      clear: memory && timeLockUntil === null ? {} : { timeLockUntil },
      choice: `${form.lock} ${form.custom}`,
    };
  }

  const begun = useBegun(memory === undefined);
  const entry = useEntryForm({
    collection: memories,
    entry: memory,
    initial: {
      ...{ title: memory?.name ?? '', content: memory?.content ?? '', lock: 'none', custom: '' },
      ...detailsForm(memory),
    } as Form,
    begin: begun === '' ? undefined : (form) => ({ ...form, content: joinWords(form.content, begun) }),
    inDetails: DETAILS_FIELDS,
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
    onWaits: onClose,
    failure: 'Failed to Seal Memory',
    linkObstacle: (form) =>
      lockUntil(form.lock, customMoment(form), Date.now()) === null
        ? null
        : 'A memory that is locked cannot be given away before it opens.',
  });
  const until = lockUntil(entry.form.lock, customMoment(entry.form), Date.now());

  function change(part: Partial<Form>) {
    entry.change(part);
    setLockProblem(undefined);
    setAsking(null);
    isAnswered.current = false;
    setWhen(null);
  }

  function answer() {
    isAnswered.current = true;
    void entry.save();
  }

  return { entry, change, when, lockProblem, asking, until, answer };
}

export function MemoryDialog(props: DialogProps) {
  const { memory, onClose } = props;
  const { entry, change, when, lockProblem, asking, until, answer } = useMemoryForm(props);
  const { form } = entry;

  return (
    <EntryDialog
      title={memory ? 'Edit Memory' : 'New Memory'}
      noun="memory"
      saveLabel="Seal Memory"
      busyLabel="Sealing..."
      editing={memory !== undefined}
      entry={entry}
      onDateTaken={dateTakenInto(form, change)}
      onClose={onClose}
    >
      <TitledFields
        title={form.title}
        words={form.content}
        label="Memory"
        rows={7}
        tried={entry.tried}
        onTitle={(title) => change({ title })}
        onWords={(content) => change({ content })}
      />
      <DetailsFields
        form={form}
        entry={memory}
        isHidden={entry.hidesDetails}
        problem={when}
        onChange={change}
      />
      <SelectField
        label="Time lock"
        choices={lockOptions}
        value={form.lock}
        onChange={(event) => change({ lock: event.target.value as LockOption })}
        hint={
          until === null
            ? 'A lock can be set later, but never shortened or removed.'
            : `Opens ${formatMoment(until)}. Until then this server gives it to nobody, you included, and the lock can be neither shortened nor removed.`
        }
      />
      {form.lock === 'custom' && (
        <DateTimeField
          label="Opens on"
          min={new Date()}
          value={form.custom}
          onChange={(event) => change({ custom: event.target.value })}
          error={asking?.kind === 'no-date' ? 'No date is chosen yet.' : lockProblem}
          hint="Without a date no lock is set."
        />
      )}
      {asking && (
        <LockQuestion
          key={asking.times}
          kind={asking.kind}
          until={until}
          letter={form}
          busy={entry.busy}
          onYes={answer}
        />
      )}
    </EntryDialog>
  );
}
