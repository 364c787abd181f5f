// Files that belong to entries, letters and one-time links, as far as the server knows them.
import type { Generated } from 'kysely';
import type { Flag } from './columns.ts';

export interface FilesTable {
  id: Generated<number>;
  /** Null once its letter was left by a destroyed vault. */
  account_id: number | null;
  /** The letter that it was left with; null for the files of a vault that stands. */
  left_with: Generated<number | null>;
  /** The number that the browser has drawn. */
  file_id: string;
  /** Of the ciphertext, and reserved from the beginning. */
  bytes: number;
  halvings: number;
  /** How many parts there are when it is whole. */
  parts: number;
  /** The entry that it belongs to; null until it is whole. */
  seal_id: string | null;
  is_whole: Generated<Flag>;
  /** Whether the sweep has seen the entry that it belongs to. */
  is_claimed: Generated<Flag>;
  /** Whether the store may have something under the key: a part was on its way there at least. */
  is_in_store: Generated<Flag>;
  /** Where its parts stand in the store. Another one when it is begun anew. */
  store_key: string;
  /** When it was last reserved, got its last part, or was given to an entry. */
  changed_at: number;
}

/** A part that has arrived. */
export interface FilePartsTable {
  file: number;
  part: number;
  /** SHA-256 of its bytes, base64url. */
  digest: string;
  /** Its name in the store, below the file's key: random, so that no two writers ever write to one. */
  stored_as: string;
}

/** A file that a one-time link carries: whoever has opened the link reads it, for a while. */
export interface LinkFilesTable {
  /** The link's row in `shareable_keys`. */
  link: number;
  file: number;
  /** The link's seal number. A file that belongs to it, and to no entry, goes with this row. */
  seal_id: string | null;
  /** When this row ends: with the link, while nobody has opened it, and then with the time that its reader has. */
  until: number;
}

/** What is gone, and whose bytes the store may have still. Triggers write it (db/file-triggers.ts). */
export interface FilesToEraseTable {
  id: Generated<number>;
  store_key: string;
  tries: Generated<number>;
  /** 0 until it was tried and could not be erased. */
  next_try_at: Generated<number>;
}
