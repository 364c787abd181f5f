// Where a device keeps files, in pieces of their ciphertext.
import type { Bytes } from '../../crypto/encoding.ts';

/** How long a piece is, in bytes; the last one of a file is shorter. */
export const KEPT_PIECE_BYTES = 1024 ** 2;

/** Where the piece begins in which a byte stands. */
export const startOfPiece = (at: number): number => at - (at % KEPT_PIECE_BYTES);

/** Where a device keeps files of one account. Numbers of files are what they are known by. */
export interface KeptFiles {
  /** Of which files something is here. */
  list(): Promise<ReadonlyMap<string, KeptFile>>;
  /** The piece that begins with this byte; null where it is not here. */
  load(fileId: string, from: number): Promise<Bytes | null>;
  /** Keeps a piece. @throws DOMException QuotaExceededError where the browser has no room; where nothing may be kept */
  save(fileId: string, from: number, piece: Bytes): Promise<void>;
  /** Notes that all of a file is here. @throws as `save` */
  finish(fileId: string): Promise<void>;
  drop(fileIds: readonly string[]): Promise<void>;
}

export interface KeptFile {
  /** How much of it is here, in bytes of ciphertext. */
  bytes: number;
  isWhole: boolean;
}
