// The embedded database's driver: one package with binaries for every system and every Node, with the interface of
// node:sqlite (decision 120). What the rest of the server needs of it is here, as Kysely takes it and with SQLite's own
// names in `code` of its errors.
import { resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { nameOfResult } from './sqlite-result-codes.ts';

/** How long the embedded database waits for another process that holds it, in milliseconds. */
export const BUSY_TIMEOUT = 5000;

type Database = InstanceType<typeof DatabaseSync>;
type Prepared = ReturnType<Database['prepare']>;
type Parameters = readonly unknown[];

/** Runs what the driver does, and gives SQLite's name of an error in place of the driver's one code for all of them. */
function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errcode } = error as { errcode?: unknown };
    if (typeof errcode === 'number') Object.assign(error as Error, { code: nameOfResult(errcode) });
    throw error;
  }
}

/** A text with a NUL would be kept up to that, without a word. PostgreSQL takes none at all, and so does this. */
function withoutNul(parameters: Parameters): Parameters {
  for (const value of parameters) {
    if (typeof value === 'string' && value.includes('\0')) throw new TypeError('A text has a NUL in it.');
  }
  return parameters;
}

class Statement implements SqliteStatement {
  readonly #prepared: Prepared;
  /** Whether it answers rows. */
  readonly reader: boolean;

  constructor(prepared: Prepared) {
    this.#prepared = prepared;
    this.reader = prepared.columns().length > 0;
  }

  all(parameters: Parameters = []): unknown[] {
    return named(() => this.#prepared.all(...withoutNul(parameters)));
  }

  run(parameters: Parameters = []): ReturnType<Prepared['run']> {
    return named(() => this.#prepared.run(...withoutNul(parameters)));
  }

  iterate(parameters: Parameters = []): IterableIterator<unknown> {
    return named(() => this.#prepared.iterate(...withoutNul(parameters)));
  }
}

/** One connection to a file, or to a database in memory. Every error of SQLite has its name in `code`. */
export class SqliteConnection implements SqliteDatabase {
  readonly #database: Database;

  /**
   * @param file its path, or `:memory:`. A connection that may write makes a file that is not there
   * @param timeout how long it waits for another connection that holds the file, in milliseconds
   */
  constructor(file: string, { readonly = false, timeout = BUSY_TIMEOUT } = {}) {
    // SQLite would read a path that begins with "file:" as an address.
    const path = file === ':memory:' ? file : resolve(file);
    this.#database = named(() => new DatabaseSync(path, { readOnly: readonly, timeout }));
  }

  prepare(sql: string): Statement {
    return named(() => new Statement(this.#database.prepare(sql)));
  }

  /** Runs one or more statements whose answers nobody needs. */
  exec(sql: string): void {
    named(() => this.#database.exec(sql));
  }

  /** What one statement answers. */
  rows<Row = Record<string, unknown>>(sql: string, parameters: Parameters = []): Row[] {
    return this.prepare(sql).all(parameters) as Row[];
  }

  /** Whether a statement reads and no more, by the program that SQLite makes of it. It is not run. */
  onlyReads(sql: string): boolean {
    const steps = this.rows<{ opcode: string; p2: number }>(`explain ${sql}`);
    return !steps.some(({ opcode, p2 }) => opcode === 'Transaction' && p2 !== 0);
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** All of the database, as the bytes of its file. */
  image(): Uint8Array {
    return named(() => this.#database.serialize());
  }

  /** Puts an image in the place of what there is. */
  load(image: Uint8Array): void {
    named(() => this.#database.deserialize(image));
  }

  close(): void {
    named(() => this.#database.close());
  }
}
