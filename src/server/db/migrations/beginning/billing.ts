// The Enhanced plan: what each account has at the payment provider, which webhooks came, and what its plan counts.
import type { Kysely } from 'kysely';

export async function createBilling(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscriptions')
    .addColumn('account_id', 'bigint', (c) => c.primaryKey().references('accounts.id').onDelete('cascade'))
    .addColumn('customer_id', 'text', (c) => c.notNull().unique())
    .addColumn('subscription_id', 'text')
    .addColumn('status', 'text')
    .addColumn('price_id', 'text')
    .addColumn('current_period_end', 'bigint')
    .addColumn('cancel_at', 'bigint')
    .addColumn('readings', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('reading_kept', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('payment_events')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('customer_id', 'text')
    .addColumn('charge_id', 'text')
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('payment_events_by_time').on('payment_events').column('received_at').execute();
  await db.schema
    .createIndex('payment_events_by_customer')
    .on('payment_events')
    .column('customer_id')
    .execute();

  await db.schema
    .createTable('stories_made')
    .addColumn('account_id', 'bigint', (c) => c.primaryKey().references('accounts.id').onDelete('cascade'))
    .addColumn('month', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .execute();
}
