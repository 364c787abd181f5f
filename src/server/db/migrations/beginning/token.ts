// The thirteen: who holds the token, which wallet an account has linked, and the key that signs what this server gives out.
import type { Kysely } from 'kysely';
import type { Engine } from '../../open.ts';
import { bytes } from '../columns.ts';

export async function createToken(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('holder_lists')
    .addColumn('mint', 'text', (c) => c.primaryKey())
    .addColumn('rows', bytes(engine))
    .addColumn('decimals', 'integer', (c) => c.notNull())
    .addColumn('digest', 'text')
    .addColumn('read_at', 'bigint')
    .addColumn('tried_at', 'bigint', (c) => c.notNull())
    .addColumn('failure', 'text')
    .addColumn('failures', 'integer', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('linked_wallets')
    .addColumn('account_id', 'bigint', (c) => c.primaryKey().references('accounts.id').onDelete('cascade'))
    .addColumn('address', 'text', (c) => c.notNull().unique())
    .addColumn('vault_address', 'text', (c) => c.notNull())
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('signed_message', 'text', (c) => c.notNull())
    .addColumn('signature', 'text', (c) => c.notNull())
    .addColumn('linked_at', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('signing_keys')
    .addColumn('secret_id', 'text', (c) => c.primaryKey())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('private_key', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
}
