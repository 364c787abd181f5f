import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createPostgres,
  describeOnEachEngine,
  describeOnPostgres,
  describeThroughPgBouncer,
} from '../../testing/engines.ts';
import type { Way } from '../../testing/kept-databases.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { type Engine, isUniqueViolation, type OpenedDatabase, openEmbedded, openPostgres } from './open.ts';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** How to open one and the same empty database again and again. */
async function anEmptyDatabase(engine: Engine, way: Way = 'pooled'): Promise<() => Promise<OpenedDatabase>> {
  let open: () => Promise<OpenedDatabase>;
  if (engine === 'postgres') {
    const { url, drop } = await createPostgres('empty', way);
    cleanups.push(drop);
    open = () => openPostgres(url, { poolSize: 2 });
  } else {
    const folder = mkdtempSync(join(tmpdir(), 'latebra-migrate-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    open = () => openEmbedded(join(folder, 'latebra.db'));
  }
  return async () => {
    const opened = await open();
    cleanups.push(() => opened.db.destroy());
    return opened;
  };
}

const tablesOf = async ({ db }: OpenedDatabase) =>
  (await db.introspection.getTables()).map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'));

const TABLES = [
  'accounts',
  'attempts',
  'challenges',
  'memory_entries',
  'onboarding_answers',
  'passkeys',
  'sessions',
  'setup_tokens',
  'vault_keys',
  'wraps',
];

describeOnEachEngine('migrations', (engine) => {
  it('bring an empty database up to date, and change nothing the second time', async () => {
    const open = await anEmptyDatabase(engine);
    const first = await open();
    await migrate(first);
    expect(await tablesOf(first)).toEqual(expect.arrayContaining(TABLES));
    await first.db.insertInto('attempts').values({ bucket: 'kept', count: 1, resets_at: 1 }).execute();
    const second = await open();
    await migrate(second);
    expect(await second.db.selectFrom('attempts').select('bucket').execute()).toEqual([{ bucket: 'kept' }]);
  });

  it('leave nothing behind when one of them fails, so that the next start can try again', async () => {
    const open = await anEmptyDatabase(engine);
    const opened = await open();
    migrations['9999-broken'] = {
      up: async (db) => {
        await db.schema.createTable('half_done').addColumn('id', 'integer').execute();
        throw new Error('the power went');
      },
    };
    await expect(migrate(opened)).rejects.toThrow('the power went');
    delete migrations['9999-broken'];
    expect(await tablesOf(opened)).not.toContain('half_done');
    expect(await tablesOf(opened)).not.toContain('accounts');
    await migrate(opened);
    expect(await tablesOf(opened)).toEqual(expect.arrayContaining(TABLES));
  });

  it('refuse a database that a newer version has changed', async () => {
    const opened = await (await anEmptyDatabase(engine))();
    await migrate(opened);
    await sql`insert into migrations (name) values ('9999-future')`.execute(opened.db);
    await expect(migrate(opened)).rejects.toThrow('9999-future');
  });

  it('keep the rules that the app relies on', async () => {
    const opened = await (await anEmptyDatabase(engine))();
    await migrate(opened);
    const orphan = opened.db
      .insertInto('onboarding_answers')
      .values({
        account_id: 4711,
        question1: '',
        question2: '',
        question3: '',
        seal_id: null,
        key_fingerprint: null,
        created_at: 0,
      })
      .execute();
    await expect(orphan).rejects.toThrow(/foreign key/i);
    const setupToken = { token_hash: 'same', created_at: 0 };
    await opened.db.insertInto('setup_tokens').values(setupToken).execute();
    const twice = opened.db.insertInto('setup_tokens').values(setupToken).execute();
    await expect(twice).rejects.toSatisfy(isUniqueViolation);
  });

  it('keep times as numbers', async () => {
    const opened = await (await anEmptyDatabase(engine))();
    await migrate(opened);
    const time = Date.parse('9999-12-31T23:59:59.999Z');
    await opened.db.insertInto('setup_tokens').values({ token_hash: 'a', created_at: time }).execute();
    expect(await opened.db.selectFrom('setup_tokens').select('created_at').execute()).toEqual([
      { created_at: time },
    ]);
  });
});

/** @param rounds of six servers each */
async function startAtOnce(rounds: number, way: Way): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const open = await anEmptyDatabase('postgres', way);
    const servers = await Promise.all(Array.from({ length: 6 }, open));
    await Promise.all(servers.map(migrate));
    const [server] = servers;
    if (!server) throw new Error('no server');
    expect(await tablesOf(server)).toEqual(expect.arrayContaining(TABLES));
    const { rows } = await sql`select 1 from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and datname = current_database()`.execute(server.db);
    expect(rows).toEqual([]);
    for (const clean of cleanups.splice(0).reverse()) await clean();
  }
}

describeOnPostgres('servers that start at once', () => {
  it('migrate an empty database once between them', () => startAtOnce(3, 'direct'));
});

describeThroughPgBouncer('servers that start at once', () => {
  it('migrate it once as well, and leave no lock in any session', () => startAtOnce(6, 'pooled'));
});

describe('the embedded database', () => {
  it('survives a power cut, minds its references, overwrites what is deleted, and is its owner’s alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latebra-open-'));
    const file = join(folder, 'latebra.db');
    const { db } = await openEmbedded(file);
    const pragma = async (name: string) => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
      return Object.values(rows[0] ?? {})[0];
    };
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    expect(await pragma('secure_delete')).toBe(1);
    expect(await pragma('busy_timeout')).toBe(5000);
    await migrate({ db, engine: 'sqlite' });
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
    await db.destroy();
    rmSync(folder, { recursive: true });
  });
});

describeOnPostgres('a connection', () => {
  it('that breaks in the middle of a transaction costs that transaction, not the server', async () => {
    const { url, drop } = await createPostgres();
    const { db } = await openPostgres(url, { poolSize: 2 });
    const broken = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
      // The next statement finds the connection gone; between the two, nobody listens to it.
      await new Promise((resolve) => setImmediate(resolve));
      await sql`select 1`.execute(tx);
    });
    await expect(broken).rejects.toThrow();
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    await db.destroy();
    await drop();
  });
});
