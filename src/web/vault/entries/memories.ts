// Memories, as screens handle them.
import { type Collection, useCollection } from './collection.ts';
import { type MemoryType, memoryCodec } from './memory-codec.ts';

export { type MemoryDraft, memoryCodec, type OpenedMemory } from './memory-codec.ts';

export const useMemories = (enabled?: boolean) => useCollection(memoryCodec, enabled);
export type Memories = Collection<MemoryType>;
