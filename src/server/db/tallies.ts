// What the triggers have counted of an account's rows beside their bytes (counted.ts).
import { type Expression, sql } from 'kysely';
import type { Tally } from './counted.ts';

/** A query for one count. */
export const tallyOf = (column: Tally['column'], accountId: Expression<number>) =>
  sql<number>`(select ${sql.ref(`usage.${column}`)} from usage where usage.account_id = ${accountId})`;
