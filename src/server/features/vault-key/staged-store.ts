// What is staged for a new key, which may be as much as a whole vault. The embedded database keeps in memory whatever one
// statement changes, so that it can undo that statement: much is changed by many of them. PostgreSQL takes one.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { LeftEntry, ResealedEntry } from '../../../shared/nouns/regeneration.ts';
import { lockAccount, locksRows } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { allKinds, type EntryType } from '../../db/sealed-tables.ts';
import { eraseRows, firstRows, type Heap, heapOf, newRoom } from '../../db/steps.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';
import { type ResealedRow, type Resealing, row, sealAnew, toRow } from './reseal-store.ts';

/** Does something with all rows that meet a condition, a few of them with each statement. */
export async function inSlices(
  tx: Database,
  heap: Heap,
  where: RawBuilder<SqlBool>,
  act: (these: RawBuilder<SqlBool>) => Promise<unknown>,
): Promise<void> {
  if (locksRows(tx)) {
    await act(where);
    return;
  }
  for (let next = where; ; ) {
    const some = await firstRows(tx, heap, next, newRoom());
    if (!some) return;
    await act(some.these);
    next = sql`${where} and ${some.behind}`;
  }
}

/** Staged rows of one account and kind. */
export const stagedOfKind = heapOf('staged_entries', ['entry_id']);

const stagedOfAccount = heapOf('staged_entries', ['kind', 'entry_id']);

/** Forgets an account's regeneration and all that was staged for it. @param tx a transaction of its own (`transactAlone`) */
export async function forgetRegeneration(tx: Database, accountId: number): Promise<void> {
  if (!locksRows(tx)) {
    while (await eraseRows(tx, stagedOfAccount, sql`account_id = ${accountId}`, newRoom()));
  }
  await tx.deleteFrom('regenerations').where('account_id', '=', accountId).execute();
}

/** The largest number of rows in one statement; a power of two. */
const ROWS_MAX = 256;

/**
 * Cuts a list into powers of two, so that lists of every length need nine statements between them: compiled
 * statements are kept, and one for each length would be many.
 */
function* inPowersOfTwo<T>(list: T[]): Generator<T[]> {
  let size = ROWS_MAX;
  for (let from = 0; from < list.length; from += size) {
    while (size > list.length - from) size /= 2;
    yield list.slice(from, from + size);
  }
}

/** What is staged, each row once: what was sealed anew counts more than what was left. */
function toStage(entries: ResealedEntry[], left: LeftEntry[]): ResealedRow[] {
  const rows = [...left.map((one) => row(one.kind, one.id ?? 0, 0)), ...entries.map((entry) => toRow(entry))];
  return [...new Map(rows.map((one) => [`${one.kind} ${one.entry_id}`, one])).values()];
}

/** Those that are there and the account's own: nobody stages more than a vault holds. */
async function ownRows(tx: Database, accountId: number, staged: ResealedRow[]): Promise<ResealedRow[]> {
  const own: ResealedRow[] = [];
  for (const { name, table, id } of allKinds) {
    const ofKind = staged.filter((one) => one.kind === name);
    const entryId = id === null ? sql`0` : sql.ref(`entry.${id}`);
    for (const some of inPowersOfTwo(ofKind)) {
      const ids = sql.join(some.map(({ entry_id }) => entry_id));
      const { rows } = await sql<{ id: number }>`
        select ${entryId} as id from ${sql.table(table)} as entry
        where entry.account_id = ${accountId} and ${entryId} in (${ids})`.execute(tx);
      const there = new Set(rows.map((found) => found.id));
      own.push(...some.filter(({ entry_id }) => there.has(entry_id)));
    }
  }
  return own;
}

/**
 * Stages entries; staging one again replaces it. What the account does not have is passed over.
 * @returns false when the account's regeneration is another one by now, or none
 */
export async function stageEntries(
  { db }: Pick<Deps, 'db'>,
  accountId: number,
  publicId: string,
  entries: ResealedEntry[],
  left: LeftEntry[],
): Promise<boolean> {
  return transact(db, async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await lockRegeneration(tx, accountId, publicId))) return false;
    const own = await ownRows(tx, accountId, toStage(entries, left));
    for (const rows of inPowersOfTwo(own)) {
      await tx
        .insertInto('staged_entries')
        .values(rows.map((one) => ({ account_id: accountId, ...one })))
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'kind', 'entry_id']).doUpdateSet((eb) => ({
            version: eb.ref('excluded.version'),
            first: eb.ref('excluded.first'),
            second: eb.ref('excluded.second'),
            third: eb.ref('excluded.third'),
          })),
        )
        .execute();
    }
    return true;
  });
}

/** Finds the account's regeneration and keeps the sweep from it until the transaction ends. */
export function lockRegeneration(tx: Database, accountId: number, publicId: string) {
  return tx
    .updateTable('regenerations')
    .set({ begun_at: sql`begun_at` })
    .where('account_id', '=', accountId)
    .where('public_id', '=', publicId)
    .returning(['fingerprint', 'begun_at'])
    .executeTakeFirst();
}

/** Puts everything that an account has staged in its place. */
export async function sealStaged(
  tx: Database,
  resealing: Resealing,
  kinds: readonly EntryType[] = allKinds,
): Promise<void> {
  for (const kind of kinds) {
    const mine = sql<SqlBool>`account_id = ${resealing.accountId} and kind = ${kind.name}`;
    await inSlices(tx, stagedOfKind, mine, (these) => sealAnew(tx, stagedRows(tx, these), resealing, [kind]));
  }
}

function stagedRows(tx: Database, these: RawBuilder<SqlBool>) {
  return tx
    .selectFrom('staged_entries')
    .select(['kind', 'entry_id', 'version', 'first', 'second', 'third'])
    .where(these)
    .where('first', 'is not', null)
    .as('staged');
}
