// Before all server tests: one PostgreSQL for the whole run, with a migrated template that databases are copied from.
import type { TestProject } from 'vitest/node';
import { migrate, openPostgres } from '../db/open.ts';
import { startCluster } from './postgres-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null where PostgreSQL is not installed. */
    postgres: { adminUrl: string; template: string } | null;
  }
}

const TEMPLATE = 'latebra_template';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster({ durable: false });
  if (!cluster) {
    project.provide('postgres', null);
    return async () => {};
  }
  const admin = await openPostgres(cluster.url('postgres'), { poolSize: 1 });
  const { sql } = await import('kysely');
  await sql`create database ${sql.ref(TEMPLATE)}`.execute(admin.db);
  await admin.db.destroy();
  const template = await openPostgres(cluster.url(TEMPLATE), { poolSize: 2 });
  await migrate(template);
  await template.db.destroy();
  project.provide('postgres', { adminUrl: cluster.url('postgres'), template: TEMPLATE });
  return () => cluster.stop();
}
