// A row that names its key must name the vault's present one: a page that was open while the key changed elsewhere
// must not go on sealing under a key that nobody may have any more.
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { compiled } from './compiled.ts';
import { lockShared } from './locks.ts';
import type { Database } from './open.ts';
import type { Schema } from './schema.ts';
import type { VersionedTable } from './sealed-tables.ts';

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

/**
 * The same condition for the statement that creates a row; it holds the vault's key until it is done. Whoever replaces the
 * key waits for that, and finds the row; one that comes later waits for the new key, and is refused under it. Without a
 * hold a row would stay under the old key that nobody had counted. Also a row that names no key waits.
 */
export function createdUnderTheKey(
  db: Database,
  accountId: Expression<number>,
  fingerprint: Expression<string | null>,
): Expression<SqlBool> {
  const key = lockShared(
    db,
    db.selectFrom('vault_keys').select('fingerprint').where('account_id', '=', accountId),
  );
  // A comparison with null would be known before the key is read, and nothing would be held. A fingerprint holds no
  // wildcard, and the one that is no name matches every key.
  return sql<SqlBool>`coalesce(${key}, ${fingerprint}, '') like coalesce(${fingerprint}, '%')`;
}

/**
 * A condition for the statement that changes a row: whoever names no key changes no row that names one, because nobody
 * could tell afterwards which key opens it. And the row still names the key that it named when the statement began:
 * PostgreSQL looks at a row again that it has waited for, and at nothing else, so that a key that was replaced
 * meanwhile shows in the row alone. A re-sealing leaves the version as it is.
 */
export function standsUnderItsKey(
  table: VersionedTable,
  fingerprint: string | null | Expression<string | null>,
): Expression<SqlBool> {
  const now = sql.ref(`${table}.key_fingerprint`);
  const named = sql`cast(${fingerprint} as text)`;
  return sql<SqlBool>`(
    ${now} is null or ${now} = ${named}
    or (${named} is not null and ${now} = (
      select seen.key_fingerprint from ${sql.table(table)} as seen where seen.id = ${sql.ref(`${table}.id`)}
    ))
  )`;
}

const otherKey = compiled<{ accountId: number; fingerprint: string }>()((db, value) =>
  db
    .selectFrom('vault_keys')
    .select('account_id')
    .where('account_id', '=', value('accountId'))
    .where('fingerprint', '<>', value('fingerprint')),
);

/** The same question as the first, asked afterwards to find words for a refusal. */
export async function isAnotherKey(
  db: Database,
  accountId: number,
  fingerprint: string | null | undefined,
): Promise<boolean> {
  if (!fingerprint) return false;
  return (await otherKey(db, { accountId, fingerprint })).length > 0;
}
