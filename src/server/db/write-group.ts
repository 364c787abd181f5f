// Writes of the embedded database that are committed together, and the connections that make them.

import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { UndoneWithOthers } from './away.ts';

/** Writes that are committed together. Nobody hears of theirs before all of them are on the disk. */
export class Group {
  /** How many have come to their end. */
  size = 0;
  /** Nobody else joins: it is committed as soon as the write that is under way ends. */
  closing = false;
  undone: UndoneWithOthers | null = null;
  readonly onDisk: Promise<void>;
  resolve!: () => void;
  reject!: (error: unknown) => void;

  constructor() {
    this.onDisk = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // A group may have nobody who waits for it.
    this.onDisk.catch(() => {});
  }
}

/** What Kysely has for a statement, a transaction, or a while: it holds the writer only while it needs it. */
export class Lease implements DatabaseConnection {
  readonly #run: (lease: Lease, query: CompiledQuery) => Promise<QueryResult<unknown>>;
  /** The group that its transaction belongs to. */
  group: Group | null = null;
  /** Whether its transaction began behind another write of its group, and can be undone without that. */
  hasSavepoint = false;
  /** Whether it has the writer for itself, outside of any group. */
  isAlone = false;
  /** Its transaction has ended: what somebody forgot to wait for must not be written by itself. */
  isOver = false;

  constructor(run: (lease: Lease, query: CompiledQuery) => Promise<QueryResult<unknown>>) {
    this.#run = run;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(this, query) as Promise<QueryResult<R>>;
  }

  streamQuery(): never {
    throw new Error('Nothing here reads rows one by one.');
  }
}

export type Kind = 'reads' | 'writes' | 'stands alone';

/**
 * Waits for those whose writes a refused one has seen: it may have been refused because of them.
 * @throws UndoneWithOthers when they were undone, and it has to look again
 */
export async function awaitEarlierWrites(group: Group): Promise<void> {
  try {
    await group.onDisk;
  } catch (error) {
    throw error instanceof UndoneWithOthers ? error : new UndoneWithOthers(error);
  }
}
