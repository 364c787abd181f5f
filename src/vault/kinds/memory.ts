// Memories, which their authors can lock until a date. Without React: a worker opens them as well.
import * as z from 'zod/mini';
import { counted } from '../../shared/counted.ts';
import { deletedMemories, type Memory, memories } from '../../shared/nouns/memory.ts';
import { detailsToJson } from '../entries/details.ts';
import { fold } from '../entries/search.ts';
import { callsOf } from './entry-calls.ts';
import { type EntryDraft, type EntryKind, exportedFields, type OpenedEntry } from './entry-kind.ts';

/** A memory as this browser knows it; its `name` is its title. */
export interface OpenedMemory extends OpenedEntry {
  timeLockUntil: string | null;
}

const exported = z.object({
  ...exportedFields,
  title: z.string(),
  timeLockUntil: z.nullable(z.iso.datetime()),
});
export type ExportedMemory = z.output<typeof exported>;

export interface MemoryType {
  row: Memory;
  entry: OpenedMemory;
  field: 'title' | 'encryptedContent';
  clear: { timeLockUntil?: string | null; createdAt?: string };
  part: 'memories';
  exported: ExportedMemory;
}
export type MemoryDraft = EntryDraft<MemoryType>;

export const memoryKind: EntryKind<MemoryType> = {
  ...callsOf<MemoryType>(memories, deletedMemories),
  noun: 'memory',
  words: {
    title: 'Memory',
    noun: 'memory',
    nouns: 'memories',
    also: 'memories diary journal print',
    linked: { title: 'Memory', one: 'memory', many: 'memories' },
    found: 'Memories',
    every: 'every memory',
    sealedAnew: 'memories',
  },
  arrives: true,
  fields: ['title', 'encryptedContent'],
  opened({ title: _, encryptedContent: __, ...row }, [name = null, content = null], more) {
    const words = [name, content, ...more.details.tags];
    return { ...row, ...more, name, content, folded: fold(words.join('\n')) };
  },
  lockedUntil: ({ timeLockUntil }) => timeLockUntil,
  label: ({ name }) => name,
  note: () => null,
  shared: (_, title, said) => ({ ...said, entryType: 'memory', title }),
  archive: {
    name: 'memories',
    schema: exported,
    counted: (count) => counted(count, 'memory', 'memories'),
    toArchive: ({ name, detailsText, timeLockUntil }) => ({
      title: name,
      details: detailsToJson(detailsText),
      timeLockUntil,
    }),
    toDraft: ({ title, content, timeLockUntil, createdAt }, details) => ({
      texts: { title, encryptedContent: content, details },
      clear: { timeLockUntil, createdAt },
    }),
    heading: ({ title }) => title,
    facts: ({ createdAt, timeLockUntil }) => [
      `Sealed ${createdAt}`,
      ...(timeLockUntil ? [`Unlocked since ${timeLockUntil}`] : []),
    ],
  },
};
