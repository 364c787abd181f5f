// What was destroyed must not live on between the rows of the embedded database either.
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { truncateLog } from './truncate-log.ts';

/** Rewriting takes some two seconds for each hundred megabytes, and everybody waits meanwhile. */
const REWRITE_MAX = 256 * 1024 * 1024;

/**
 * Writes the embedded database anew, and empties its log. `secure_delete` overwrites the rows that are deleted, but
 * not the copies that SQLite leaves in the free space of a page when it moves rows to another one: about one row in
 * a thousand has such a copy. A larger database keeps them until its keeper runs VACUUM; so does PostgreSQL.
 */
export async function rewriteDatabase(
  { db, engine, log }: Pick<Deps, 'db' | 'engine' | 'log'>,
  max: number = REWRITE_MAX,
): Promise<void> {
  if (engine !== 'sqlite') return;
  const { rows } = await sql<{ size: number }>`
    select page_count * page_size as size from pragma_page_count, pragma_page_size`.execute(db);
  if ((rows[0]?.size ?? 0) > max) {
    log.warn('the database is too large to be rewritten after a vault was destroyed; see docs/operations.md');
  } else {
    // A full disk must not undo what is done.
    await sql`vacuum`.execute(db).catch((error: unknown) => log.error({ err: error }, 'rewriting failed'));
  }
  await truncateLog({ db, engine });
}
