// Before all server tests: one PostgreSQL for the whole run, with a migrated template that databases are copied from,
// a PgBouncer before it, and the server itself, built as a program.
import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';
import { migrate } from '../server/db/migrate.ts';
import { openPostgres } from '../server/db/open.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';
import { buildServerProgram } from './server-program.ts';

interface Postgres {
  adminUrl: string;
  template: string;
  /** Whether databases are copied as files, which takes a tenth of the time (PostgreSQL 15 and later have the choice). */
  copiesFiles: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null where PostgreSQL is not installed. */
    postgres: Postgres | null;
    /** The URL of any database through PgBouncer. Null where that, or PostgreSQL, is not installed. */
    bouncerUrl: string | null;
    /** A C compiler. Null where none is installed. */
    compiler: string | null;
    /** The server's main file, for tests that start it as a process. */
    serverProgram: string;
  }
}

const TEMPLATE = 'latebra_template';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [cluster, program] = await Promise.all([startCluster({ durable: false }), buildServerProgram()]);
  project.provide('serverProgram', program.main);
  project.provide('postgres', cluster && (await makeTemplate(cluster)));
  const bouncer = cluster && (await startPgBouncer(cluster));
  project.provide('bouncerUrl', bouncer?.url('postgres') ?? null);
  return async () => {
    program.remove();
    await bouncer?.stop();
    await cluster?.stop();
  };
}

async function makeTemplate(cluster: Cluster): Promise<Postgres> {
  const adminUrl = cluster.url('postgres');
  const admin = await openPostgres(adminUrl, { poolSize: 1 });
  await sql`create database ${sql.ref(TEMPLATE)}`.execute(admin.db);
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version_num') as version`.execute(admin.db);
  await admin.db.destroy();
  const template = await openPostgres(cluster.url(TEMPLATE), { poolSize: 2 });
  await migrate(template);
  await template.db.destroy();
  return { adminUrl, template: TEMPLATE, copiesFiles: Number(rows[0]?.version) >= 150_000 };
}
