// What was destroyed must not live on in the embedded database's write-ahead log.
import { sql } from 'kysely';
import { BUSY_TIMEOUT, type Database, type Engine } from './open.ts';

interface Opened {
  db: Database;
  engine: Engine;
}

/**
 * Folds the log into the database and empties it. Called after words were destroyed for good; deleted pages are
 * overwritten there already (`secure_delete`). PostgreSQL minds its own log, which is out of reach from here.
 * Never throws, because what was destroyed may stand in the answer alone by now: where the log cannot be emptied,
 * as while a backup reads, the sweep tries again within a minute.
 */
export async function truncateLog(opened: Opened): Promise<void> {
  await emptyLog(opened).catch(() => {});
}

/** The same for the sweep, which reports what goes wrong. */
export async function emptyLog({ db, engine }: Opened): Promise<void> {
  if (engine !== 'sqlite') return;
  await db.connection().execute(async (connection) => {
    // SQLite would wait for a reader inside the call, and the whole server with it.
    await sql`pragma busy_timeout = 0`.execute(connection);
    try {
      await sql`pragma wal_checkpoint(truncate)`.execute(connection);
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(BUSY_TIMEOUT)}`.execute(connection);
    }
  });
}
