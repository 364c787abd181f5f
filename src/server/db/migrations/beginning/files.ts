// Files that belong to entries, those that one-time links carry, and what is left to erase of those that are gone. Their bytes stand in a store beside the
// database (adapters/file-store.ts).
import { type Kysely, type SqlBool, sql } from 'kysely';
import { createFileTriggers } from '../../file-triggers.ts';
import type { Engine } from '../../open.ts';
import { autoIncrement } from '../columns.ts';

export async function createFiles(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('files')
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    // Null once its letter was left by a destroyed vault.
    .addColumn('account_id', 'bigint', (c) => c.references('vaults.id').onDelete('cascade'))
    // The letter that it was left with.
    .addColumn('left_with', 'bigint', (c) => c.references('legacy_scrolls.id').onDelete('cascade'))
    .addColumn('file_id', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('halvings', 'integer', (c) => c.notNull())
    .addColumn('parts', 'integer', (c) => c.notNull())
    .addColumn('seal_id', 'text')
    .addColumn('is_whole', 'integer', (c) => c.notNull().defaultTo(0))
    // Whether the sweep has seen the entry that it belongs to.
    .addColumn('is_claimed', 'integer', (c) => c.notNull().defaultTo(0))
    // Whether a part was ever on its way into the store, under the present key.
    .addColumn('is_in_store', 'integer', (c) => c.notNull().defaultTo(0))
    // Where its parts stand in the store.
    .addColumn('store_key', 'text', (c) => c.notNull().unique())
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('files_one_number', ['account_id', 'file_id'])
    .addCheckConstraint('files_whole_for_an_entry', sql`(is_whole = 1) = (seal_id is not null)`)
    .addCheckConstraint('files_of_somebody_or_left', sql`(account_id is null) = (left_with is not null)`)
    .execute();
  await db.schema
    .createIndex('files_by_entry')
    .on('files')
    .columns(['account_id', 'seal_id'])
    .where(sql<SqlBool>`seal_id is not null`)
    .execute();
  await db.schema
    .createIndex('files_by_letter')
    .on('files')
    .column('left_with')
    .where(sql<SqlBool>`left_with is not null`)
    .execute();
  await db.schema.createIndex('files_by_account').on('files').columns(['account_id', 'id']).execute();
  // For the sweep: those that no entry is known of.
  await db.schema
    .createIndex('files_unclaimed')
    .on('files')
    .columns(['changed_at', 'id'])
    .where(sql<SqlBool>`is_claimed = 0`)
    .execute();

  const parts = db.schema
    .createTable('file_parts')
    .addColumn('file', 'bigint', (c) => c.notNull().references('files.id').onDelete('cascade'))
    .addColumn('part', 'integer', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('stored_as', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('file_parts_one_each', ['file', 'part']);
  await (engine === 'sqlite' ? parts.modifyEnd(sql`without rowid`) : parts).execute();
  await db.schema.createIndex('file_parts_by_name').on('file_parts').column('stored_as').unique().execute();

  await db.schema
    .createTable('files_to_erase')
    // The order in which they have gone.
    .addColumn('id', autoIncrement.type(engine), autoIncrement.column(engine))
    .addColumn('store_key', 'text', (c) => c.notNull().unique())
    .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_try_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('files_to_erase_by_time')
    .on('files_to_erase')
    .columns(['next_try_at', 'id'])
    .execute();

  const linked = db.schema
    .createTable('link_files')
    .addColumn('link', 'bigint', (c) => c.notNull().references('shareable_keys.id').onDelete('cascade'))
    .addColumn('file', 'bigint', (c) => c.notNull().references('files.id').onDelete('cascade'))
    .addColumn('seal_id', 'text')
    .addColumn('until', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('link_files_one_each', ['link', 'file']);
  await (engine === 'sqlite' ? linked.modifyEnd(sql`without rowid`) : linked).execute();
  await db.schema.createIndex('link_files_by_file').on('link_files').column('file').execute();
  await db.schema
    .createIndex('link_files_by_time')
    .on('link_files')
    .columns(['until', 'link', 'file'])
    .execute();
  await createFileTriggers(db, engine);
}
