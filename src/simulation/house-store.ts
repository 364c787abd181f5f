// The database of a simulated house: a real embedded one in a file, which can be copied and put back.
import { copyFileSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import { migrate } from '../server/db/migrate.ts';
import { type Database, openEmbedded } from '../server/db/open.ts';

/** Opens a file as the server does, but for its fear of power cuts, which are simulated between statements. */
export async function openHouse(file: string): Promise<Database> {
  const opened = await openEmbedded(file);
  await sql`pragma synchronous = off`.execute(opened.db);
  await migrate(opened);
  return opened.db;
}

export async function backUp(db: Database, to: string): Promise<void> {
  rmSync(to, { force: true });
  await sql`vacuum into ${sql.lit(to)}`.execute(db);
}

/** Puts a backup where a closed database was. */
export function putBack(backup: string, file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  copyFileSync(backup, file);
}

/** Makes a copy tempting: every silence in it has lasted, nothing holds, every day has begun, and what has left waits once more. */
export async function makeOverdue(db: Database, now: number): Promise<void> {
  await sql`update house_clock set held_until = 0, beaten_at = ${now}, house_time = house_time + 50000000000`.execute(
    db,
  );
  await sql`insert into jobs (kind, dedupe_key, run_at)
    select 'deliver', public_id, 0 from messages where kind = 'release' and channel = 'email'
    on conflict do nothing`.execute(db);
  await sql`update messages set state = 'waiting' where kind = 'release' and channel = 'email'`.execute(db);
  await sql`update legacy_scrolls set due_at = 1 where state = 'watching' and trigger_type = 'date'`.execute(
    db,
  );
}
