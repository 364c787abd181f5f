// Memories in the database: a list of sealed entries whose words may be locked until a date.
import type { Memory, MemoryInput, MemoryPatch } from '../../../shared/entry.ts';
import { entryStore } from '../../entries/entry-store.ts';

export const memoryStore = entryStore<Memory, MemoryInput, MemoryPatch>({
  table: 'memory_entries',
  fields: {
    title: { column: 'title', type: 'text', sealed: true },
    encryptedContent: { column: 'encrypted_content', type: 'text', sealed: true, withheld: true },
  },
  lock: 'time_lock_until',
});
