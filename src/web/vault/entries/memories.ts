// Memories, as screens handle them.

import { type MemoryType, memoryKind } from '../../../vault/kinds/memory.ts';
import { type Collection, useCollection } from './collection.ts';

export { type MemoryDraft, memoryKind, type OpenedMemory } from '../../../vault/kinds/memory.ts';

export const useMemories = (enabled?: boolean) => useCollection(memoryKind, enabled);
export type Memories = Collection<MemoryType>;
