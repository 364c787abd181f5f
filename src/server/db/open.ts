// Opens one of the two databases behind one query language.
import { chmodSync } from 'node:fs';
import { Kysely, type Logger, type PostgresPool, SqliteDialect } from 'kysely';
import { NO_ACCOUNT } from './counted.ts';
import { GroupedSqliteDialect } from './grouped-sqlite.ts';
import { LimitedPostgresDialect, openPool, type PostgresLimits } from './postgres.ts';
import type { Schema } from './schema.ts';
import { SqliteConnection } from './sqlite-driver.ts';

export type Engine = 'sqlite' | 'postgres';
export type Database = Kysely<Schema>;

export interface OpenedDatabase {
  db: Database;
  engine: Engine;
}

/** What each of the two connections keeps of the file, in KiB. */
const CACHE = 4000;

/**
 * Opens the embedded database: durable on every commit, readable by its owner alone.
 * @param log hears of every statement that was run
 */
export async function openEmbedded(file: string, log?: Logger): Promise<OpenedDatabase> {
  const writer = new SqliteConnection(file);
  chmodSync(file, 0o600);
  writer.exec('pragma journal_mode = WAL');
  // WAL alone would lose the newest commits in a power cut; an acknowledged memory must survive one.
  writer.exec('pragma synchronous = FULL');
  writer.exec('pragma foreign_keys = ON');
  // A trigger does not fire itself. The driver's SQLite would let it, and another tool's would not.
  writer.exec('pragma recursive_triggers = OFF');
  // What is deleted is overwritten, not merely unlinked.
  writer.exec('pragma secure_delete = ON');
  // Nothing of a row is written to a temporary file, such as what is kept for undoing one of several writes.
  writer.exec('pragma temp_store = MEMORY');
  const reader = new SqliteConnection(file, { readonly: true });
  reader.exec('pragma temp_store = MEMORY');
  for (const connection of [writer, reader]) connection.exec(`pragma cache_size = -${CACHE}`);
  const dialect = new GroupedSqliteDialect(writer, reader);
  return { db: new Kysely<Schema>({ dialect, ...(log ? { log } : {}) }), engine: 'sqlite' };
}

/** Opens an embedded database that is there, to look at alone: also while a server has it. */
export async function openEmbeddedToRead(file: string): Promise<OpenedDatabase> {
  const database = new SqliteConnection(file, { readonly: true });
  return { db: new Kysely<Schema>({ dialect: new SqliteDialect({ database }) }), engine: 'sqlite' };
}

/** A pool of ten, and half a minute for a statement: the heaviest of them take a second or two. */
export const LIMITS: PostgresLimits = { poolSize: 10, connectWithin: 5000, queryWithin: 30_000 };

/** Opens PostgreSQL. Throws when the URL cannot be parsed; connection failures surface at the first query. */
export async function openPostgres(
  url: string,
  options: Partial<PostgresLimits> = {},
): Promise<OpenedDatabase> {
  const limits = { ...LIMITS, ...options };
  return overPool(await openPool(url, limits), limits);
}

/** The same over connections that are there: to destroy it ends them by `pool.end`. */
export const overPool = (pool: PostgresPool, limits: PostgresLimits = LIMITS): OpenedDatabase => ({
  db: new Kysely<Schema>({ dialect: new LimitedPostgresDialect(pool, limits) }),
  engine: 'postgres',
});

/** Whether an error is the database saying that a value must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/** Whether an error is the database saying that what a row belongs to is gone. */
export function isOrphan(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (code === 'SQLITE_CONSTRAINT_TRIGGER') return message === NO_ACCOUNT;
  return code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}
