// Where the blocks of kept lists are, on this device: the page has them in IndexedDB (web/vault/device/kept-blocks.ts).
import type { Bytes } from '../../crypto/encoding.ts';

/** What is known of a list besides its blocks. */
export interface KeptHead {
  /** The shape of what is in the blocks: of another one nothing is read. */
  format: number;
  /** The place among the vault's changes up to which the list is known (shared/nouns/changes.ts). */
  place: string;
  /** When that was, in epoch milliseconds; heads of earlier versions do not say. */
  at?: number;
  /** The names of its blocks. No name is used twice, so that the names tell what was written last. */
  blocks: readonly string[];
  /** Numbers of entries that are in the list and in no block: they are fetched by themselves. */
  without: readonly number[];
}

/** A block that is sealed (crypto/kept-block.ts). */
export interface SealedBlock {
  name: string;
  sealed: Bytes;
}

export interface BlockStore {
  /** @returns null where nothing is kept, or not all of it */
  load(list: string): Promise<{ head: KeptHead; blocks: SealedBlock[] } | null>;
  /**
   * Writes a head and its new blocks in one step; blocks that the head does not name any more are erased in it.
   * @param over the head that was read or written last; null where whatever is there is replaced
   * @returns false where another page has written meanwhile: then nothing was
   */
  save(list: string, head: KeptHead, added: readonly SealedBlock[], over: KeptHead | null): Promise<boolean>;
  forget(list: string): Promise<void>;
}
