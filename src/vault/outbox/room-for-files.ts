// How much room a vault has for the files of what is brought in. Words come first: what they need is kept free, and a file that has no
// room beside them is left out. Pure.
import { sealedLength } from '../../crypto/file-layout.ts';
import type { Usage } from '../../shared/nouns/usage.ts';

/** Bytes and rows, as a server counts them. */
export interface Room {
  bytes: number;
  rows: number;
}

/** The most that the title and the details of an entry take besides its words, in bytes, and the padding of all three. */
const BESIDE_WORDS = 4096;
/** The most that an entry says of one file, with its thumbnail, as it is sealed, in bytes. */
const DESCRIPTION = 8192;

/** What entries need without their files. @param texts the length of each text, in bytes of UTF-8 */
export const roomOfWords = (texts: readonly number[]): Room => ({
  bytes: texts.reduce((sum, bytes) => sum + Math.ceil((bytes / 3) * 4) + BESIDE_WORDS, 0),
  rows: texts.length,
});

/** What files need, each with its padding and its description. @param files the length of each, in bytes */
export const roomOfFiles = (files: readonly number[]): Room => ({
  bytes: files.reduce((sum, bytes) => sum + sealedLength(bytes) + DESCRIPTION, 0),
  rows: files.length,
});

/** What is left for files beside words: never less than nothing. */
export function roomBeside({ bytes, bytesMax, rows, rowsMax }: Usage, texts: readonly number[]): Room {
  const words = roomOfWords(texts);
  return {
    bytes: Math.max(0, bytesMax - bytes - words.bytes),
    rows: Math.max(0, rowsMax - rows - words.rows),
  };
}

/** The room of one import, as its files fill it. */
export class RoomForFiles {
  private readonly left: Room;
  /** A file of this length, in bytes, or a longer one is not asked about any more: the server has refused such a one. */
  private refusedFrom = Number.POSITIVE_INFINITY;

  /** @param left null where it is not known: then the server alone says where it ends */
  constructor(left: Room | null) {
    this.left = left ? { ...left } : { bytes: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY };
  }

  /** @param bytes the length of a file */
  has(bytes: number): boolean {
    const need = roomOfFiles([bytes]);
    return bytes < this.refusedFrom && need.bytes <= this.left.bytes && need.rows <= this.left.rows;
  }

  take(bytes: number): void {
    const { left } = this;
    left.bytes -= roomOfFiles([bytes]).bytes;
    left.rows -= 1;
  }

  /** The server has no room for a file: a shorter one may have, unless there are too many rows. */
  refuse(bytes: number, of: 'bytes' | 'rows'): void {
    this.refusedFrom = of === 'rows' ? 0 : Math.min(this.refusedFrom, bytes);
  }
}
