// What one test leaves in a database, the next one does not find.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type OpenedDatabase, openPostgres } from '../server/db/open.ts';
import { describeOnPostgres, openTestDatabase } from './engines.ts';
import { openTestInstance } from './instance.ts';
import { aMember } from './people.ts';
import { plantingFor } from './planting.ts';

/** Every row of every table, and where each sequence stands. */
async function contentOf(db: OpenedDatabase['db']): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const content: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    content[name] = rows;
  }
  const sequences = await sql`
    select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`.execute(db);
  return { ...content, sequences: sequences.rows };
}

/** What a database shows that was lent anew. */
async function contentOfAnother(): Promise<{ name: unknown; content: Record<string, unknown> }> {
  const another = await openTestDatabase('postgres');
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(another.db);
  const content = await contentOf(another.db);
  await another.close();
  return { name: rows[0]?.name, content };
}

describeOnPostgres('a database that another test has used', () => {
  it('is as it was at its beginning: its rows, its settings and its numbers', async () => {
    const { name, content } = await contentOfAnother();
    const instance = await openTestInstance({ engine: 'postgres' });
    const { db } = instance.deps;
    const { rows } = await sql`select current_database() as name`.execute(db);
    expect(rows, 'it is the one that was free').toEqual([{ name }]);
    const person = await aMember(instance);
    const plant = await plantingFor(instance, person, 'f'.repeat(16));
    const memory = await plant.memory({ encrypted_content: 'A'.repeat(600_000) });
    expect(memory.id).toBe(1);
    await db.updateTable('server_settings').set({ sign_up: 'closed' }).execute();
    await db.deleteFrom('quota').execute();
    expect(await contentOf(db)).not.toEqual(content);
    await instance.close();
    expect(await contentOfAnother()).toEqual({ name, content });
  });

  it.each([
    ['has another table', 'create table obstacles (id bigint)'],
    ['has a table by another name', 'alter table sessions rename to gone'],
    ['has another column', 'alter table sessions add column more text'],
    ['has a trigger that rests', 'alter table memory_entries disable trigger user'],
  ])('is not used again when it %s', async (_, statement) => {
    const { name, content } = await contentOfAnother();
    const changed = await openTestDatabase('postgres');
    await sql.raw(statement).execute(changed.db);
    await changed.close();
    const next = await contentOfAnother();
    expect(next.content).toEqual(content);
    expect(next.name).not.toBe(name);
  });

  it('is out of reach for what the other test has left at work', async () => {
    const { name } = await contentOfAnother();
    const one = await openTestDatabase('postgres');
    const look = () => sql<{ name: string }>`select current_database() as name`.execute(one.db);
    expect((await look()).rows).toEqual([{ name }]);
    await one.close();
    await expect(look()).rejects.toThrow('is over');
  });

  it('is not used again while somebody is still at work in it', async () => {
    const { name } = await contentOfAnother();
    const one = await openTestDatabase('postgres');
    const other = await openPostgres(one.url ?? '', { poolSize: 1 });
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let end = () => {};
    const mayEnd = new Promise<void>((resolve) => {
      end = resolve;
    });
    const work = other.db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      begun();
      await mayEnd;
    });
    await hasBegun;
    await one.close();
    expect((await contentOfAnother()).name).not.toBe(name);
    end();
    // Its database has been dropped beneath it.
    await expect(work).rejects.toThrow();
    await other.db.destroy();
  });
});
