// What a destroyed vault held stays in the database until it is erased, step by step. Whatever finds a row by another way
// than its owner's session asks by these conditions whether the row is still there for anybody.
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Schema } from './schema.ts';

/** Tables whose rows are found by an address, a number in a link, or the switch. */
type Found = 'guardian_kits' | 'import_webhooks' | 'shareable_keys' | 'legacy_scrolls' | 'messages';

const eb = expressionBuilder<Schema, Found>();

function inVault(table: Found, states: ('live' | 'leaving')[]): Expression<SqlBool> {
  const owner = eb.ref(`${table}.account_id`);
  return eb.or([
    eb(owner, 'is', null),
    eb.exists(
      eb
        .selectFrom('vaults')
        .select('vaults.id')
        .where('vaults.id', '=', owner)
        .where('vaults.state', 'in', states),
    ),
  ]);
}

/** The row belongs to an account that stands, or to nobody. */
export const ofStandingVault = (table: Found): Expression<SqlBool> => inVault(table, ['live']);

/** The same, or its vault was destroyed with the wish to leave its scrolls, and this one has not been let go yet. */
export const ofVaultThatLeaves = (table: 'legacy_scrolls'): Expression<SqlBool> =>
  inVault(table, ['live', 'leaving']);
