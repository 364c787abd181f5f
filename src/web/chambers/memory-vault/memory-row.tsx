// The row of a memory: when, what, and whether it may be opened.
import { lockState } from '../../../shared/nouns/memory.ts';
import { Badge } from '../../ui/badge.tsx';
import { formatUntil } from '../../ui/moments.ts';
import { type RowActions, TitledRow } from '../../vault/entries/entry-rows.tsx';
import type { OpenedMemory } from '../../vault/entries/memories.ts';

interface MemoryRowProps extends RowActions<OpenedMemory> {
  memory: OpenedMemory;
  /** Whether any memory of the list has a lock: then it is said of the others that they have none. */
  hasLocks: boolean;
}

export function MemoryRow({ memory, hasLocks, ...row }: MemoryRowProps) {
  const until = memory.timeLockUntil === null ? null : Date.parse(memory.timeLockUntil);
  // What the server says of a lock that it has changed is not repeated.
  const lock = memory.changed ? null : lockState(until, row.now);
  return (
    <TitledRow
      entry={memory}
      isQuiet={lock === 'locked'}
      deleteLabel={`Delete ${memory.name ?? 'an unreadable memory'}`}
      facts={
        <>
          {lock === 'locked' && (
            <Badge variant="locked">Locked until {formatUntil(until ?? 0, row.now)}</Badge>
          )}
          {lock === 'unlocked' && <Badge variant="unlocked">Unlocked</Badge>}
          {lock === 'always' && hasLocks && <Badge variant="open">Always accessible</Badge>}
        </>
      }
      {...row}
    />
  );
}
