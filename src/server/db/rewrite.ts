// What was destroyed must not live on between the rows of the embedded database either.
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import type { Database, Engine } from './open.ts';
import { truncateLog } from './truncate-log.ts';

/** Rewriting takes some two seconds for each hundred megabytes, and everybody waits meanwhile. */
const REWRITE_MAX = 256 * 1024 * 1024;
/** How often everybody may have to wait. */
const REWRITE_EVERY = 10 * 60 * 1000;

/** When each open database was last rewritten. A restart forgets it, and merely rewrites somewhat earlier. */
const rewrittenAt = new WeakMap<Database, number>();

/**
 * Asks for a rewriting, in the transaction that destroys: whatever happens to the server then, it is not forgotten.
 * The file itself keeps the wish, in a number of its header that SQLite leaves to applications.
 */
export async function askForRewriting(tx: Database, engine: Engine): Promise<void> {
  if (engine === 'sqlite') await sql`pragma user_version = 1`.execute(tx);
}

/**
 * Writes the embedded database anew if somebody has asked for it, but not within ten minutes of the last time: the
 * sweep does it then. `secure_delete` overwrites the rows that are deleted, but not the copies that SQLite leaves in
 * the free space of a page when it moves rows to another one: about one row in a thousand has such a copy. A larger
 * database keeps them until its keeper runs VACUUM; so does PostgreSQL.
 */
export async function rewriteDatabase(
  { db, engine, now, log }: Pick<Deps, 'db' | 'engine' | 'now' | 'log'>,
  max: number = REWRITE_MAX,
): Promise<void> {
  if (engine !== 'sqlite') return;
  const time = now();
  if ((rewrittenAt.get(db) ?? Number.NEGATIVE_INFINITY) + REWRITE_EVERY > time) return;
  // One connection until it is done: nobody can ask between the rewriting and the end of the wish.
  const rewriting = db.connection().execute(async (connection) => {
    const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(connection);
    if (rows[0]?.user_version !== 1) return false;
    rewrittenAt.set(db, time);
    if ((await sizeOf(connection)) > max) {
      log.warn(
        'the database is too large to be rewritten after a vault was destroyed; see docs/operations.md',
      );
    } else {
      await sql`vacuum`.execute(connection);
    }
    await sql`pragma user_version = 0`.execute(connection);
    return true;
  });
  // A full disk must not undo what is done; the wish stays.
  const rewritten = await rewriting.catch((error: unknown) => log.error({ err: error }, 'rewriting failed'));
  if (rewritten) await truncateLog({ db, engine });
}

async function sizeOf(db: Database): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select page_count * page_size as size from pragma_page_count, pragma_page_size`.execute(db);
  return rows[0]?.size ?? 0;
}
