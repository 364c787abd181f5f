// The two databases that every store, race and migration test runs on, and an empty one of either kind.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, inject, vi } from 'vitest';
import { migrate } from '../server/db/migrate.ts';
import { type Engine, type OpenedDatabase, openEmbedded, openPostgres } from '../server/db/open.ts';
import { lendDatabase, type Way } from './kept-databases.ts';
import { PlanWatch } from './planned-anew.ts';

// A busy machine makes tests slow, not wrong.
const PATIENCE = 60_000;
vi.setConfig({ testTimeout: PATIENCE, hookTimeout: PATIENCE });

/**
 * Describes a suite once for each database. Where PostgreSQL is not installed, its half is reported as skipped.
 */
export function describeOnEachEngine(name: string, suite: (engine: Engine) => void): void {
  describe(`${name} (embedded database)`, () => suite('sqlite'));
  describeOnPostgres(name, () => suite('postgres'));
}

/** Describes what only a database that several servers share can show. */
export function describeOnPostgres(name: string, suite: () => void): void {
  if (inject('postgres')) describe(`${name} (PostgreSQL)`, suite);
  else describe.skip(`${name} (PostgreSQL is not installed here, so this half is skipped)`, suite);
}

export interface TestDatabase extends OpenedDatabase {
  /** The connection URL of a PostgreSQL, for another pool that ends before this one is closed. */
  url: string | null;
  /** The file of an embedded database. */
  file: string | null;
  close(): Promise<void>;
}

/** Describes what needs PgBouncer. */
export function describeThroughPgBouncer(name: string, suite: () => void): void {
  if (inject('bouncerUrl')) describe(`${name} (through PgBouncer)`, suite);
  else describe.skip(`${name} (PgBouncer is not installed here, so this is skipped)`, suite);
}

async function asAdmin(
  statement: (name: ReturnType<typeof sql.ref>) => ReturnType<typeof sql>,
  name: string,
) {
  const postgres = inject('postgres');
  if (!postgres) throw new Error('There is no PostgreSQL in this run.');
  const { db } = await openPostgres(postgres.adminUrl, { poolSize: 1 });
  try {
    await statement(sql.ref(name)).execute(db);
  } finally {
    await db.destroy();
  }
}

const urlOf = (anotherUrl: string, name: string) => anotherUrl.replace(/\/[^/]*$/, `/${name}`);

/**
 * A PostgreSQL database of its own, migrated or empty, and how to drop it.
 * @param way `pooled` goes through PgBouncer where it is installed
 */
export async function createPostgres(content: 'migrated' | 'empty' = 'migrated', way: Way = 'direct') {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template =
    content === 'migrated' ? sql.ref(inject('postgres')?.template ?? '') : sql.ref('template0');
  const strategy = inject('postgres')?.copiesFiles ? sql`strategy file_copy` : sql``;
  await asAdmin((ref) => sql`create database ${ref} template ${template} ${strategy}`, name);
  const direct = urlOf(inject('postgres')?.adminUrl ?? '', name);
  const bouncerUrl = inject('bouncerUrl');
  return {
    url: way === 'pooled' && bouncerUrl ? urlOf(bouncerUrl, name) : direct,
    /** The same database without anything between. */
    direct,
    drop: async () => {
      await asAdmin((ref) => sql`drop database ${ref} with (force)`, name);
    },
  };
}

/** These databases need not survive a power cut; durability.test.ts has its own, opened as the server opens them. */
async function needNotLast({ db }: OpenedDatabase): Promise<void> {
  await sql`pragma synchronous = off`.execute(db);
}

/** An embedded database with all its tables, and nothing in them: copied, since the migrations take longer. */
let migrated: Buffer | null = null;

async function migratedFile(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'latebra-test-'));
  const file = join(folder, 'latebra.db');
  const opened = await openEmbedded(file);
  await needNotLast(opened);
  await migrate(opened);
  // The last connection to go takes the write-ahead log into the file.
  await opened.db.destroy();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Watches the statements of every test database of this process. */
let watch: PlanWatch | null = null;

/**
 * What goes through PgBouncer where it is installed: every call, the queue, and what the switch does. All else has sessions of its own,
 * which are twice as quick.
 */
const THROUGH_PGBOUNCER = [
  ...['server/contract.test.ts', 'server/jobs/queue.test.ts', 'server/features/vault/erasing.test.ts'],
  ...['deadman/pause/paused-switch.test.ts', 'deadman/delivery/deliver.test.ts', 'watch/silence.test.ts'],
];

const wayOfTheFile = (): Way =>
  THROUGH_PGBOUNCER.some((file) => expect.getState().testPath?.endsWith(file)) ? 'pooled' : 'direct';

/** A fresh database with all its tables. Closing it fails where SQLite planned a statement anew that is prepared already. */
export async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'postgres') {
    const way = wayOfTheFile();
    const { url, opened, giveBack } = await lendDatabase(way, () => createPostgres('migrated', way));
    return { ...opened, url, file: null, close: giveBack };
  }
  const folder = mkdtempSync(join(tmpdir(), 'latebra-test-'));
  const file = join(folder, 'latebra.db');
  migrated ??= await migratedFile();
  writeFileSync(file, migrated);
  watch ??= new PlanWatch(migrated);
  const { note, take } = watch;
  const opened = await openEmbedded(file, ({ query }) => note(query));
  await needNotLast(opened);
  return {
    ...opened,
    url: null,
    file,
    close: async () => {
      await opened.db.destroy();
      rmSync(folder, { recursive: true });
      const statements = take();
      if (statements.length > 0) throw new Error(`Planned anew at each run: ${statements.join('\n')}`);
    },
  };
}
