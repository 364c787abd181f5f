// The queue of background jobs.
import type { Generated } from 'kysely';

export interface JobsTable {
  id: Generated<number>;
  kind: string;
  dedupe_key: string;
  /** By the clock of its kind (`jobs/registry.ts`). */
  run_at: number;
  /** Who works on it: a random number of that attempt. */
  lease: string | null;
  /** By the clock of its kind. */
  lease_until: number | null;
  /** How often it was taken since it was last rescheduled. */
  attempts: Generated<number>;
  /** What type of error its last try failed with, and when. */
  error: Generated<string | null>;
  failed_at: Generated<number | null>;
  /** Since when it is given up. */
  dead_at: Generated<number | null>;
}
