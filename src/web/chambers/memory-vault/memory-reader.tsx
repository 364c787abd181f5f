// One memory, opened for reading.
import { formatDay } from '../../ui/moments.ts';
import type { ReaderActions } from '../../vault/entries/entry-dialogs.tsx';
import { EntryReader } from '../../vault/entries/entry-reader.tsx';
import type { OpenedMemory } from '../../vault/entries/memories.ts';
import type { Looking } from '../../vault/entries/use-finding.ts';

export function MemoryReader({
  memory,
  ...actions
}: { memory: OpenedMemory; looking: Looking } & ReaderActions) {
  const { name, timeLockUntil } = memory;
  return (
    <EntryReader
      entry={memory}
      eyebrow="Memory Vault"
      title={name ?? 'A memory without a title'}
      // What is read here is unlocked.
      facts={[timeLockUntil && `Unlocked since ${formatDay(timeLockUntil)}`]}
      {...actions}
    />
  );
}
