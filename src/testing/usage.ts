// What an account stores, added up anew from its rows: a second opinion on what the triggers have counted.
import { countedTables, type Tally } from '../server/db/counted.ts';
import type { TestInstance } from './instance.ts';

export interface Counted {
  bytes: number;
  row_count: number;
  access_bytes: number;
  access_rows: number;
  staged_bytes: number;
  staged_rows: number;
  book_bytes: number;
  book_rows: number;
  memories: number;
  relationships: number;
  myths: number;
  ghosts: number;
  unused_links: number;
}

type Row = Record<string, unknown>;

const bytesIn = (value: unknown) => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

async function rowsOf({ deps }: TestInstance, table: string, accountId: number): Promise<Row[]> {
  return deps.db
    .selectFrom(table as 'memory_entries')
    .selectAll()
    .where('account_id', '=', accountId)
    .execute();
}

const isLiving = ({ deleted_at }: Row) => deleted_at === null;

/** Which rows of a table its tally counts. */
const talliedRows: Record<Tally['column'], (row: Row) => boolean> = {
  memories: isLiving,
  relationships: isLiving,
  myths: isLiving,
  ghosts: () => true,
  unused_links: ({ opened_at }) => opened_at === null,
};

/** The sums of an account's rows, by the list of what counts. */
export async function recount(instance: TestInstance, accountId: number): Promise<Counted> {
  const sums: Counted = {
    bytes: 0,
    row_count: 0,
    access_bytes: 0,
    access_rows: 0,
    staged_bytes: 0,
    staged_rows: 0,
    book_bytes: 0,
    book_rows: 0,
    memories: 0,
    relationships: 0,
    myths: 0,
    ghosts: 0,
    unused_links: 0,
  };
  for (const { table, text, bytes: sizes, room, tally } of countedTables) {
    const rows = await rowsOf(instance, table, accountId);
    if (tally) sums[tally.column] = rows.filter(talliedRows[tally.column]).length;
    const bytes = rows
      .flatMap((row) => [...text.map((column) => bytesIn(row[column])), sizes ? Number(row[sizes]) : 0])
      .reduce((a, b) => a + b, 0);
    if (room === 'staged' || room === 'book') {
      sums[`${room}_bytes`] += bytes;
      sums[`${room}_rows`] += rows.length;
      continue;
    }
    sums.bytes += bytes;
    sums.row_count += rows.length;
    if (room !== 'access') continue;
    sums.access_bytes += bytes;
    sums.access_rows += rows.length;
  }
  return sums;
}

/** What the triggers have counted; null when the account has no row. */
export async function countedFor({ deps }: TestInstance, accountId: number): Promise<Counted | null> {
  const row = await deps.db
    .selectFrom('usage')
    .select(['bytes', 'row_count', 'access_bytes', 'access_rows', 'staged_bytes', 'staged_rows'])
    .select(['book_bytes', 'book_rows'])
    .select(['memories', 'relationships', 'myths', 'ghosts', 'unused_links'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ?? null;
}

/** Every byte of text in every table that names an account, counted or not, and those of files. */
export async function everythingOf(instance: TestInstance, accountId: number): Promise<{ bytes: number }> {
  const tables = await instance.deps.db.introspection.getTables();
  let bytes = 0;
  for (const { name, columns } of tables) {
    if (!columns.some((column) => column.name === 'account_id')) continue;
    for (const row of await rowsOf(instance, name, accountId)) {
      for (const value of Object.values(row)) bytes += bytesIn(value);
      // What stands in the store of files is as large as the row says.
      if (name === 'files') bytes += Number(row.bytes);
    }
  }
  return { bytes };
}

/** Gives one account, or all of them, other limits. */
export async function limit(
  { deps }: TestInstance,
  { bytes, rows }: { bytes?: number | null; rows?: number | null },
  accountId: number,
): Promise<void> {
  await deps.db
    .updateTable('usage')
    .set({
      ...(bytes === undefined ? {} : { bytes_max: bytes }),
      ...(rows === undefined ? {} : { rows_max: rows }),
    })
    .where('account_id', '=', accountId)
    .execute();
}
