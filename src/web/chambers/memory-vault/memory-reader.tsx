// One memory, opened for reading.
import { lockState } from '../../../shared/nouns/memory.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay } from '../../ui/moments.ts';
import { ReadingOverlay } from '../../ui/reading-overlay.tsx';
import { ArrivedFrom } from '../../vault/entries/arrived.tsx';
import { formatHappened, Tags } from '../../vault/entries/details-shown.tsx';
import type { OpenedMemory } from '../../vault/entries/memories.ts';
import { OutsideNote } from '../../vault/entries/outside.tsx';

interface ReaderProps {
  memory: OpenedMemory;
  onClose: () => void;
  onEdit: () => void;
  onDelete: () => void;
  onAdopt: () => Promise<void>;
}

export function MemoryReader({ memory, onClose, onEdit, onDelete, onAdopt }: ReaderProps) {
  const until = memory.timeLockUntil === null ? null : Date.parse(memory.timeLockUntil);
  const unlocked = lockState(until, Date.now()) === 'unlocked';
  return (
    <ReadingOverlay
      open
      onClose={onClose}
      eyebrow="Memory Vault"
      title={memory.name ?? 'A memory without a title'}
      meta={[
        memory.details.happenedOn && `Happened ${formatHappened(memory.details.happenedOn)}`,
        `Sealed ${formatDay(memory.createdAt)}`,
        unlocked && until !== null && `Unlocked since ${formatDay(until)}`,
        memory.arrived && <ArrivedFrom key="arrived" arrived={memory.arrived} />,
        memory.version > 1 && `Changed ${formatDay(memory.updatedAt)}`,
        memory.details.tags.length > 0 && <Tags key="tags" tags={memory.details.tags} />,
      ]}
      notice={memory.outside && <OutsideNote onAdopt={onAdopt} />}
      text={memory.content}
      actions={
        <>
          <Button tone="caps" onClick={onEdit}>
            Edit
          </Button>
          <Button tone="caps" onClick={onDelete}>
            Delete
          </Button>
        </>
      }
    />
  );
}
