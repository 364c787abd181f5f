// The book of a vault in the database (docs/formats.md, "Book"): entries in their order. This server understands the number
// of each, and whether it is a checkpoint; it must never take two of one number, nor leave a gap.
import { type Expression, sql } from 'kysely';
import { ENTRY_MAX, type SealedBookEntry } from '../../shared/nouns/book.ts';
import { asNumber, asText } from '../db/casts.ts';
import { compiled } from '../db/compiled.ts';
import { BOOK_BYTES, BOOK_ROWS } from '../db/counted.ts';
import { lockAccount, locksRows } from '../db/locks.ts';
import type { Database } from '../db/open.ts';
import { eraseRows, heapOf, newRoom } from '../db/steps.ts';
import { accountGone } from '../errors.ts';

/** Why an entry is not taken. */
export type BookRefusal = 'book-moved' | 'book-full';

interface NewEntry {
  accountId: number;
  n: number;
  sealed: string;
  isCheckpoint: 0 | 1;
  /** What the book may take with it. */
  bytesMax: number;
  rowsMax: number;
}

/** One statement decides: it is the next one, and there is room. An account that is gone has no row of `usage`. */
const newEntry = compiled<NewEntry>()((db, value) => {
  const [account, n] = [asNumber(value('accountId')), asNumber(value('n'))];
  const sealed = asText(value('sealed'));
  const last = db
    .selectFrom('book_entries')
    .select((eb) => eb.fn.max('n').as('n'))
    .where('account_id', '=', account);
  const hasRoom = db
    .selectFrom('usage')
    .select('account_id')
    .where('account_id', '=', account)
    .where(sql<boolean>`book_bytes + octet_length(${sealed}) <= ${asNumber(value('bytesMax'))}`)
    .where('book_rows', '<', asNumber(value('rowsMax')));
  return db
    .insertInto('book_entries')
    .columns(['account_id', 'n', 'sealed', 'is_checkpoint'])
    .expression(
      db
        .selectNoFrom([
          account.as('account_id'),
          n.as('n'),
          sealed.as('sealed'),
          asNumber(value('isCheckpoint')).as('is_checkpoint'),
        ])
        .where(sql<boolean>`${n} = coalesce(${last}, 0) + 1`)
        .where((eb) => eb.exists(hasRoom)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('n');
});

/**
 * Appends an entry that comes with a change, or without one.
 * @param tx the transaction of the change. It holds the account from here on, so that entries come one after the other
 * @throws AppError `not-signed-in` where the account is gone
 */
export async function appendEntry(
  tx: Database,
  accountId: number,
  { n, sealed }: SealedBookEntry,
): Promise<BookRefusal | null> {
  // The embedded database has one writer, who finds out by the statement itself.
  if (locksRows(tx) && !(await lockAccount(tx, accountId))) throw accountGone();
  const limits = { bytesMax: BOOK_BYTES, rowsMax: BOOK_ROWS };
  const [row] = await newEntry(tx, { accountId, n, sealed, isCheckpoint: 0, ...limits });
  return row ? null : whyNot(tx, accountId, n);
}

/**
 * The same for an entry that has every row. It forgets what stands before the checkpoint before it: whoever was away since
 * then finds the last entry that they saw, and whoever was away for longer reads from a checkpoint.
 * @param tx as of `appendEntry`; one that is undone where the entry is refused, because room is made for it first
 */
export async function appendCheckpoint(
  tx: Database,
  accountId: number,
  { n, sealed }: SealedBookEntry,
): Promise<BookRefusal | null> {
  if (!(await lockAccount(tx, accountId))) throw accountGone();
  // Before room is made, which may be a whole book: nobody else shall wait for that, and for its undoing, as often as somebody asks.
  if (!(await isNext(tx, accountId, n))) return 'book-moved';
  const before = await lastCheckpoint(tx, accountId);
  if (before !== null) await eraseBefore(tx, accountId, before);
  const limits = { bytesMax: BOOK_BYTES + ENTRY_MAX, rowsMax: Number.MAX_SAFE_INTEGER };
  const [row] = await newEntry(tx, { accountId, n, sealed, isCheckpoint: 1, ...limits });
  return row ? null : 'book-full';
}

const inOrder = heapOf('book_entries', ['n']);

async function eraseBefore(tx: Database, accountId: number, n: number): Promise<void> {
  while (await eraseRows(tx, inOrder, sql`account_id = ${accountId} and n < ${n}`, newRoom()));
}

/** Only words for a refusal that the statement has already made. */
async function whyNot(tx: Database, accountId: number, n: number): Promise<BookRefusal> {
  if (!(await lockAccount(tx, accountId))) throw accountGone();
  return (await isNext(tx, accountId, n)) ? 'book-full' : 'book-moved';
}

async function isNext(tx: Database, accountId: number, n: number): Promise<boolean> {
  const last = await tx
    .selectFrom('book_entries')
    .select((eb) => eb.fn.max('n').as('n'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return n === (last?.n ?? 0) + 1;
}

const newestCheckpoint = compiled<{ accountId: number }>()((db, value) =>
  db
    .selectFrom('book_entries')
    .select('n')
    .where('account_id', '=', value('accountId'))
    .where('is_checkpoint', '=', sql.lit(1))
    .orderBy('n', 'desc')
    .limit(1),
);

/** The number of the newest entry that has every row; null where there is none. */
export async function lastCheckpoint(db: Database, accountId: number): Promise<number | null> {
  const [row] = await newestCheckpoint(db, { accountId });
  return row?.n ?? null;
}

interface Part {
  accountId: number;
  first: number;
  limit: number;
}

const from = (db: Database, value: <Name extends keyof Part>(name: Name) => Expression<Part[Name]>) =>
  db
    .selectFrom('book_entries')
    .where('account_id', '=', value('accountId'))
    .where('n', '>=', value('first'))
    .orderBy('n')
    .limit(value('limit'));

const sizesFrom = compiled<Part>()((db, value) =>
  from(db, value).select(sql<number>`octet_length(sealed)`.as('size')),
);

const entriesFrom = compiled<Part>()((db, value) => from(db, value).select(['n', 'sealed']));

/** The most entries in one page: those of a write are so short that as many weigh less than a page may. */
const ENTRIES_MAX = 2000;

/**
 * A page of entries in their order.
 * @param from the number of the first one; absent: of the last checkpoint, or 1
 * @param fit says how many of these sizes, in characters, are read; it may wait for a turn
 */
export async function readBook(
  db: Database,
  accountId: number,
  from: number | undefined,
  fit: (sizes: readonly number[]) => Promise<number>,
): Promise<{ entries: SealedBookEntry[]; more: boolean }> {
  const first = from ?? (await lastCheckpoint(db, accountId)) ?? 1;
  const rows = await sizesFrom(db, { accountId, first, limit: ENTRIES_MAX });
  const sizes = rows.map(({ size }) => Number(size));
  const fitting = await fit(sizes);
  const more = fitting < sizes.length || sizes.length === ENTRIES_MAX;
  return { entries: await entriesFrom(db, { accountId, first, limit: fitting }), more };
}
