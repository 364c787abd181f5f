// Opens one of the two databases behind one query language, and brings its tables up to date.
import { chmodSync } from 'node:fs';
import {
  Kysely,
  type Migration as KyselyMigration,
  Migrator,
  PostgresDialect,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';
import { keepStatements } from './kept-statements.ts';
import { migrations } from './migrations/index.ts';
import type { Schema } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';
export type Database = Kysely<Schema>;

export interface OpenedDatabase {
  db: Database;
  engine: Engine;
}

/** SQLite can undo changes of tables as well; Kysely's own adapter leaves that unused. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class EmbeddedDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

/** How long the embedded database waits for another process that holds it, in milliseconds. */
export const BUSY_TIMEOUT = 5000;

/** Opens the embedded database: durable on every commit, readable by its owner alone. */
export async function openEmbedded(file: string): Promise<OpenedDatabase> {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const connection = new BetterSqlite3(file);
  chmodSync(file, 0o600);
  connection.pragma('journal_mode = WAL');
  // WAL alone would lose the newest commits in a power cut; an acknowledged memory must survive one.
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
  // What is deleted is overwritten, not merely unlinked.
  connection.pragma('secure_delete = ON');
  return {
    db: new Kysely<Schema>({ dialect: new EmbeddedDialect({ database: keepStatements(connection) }) }),
    engine: 'sqlite',
  };
}

const INT8 = 20;
/** Milliseconds until a database that does not answer counts as gone. */
const CONNECT_WITHIN = 5000;

/** Opens PostgreSQL. Throws when the URL cannot be parsed; connection failures surface at the first query. */
export async function openPostgres(
  url: string,
  options: { poolSize?: number; connectWithin?: number } = {},
): Promise<OpenedDatabase> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.connectWithin ?? CONNECT_WITHIN,
    types: {
      // Row numbers and epoch milliseconds stay far below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    } as typeof pg.types,
  });
  // A connection that breaks (a restarted server) must not end the process, whether it was idle or stood between
  // two statements of a transaction. The statement that meets it fails; the next one reconnects.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), engine: 'postgres' };
}

/** Runs the missing migrations in one transaction. Safe when several servers start at once: one of them does it. */
export async function migrate({ db, engine }: OpenedDatabase): Promise<void> {
  const provider = {
    getMigrations: async () =>
      Object.fromEntries(
        Object.entries(migrations).map(([name, migration]): [string, KyselyMigration] => [
          name,
          { up: (tx) => migration.up(tx, engine) },
        ]),
      ),
  };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
}

/** Whether an error is the database saying that a value must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/** Whether an error is the database saying that what a row belongs to is gone. */
export function isOrphan(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}
