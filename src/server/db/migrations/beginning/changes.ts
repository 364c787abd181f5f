// What has changed in each vault, row by row. Its triggers stand on every sealed table, and write numbers into `usage`.
import { type Kysely, type SqlBool, sql } from 'kysely';
import { createChangeTriggers, createRecipientTriggers } from '../../change-triggers.ts';
import type { Engine } from '../../open.ts';

export async function createChanges(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const table = db.schema
    .createTable('changes')
    .addColumn('account_id', 'bigint', (c) => c.notNull().references('vaults.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('entry_id', 'bigint', (c) => c.notNull())
    .addColumn('n', 'bigint', (c) => c.notNull())
    .addColumn('seal_id', 'text')
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('changes_one_a_row', ['account_id', 'kind', 'entry_id']);
  // Its key is the table: one page less to write for each new row.
  await (engine === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table).execute();
  await db.schema.createIndex('changes_in_order').on('changes').columns(['account_id', 'n']).execute();
  // For the sweep, which forgets what has ended: all of it by its age, and a vault's by its numbers.
  const ended = sql<SqlBool>`ended_at is not null`;
  await db.schema
    .createIndex('changes_by_end')
    .on('changes')
    .columns(['ended_at', 'account_id', 'n'])
    .where(ended)
    .execute();
  await db.schema
    .createIndex('changes_ended')
    .on('changes')
    .columns(['account_id', 'n'])
    .where(ended)
    .execute();
  await createChangeTriggers(db, engine);
  await createRecipientTriggers(db, engine);
}
