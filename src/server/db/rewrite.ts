// What was destroyed must not live on between the rows of the embedded database either.

import { sql } from 'kysely';
import type { Logger } from 'pino';
import { HOUR } from '../../shared/time.ts';
import type { Clock } from '../clock.ts';

import type { Database, Engine } from './open.ts';
import { truncateLog } from './truncate-log.ts';

/** Rewriting takes up to some two seconds for each hundred megabytes, and everybody waits meanwhile. */
const REWRITE_MAX = 256 * 1024 * 1024;
/** When it is done, by the clock of this machine: once in a night, whatever was destroyed the day before. */
const AT_NIGHT = 3;

/** When each open database was last tried to be rewritten in vain. */
const failedAt = new WeakMap<Database, number>();

/** The first hour since 1970 that begins at night after a moment. */
function nextNight(time: number): number {
  const night = new Date(time);
  night.setHours(AT_NIGHT, 0, 0, 0);
  if (night.getTime() <= time) night.setDate(night.getDate() + 1);
  return Math.ceil(night.getTime() / HOUR);
}

/**
 * Asks for a rewriting in the next night, in the transaction that erases: whatever happens to the server then, it is not
 * forgotten. The file itself keeps the hour, in a number of its header that SQLite leaves to applications; what is asked
 * for while it stands there changes nothing.
 */
export async function requestVacuum(
  tx: Database,
  { engine, now }: { engine: Engine; now: Clock },
): Promise<void> {
  if (engine !== 'sqlite' || (await askedFor(tx)) !== 0) return;
  await sql`pragma user_version = ${sql.lit(nextNight(now()))}`.execute(tx);
}

/** The hour since 1970 from which a rewriting was asked for; 0 for none. */
async function askedFor(db: Database): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db);
  return rows[0]?.user_version ?? 0;
}

/**
 * Writes the embedded database anew once the night has come for which somebody has asked. `secure_delete` overwrites the
 * rows that are deleted, but not the copies that SQLite leaves in the free space of a page when it moves rows to another
 * one: about one row in a thousand has such a copy. A larger database keeps them until its administrator runs VACUUM; so does
 * PostgreSQL.
 */
export async function rewriteDatabase(
  { db, engine, now, log }: { db: Database; engine: Engine; now: Clock; log: Logger },
  max: number = REWRITE_MAX,
): Promise<void> {
  if (engine !== 'sqlite') return;
  const time = now();
  if ((failedAt.get(db) ?? Number.NEGATIVE_INFINITY) + HOUR > time) return;
  // One connection until it is done: nobody can ask between the rewriting and the end of the wish.
  const rewriting = db.connection().execute(async (connection) => {
    const hour = await askedFor(connection);
    if (hour === 0 || hour * HOUR > time) return false;
    if ((await sizeOf(connection)) > max) {
      log.warn(
        'the database is too large to be rewritten after a vault was destroyed; see docs/operations.md',
      );
    } else {
      // A rewriting makes a copy of everything, which needs no room in memory.
      await sql`pragma temp_store = default`.execute(connection);
      try {
        await sql`vacuum`.execute(connection);
      } finally {
        await sql`pragma temp_store = memory`.execute(connection);
      }
    }
    await sql`pragma user_version = 0`.execute(connection);
    return true;
  });
  // A full disk must not undo what is done; the wish stays, and is tried again an hour later.
  const rewritten = await rewriting.catch((error: unknown) => {
    failedAt.set(db, time);
    log.error({ err: error }, 'rewriting failed');
  });
  if (rewritten) await truncateLog({ db, engine });
}

async function sizeOf(db: Database): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select page_count * page_size as size from pragma_page_count, pragma_page_size`.execute(db);
  return rows[0]?.size ?? 0;
}
