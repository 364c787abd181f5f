// The limits of single accounts, in their rows of `usage`, where the triggers read them.
import { type RawBuilder, sql } from 'kysely';
import { asNumber } from './casts.ts';
import type { Database } from './open.ts';

/** Null: the server's own. */
export interface OwnQuota {
  bytes: number | null;
  rows: number | null;
}

/** Gives accounts limits of their own, or takes them away. @param accounts a list of their numbers, or a query, in parentheses */
export async function setOwnQuota(
  db: Database,
  accounts: RawBuilder<unknown>,
  { bytes, rows }: OwnQuota,
): Promise<void> {
  const [bytesMax, rowsMax] = [asNumber(sql.val(bytes)), asNumber(sql.val(rows))];
  await sql`update usage set bytes_max = ${bytesMax}, rows_max = ${rowsMax}
    where account_id in ${accounts}
      and (bytes_max is distinct from ${bytesMax} or rows_max is distinct from ${rowsMax})`.execute(db);
}
