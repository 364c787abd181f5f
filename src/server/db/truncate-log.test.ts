import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { foundInFiles } from '../../testing/data-folder.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/engines.ts';
import { BUSY_TIMEOUT, SqliteConnection } from './sqlite-driver.ts';
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
});
