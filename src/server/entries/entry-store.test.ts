// A list of entries names every field that its contract has: one that is left out would be dropped without a word.
import { expect, it } from 'vitest';
import type { Memory, MemoryInput, MemoryPatch } from '../../shared/entry.ts';
import type { Relationship, RelationshipInput, RelationshipPatch } from '../../shared/relationship.ts';
import { entryStore } from './entry-store.ts';

const text = (column: string) => ({ column, type: 'text' }) as const;

it('makes the store of a list whose fields are all named', () => {
  const store = entryStore<Memory, MemoryInput, MemoryPatch>({
    table: 'memory_entries',
    fields: { title: text('title'), encryptedContent: text('encrypted_content') },
    lock: 'time_lock_until',
  });
  expect(Object.keys(store).sort()).toEqual(['create', 'find', 'list', 'remove', 'update']);
});

it('does not compile without one of its fields, nor without the lock', () => {
  entryStore<Memory, MemoryInput, MemoryPatch>({
    table: 'memory_entries',
    // @ts-expect-error the words are missing
    fields: { title: text('title') },
    // @ts-expect-error a memory can be locked
    lock: null,
  });
  entryStore<Relationship, RelationshipInput, RelationshipPatch>({
    table: 'relationship_entries',
    // @ts-expect-error the weight is missing
    fields: {
      personName: text('person_name'),
      eventType: text('event_type'),
      encryptedContent: text('encrypted_content'),
    },
    lock: null,
  });
});
