// What vaults hold, and where it is staged when a key is changed.
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Engine } from '../../open.ts';
import { autoIncrement } from '../columns.ts';

const ownedBy = 'accounts.id';
const heldBy = 'vaults.id';

export async function createEntries(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('onboarding_answers')
    .addColumn('account_id', 'bigint', (c) => c.primaryKey().references(ownedBy).onDelete('cascade'))
    .addColumn('question1', 'text', (c) => c.notNull())
    .addColumn('question2', 'text', (c) => c.notNull())
    .addColumn('question3', 'text', (c) => c.notNull())
    .addColumn('seal_id', 'text')
    .addColumn('key_fingerprint', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('memory_entries')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(heldBy).onDelete('cascade'))
    .addColumn('time_lock_until', 'bigint')
    .addColumn('seal_id', 'text')
    .addColumn('key_fingerprint', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('deleted_at', 'bigint')
    // Behind all others, because they may be long (db/column-order.test.ts).
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('encrypted_content', 'text', (c) => c.notNull())
    .addColumn('details', 'text')
    .addUniqueConstraint('memory_entries_one_seal', ['account_id', 'seal_id'])
    .execute();
  await indexDeleted(db, 'memory_entries');

  await db.schema
    .createTable('relationship_entries')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(heldBy).onDelete('cascade'))
    .addColumn('event_type', 'text', (c) => c.notNull())
    .addColumn('emotional_weight', 'integer', (c) => c.notNull().check(sql`emotional_weight between 1 and 5`))
    .addColumn('seal_id', 'text')
    .addColumn('key_fingerprint', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('deleted_at', 'bigint')
    // Behind all others, because they may be long (db/column-order.test.ts).
    .addColumn('person_name', 'text', (c) => c.notNull())
    .addColumn('encrypted_content', 'text', (c) => c.notNull())
    .addColumn('details', 'text')
    .addUniqueConstraint('relationship_entries_one_seal', ['account_id', 'seal_id'])
    .execute();
  await indexDeleted(db, 'relationship_entries');

  await db.schema
    .createTable('myth_stories')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(heldBy).onDelete('cascade'))
    .addColumn('story_type', 'text', (c) => c.notNull())
    .addColumn('seal_id', 'text')
    .addColumn('key_fingerprint', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('deleted_at', 'bigint')
    // Behind all others, because they may be long (db/column-order.test.ts).
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('encrypted_content', 'text', (c) => c.notNull())
    .addColumn('details', 'text')
    .addUniqueConstraint('myth_stories_one_seal', ['account_id', 'seal_id'])
    .execute();
  await indexDeleted(db, 'myth_stories');

  await db.schema
    .createTable('import_webhooks')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(heldBy).onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('seal_id', 'text')
    .addColumn('key_fingerprint', 'text')
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('secret_salt', 'text', (c) => c.notNull())
    .addColumn('old_secret_salt', 'text')
    .addColumn('old_secret_until', 'bigint')
    .addColumn('received', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('last_used_at', 'bigint')
    .addColumn('refused_at', 'bigint')
    .addColumn('refused_reason', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('import_webhooks_one_seal', ['account_id', 'seal_id'])
    .execute();

  // Without a reference to its webhook: revoking one that has brought thirty thousand would delete them all at once.
  await db.schema
    .createTable('import_deliveries')
    .addColumn('webhook_id', 'bigint', (c) => c.notNull())
    .addColumn('delivery_hash', 'text', (c) => c.notNull())
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(heldBy).onDelete('cascade'))
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('import_deliveries_once', ['webhook_id', 'delivery_hash'])
    .execute();
  await db.schema
    .createIndex('import_deliveries_by_account')
    .on('import_deliveries')
    .columns(['account_id', 'webhook_id', 'delivery_hash'])
    .execute();
  await db.schema
    .createIndex('import_deliveries_by_age')
    .on('import_deliveries')
    .columns(['received_at', 'webhook_id', 'delivery_hash'])
    .execute();

  await db.schema
    .createTable('revoked_webhooks')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'bigint', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('revoked_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('revoked_webhooks_by_account')
    .on('revoked_webhooks')
    .columns(['account_id', 'revoked_at'])
    .execute();

  // The words stand in a row of their own: the statement that takes them away can answer what it took.
  await db.schema
    .createTable('ghost_entries')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(heldBy).onDelete('cascade'))
    .addColumn('max_reads', 'integer')
    .addColumn('current_reads', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('seal_id', 'text')
    .addColumn('key_fingerprint', 'text')
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('ghost_entries_one_seal', ['account_id', 'seal_id'])
    .addCheckConstraint('ghost_entries_read_within', sql`max_reads is null or current_reads <= max_reads`)
    .execute();
  await db.schema
    .createIndex('ghost_entries_by_account')
    .on('ghost_entries')
    .columns(['account_id', 'id'])
    .execute();
  await db.schema.createIndex('ghost_entries_by_expiry').on('ghost_entries').column('expires_at').execute();
  // Those that may be read, and those among them that no sweep has met since they expired.
  await db.schema
    .createIndex('ghost_entries_readable')
    .on('ghost_entries')
    .columns(['account_id', 'expires_at'])
    .where(sql<SqlBool>`max_reads is null or current_reads < max_reads`)
    .execute();
  await db.schema
    .createTable('ghost_words')
    .addColumn('ghost_id', 'bigint', (c) => c.primaryKey().references('ghost_entries.id').onDelete('cascade'))
    // Whose they are, also once the row above is gone: their bytes are counted.
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(heldBy).onDelete('cascade'))
    .addColumn('encrypted_content', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('ghost_words_by_account')
    .on('ghost_words')
    .columns(['account_id', 'ghost_id'])
    .execute();

  await db.schema
    .createTable('shareable_keys')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(heldBy).onDelete('cascade'))
    .addColumn('key_id', 'text', (c) => c.notNull().unique())
    .addColumn('entry_type', 'text', (c) => c.notNull())
    .addColumn('entry_id', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('door_hash', 'text')
    .addColumn('claim_hash', 'text')
    .addColumn('seal_id', 'text')
    .addColumn('key_fingerprint', 'text')
    .addColumn('redemption_hash', 'text')
    .addColumn('opened_at', 'bigint')
    .addColumn('lease_until', 'bigint')
    .addColumn('file_count', 'integer', (c) => c.notNull().defaultTo(0))
    // Behind all others, because they may be long (db/column-order.test.ts).
    .addColumn('stretching', 'text')
    .addColumn('encrypted_secret', 'text')
    // Null until it is sealed, and again once the words are gone.
    .addColumn('encrypted_content', 'text')
    .addUniqueConstraint('shareable_keys_one_seal', ['account_id', 'seal_id'])
    .execute();
  await db.schema
    .createIndex('shareable_keys_by_account')
    .on('shareable_keys')
    .columns(['account_id', 'id'])
    .execute();
  // For the sweep: what is left to erase, and none of the rows that stay for their owner to see.
  const wordy = sql<SqlBool>`encrypted_content is not null`;
  await db.schema
    .createIndex('shareable_keys_by_lease')
    .on('shareable_keys')
    .columns(['lease_until', 'id'])
    .where(wordy)
    .execute();
  await db.schema
    .createIndex('shareable_keys_by_expiry')
    .on('shareable_keys')
    .columns(['expires_at', 'id'])
    .where(sql<SqlBool>`opened_at is null and encrypted_content is not null`)
    .execute();

  await db.schema
    .createTable('final_breaths')
    .addColumn('account_id', 'bigint', (c) => c.primaryKey().references(ownedBy).onDelete('cascade'))
    .addColumn('seal_id', 'text')
    .addColumn('key_fingerprint', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('redemption_hash', 'text')
    .addColumn('released_at', 'bigint')
    .addColumn('lease_until', 'bigint')
    .addColumn('encrypted_content', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('final_breaths_by_lease').on('final_breaths').column('lease_until').execute();
}

/** The books of vaults: entries in their order. What each says, their owners' browsers alone can read. */
export async function createBook(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('book_entries')
    .addColumn('account_id', 'bigint', (c) => c.notNull().references(heldBy).onDelete('cascade'))
    .addColumn('n', 'integer', (c) => c.notNull())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('is_checkpoint', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('book_entries_in_order', ['account_id', 'n'])
    .execute();
  await db.schema
    .createIndex('book_entries_checkpoints')
    .on('book_entries')
    .columns(['account_id', 'n'])
    .where(sql<SqlBool>`is_checkpoint = 1`)
    .execute();
}

export async function createRotation(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('regenerations')
    .addColumn('account_id', 'bigint', (c) => c.primaryKey().references(heldBy).onDelete('cascade'))
    .addColumn('public_id', 'text', (c) => c.notNull().unique())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('begun_at', 'bigint', (c) => c.notNull())
    .execute();
  // Up to three sealed fields, in the order in which the contract names them; all null for a row that is left.
  await db.schema
    .createTable('staged_entries')
    .addColumn('account_id', 'bigint', (c) =>
      c.notNull().references('regenerations.account_id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('entry_id', 'bigint', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('first', 'text')
    .addColumn('second', 'text')
    .addColumn('third', 'text')
    .addPrimaryKeyConstraint('staged_entries_one_each', ['account_id', 'kind', 'entry_id'])
    .execute();
}

/**
 * Indexes for a table whose rows are marked when they are deleted: the living and the deleted of an account, so that
 * neither makes the other's list longer, and the deleted by their age, for the sweep. No index has both: each one costs every
 * new row a page of the log.
 */
async function indexDeleted(db: Kysely<unknown>, table: string): Promise<void> {
  const index = (name: string) => db.schema.createIndex(`${table}_${name}`).on(table);
  const living = sql<SqlBool>`deleted_at is null`;
  const deleted = sql<SqlBool>`deleted_at is not null`;
  await index('living').columns(['account_id', 'id']).where(living).execute();
  await index('deleted').columns(['account_id', 'id']).where(deleted).execute();
  await index('by_deletion').columns(['deleted_at', 'id']).where(deleted).execute();
}
