// What was destroyed must not live on in the embedded database's write-ahead log.
import { sql } from 'kysely';
import type { Database, Engine } from './open.ts';

/**
 * Folds the log into the database and empties it. Called after words were destroyed for good; deleted pages are
 * overwritten there already (`secure_delete`). PostgreSQL minds its own log, which is out of reach from here.
 * A reader that holds the log, such as a running backup, puts it off until the next call.
 */
export async function truncateLog({ db, engine }: { db: Database; engine: Engine }): Promise<void> {
  if (engine === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(db);
}
