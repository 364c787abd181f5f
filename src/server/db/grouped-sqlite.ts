// The embedded database behind Kysely. One connection writes: writes that come within one turn of the event loop are one
// transaction, which is flushed to the disk once. Another one reads, and sees what was committed and nothing else.

import { setImmediate } from 'node:timers';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteDialect,
  type SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { UndoneWithOthers } from './away.ts';
import { keepStatements } from './kept-statements.ts';
import { SqliteCompiler } from './sqlite-compiler.ts';
import type { SqliteConnection } from './sqlite-driver.ts';
import { awaitEarlierWrites, Group, type Kind, Lease } from './write-group.ts';

/** Writes in one group. Those that come after them have another, once others have had their turn. */
const GROUP_MAX = 64;

/** How often a single statement is run again after its group was undone. */
const TRIES = 6;

type Row = Record<string, unknown>;

class GroupedDriver implements Driver {
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #prepare: { writer: (sql: string) => SqliteStatement; reader: (sql: string) => SqliteStatement };
  /** By the statement's text. */
  readonly #kinds = new Map<string, Kind>();
  /** Those who wait for the writer, the first of them first. */
  readonly #waiting: (() => void)[] = [];
  #isHeld = false;
  #group: Group | null = null;
  /** How many a group may have at present: one by one, whoever is to blame for an undone group is found. */
  #room = GROUP_MAX;

  constructor(writer: SqliteConnection, reader: SqliteConnection) {
    this.#writer = writer;
    this.#reader = reader;
    const [forWriter, forReader] = [keepStatements(writer), keepStatements(reader)];
    this.#prepare = { writer: (sql) => forWriter.prepare(sql), reader: (sql) => forReader.prepare(sql) };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Lease> {
    return new Lease((lease, query) => this.#execute(lease, query));
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = connection as Lease;
    if (lease.isAlone) {
      this.#command('begin immediate');
      return;
    }
    await this.#take();
    try {
      lease.isOver = false;
      lease.group = this.#join();
      lease.hasSavepoint = lease.group.size > 0;
      if (lease.hasSavepoint) this.#command('savepoint one');
    } catch (error) {
      lease.group = null;
      this.#give();
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = connection as Lease;
    const { group } = lease;
    if (lease.isAlone) {
      this.#command('commit');
      return;
    }
    if (!group) throw new Error('There is no transaction.');
    if (group.undone) throw group.undone;
    if (lease.hasSavepoint) this.#command('release one');
    lease.group = null;
    lease.isOver = true;
    group.size += 1;
    this.#give();
    await group.onDisk;
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = connection as Lease;
    const { group } = lease;
    if (lease.isAlone && this.#writer.inTransaction) this.#command('rollback');
    // It came to its end, and the commit of its group has failed.
    if (!group) return;
    lease.group = null;
    lease.isOver = true;
    try {
      if (group.undone) return;
      if (lease.hasSavepoint) {
        this.#command('rollback to one');
        this.#command('release one');
      } else {
        this.#group = null;
        this.#command('rollback');
      }
    } catch (error) {
      this.#undo(group, error);
      throw error;
    } finally {
      this.#give();
    }
    if (lease.hasSavepoint) await awaitEarlierWrites(group);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const lease = connection as Lease;
    if (!lease.isAlone) return;
    lease.isAlone = false;
    this.#give();
  }

  async destroy(): Promise<void> {
    await this.#take();
    this.#commit();
    this.#reader.close();
    this.#writer.close();
    this.#give();
  }

  async #execute(lease: Lease, query: CompiledQuery): Promise<QueryResult<Row>> {
    if (lease.isOver) throw new Error('The transaction is over.');
    if (lease.group) return this.#within(lease.group, query);
    if (lease.isAlone) return run(this.#prepare.writer, query);
    const kind = this.#kindOf(query.sql);
    if (kind === 'reads') return run(this.#prepare.reader, query);
    if (kind === 'writes') return this.#write(query);
    await this.#take();
    lease.isAlone = true;
    this.#commit();
    return run(this.#prepare.writer, query);
  }

  /** What only reads can be read beside a transaction that is under way. What is neither needs the connection for itself. */
  #kindOf(sql: string): Kind {
    let kind = this.#kinds.get(sql);
    if (!kind) {
      kind = this.#askKind(sql);
      if (this.#kinds.size >= 1000) this.#kinds.clear();
      this.#kinds.set(sql, kind);
    }
    return kind;
  }

  #askKind(sql: string): Kind {
    if (/^\s*(?:pragma|vacuum|attach|detach)\b/i.test(sql)) return 'stands alone';
    if (/^\s*explain\b/i.test(sql)) return 'reads';
    if (!/^\s*(?:select|with|values)\b/i.test(sql)) return 'writes';
    return this.#reader.onlyReads(sql) ? 'reads' : 'writes';
  }

  /** A statement in a transaction. One that fails is undone by itself; only what the disk refuses can undo the whole group. */
  #within(group: Group, query: CompiledQuery): QueryResult<Row> {
    if (group.undone) throw group.undone;
    try {
      return run(this.#prepare.writer, query);
    } catch (error) {
      if (!this.#writer.inTransaction) this.#undo(group, error);
      throw error;
    }
  }

  /** A statement that is a transaction of its own. */
  async #write(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#writeOnce(query);
      } catch (error) {
        if (!(error instanceof UndoneWithOthers) || tries === TRIES) throw error;
      }
    }
  }

  async #writeOnce(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.#take();
    let group: Group | undefined;
    let result: QueryResult<Row>;
    try {
      group = this.#join();
      result = this.#within(group, query);
      group.size += 1;
    } catch (error) {
      this.#give();
      if (group && !group.undone && group.size > 0) await awaitEarlierWrites(group);
      throw error;
    }
    this.#give();
    await group.onDisk;
    return result;
  }

  async #take(): Promise<void> {
    if (!this.#isHeld) {
      this.#isHeld = true;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #give(): void {
    const group = this.#group;
    const isFull = group !== null && group.size >= this.#room;
    if (group && (group.closing || isFull)) this.#commit();
    const next = this.#waiting.shift();
    if (!next) this.#isHeld = false;
    // A crowd that writes must not keep answers from leaving.
    else if (isFull) setImmediate(next);
    else next();
  }

  /** The group of this turn. Called by who holds the writer. */
  #join(): Group {
    if (this.#group) return this.#group;
    this.#command('begin immediate');
    const group = new Group();
    this.#group = group;
    setImmediate(() => {
      if (this.#group !== group) return;
      if (this.#isHeld) group.closing = true;
      else this.#commit();
    });
    return group;
  }

  #commit(): void {
    const group = this.#group;
    if (!group) return;
    this.#group = null;
    try {
      this.#command('commit');
    } catch (error) {
      this.#undo(group, error, group.size === 1);
      return;
    }
    this.#room = Math.min(GROUP_MAX, this.#room * 2);
    group.resolve();
  }

  /**
   * Nothing of a group stays, as when a disk is full: whoever was in it and is not to blame may try again.
   * @param causedFailure the only one in it is
   */
  #undo(group: Group, cause: unknown, causedFailure = false): void {
    if (this.#group === group) this.#group = null;
    this.#room = 1;
    group.undone = new UndoneWithOthers(cause);
    group.reject(causedFailure ? cause : group.undone);
    if (this.#writer.inTransaction) this.#command('rollback');
  }

  #command(sql: string): void {
    this.#prepare.writer(sql).run([]);
  }
}

function run(
  prepare: (sql: string) => SqliteStatement,
  { sql, parameters }: CompiledQuery,
): QueryResult<Row> {
  const statement = prepare(sql);
  if (statement.reader) return { rows: statement.all(parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
}

/** Two connections to one file. */
export class GroupedSqliteDialect extends SqliteDialect {
  readonly #connections: readonly [writer: SqliteConnection, reader: SqliteConnection];

  constructor(writer: SqliteConnection, reader: SqliteConnection) {
    super({ database: writer });
    this.#connections = [writer, reader];
  }

  override createDriver(): Driver {
    return new GroupedDriver(...this.#connections);
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteCompiler();
  }
}
