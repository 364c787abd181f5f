// The queue of background jobs.
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Engine } from '../../open.ts';
import { autoIncrement } from '../columns.ts';

export async function createJobs(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const id = autoIncrement.type(engine);
  const idColumn = autoIncrement.column(engine);

  await db.schema
    .createTable('jobs')
    .addColumn('id', id, idColumn)
    .addColumn('kind', 'text', (c) => c.notNull())
    // One job of a kind for each key, however often it is asked for.
    .addColumn('dedupe_key', 'text', (c) => c.notNull())
    .addColumn('run_at', 'bigint', (c) => c.notNull())
    .addColumn('lease', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('error', 'text')
    .addColumn('failed_at', 'bigint')
    .addColumn('dead_at', 'bigint')
    .addUniqueConstraint('jobs_one_each', ['kind', 'dedupe_key'])
    .execute();
  // What is due, however many wait for later or were given up. The kinds of one clock are asked for one by one.
  await db.schema
    .createIndex('jobs_due')
    .on('jobs')
    .columns(['kind', 'run_at', 'id'])
    .where(sql<SqlBool>`dead_at is null`)
    .execute();
}
