// Entries that wait, as tests of waiting make them, and the disk of a browser that may be killed.
import type { EntryDraft, EntryType } from '../../../../vault/kinds/entry-kind.ts';
import type { MemoryType, OpenedMemory } from '../../../../vault/kinds/memory.ts';
import type { Changeable } from '../../../../vault/outbox/entry-writer.ts';
import type { WaitingEntry, WaitingStore } from '../../../../vault/outbox/waiting.ts';

/**
 * What stays of a browser that is killed.
 * @param step is told before each thing that is done on it: what it throws has not been done
 */
export function aDisk(step: () => void = () => {}): WaitingStore & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    load: async () => [...entries].map(([name, sealed]) => ({ name, sealed })),
    async put(name, sealed) {
      step();
      entries.set(name, sealed);
    },
    async replace(name, was, sealed) {
      step();
      if (entries.get(name) !== was) return;
      if (sealed === null) entries.delete(name);
      else entries.set(name, sealed);
    },
    async rename(name, was, next) {
      step();
      if (entries.get(name) !== was) return;
      entries.delete(name);
      entries.set(next, was);
    },
  };
}

/** A browser that was killed does nothing any more. */
export class Killed extends Error {}

/** The disk as one page has it: one that is gone does nothing on it any more. */
export function diskOfPage(disk: WaitingStore, isGone: () => boolean): WaitingStore {
  const there = () => {
    if (isGone()) throw new Killed('this page is gone');
    return disk;
  };
  return {
    load: async () => there().load(),
    put: async (...given) => there().put(...given),
    replace: async (...given) => there().replace(...given),
    rename: async (...given) => there().rename(...given),
  };
}

export const draftOf = (title: string, lock: string | null = null): EntryDraft<MemoryType> => ({
  texts: { title, encryptedContent: `The words of ${title}.`, details: null },
  clear: { timeLockUntil: lock },
  choice: 'none ',
});

export function waitingOf(
  draft: EntryDraft<MemoryType>,
  over: Changeable | null,
  sealId: string,
): WaitingEntry {
  const form = { name: over ? `memory-${sealId}` : 'memory', value: { title: draft.texts.title, sealId } };
  // As it comes from the disk, where any kind of entry can wait.
  const any = draft as unknown as EntryDraft<EntryType>;
  return { noun: 'memory', sealId, draft: any, over, form, at: Date.now(), refused: null };
}

export function changeOf(entry: OpenedMemory, title: string): WaitingEntry {
  const { id, version, sealId, createdAt, leaf, timeLockUntil } = entry;
  const over = { id, version, sealId, createdAt, leaf, timeLockUntil } as Changeable;
  return waitingOf({ ...draftOf(title), clear: {} }, over, sealId ?? '');
}
