// What was destroyed must not live on in the embedded database's write-ahead log.
import { setImmediate } from 'node:timers';
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
 * pages are overwritten there already (`secure_delete`). Those who call before it begins share one, because it costs as
 * much as several commits. PostgreSQL minds its own log, which is out of reach from here.
 * Never throws, because what was destroyed may stand in the answer alone by now: where the log cannot be emptied,
 * as while a backup reads, the sweep tries again within a minute.
 */
export function truncateLog({ db, engine }: Opened): Promise<void> {
  if (engine !== 'sqlite') return Promise.resolve();
  return afterCommit(db, truncateSoon);
}

function truncateSoon(db: Database): Promise<void> {
  const shared = soon.get(db);
  if (shared) return shared;
  const begins = () => {
    if (soon.get(db) === mine) soon.delete(db);
  };
  const mine = new Promise<void>((resolve) => {
    // What has arrived meanwhile is written first, and its words go with the others'.
    setImmediate(() => truncateNow(db, begins).then(resolve, () => resolve()));
  });
  soon.set(db, mine);
  return mine;
}

const NO_PATIENCE = CompiledQuery.raw('pragma busy_timeout = 0');
const PATIENCE = CompiledQuery.raw(`pragma busy_timeout = ${BUSY_TIMEOUT}`);
const TRUNCATE = CompiledQuery.raw('pragma wal_checkpoint(truncate)');

/** The same for the sweep, which reports what goes wrong. */
export async function emptyLog({ db, engine }: Opened): Promise<void> {
  if (engine === 'sqlite') await truncateNow(db);
}

/** @param begins called before it begins: whatever was committed by then is in the log that it empties */
async function truncateNow(db: Database, begins = () => {}): Promise<void> {
  try {
    await db.connection().execute(async (connection) => {
      // SQLite would wait for a reader inside the call, and the whole server with it.
      await connection.executeQuery(NO_PATIENCE);
      // Taking the connection has committed what others wrote. They hear of it, and come here, before this goes on.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      begins();
      try {
        await connection.executeQuery(TRUNCATE);
      } finally {
        await connection.executeQuery(PATIENCE);
      }
    });
  } finally {
    begins();
  }
}
