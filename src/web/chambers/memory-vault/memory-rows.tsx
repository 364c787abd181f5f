// The list of memories: when, what, and whether it may be opened.
import { lockState } from '../../../shared/nouns/memory.ts';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { formatRecentDay, formatUntil } from '../../ui/moments.ts';
import { DeleteButton, VirtualRows } from '../../ui/virtual-rows.tsx';
import { ArrivedBadge } from '../../vault/entries/arrived.tsx';
import { Tags } from '../../vault/entries/details-shown.tsx';
import type { OpenedMemory } from '../../vault/entries/memories.ts';
import { OutsideBadge } from '../../vault/entries/outside.tsx';

interface RowsProps {
  memories: readonly OpenedMemory[];
  now: number;
  onOpen: (memory: OpenedMemory) => void;
  onDelete: (memory: OpenedMemory) => void;
}

export function MemoryRows({ memories, ...rest }: RowsProps) {
  if (memories.length === 0) {
    return <p className="py-16 text-center text-dust">No memory holds these words.</p>;
  }
  return <VirtualRows items={memories} row={(memory) => <Row memory={memory} {...rest} />} />;
}

function Row({ memory, now, onOpen, onDelete }: { memory: OpenedMemory } & Omit<RowsProps, 'memories'>) {
  const until = memory.timeLockUntil === null ? null : Date.parse(memory.timeLockUntil);
  const lock = lockState(until, now);
  const readable = memory.name !== null;
  return (
    <div className="group relative flex items-center">
      <button
        type="button"
        onClick={() => onOpen(memory)}
        className="grid min-w-0 flex-1 cursor-pointer grid-cols-1 gap-x-8 gap-y-1 py-5 text-left transition-colors hover:bg-ink-1 focus-visible:bg-ink-1 sm:grid-cols-[9rem_1fr_auto] sm:items-baseline"
      >
        <span className="text-note text-shade">{formatRecentDay(memory.at, now)}</span>
        <span className="min-w-0">
          <span
            className={classes(
              'block truncate font-display text-name font-medium',
              (lock === 'locked' || !readable) && 'text-shade',
              !readable && 'italic',
            )}
          >
            {memory.name ?? 'Unreadable with this key'}
          </span>
          <Tags tags={memory.details.tags} className="text-note text-shade" />
        </span>
        <span className="flex min-w-0 flex-wrap gap-x-6 gap-y-1 sm:justify-end sm:pr-2">
          {memory.outside && <OutsideBadge />}
          <ArrivedBadge arrived={memory.arrived} />
          {lock === 'locked' && <Badge variant="locked">Locked until {formatUntil(until ?? 0, now)}</Badge>}
          {lock === 'unlocked' && <Badge variant="unlocked">Unlocked</Badge>}
          {lock === 'always' && <Badge variant="open">Always accessible</Badge>}
        </span>
      </button>
      <DeleteButton
        label={`Delete ${memory.name ?? 'an unreadable memory'}`}
        onClick={() => onDelete(memory)}
      />
    </div>
  );
}
