// How much each account stores and may store.
import type { Generated } from 'kysely';
import type { EntriesCount } from '../../../shared/sealed-kinds.ts';

/** How many entries of each list live. */
type EntryCounts = { [Name in EntriesCount]: Generated<number> };

/** What an account stores. Triggers write it (db/usage-triggers.ts), and nothing else does. */
export interface UsageTable extends EntryCounts {
  account_id: number;
  bytes: Generated<number>;
  row_count: Generated<number>;
  /** The part of both that keys and ways to sign in take. */
  access_bytes: Generated<number>;
  access_rows: Generated<number>;
  /** The copies of a regeneration, which `bytes` and `row_count` do not include. */
  staged_bytes: Generated<number>;
  staged_rows: Generated<number>;
  /** The vault's book, which `bytes` and `row_count` do not include either. */
  book_bytes: Generated<number>;
  book_rows: Generated<number>;
  /** Other rows that the dashboard tells of (db/counted.ts): ghosts that have words, expired or not. */
  ghosts: Generated<number>;
  unused_links: Generated<number>;
  /** The number of the newest change of a sealed row (db/change-triggers.ts). */
  last_change: Generated<number>;
  /** The number of the newest change that is forgotten: a row that is gone for good (changes/expiry-store.ts). */
  forgotten_change: Generated<number>;
  /** What this account may store; null: what every account may. */
  bytes_max: Generated<number | null>;
  rows_max: Generated<number | null>;
}

/** One row: what an account may store unless its own row says otherwise. */
export interface QuotaTable {
  id: number;
  bytes_max: number;
  rows_max: number;
}
