// Every table, as it was when the product was first released. Never edited once it has shipped: a change is a new migration.
import type { Kysely } from 'kysely';
import type { Engine } from '../open.ts';
import { createAccounts, createAdministration, createKeys } from './beginning/accounts.ts';
import { createBilling } from './beginning/billing.ts';
import { createChanges } from './beginning/changes.ts';
import { createDeadman } from './beginning/deadman.ts';
import { createBook, createEntries, createRotation } from './beginning/entries.ts';
import { createFiles } from './beginning/files.ts';
import { createJobs } from './beginning/jobs.ts';
import { createSisters } from './beginning/sisters.ts';
import { createToken } from './beginning/token.ts';
import { createUsage } from './beginning/usage.ts';

export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createAccounts(db, engine);
  await createKeys(db, engine);
  await createAdministration(db, engine);
  await createEntries(db, engine);
  await createBook(db);
  await createRotation(db);
  await createDeadman(db, engine);
  await createSisters(db);
  await createFiles(db, engine);
  await createJobs(db, engine);
  await createToken(db, engine);
  await createBilling(db);
  await createUsage(db, engine);
  await createChanges(db, engine);
}
