// What is staged for a new key, which may be as much as a whole vault. The embedded database keeps in memory whatever one
// statement changes, so that it can undo that statement: much is changed by many of them. PostgreSQL takes one.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { locksRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { eraseRows, firstRows, type Heap, heapOf, newRoom } from '../../db/steps.ts';

/** Does something with all rows that meet a condition, a few of them with each statement. */
export async function inSlices(
  tx: Database,
  heap: Heap,
  where: RawBuilder<SqlBool>,
  act: (these: RawBuilder<SqlBool>) => Promise<unknown>,
): Promise<void> {
  if (locksRows(tx)) {
    await act(where);
    return;
  }
  for (let next = where; ; ) {
    const some = await firstRows(tx, heap, next, newRoom());
    if (!some) return;
    await act(some.these);
    next = sql`${where} and ${some.behind}`;
  }
}

/** Staged rows of one account and kind. */
export const stagedOfKind = heapOf('staged_entries', ['entry_id']);

const stagedOfAccount = heapOf('staged_entries', ['kind', 'entry_id']);

/** Forgets an account's regeneration and all that was staged for it. @param tx a transaction of its own (`transactAlone`) */
export async function forgetRegeneration(tx: Database, accountId: number): Promise<void> {
  if (!locksRows(tx)) {
    while (await eraseRows(tx, stagedOfAccount, sql`account_id = ${accountId}`, newRoom()));
  }
  await tx.deleteFrom('regenerations').where('account_id', '=', accountId).execute();
}
