import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { foundInFiles } from '../../testing/data-folder.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/engines.ts';
import { openEmbedded } from './open.ts';
import { BUSY_TIMEOUT, SqliteConnection } from './sqlite-driver.ts';
import { transact } from './transact.ts';
import { emptyLog, truncateLog } from './truncate-log.ts';

const words = 'words-that-shall-leave-no-trace';

describe('the log of the embedded database', () => {
  let database: TestDatabase;
  const traces = () => foundInFiles({ database }, [words]);
  beforeEach(async () => {
    database = await openTestDatabase('sqlite');
    await database.db.insertInto('setup_tokens').values({ token_hash: words, created_at: 0 }).execute();
    await database.db.deleteFrom('setup_tokens').execute();
    expect(traces()).toEqual([words]);
  });
  afterEach(() => database.close());

  it('keeps nothing of what was deleted, once it is truncated', async () => {
    await truncateLog(database);
    expect(traces()).toEqual([]);
  });

  it('waits for a reader no moment, and is emptied after it has gone', async () => {
    const reader = new SqliteConnection(database.file ?? '', { readonly: true });
    reader.exec('begin');
    reader.rows('select count(*) from accounts');
    const begun = performance.now();
    await truncateLog(database);
    expect(performance.now() - begun).toBeLessThan(BUSY_TIMEOUT / 2);
    expect(traces()).toEqual([words]);
    reader.exec('commit');
    reader.close();
    await emptyLog(database);
    expect(traces()).toEqual([]);
  });

  it('leaves the patience of the connection as it was', async () => {
    await truncateLog(database);
    const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(database.db);
    expect(rows).toEqual([{ timeout: BUSY_TIMEOUT }]);
  });

  it('swallows no answer when it cannot be emptied, but tells the sweep', async () => {
    await database.db.destroy();
    await truncateLog(database);
    await expect(emptyLog(database)).rejects.toThrow();
    database = await openTestDatabase('sqlite');
  });

  it('is truncated once for all whose words go within a turn, and never before the last of them is committed', async () => {
    const file = database.file ?? '';
    const truncations: string[] = [];
    const opened = await openEmbedded(file, ({ query }) => {
      if (query.sql.includes('wal_checkpoint')) truncations.push(query.sql);
    });
    const secrets = Array.from({ length: 24 }, (_, n) => `${words}-${n}-`);
    await opened.db
      .insertInto('setup_tokens')
      .values(secrets.map((token_hash, created_at) => ({ token_hash, created_at })))
      .execute();
    const burn = async (created_at: number) => {
      await transact(opened.db, (tx) =>
        tx.deleteFrom('setup_tokens').where('created_at', '=', created_at).execute(),
      );
      await truncateLog(opened);
      return foundInFiles({ database }, [secrets[created_at] ?? '']);
    };
    // Some come in one turn, some while the first are written, and some while the log is about to be emptied.
    const burnt = secrets.map(async (_, n) => {
      for (let turn = 0; turn < n % 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return burn(n);
    });
    expect((await Promise.all(burnt)).flat()).toEqual([]);
    expect(truncations.length).toBeLessThanOrEqual(3);
    await opened.db.destroy();
  });
});
