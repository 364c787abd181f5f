// Memories, as screens handle them.

import { type MemoryType, memoryKind } from '../kinds/memory.ts';
import { type Collection, useCollection } from './collection.ts';

export { type MemoryDraft, memoryKind, type OpenedMemory } from '../kinds/memory.ts';

export const useMemories = (enabled?: boolean) => useCollection(memoryKind, enabled);
export type Memories = Collection<MemoryType>;
