// The database of a simulated server: a real embedded one in memory, of which images can be made and put back. What a
// disk does is another matter (server/durability.test.ts); power cuts are simulated between statements.
import { Kysely, SqliteDialect, sql } from 'kysely';
import { keepStatements } from '../server/db/kept-statements.ts';
import { migrate } from '../server/db/migrate.ts';
import type { Database } from '../server/db/open.ts';
import type { Schema } from '../server/db/schema.ts';
import { SqliteCompiler } from '../server/db/sqlite-compiler.ts';
import { SqliteConnection } from '../server/db/sqlite-driver.ts';

/** All of a database. */
export type Image = Uint8Array;

export interface Instance {
  db: Database;
  image(): Image;
}

/** One connection, and statements as the server has them made: what SQLite would plan anew at each run takes half the time of a year. */
class OneConnection extends SqliteDialect {
  override createQueryCompiler(): SqliteCompiler {
    return new SqliteCompiler();
  }
}

async function open(image?: Image): Promise<Instance> {
  const connection = new SqliteConnection(':memory:');
  if (image) connection.load(image);
  connection.exec('pragma foreign_keys = ON; pragma recursive_triggers = OFF');
  const dialect = new OneConnection({ database: keepStatements(connection) });
  return { db: new Kysely<Schema>({ dialect }), image: () => connection.image() };
}

let empty: Promise<Image> | null = null;

async function anEmptyInstance(): Promise<Image> {
  const instance = await open();
  await migrate({ db: instance.db, engine: 'sqlite' });
  const image = instance.image();
  await instance.db.destroy();
  return image;
}

/** @param image what was saved of a server; a new one begins empty */
export async function openInstance(image?: Image): Promise<Instance> {
  empty ??= anEmptyInstance();
  return open(image ?? (await empty));
}

/** Its servers were reached at another address than the one that a copy of it is given. */
export async function wasReachedElsewhere(db: Database): Promise<void> {
  await sql`update instance_clock set home_origin = 'a hash of another origin'`.execute(db);
}

/** Makes a copy tempting: every silence in it has lasted, nothing holds, every day has begun, and what has left waits once more. */
export async function makeOverdue(db: Database, now: number): Promise<void> {
  await sql`update instance_clock set held_until = 0, ticked_at = ${now}, counted_time = counted_time + 50000000000`.execute(
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
