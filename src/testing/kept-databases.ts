// Databases on PostgreSQL that tests use one after another, with their connections. To make one and drop it costs the server a
// third of a second, to empty it some milliseconds; a session that is warm answers in a third of the time of one that is new.
import { type PostgresPool, sql } from 'kysely';
import { LIMITS, type OpenedDatabase, openPostgres, overPool } from '../server/db/open.ts';
import { openPool } from '../server/db/postgres.ts';

export interface MadeDatabase {
  url: string;
  /** The same database without anything between. */
  direct: string;
  drop(): Promise<void>;
}

export interface LentDatabase {
  url: string;
  opened: OpenedDatabase;
  /** Takes it back once nobody uses it any more. */
  giveBack(): Promise<void>;
}

/** How a database stands before anybody has used it. */
interface Beginning {
  shape: string;
  rows: { name: string; content: string }[];
}

interface KeptDatabase extends MadeDatabase {
  /** A connection of its own, which outlives the tests. */
  own: OpenedDatabase['db'];
  /** The connections that tests work with, one test after the other. */
  pool: PostgresPool;
  beginning: Beginning;
}

/** Bytes. From this size on a table gets a new file, since rows that were deleted stay in the old one. */
const TRUNCATED_FROM = 256 * 1024;

/** A busy machine makes tests slow, not wrong. In milliseconds. */
const PATIENCE = 60_000;

/** Those of this process that nobody uses, by how they are reached. They go with their cluster. */
const free = { pooled: [] as KeptDatabase[], direct: [] as KeptDatabase[] };
export type Way = keyof typeof free;

/** Changes with every table, column, trigger, function and constraint; rows change nothing of it. */
async function shapeOf(db: OpenedDatabase['db']): Promise<string> {
  const { rows } = await sql<{ shape: string }>`
    with relations as (select oid, relname from pg_class where relnamespace = 'public'::regnamespace)
    select concat_ws(' ',
      (select md5(string_agg(oid || relname, ',' order by oid)) from relations),
      (select count(*) || '/' || sum(xmin::text::bigint) from pg_attribute where attrelid in (select oid from relations)),
      (select count(*) || '/' || sum(xmin::text::bigint) from pg_trigger),
      (select count(*) || '/' || sum(xmin::text::bigint) from pg_constraint),
      (select count(*) || '/' || sum(xmin::text::bigint) from pg_proc where pronamespace = 'public'::regnamespace)
    ) as shape`.execute(db);
  return rows[0]?.shape ?? '';
}

async function beginningOf(db: OpenedDatabase['db']): Promise<Beginning> {
  const { rows: tables } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`.execute(db);
  const rows: Beginning['rows'] = [];
  for (const { name } of tables) {
    const found = await sql<{ content: string | null }>`
      select json_agg(t)::text as content from ${sql.raw(name)} t`.execute(db);
    const content = found.rows[0]?.content;
    if (content) rows.push({ name, content });
  }
  return { shape: await shapeOf(db), rows };
}

/**
 * Puts a database back to its beginning.
 * @returns false when that cannot be done: its tables have been changed, or somebody is still at work in it
 */
async function empty({ own, beginning }: KeptDatabase): Promise<boolean> {
  if ((await shapeOf(own)) !== beginning.shape) return false;
  const { rows: others } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend' and state is distinct from 'idle'`.execute(own);
  if (others.length > 0) return false;
  await own.transaction().execute(async (tx) => {
    // Every table is emptied, so no trigger has anything to guard or to count.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      do $$
      declare
        relation record;
      begin
        for relation in
          select oid::regclass as name, pg_table_size(oid) as size from pg_class
          where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
        loop
          if relation.size >= ${sql.lit(TRUNCATED_FROM)} then
            execute format('truncate %s cascade', relation.name);
          else
            execute format('delete from %s', relation.name);
          end if;
        end loop;
        perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
          from pg_sequences where schemaname = 'public' and last_value is not null;
      end
      $$`.execute(tx);
    for (const { name, content } of beginning.rows) {
      await sql`
        insert into ${sql.raw(name)} overriding system value
        select * from json_populate_recordset(null::${sql.raw(name)}, ${content}::json)`.execute(tx);
    }
  });
  return true;
}

/**
 * Lends a database as it is at its beginning.
 * @param way `pooled` goes through PgBouncer where it is installed
 * @param make makes one where none is free
 */
export async function lendDatabase(way: Way, make: () => Promise<MadeDatabase>): Promise<LentDatabase> {
  const kept = free[way].pop() ?? (await keep(await make()));
  // Each test has its own, over the same connections: what one of them leaves at work meets a closed database, not the next test's.
  let isClosed = false;
  const opened = overPool({
    connect: async () => {
      if (isClosed) throw new Error('the test that had this database is over');
      return kept.pool.connect();
    },
    end: async () => {},
  });
  return {
    url: kept.url,
    opened,
    async giveBack() {
      isClosed = true;
      if (await empty(kept)) {
        free[way].push(kept);
        return;
      }
      await Promise.allSettled([kept.own.destroy(), kept.pool.end()]);
      await kept.drop();
    },
  };
}

async function keep(made: MadeDatabase): Promise<KeptDatabase> {
  const { db: own } = await openPostgres(made.direct, { poolSize: 1, connectWithin: PATIENCE });
  const pool = await openPool(made.url, { ...LIMITS, connectWithin: PATIENCE });
  return { ...made, own, pool, beginning: await beginningOf(own) };
}
