// Accounts and what lets somebody in; the keys of their vaults; what their administrator decides.
import { type Kysely, sql } from 'kysely';
import type { Engine } from '../../open.ts';
import { createVaultTriggers } from '../../vault-triggers.ts';
import { autoIncrement, bytes } from '../columns.ts';

const ownedBy = 'accounts.id';

export async function createAccounts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('uid', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.unique())
    .addColumn('name_skeleton', 'text', (c) => c.unique())
    .addColumn('auth_hash', 'text')
    .addColumn('passphrase_salt', 'text')
    .addColumn('oidc_subject', 'text', (c) => c.unique())
    .addColumn('email', 'text')
    .addColumn('first_name', 'text')
    .addColumn('last_name', 'text')
    .addColumn('is_admin', 'integer', (c) => c.notNull().defaultTo(0))
    // The administrator's permission to send text messages, which cost money.
    .addColumn('texts_permitted', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('onboarded_at', 'bigint')
    .addColumn('words_kept_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();

  // What an account holds belongs to its vault, which outlives it until everything is erased (docs/architecture.md,
  // "Destroying a vault").
  await db.schema
    .createTable('vaults')
    .addColumn('id', 'bigint', (c) => c.primaryKey())
    .addColumn('state', 'text', (c) =>
      c.notNull().defaultTo('live').check(sql`state in ('live', 'leaving', 'erasing')`),
    )
    .addColumn('kept_until', 'bigint')
    .addColumn('texts_permitted', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('vaults_by_state').on('vaults').columns(['state', 'id']).execute();
  await createVaultTriggers(db, engine);

  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(ownedBy).onDelete('cascade'))
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute();
  await db.schema.createIndex('passkeys_by_account').on('passkeys').column('account_id').execute();

  await db.schema
    .createTable('sessions')
    .addColumn('id_hash', 'text', (c) => c.primaryKey())
    .addColumn('public_id', 'text', (c) => c.notNull().unique())
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(ownedBy).onDelete('cascade'))
    .addColumn('way', 'text', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('proved_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('sessions_by_account').on('sessions').column('account_id').execute();
  await db.schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute();

  await db.schema
    .createTable('challenges')
    .addColumn('id_hash', 'text', (c) => c.primaryKey())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('challenges_by_expiry').on('challenges').column('expires_at').execute();

  await db.schema
    .createTable('attempts')
    .addColumn('bucket', 'text', (c) => c.primaryKey())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('next_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('resets_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('attempts_by_reset').on('attempts').column('resets_at').execute();
  // In which order they are forgotten where there are too many.
  await db.schema.createIndex('attempts_by_weight').on('attempts').columns(['count', 'resets_at']).execute();
}

export async function createKeys(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('vault_keys')
    .addColumn('account_id', 'bigint', (c) => c.primaryKey().references(ownedBy).onDelete('cascade'))
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('recipient', 'text', (c) => c.notNull())
    .addColumn('verifying_key', 'text', (c) => c.notNull())
    .addColumn('verifying_key_hash', 'text', (c) => c.notNull().unique())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('signature', 'text', (c) => c.notNull())
    .addColumn('succession', 'text')
    .addColumn('key_check', 'text', (c) => c.notNull())
    .addColumn('ring_seal_id', 'text')
    .addColumn('ring_sealed', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('vault_keys_by_address').on('vault_keys').column('address').execute();

  await db.schema
    .createTable('retired_keys')
    .addColumn('verifying_key_hash', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'bigint', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('retired_keys_by_account').on('retired_keys').column('account_id').execute();

  await db.schema
    .createTable('wraps')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(ownedBy).onDelete('cascade'))
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull().check(sql`method in ('passkey', 'passphrase')`))
    .addColumn('reference', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('wraps_one_per_way', ['account_id', 'method', 'reference'])
    .execute();
}

export async function createAdministration(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('setup_tokens')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('account_activity')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(ownedBy).onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('way', 'text')
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('slot', 'text')
    .addUniqueConstraint('account_activity_one_slot', ['account_id', 'slot'])
    .execute();
  await db.schema
    .createIndex('account_activity_by_account')
    .on('account_activity')
    .columns(['account_id', 'at'])
    .execute();
  await db.schema.createIndex('account_activity_by_time').on('account_activity').column('at').execute();

  // What the administrator decides in Settings: one row.
  await db.schema
    .createTable('server_settings')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('sign_up', 'text', (c) => c.notNull().check(sql`sign_up in ('open', 'invitation', 'closed')`))
    .execute();
  await sql`insert into server_settings (id, sign_up) values (1, 'open')`.execute(db);

  // What an administrator tells everybody who has an account: one row, or none.
  await db.schema
    .createTable('member_notice')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('says', 'text', (c) => c.notNull())
    .addColumn('since', 'bigint', (c) => c.notNull())
    .execute();

  // What an administrator has put in the place of the whisper that comes with the program: one row, or none.
  await db.schema
    .createTable('whisper_audio')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('content', bytes(engine), (c) => c.notNull())
    .addColumn('replaced_at', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('invitations')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    // Whom it is for, in the administrator's words.
    .addColumn('invited', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
}
