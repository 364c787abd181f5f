// How much each account stores and may store. After the tables that count: its triggers stand on them.
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Engine } from '../../open.ts';
import { createUsageRowTrigger, createUsageTriggers } from '../../usage-triggers.ts';

/** What each account stores, kept by triggers on every table that counts (db/counted.ts), and what it may store. */
export async function createUsage(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const count = (c: ColumnDefinitionBuilder) => c.notNull().defaultTo(0);
  await db.schema
    .createTable('usage')
    .addColumn('account_id', 'bigint', (c) => c.primaryKey().references('accounts.id').onDelete('cascade'))
    .addColumn('bytes', 'bigint', count)
    .addColumn('row_count', 'bigint', count)
    .addColumn('access_bytes', 'bigint', count)
    .addColumn('access_rows', 'bigint', count)
    .addColumn('staged_bytes', 'bigint', count)
    .addColumn('staged_rows', 'bigint', count)
    .addColumn('book_bytes', 'bigint', count)
    .addColumn('book_rows', 'bigint', count)
    // What the dashboard tells, counted beside the bytes.
    .addColumn('memories', 'bigint', count)
    .addColumn('relationships', 'bigint', count)
    .addColumn('myths', 'bigint', count)
    .addColumn('ghosts', 'bigint', count)
    .addColumn('unused_links', 'bigint', count)
    // The number of the newest change of a sealed row, and of the newest one that is forgotten (db/change-triggers.ts).
    .addColumn('last_change', 'bigint', count)
    .addColumn('forgotten_change', 'bigint', count)
    // Null: the server's own.
    .addColumn('bytes_max', 'bigint')
    .addColumn('rows_max', 'bigint')
    .execute();
  await db.schema
    .createTable('quota')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('bytes_max', 'bigint', (c) => c.notNull())
    .addColumn('rows_max', 'bigint', (c) => c.notNull())
    .execute();
  // Until a server starts and writes what it is configured with.
  await sql`insert into quota (id, bytes_max, rows_max) values (1, ${2 ** 30}, 100000)`.execute(db);
  await createUsageRowTrigger(db, engine);
  await createUsageTriggers(db, engine);
}
