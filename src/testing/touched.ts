// How much a server has written, whatever became of it.
import { sql } from 'kysely';
import type { Database } from '../server/db/open.ts';

/** How many rows the embedded database has written since it was opened, those among them that were undone. */
export function rowsTouched(db: Database): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(tx);
    return rows[0]?.n ?? 0;
  });
}
