// A row that names its key must name the vault's present one: a page that was open while the key changed elsewhere
// must not go on sealing under a key that nobody may have any more.
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/**
 * A condition for the statement that writes: false when the account has a vault key of another fingerprint. A row
 * that names no key passes, because clients may know nothing of keys.
 */
export function sealedUnderTheKey(
  db: Database,
  accountId: Expression<number>,
  fingerprint: Expression<string | null>,
): Expression<SqlBool> {
  const other = db
    .selectFrom('vault_keys')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('fingerprint', '<>', fingerprint as Expression<string>);
  const eb = expressionBuilder<Schema>();
  return eb.not(eb.exists(other));
}

/** The same question, asked afterwards to find words for a refusal. */
export async function isAnotherKey(
  db: Database,
  accountId: number,
  fingerprint: string | null | undefined,
): Promise<boolean> {
  if (!fingerprint) return false;
  const other = await db
    .selectFrom('vault_keys')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('fingerprint', '<>', fingerprint)
    .executeTakeFirst();
  return other !== undefined;
}
