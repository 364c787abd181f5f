// Which statements SQLite plans anew each time they run, although they are prepared once: it does where a parameter meets
// what the planner compares it with, as a column in the condition of a partial index, a pattern, or a limit. Planning
// takes several times as long as running what was planned.
import { DatabaseSync } from '@photostructure/sqlite';
import type { CompiledQuery } from 'kysely';

/** What the driver's authorizer answers: the statement may do that. SQLite asks while it plans, and never while it runs. */
const ALLOWED = 0;

/** A statement about rows. What is asked of the database itself has SQLite plan other statements while it runs. */
const OF_TABLES = /^\s*(?:select|with|insert|update|delete)\b(?!.*\bpragma_)/is;

/** A database with some tables, to ask of statements in. What they would write is undone. */
export class PlanWatch {
  readonly #database = new DatabaseSync(':memory:');
  readonly #asked = new Set<string>();
  readonly #plannedAnew = new Set<string>();
  #plans = 0;

  /** @param image the bytes of a database's file with all tables */
  constructor(image: Uint8Array) {
    const copy = Buffer.from(image);
    // A database in memory has no write-ahead log, and its header must not speak of one.
    copy.fill(1, 18, 20);
    this.#database.deserialize(copy);
    this.#database.setAuthorizer(() => {
      this.#plans += 1;
      return ALLOWED;
    });
  }

  /** Takes note of a statement that was run somewhere with these values. */
  readonly note = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): void => {
    if (this.#asked.has(sql) || !OF_TABLES.test(sql)) return;
    this.#asked.add(sql);
    if (this.#isPlannedAnew(sql, parameters)) this.#plannedAnew.add(sql);
  };

  /** Those among them that are planned anew, each once. */
  readonly take = (): string[] => {
    const found = [...this.#plannedAnew];
    this.#plannedAnew.clear();
    return found;
  };

  #isPlannedAnew(sql: string, parameters: readonly unknown[]): boolean {
    this.#database.exec('begin');
    try {
      const statement = this.#database.prepare(sql);
      const planned = this.#plans;
      try {
        statement.all(...parameters);
      } catch {
        // What a statement refers to is not here: it was planned by the time that it found out.
      }
      return this.#plans > planned;
    } catch (error) {
      // It may be about a table that a test has made for itself.
      if (String(error).includes('no such table')) return false;
      throw error;
    } finally {
      if (this.#database.isTransaction) this.#database.exec('rollback');
    }
  }
}
