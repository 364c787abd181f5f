// Opens one of the two databases behind one query language, and brings its tables up to date.
import { chmodSync } from 'node:fs';
import { Kysely, type Migration as KyselyMigration, Migrator, PostgresDialect, SqliteDialect } from 'kysely';
import { migrations } from './migrations/index.ts';
import type { Schema } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';
export type Database = Kysely<Schema>;

export interface OpenedDatabase {
  db: Database;
  engine: Engine;
}

/** Opens the embedded database: durable on every commit, readable by its owner alone. */
export async function openEmbedded(file: string): Promise<OpenedDatabase> {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const connection = new BetterSqlite3(file);
  chmodSync(file, 0o600);
  connection.pragma('journal_mode = WAL');
  // WAL alone would lose the newest commits in a power cut; an acknowledged memory must survive one.
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('busy_timeout = 5000');
  // What is deleted is overwritten, not merely unlinked.
  connection.pragma('secure_delete = ON');
  return {
    db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: connection }) }),
    engine: 'sqlite',
  };
}

const INT8 = 20;

/** Opens PostgreSQL. Throws when the URL cannot be parsed; connection failures surface at the first query. */
export async function openPostgres(
  url: string,
  options: { poolSize?: number } = {},
): Promise<OpenedDatabase> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    types: {
      // Row numbers and epoch milliseconds stay far below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    } as typeof pg.types,
  });
  // An idle connection that breaks (a restarted server) must not end the process; the next query reconnects.
  pool.on('error', () => {});
  return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), engine: 'postgres' };
}

/**
 * Runs the missing migrations, each with its record in one transaction where the engine allows it.
 * Safe when several servers start at once: the migrator takes a lock.
 */
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
