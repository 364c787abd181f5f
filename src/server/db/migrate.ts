// Brings the tables up to date.
import { type Kysely, sql } from 'kysely';
import { migrations } from './migrations/index.ts';
import type { OpenedDatabase } from './open.ts';

/** Which advisory lock those take who change tables: the first digits of the SHA-256 of "latebra migrations". */
const LOCK = 94168755;

/**
 * Runs the missing migrations, all or none of them. Safe when several servers start at once: one of them does it, and the
 * others wait for it. The lock is the transaction's own, so that nothing of it stays in a session that PgBouncer hands on.
 * @throws when another version has changed this database, a newer one or one from before the first release
 */
export async function migrate({ db, engine }: OpenedDatabase): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx);
    await tx.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (c) => c.primaryKey())
      .execute();
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(tx);
    const known = Object.keys(migrations).sort();
    const foreign = rows.find(({ name }, i) => name !== known[i]);
    if (foreign) throw new Error(`another version has changed it (${foreign.name})`);
    for (const name of known.slice(rows.length)) {
      await migrations[name]?.up(tx as unknown as Kysely<unknown>, engine);
      await sql`insert into migrations (name) values (${name})`.execute(tx);
    }
  });
}
