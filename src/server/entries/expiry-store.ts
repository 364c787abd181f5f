// Deleted entries whose time is over. No reader finds them any more; here they are erased.
import { type SqlBool, sql } from 'kysely';
import { DELETED_LASTS } from '../../shared/nouns/entry-calls.ts';
import { restorableKinds, sealedKinds } from '../../shared/sealed-kinds.ts';
import { sealedTables } from '../db/sealed-tables.ts';
import { eraseFilesFirst, heapOf, withEach } from '../db/steps.ts';
import type { Deps } from '../deps.ts';

/** Erases what was deleted by hand so long ago that nobody can restore it any more, a few rows in each step. */
export async function expireDeletedEntries(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const over = now() - DELETED_LASTS;
  for (const kind of restorableKinds(sealedKinds)) {
    const { table } = sealedTables[kind];
    const theirs = sql<SqlBool>`(account_id, seal_id) in
      (select account_id, seal_id from ${sql.table(table)} where deleted_at <= ${over})`;
    await eraseFilesFirst(db, theirs, signal);
    if (signal?.aborted) return;
    await withEach(
      db,
      heapOf(table, ['deleted_at', 'id']),
      sql`deleted_at <= ${over}`,
      (tx, these) => sql`delete from ${sql.table(table)} where ${these}`.execute(tx),
      signal,
    );
    if (signal?.aborted) return;
  }
}
