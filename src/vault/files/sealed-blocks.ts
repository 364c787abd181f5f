// Sealing blocks of a file, one after the other: in a worker, or where it is asked for.
import type { Bytes } from '../../crypto/encoding.ts';
import { FileChangedError, type FileCipher, letGo, type Marks, sealRange } from '../../crypto/file.ts';
import type { Range } from '../../crypto/file-layout.ts';

/** What a worker is asked for. */
export interface BlockToSeal {
  cipher: FileCipher;
  /** Where it stands in the ciphertext. */
  range: Range;
  /** What stands there of the file. */
  block: Blob;
}

/** Its ciphertext, and the marks of its segments, which nobody has compared with others of the same file yet. */
export interface SealedBlock {
  bytes: Bytes;
  marks: Marks;
}

/** Blocks are answered in the order in which they are asked for. @throws what reading throws, and as `sealRange` */
export type SealBlock = (block: BlockToSeal) => Promise<SealedBlock>;

/** @returns seals blocks in turns, and reads each while the one before it is sealed */
export function createSealing(): SealBlock {
  let turn: Promise<unknown> = Promise.resolve();
  return ({ cipher, range, block }) => {
    const reading = block.arrayBuffer();
    reading.catch(() => {});
    const sealed = turn.then(async () => {
      const plain = new Uint8Array(await reading);
      const made = await sealRange(cipher, range, async () => plain, new Map());
      letGo(plain);
      return made;
    });
    turn = sealed.catch(() => {});
    return sealed;
  };
}

/**
 * What a worker answers. Exceptions of the browser come as they were thrown, such as that of a file that cannot be read; a class of
 * ours would not.
 */
export type SealingReply = { sealed: SealedBlock } | { isChanged: true } | { error: unknown };

/** @returns what a worker does that seals */
export function createSealingWork(): (block: BlockToSeal) => Promise<SealingReply> {
  const seal = createSealing();
  return (block) =>
    seal(block).then(
      (sealed) => ({ sealed }),
      (error: unknown) => (error instanceof FileChangedError ? { isChanged: true } : { error }),
    );
}
