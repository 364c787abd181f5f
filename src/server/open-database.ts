// Opens the configured database, and brings it up to date.

import { join } from 'node:path';
import { HOUR } from '../shared/time.ts';
import type { Config } from './config.ts';
import { isStorageFull } from './db/away.ts';
import { migrate } from './db/migrate.ts';
import { type OpenedDatabase, openEmbedded, openPostgres } from './db/open.ts';
import { StartProblem } from './errors.ts';

/** Tables may be large, and another server may be at it. */
const MIGRATE_WITHIN = HOUR;

export async function openDatabase({ databaseUrl, dataDir }: Config): Promise<OpenedDatabase> {
  let opened: OpenedDatabase | undefined;
  try {
    if (databaseUrl) {
      const patient = await openPostgres(databaseUrl, { poolSize: 1, queryWithin: MIGRATE_WITHIN });
      await migrate(patient).finally(() => patient.db.destroy());
      opened = await openPostgres(databaseUrl);
    } else {
      opened = await openEmbedded(join(dataDir, 'latebra.db'));
      await migrate(opened);
    }
    return opened;
  } catch (error) {
    await opened?.db.destroy().catch(() => {});
    if (isStorageFull(error)) throw error;
    throw new StartProblem(
      `The database cannot be opened or brought up to date: ${(error as Error).message}`,
    );
  }
}
