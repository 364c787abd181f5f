import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnEachEngine, openTestDatabase } from '../../testing/engines.ts';
import { changedTables, shownOfRecipients } from './changed.ts';

describeOnEachEngine('what counts as a change of a sealed row', (engine) => {
  it('names every column of every sealed table: shown, or not', async () => {
    const { db, close } = await openTestDatabase(engine);
    const tables = await db.introspection.getTables();
    const all = [...changedTables, { table: 'scroll_recipients', ...shownOfRecipients }];
    for (const { table, shown, unshown } of all) {
      const columns = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];
      expect([...shown, ...unshown].sort(), `${table}: name a new column in db/changed.ts`).toEqual(
        columns.sort(),
      );
    }
    await close();
  });

  it('has a trigger on every sealed table for each way in which its rows change', async () => {
    const { db, close } = await openTestDatabase(engine);
    const { rows } =
      engine === 'postgres'
        ? await sql<{ name: string }>`
            select tgname as name from pg_trigger where tgname like 'changes_%'`.execute(db)
        : await sql<{ name: string }>`
            select name from sqlite_master where type = 'trigger' and name like 'changes_%'`.execute(db);
    const wanted = changedTables.flatMap(({ table }) =>
      ['insert', 'update', 'delete'].map((event) => `changes_${table}_${event}`),
    );
    const names = rows.map(({ name }) => name);
    expect(names.sort()).toEqual([...wanted, 'changes_scroll_recipients_update'].sort());
    await close();
  });
});
