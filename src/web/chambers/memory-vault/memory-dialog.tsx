// Writing a memory, or changing one. What is written survives a reload, and a change made elsewhere meanwhile is
// shown beside it, so that neither text is lost.
import { useState } from 'react';
import { SealError } from '../../../crypto/errors.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { type LockOption, lockOptions, lockUntil } from '../../../shared/entry.ts';
import { ApiError, sentenceOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fromLocalStamp } from '../../ui/local-stamp.ts';
import { formatMoment } from '../../ui/moments.ts';
import { TextArea, TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { useDraft } from '../../vault/use-draft.ts';
import {
  draftOf,
  EarlierIsLocked,
  type Memories,
  type MemoryDraft,
  type OpenedMemory,
} from './use-memories.ts';

interface Form {
  title: string;
  content: string;
  lock: LockOption;
  custom: string;
  /** The version that a change was begun on; null for a new memory. */
  base: number | null;
}

interface DialogProps {
  memories: Memories;
  /** The memory to change; absent for a new one. */
  memory?: OpenedMemory;
  onClose: () => void;
}

export function MemoryDialog({ memories, memory, onClose }: DialogProps) {
  const initial: Form = {
    title: memory?.title ?? '',
    content: memory?.content ?? '',
    lock: 'none',
    custom: '',
    base: memory?.version ?? null,
  };
  const [form, setForm, dropDraft, restored] = useDraft<Form>(
    memory ? draftOf(memory.id) : 'memory',
    initial,
  );
  const [sealId, setSealId] = useState(newSealId);
  const [busy, setBusy] = useState(false);
  const [other, setOther] = useState<OpenedMemory | null>(null);
  const [lockProblem, setLockProblem] = useState<string>();
  // A draft that was begun on an older version must not replace a newer one unseen.
  const beside = other ?? (memory && restored && form.base !== memory.version ? memory : null);

  const custom = form.lock === 'custom' ? (fromLocalStamp(form.custom)?.getTime() ?? null) : null;
  const until = lockUntil(form.lock, custom, Date.now());

  function change(part: Partial<Form>) {
    setForm({ ...form, ...part });
    setLockProblem(undefined);
  }

  function discard() {
    setForm(initial);
    dropDraft();
  }

  function ready(): MemoryDraft | null {
    if (form.title.trim() === '' || form.content.trim() === '') {
      toast({
        title: 'Incomplete Memory',
        description: 'Please provide both a title and content for your memory.',
        tone: 'destructive',
      });
      return null;
    }
    if (custom !== null && custom <= Date.now()) {
      setLockProblem('That moment has passed. Choose one that is still to come.');
      return null;
    }
    return {
      title: form.title,
      content: form.content,
      lockUntil: lockUntil(form.lock, custom, Date.now()),
      lockChoice: `${form.lock} ${form.custom}`,
    };
  }

  async function attempt(work: (draft: MemoryDraft) => Promise<OpenedMemory>) {
    const draft = ready();
    if (!draft) return;
    setBusy(true);
    try {
      const { timeLockUntil } = await work(draft);
      dropDraft();
      toast({
        title: 'Memory Sealed',
        description:
          timeLockUntil === null || Date.parse(timeLockUntil) <= Date.now()
            ? 'It was sealed in this browser. Nobody else can read it.'
            : `It opens on ${formatMoment(timeLockUntil)}.`,
      });
      onClose();
    } catch (error) {
      await fail(error);
    } finally {
      setBusy(false);
    }
  }

  async function fail(error: unknown) {
    if (error instanceof EarlierIsLocked) {
      setSealId(newSealId());
      return toast({
        title: 'Failed to Seal Memory',
        description:
          'Your first version had arrived after all, and its lock stands. To keep this one too, seal it once more.',
        tone: 'destructive',
      });
    }
    if (memory && error instanceof ApiError && error.code === 'stale-version') {
      const theirs = await memories.refetch(memory.id).catch(() => null);
      if (theirs && !theirs.withheld) return setOther(theirs);
    }
    toast(
      error instanceof SealError
        ? {
            title: 'Encryption Failed',
            description: 'Your words could not be sealed. Nothing was sent.',
            tone: 'destructive',
          }
        : { title: 'Failed to Seal Memory', description: sentenceOf(error), tone: 'destructive' },
    );
  }

  const save = () =>
    attempt((draft) =>
      memory
        ? memories.update({ ...memory, version: (other ?? memory).version }, draft)
        : memories.create(draft, sealId),
    );
  const keepBoth = () => attempt((draft) => memories.create(draft, sealId));

  return (
    <Dialog
      open
      onClose={onClose}
      title={memory ? 'Edit Memory' : 'New Memory'}
      description={
        restored ? (
          <span className="flex flex-wrap items-baseline gap-x-6">
            What you had begun to write is still here.
            <Button tone="caps" onClick={discard}>
              {memory ? 'Undo my changes' : 'Discard it'}
            </Button>
          </span>
        ) : undefined
      }
      busy={busy}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          {beside && (
            <Button onClick={() => void keepBoth()} disabled={busy}>
              Keep both
            </Button>
          )}
          <Button type="submit" tone="primary" busy={busy} busyLabel="Sealing...">
            {beside ? 'Replace it with mine' : 'Seal Memory'}
          </Button>
        </>
      }
    >
      {beside && <OtherVersion memory={beside} />}
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
    </Dialog>
  );
}

function OtherVersion({ memory }: { memory: OpenedMemory }) {
  return (
    <section className="grid gap-3 border border-ember/55 p-5" role="alert">
      <p>
        This memory was changed elsewhere since you opened it. Both texts are still here; this is the other
        one:
      </p>
      <div className="max-h-48 overflow-y-auto border-l border-line pl-4 text-note text-dust">
        <p className="font-display text-[1.25rem] text-bone wrap-anywhere">{memory.title}</p>
        <p className="whitespace-pre-wrap wrap-anywhere">{memory.content}</p>
      </div>
    </section>
  );
}
