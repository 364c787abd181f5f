// Where a device keeps its lists, in memory.
import type { BlockStore, KeptHead } from '../../vault/replica/block-store.ts';

export interface BlocksInMemory extends BlockStore {
  /** Everything that would lie on the disk. */
  disk: Map<string, { head: KeptHead; blocks: Map<string, Uint8Array<ArrayBuffer>> }>;
  /** How many blocks were written so far. */
  written: number;
}

export function blocksInMemory(): BlocksInMemory {
  const disk: BlocksInMemory['disk'] = new Map();
  const store: BlocksInMemory = {
    disk,
    written: 0,
    async load(list) {
      const kept = disk.get(list);
      if (!kept) return null;
      const blocks = kept.head.blocks.flatMap((name) => {
        const sealed = kept.blocks.get(name);
        return sealed ? { name, sealed } : [];
      });
      return blocks.length === kept.head.blocks.length ? structuredClone({ head: kept.head, blocks }) : null;
    },
    async save(list, head, added, over) {
      const before = disk.get(list);
      if (over && before?.head.blocks.join() !== over.blocks.join()) return false;
      const all = new Map([
        ...(before?.blocks ?? []),
        ...added.map(({ name, sealed }) => [name, sealed] as const),
      ]);
      for (const name of all.keys()) if (!head.blocks.includes(name)) all.delete(name);
      disk.set(list, { head: structuredClone(head), blocks: all });
      store.written += added.length;
      return true;
    },
    async forget(list) {
      disk.delete(list);
    },
  };
  return store;
}
