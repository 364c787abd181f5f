// Memories in the database: a list of sealed entries that may be locked until a date. Their owner's calls and deliveries
// (features/import-webhooks) both write here.
import type { Memory, MemoryInput, MemoryPatch } from '../../shared/nouns/memory.ts';
import { entryStore } from './entry-store.ts';

export const memoryStore = entryStore<'memory', Memory, MemoryInput, MemoryPatch>({
  kind: 'memory',
  clear: {},
  lock: { column: 'time_lock_until', withholds: ['encryptedContent', 'details'] },
});
