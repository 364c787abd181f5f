// Where the bytes of files stand: sealed parts, which nothing here can open. What they are parts of, the database says; the
// store knows names alone.

export interface StoredPart {
  /** The key of the file: 32 hexadecimal digits. */
  file: string;
  /** The name of the part below it: base64url. */
  name: string;
}

/** What the bytes of a part have to be. Whoever hands them in has them looked at as they pass (features/files/whole-part.ts). */
export interface PartContent {
  /** How many there are. */
  bytes: number;
  /** SHA-256, base64url: a store that can looks at it once more, when they have arrived. */
  digest: string;
}

export interface FileStore {
  /**
   * Keeps a part that nobody has kept before, whole or not at all: when it returns, the part outlasts a power cut. Where it
   * throws, nothing of the part counts: what may be left of it is listed, and the search for what nobody knows erases it.
   * @param pieces its bytes as they come; what they throw ends it, and nothing is kept
   * @throws what the pieces throw, FileStoreAway, and errors of the store; where the disk is full, those that `isStorageFull`
   * knows
   */
  put(part: StoredPart, pieces: AsyncIterable<Uint8Array>, content: PartContent): Promise<void>;
  /**
   * Bytes of a part, from `first` to `last`, both inclusive, read as they are asked for.
   * @throws when they are asked for: PartMissing, FileStoreAway
   */
  read(part: StoredPart, first: number, last: number): AsyncIterable<Uint8Array>;
  /** Erases one part. What is not there is erased already. */
  remove(part: StoredPart): Promise<void>;
  /** Erases all parts of a file, and what is left of parts that were never kept. */
  removeAll(file: string): Promise<void>;
  /** Everything there is, what is left of parts that were never kept included. `at`: since when, epoch milliseconds. */
  list(): AsyncIterable<StoredPart & { at: number }>;
}

/** The store cannot be reached, does not answer, or refuses what it is asked. Nothing that it keeps is lost by that. */
export class FileStoreAway extends Error {
  override readonly name = 'FileStoreAway';
}

/** The store does not have a part that the database names, as after a backup that was restored without its files. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';
}

const FILE = /^[0-9a-f]{32}$/;
const NAME = /^[\w-]+$/;

export const isFileKey = (text: string): boolean => FILE.test(text);
export const isPartName = (text: string): boolean => NAME.test(text);

/** @throws where it is no key of a file: it stands in a path */
export function checkFileKey(file: string): void {
  if (!isFileKey(file)) throw new Error('this is no key of a file');
}

/** @throws where it names no part: it stands in a path */
export function checkPart({ file, name }: StoredPart): void {
  checkFileKey(file);
  if (!isPartName(name)) throw new Error('this is no name of a part');
}
