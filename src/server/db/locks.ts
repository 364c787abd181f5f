// Locking rows until a transaction ends. Transactions that lock more than one row lock them in one order, so that no two
// of them wait for each other (docs/architecture.md, "Transactions and locks"): the account, its vault key, its book, its
// last activity and its trusted contact, its vault, scrolls by their number, the server clock, their recipients, messages, files, usage (by the triggers
// of what is counted), jobs. What refers to another account comes after the scrolls; an account goes last of all.
import {
  type Expression,
  type ExpressionBuilder,
  PostgresAdapter,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { compiled } from './compiled.ts';
import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/** SQLite has one writer at a time, and neither needs nor knows locks of rows. */
export const locksRows = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** A query whose rows nobody else changes until the transaction ends. */
export function lockRows<T extends keyof Schema, Row>(
  tx: Database,
  query: SelectQueryBuilder<Schema, T, Row>,
): SelectQueryBuilder<Schema, T, Row> {
  return locksRows(tx) ? query.forUpdate() : query;
}

/** A query whose rows stay as they are until the statement, or the transaction, ends; others may hold them so as well. */
export function lockShared<T extends keyof Schema, Row>(
  db: Database,
  query: SelectQueryBuilder<Schema, T, Row>,
): SelectQueryBuilder<Schema, T, Row> {
  return locksRows(db) ? query.forShare() : query;
}

const lockedAccount = compiled<{ accountId: number }>()((tx, value) =>
  locksRows(tx)
    ? tx
        .updateTable('accounts')
        .set({ is_admin: sql`is_admin` })
        .where('id', '=', value('accountId'))
        .returning('id')
    : tx.selectFrom('accounts').select('id').where('id', '=', value('accountId')),
);

/**
 * Every transaction that changes an account's key, wraps or ways in begins with this, so that two of them can
 * neither build on the same state nor wait for each other in a circle. An update that changes nothing locks on
 * PostgreSQL.
 * @returns false when the account is gone
 */
export async function lockAccount(tx: Database, accountId: number): Promise<boolean> {
  return (await lockedAccount(tx, { accountId })).length > 0;
}

/**
 * The same where only the lock matters: that the account is gone, the statement that follows finds out. The embedded
 * database has one writer, and is asked nothing.
 */
export async function lockAccountRow(tx: Database, accountId: number): Promise<void> {
  if (locksRows(tx)) await lockAccount(tx, accountId);
}

/** Whether an account stands, which it does until the transaction ends: for a row that is to refer to it. */
export async function lockReference(tx: Database, accountId: number): Promise<boolean> {
  const account = tx.selectFrom('accounts').select('id').where('id', '=', accountId);
  const row = await (locksRows(tx) ? account.forKeyShare() : account).executeTakeFirst();
  return row !== undefined;
}

/** The first of the two numbers of an advisory lock, by what it is of: a name of one thing is none of another. */
const LETTERS_FROM = 1;

/**
 * Has transactions that count what is kept for one instance, and add to it, come one after the other: no row stands for all of
 * it. It comes before every row. The lock is the transaction's own, so that nothing of it stays in a session that PgBouncer hands on.
 */
export async function lockLettersFrom(tx: Database, origin: string): Promise<void> {
  if (locksRows(tx))
    await sql`select pg_advisory_xact_lock(${sql.lit(LETTERS_FROM)}, hashtext(${origin}))`.execute(tx);
}

/**
 * Holds an account's vault key and returns it. Statements that create what it seals hold it as well (`key-guard.ts`):
 * what they have written by now is seen from here on, and those to come wait for what becomes of the key.
 */
export function lockKey(tx: Database, accountId: number) {
  const mine = tx.selectFrom('vault_keys').selectAll().where('account_id', '=', accountId);
  return lockRows(tx, mine).executeTakeFirst();
}

/**
 * Holds scrolls, in the order of their numbers. For transactions that change several: those that belong to a vault may
 * be left for another one, and each of the two changes them without the other.
 */
export async function lockScrolls(
  tx: Database,
  condition: (eb: ExpressionBuilder<Schema, 'legacy_scrolls'>) => Expression<SqlBool>,
): Promise<void> {
  if (!locksRows(tx)) return;
  await lockRows(tx, tx.selectFrom('legacy_scrolls').select('id').where(condition).orderBy('id')).execute();
}
