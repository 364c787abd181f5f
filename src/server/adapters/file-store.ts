// Where the bytes of files stand: sealed parts, which nothing here can open. What they are parts of, the database says; the
// store knows names alone.

export interface StoredPart {
  /** The key of the file: 32 hexadecimal digits. */
  file: string;
  /** The name of the part below it: base64url. */
  name: string;
}

export interface FileStore {
  /**
   * Keeps a part that nobody has kept before, whole or not at all: when it returns, the part outlasts a power cut.
   * @param pieces its bytes as they come, `bytes` of them; what they throw ends it, and nothing is kept
   * @throws what the pieces throw, and errors of the store; where the disk is full, those that `isStorageFull` knows
   */
  put(part: StoredPart, pieces: AsyncIterable<Uint8Array>, bytes: number): Promise<void>;
  /**
   * Bytes of a part, from `first` to `last`, both inclusive, read as they are asked for.
   * @throws when they are asked for, where the part is not there
   */
  read(part: StoredPart, first: number, last: number): AsyncIterable<Uint8Array>;
  /** Erases one part. What is not there is erased already. */
  remove(part: StoredPart): Promise<void>;
  /** Erases all parts of a file, and what is left of parts that were never kept. */
  removeAll(file: string): Promise<void>;
  /** Everything there is, what is left of parts that were never kept included. `at`: since when, epoch milliseconds. */
  list(): AsyncIterable<StoredPart & { at: number }>;
}
