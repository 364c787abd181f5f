// SQLite finds a column of a row by reading all that stands before it. A list of a few hundred short rows, or a count of them, must
// not read hundreds of megabytes of words, for which everybody else waits: what is long stands last.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../../testing/engines.ts';

it('has nothing short behind the words of a row', async () => {
  const database = await openTestDatabase('sqlite');
  const { rows } = await sql<{ table: string; name: string }>`
    select tables.name as "table", columns.name as name
    from pragma_table_list as tables, pragma_table_info(tables.name) as columns
    where tables.schema = 'main' order by tables.name, columns.cid`.execute(database.db);
  await database.close();
  const isWords = ({ name }: { name: string }) => name === 'encrypted_content';
  const behind = rows.filter(isWords).map(({ table }) => {
    const columns = rows.filter((one) => one.table === table);
    return [table, columns.slice(columns.findIndex(isWords) + 1).map(({ name }) => name)];
  });
  expect(Object.fromEntries(behind)).toEqual({
    ...{ final_breaths: [], ghost_words: [], legacy_scrolls: [], shareable_keys: [], sister_letters: [] },
    ...{ memory_entries: ['details'], myth_stories: ['details'], relationship_entries: ['details'] },
  });
});
