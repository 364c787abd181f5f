// Erasing much in steps that are short: the embedded database lets nobody else work meanwhile, and overwrites what it lets
// go of. Between two steps others have their turn.
import { setTimeout } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { countedTables } from './counted.ts';
import { locksRows } from './locks.ts';
import type { Database } from './open.ts';
import { transact } from './transact.ts';

/** What a step may still take up. */
export interface Room {
  rows: number;
  bytes: number;
}

const ROWS = 200;
const BYTES = 1024 * 1024;
/** For how long others have their turn between two steps, in milliseconds. */
const REST = 20;

/** @param rows how many a step takes; fewer where each of them means more than being erased */
export const newRoom = (rows = ROWS): Room => ({ rows, bytes: BYTES });

/** A table whose rows are taken in the order of a key. */
export interface Heap {
  table: string;
  /** Columns that tell a row from all others, in the order of an index that the condition uses. */
  key: readonly string[];
  /** The bytes of a row. */
  size: RawBuilder<number>;
}

/** A table that counts towards a quota. Neither database reads a long text to know how long it is. */
export function heapOf(table: string, key: readonly string[] = ['id']): Heap {
  const { text = [] } = countedTables.find((counted) => counted.table === table) ?? {};
  const sizes = text.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`);
  return { table, key, size: sql`${sql.join([sql`0`, ...sizes], sql` + `)}` };
}

/** Files, each as large as what goes with it: a row for each of its parts. */
export const heapOfFiles = (key?: readonly string[]): Heap => ({
  ...heapOf('files', key),
  size: sql`(select count(*) from file_parts where file_parts.file = files.id) * 512`,
});

/**
 * Erases the files of rows that are about to be erased, a few in each step: with their rows, the parts of all of them would go at
 * once. The store's bytes follow (features/files/).
 */
export const eraseFilesFirst = (
  db: Database,
  where: RawBuilder<SqlBool>,
  signal?: AbortSignal,
): Promise<void> =>
  withEach(
    db,
    heapOfFiles(),
    where,
    (tx, these) => sql`delete from files where ${these}`.execute(tx),
    signal,
  );

export interface Taken {
  /** A condition for the rows that were taken. */
  these: RawBuilder<SqlBool>;
  /** A condition for all rows behind them. */
  behind: RawBuilder<SqlBool>;
}

/**
 * Holds the first rows that meet a condition, as many as there is room for, and takes up that room; where one is left for
 * the next step, no room is. The first row of a step is taken however large it is.
 * @returns null when there are none
 */
export async function firstRows(
  tx: Database,
  { table, key, size }: Heap,
  where: RawBuilder<SqlBool>,
  room: Room,
): Promise<Taken | null> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { rows } = await sql<Record<string, unknown>>`
    select ${columns}, ${size} as size from ${sql.table(table)} where ${where} order by ${columns}
    limit ${room.rows} + 0 ${locksRows(tx) ? sql`for update` : sql``}`.execute(tx);
  const untouched = room.bytes === BYTES;
  let taken = 0;
  for (const row of rows) {
    room.bytes -= Number(row.size);
    if (room.bytes < 0 && !(untouched && taken === 0)) break;
    taken += 1;
  }
  room.rows = taken < rows.length ? 0 : room.rows - taken;
  const last = rows[taken - 1];
  if (!last) return null;
  const reached = sql.join(key.map((column) => last[column]));
  return {
    these: sql`${where} and (${columns}) <= (${reached})`,
    behind: sql`(${columns}) > (${reached})`,
  };
}

/** Erases the first rows that meet a condition, as far as there is room. @returns whether it has erased any */
export async function eraseRows(
  tx: Database,
  heap: Heap,
  where: RawBuilder<SqlBool>,
  room: Room,
): Promise<boolean> {
  const taken = await firstRows(tx, heap, where, room);
  if (!taken) return false;
  await sql`delete from ${sql.table(heap.table)} where ${taken.these}`.execute(tx);
  return true;
}

export interface Pace {
  /** How many steps at most. */
  steps?: number;
  /** Ends the work after the step that is under way. */
  signal?: AbortSignal | undefined;
}

/**
 * Takes one step after the other until nothing is left.
 * @param step returns whether anything may be left
 * @returns how many steps were taken
 */
export async function takeSteps(
  step: () => Promise<boolean>,
  { steps = Number.POSITIVE_INFINITY, signal }: Pace = {},
): Promise<number> {
  let taken = 1;
  for (; await step(); taken += 1) {
    if (taken >= steps || signal?.aborted) return taken;
    await setTimeout(REST);
  }
  return taken;
}

/**
 * Does something with every row that meets a condition, a few rows in each step.
 * @param act what is done with the rows that are held: those that meet a condition
 */
export async function withEach(
  db: Database,
  heap: Heap,
  where: RawBuilder<SqlBool>,
  act: (tx: Database, these: RawBuilder<SqlBool>) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  let next = where;
  await takeSteps(
    async () => {
      const { some, more } = await transact(db, async (tx) => {
        const room = newRoom();
        const some = await firstRows(tx, heap, next, room);
        if (some) await act(tx, some.these);
        return { some, more: room.rows <= 0 };
      });
      // Those before need not be looked at again.
      if (some) next = sql<SqlBool>`${where} and ${some.behind}`;
      return more;
    },
    { signal },
  );
}
