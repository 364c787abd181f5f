// A list of entries names every field that its contract has: one that is left out would be dropped without a word.
import { expect, it } from 'vitest';
import type { Memory, MemoryInput, MemoryPatch } from '../../shared/nouns/memory.ts';
import type { Relationship, RelationshipInput, RelationshipPatch } from '../../shared/nouns/relationship.ts';
import { entryStore } from './entry-store.ts';

it('makes the store of a list whose fields are all named', () => {
  const store = entryStore<'memory', Memory, MemoryInput, MemoryPatch>({
    kind: 'memory',
    clear: {},
    lock: { column: 'time_lock_until', withholds: ['encryptedContent'] },
  });
  expect(Object.keys(store).sort()).toEqual([
    'changed',
    'create',
    'createWithin',
    'erase',
    'find',
    'list',
    'listDeleted',
    'remove',
    'restore',
    'update',
  ]);
});

it('does not compile without one of its fields, nor without the lock', () => {
  entryStore<'memory', Memory, MemoryInput, MemoryPatch>({
    kind: 'memory',
    clear: {},
    // @ts-expect-error a memory can be locked
    lock: null,
  });
  entryStore<'relationship', Relationship, RelationshipInput, RelationshipPatch>({
    kind: 'relationship',
    // @ts-expect-error the weight is missing
    clear: { eventType: { column: 'event_type', type: 'text' } },
    lock: null,
  });
  type Wordless = Omit<Memory, 'encryptedContent'>;
  // @ts-expect-error an entry that answers without its words
  const wordless = entryStore<'memory', Wordless, MemoryInput, MemoryPatch>;
  expect(wordless).toBe(entryStore);
});
