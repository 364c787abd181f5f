// Rows that are gone for good, which are told to whoever reads a vault's changes until they are forgotten. Whoever has read
// less than what is forgotten begins anew.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { DELETED_LASTS } from '../../shared/nouns/entry-calls.ts';
import { forgetChange } from '../db/forgotten-changes.ts';
import type { Database } from '../db/open.ts';
import { heapOf, withEach } from '../db/steps.ts';
import type { Deps } from '../deps.ts';

/** For how long it is told that a row is gone. */
export const ENDED_LASTS = DELETED_LASTS;
/** After how many further changes in its vault it is forgotten in any case: all that a vault may hold could have changed. */
export const CHANGES_REMEMBERED = 100_000;

/** Writes down when rows are seen to be gone, and forgets those that were long ago. */
export async function expireEnded(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const time = now();
  const byEnd = heapOf('changes', ['ended_at', 'account_id', 'n']);
  const unseen = sql<SqlBool>`ended_at = 0`;
  await withEach(db, byEnd, unseen, (tx, these) => noteEnd(tx, these, time), signal);
  if (signal?.aborted) return;
  const over = sql<SqlBool>`ended_at > 0 and ended_at <= ${time - ENDED_LASTS}`;
  await withEach(db, byEnd, over, forget, signal);
}

async function noteEnd(tx: Database, these: RawBuilder<SqlBool>, time: number): Promise<void> {
  const { rows } = await sql<{ account_id: number }>`
    update changes set ended_at = ${time} where ${these} returning account_id`.execute(tx);
  for (const accountId of inOrder(rows)) {
    const tooMany = sql<SqlBool>`account_id = ${accountId} and ended_at is not null and n <= (
      select last_change - ${CHANGES_REMEMBERED} from usage where usage.account_id = ${accountId})`;
    await forget(tx, tooMany);
  }
}

async function forget(tx: Database, these: RawBuilder<SqlBool>): Promise<void> {
  const { rows } = await sql<{ account_id: number; n: number }>`
    delete from changes where ${these} returning account_id, n`.execute(tx);
  for (const accountId of inOrder(rows)) {
    const newest = Math.max(...rows.flatMap(({ account_id, n }) => (account_id === accountId ? [n] : [])));
    await forgetChange(tx, accountId, newest);
  }
}

/** Each account once, in the order in which the triggers lock them. */
const inOrder = (rows: readonly { account_id: number }[]) =>
  [...new Set(rows.map(({ account_id }) => account_id))].sort((one, other) => one - other);
