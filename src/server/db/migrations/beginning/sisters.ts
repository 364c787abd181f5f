// Other instances' letters: what is kept of each, the shares that its other sisters have shown, and its recipients' tokens.
import { type Kysely, type SqlBool, sql } from 'kysely';

export async function createSisters(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sister_letters')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('from_origin', 'text', (c) => c.notNull())
    .addColumn('edition', 'bigint', (c) => c.notNull())
    .addColumn('life_key', 'text', (c) => c.notNull())
    .addColumn('needed', 'integer', (c) => c.notNull())
    .addColumn('days', 'integer', (c) => c.notNull())
    .addColumn('sisters', 'text', (c) => c.notNull())
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('seal_id', 'text')
    .addColumn('share_of_addresses', 'text')
    .addColumn('share_of_letter', 'text')
    .addColumn('share_hashes', 'text')
    .addColumn('digest', 'text')
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('signs', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('kept_at', 'bigint', (c) => c.notNull())
    .addColumn('watching_since', 'bigint', (c) => c.notNull())
    .addColumn('signed_counted', 'bigint')
    .addColumn('next_check_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('released_counted', 'bigint')
    .addColumn('was_released', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('mailed_counted', 'bigint')
    .addColumn('ended_by', 'text')
    // Last, because they are long: SQLite reads a row from its beginning, and what counts letters needs none of them.
    .addColumn('encrypted_addresses', 'text')
    .addColumn('encrypted_content', 'text')
    .execute();
  await db.schema
    .createIndex('sister_letters_by_origin')
    .on('sister_letters')
    .column('from_origin')
    .execute();
  // For the switch, and for what has been released for long.
  await db.schema
    .createIndex('sister_letters_watching')
    .on('sister_letters')
    .columns(['next_check_at', 'id'])
    .where(sql<SqlBool>`ended_by is null and released_counted is null`)
    .execute();
  await db.schema
    .createIndex('sister_letters_released')
    .on('sister_letters')
    .column('released_counted')
    .where(sql<SqlBool>`ended_by is null`)
    .execute();

  await db.schema
    .createTable('sister_shares')
    .addColumn('letter_id', 'text', (c) => c.notNull().references('sister_letters.id').onDelete('cascade'))
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('share', 'text', (c) => c.notNull())
    .addColumn('received_counted', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('sister_shares_one_each', ['letter_id', 'place'])
    .execute();

  await db.schema
    .createTable('sister_tokens')
    .addColumn('letter_id', 'text', (c) => c.notNull().references('sister_letters.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('token', 'text')
    .addColumn('message', 'text')
    .addColumn('mailed_at', 'bigint')
    .addColumn('shown_at', 'bigint')
    .addColumn('shown_later_at', 'bigint')
    .addPrimaryKeyConstraint('sister_tokens_one_each', ['letter_id', 'hash'])
    .execute();
  // A mail finds what it is to bring.
  await db.schema.createIndex('sister_tokens_by_message').on('sister_tokens').column('message').execute();
}
