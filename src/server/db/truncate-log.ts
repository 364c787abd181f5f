// What was destroyed must not live on in the embedded database's write-ahead log.
import { CompiledQuery } from 'kysely';
import type { Database, Engine } from './open.ts';
import { BUSY_TIMEOUT } from './sqlite-driver.ts';
import { afterCommit } from './transact.ts';

interface Opened {
  db: Database;
  engine: Engine;
}

/** The truncation that is about to begin, of each open database. */
const soon = new WeakMap<Database, Promise<void>>();

/**
 * Folds the log into the database and empties it, once what destroyed words for good is committed; deleted
 * pages are overwritten there already (`secure_delete`). Those who call before it begins share one. PostgreSQL minds its
 * own log, which is out of reach from here.
 * Never throws, because what was destroyed may stand in the answer alone by now: where the log cannot be emptied,
 * as while a backup reads, the sweep tries again within a minute.
 */
export function truncateLog({ db, engine }: Opened): Promise<void> {
  if (engine !== 'sqlite') return Promise.resolve();
  return afterCommit(db, (outside) => truncateSoon({ db: outside, engine }));
}

function truncateSoon(opened: Opened): Promise<void> {
  const shared = soon.get(opened.db);
  if (shared) return shared;
  const mine = new Promise<void>((resolve) => {
    // Everybody whose words went with the same commit hears of it before this begins.
    process.nextTick(() => {
      soon.delete(opened.db);
      emptyLog(opened).then(resolve, () => resolve());
    });
  });
  soon.set(opened.db, mine);
  return mine;
}

const NO_PATIENCE = CompiledQuery.raw('pragma busy_timeout = 0');
const PATIENCE = CompiledQuery.raw(`pragma busy_timeout = ${BUSY_TIMEOUT}`);
const TRUNCATE = CompiledQuery.raw('pragma wal_checkpoint(truncate)');

/** The same for the sweep, which reports what goes wrong. */
export async function emptyLog({ db, engine }: Opened): Promise<void> {
  if (engine !== 'sqlite') return;
  await db.connection().execute(async (connection) => {
    // SQLite would wait for a reader inside the call, and the whole server with it.
    await connection.executeQuery(NO_PATIENCE);
    try {
      await connection.executeQuery(TRUNCATE);
    } finally {
      await connection.executeQuery(PATIENCE);
    }
  });
}
