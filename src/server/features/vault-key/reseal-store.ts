// Entries sealed anew under another key: the same statement for every kind, whether they come from the staging table or
// from a request. Seal numbers stay, and so do the versions and times of what people wrote: sealing anew is no edit, and
// nobody who is writing shall be told that somebody else was faster.
import { type AliasedExpression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ResealedEntry } from '../../../shared/nouns/regeneration.ts';
import { lockAccount } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import { padToOverflow } from '../../db/overflow.ts';
import type { StagedEntriesTable } from '../../db/schema/entries.ts';
import { allKinds, type EntryType } from '../../db/sealed-tables.ts';
import { transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';

/** An entry as the staging table has it. */
export type ResealedRow = Omit<StagedEntriesTable, 'account_id'>;

/** Up to three sealed fields, in the order in which the list of kinds names them. */
export function toRow(entry: ResealedEntry, kinds: readonly EntryType[] = allKinds): ResealedRow {
  const { columns } = kindOf(entry.kind, kinds);
  const sent = entry as Partial<Record<string, string | number | null>>;
  const texts = columns.map(({ field }) => (sent[field] ?? null) as string | null);
  const [id = 0, version = 0] = [sent.id, sent.version] as (number | undefined)[];
  return row(entry.kind, id, version, ...texts);
}

function kindOf(name: string, kinds: readonly EntryType[]): EntryType {
  const kind = kinds.find((one) => one.name === name);
  if (!kind) throw new Error(`no kind ${name}`);
  return kind;
}

export function row(
  kind: ResealedRow['kind'],
  entryId: number,
  version: number,
  ...[first = null, second = null, third = null]: (string | null)[]
): ResealedRow {
  return { kind, entry_id: entryId, version, first, second, third };
}

/** Whose entries are sealed anew, when, and under which key. */
export interface Resealing {
  accountId: number;
  fingerprint: string;
  time: number;
}

type Source = AliasedExpression<ResealedRow, 'staged'>;
const STAGED = ['staged.first', 'staged.second', 'staged.third'] as const;
const stagedColumn = (i: number) => STAGED[i] ?? STAGED[0];

/**
 * Rows that already are under the key in question stay as they are: what was sent may be older than they are. Sealed boxes
 * alone are sealed anew under the very key that they were sealed to.
 */
export const underAnotherKey = (table: string, fingerprint: string) =>
  sql<boolean>`(${sql.ref(`${table}.key_fingerprint`)} is null or ${sql.ref(`${table}.key_fingerprint`)} <> ${fingerprint})`;

/**
 * Puts new ciphertexts in the place of old ones, where the row is still the one that was sealed anew. A row that is locked
 * is passed over, because no browser can have its words; so is one of a kind that a browser can have only by reading it.
 * @param source the entries, of any kind; all have a first field
 */
export async function sealAnew(
  tx: Database,
  source: Source,
  resealing: Resealing,
  kinds: readonly EntryType[] = allKinds,
): Promise<void> {
  for (const kind of kinds) if (!kind.words && isServed(kind)) await resealRows(tx, kind, source, resealing);
}

/** Whether a browser may fetch rows of this kind without ending or counting anything. */
export const isServed = ({ shape: { withheld } }: EntryType) =>
  withheld === null || withheld.when === 'locked';

/** How an age file in base64 begins (docs/formats.md, "Sealed box"): its first line, and the start of the second. */
const AGE_FILE = 'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+';

/** A row that this server has sealed to the vault: its owner's browser has not sealed it under its own key yet. */
const isBoxed = (columns: readonly { column: string }[]) =>
  sql<boolean>`(${sql.join(
    columns.map(({ column }) => sql`coalesce(${sql.ref(`entry.${column}`)} like ${`${AGE_FILE}%`}, false)`),
    sql` or `,
  )})`;

/**
 * A row has text where it had some, and none where it had none: what is forgotten must not be lost. A browser adds to a
 * sealed box that it came from a server.
 */
const keepsItsText = (column: string, staged: string, boxed: RawBuilder<boolean>) =>
  sql`((${sql.ref(`entry.${column}`)} is null) = (${sql.ref(staged)} is null)
    or (${sql.ref(`entry.${column}`)} is null and ${boxed}))`;

/** A condition: a row of a kind is the one that was sealed anew, and may be. Its own columns are called `entry`, the new texts `staged`. */
function fits(
  { name, shape, id, columns, holds, locked }: EntryType,
  { accountId, fingerprint, time }: Resealing,
): RawBuilder<SqlBool> {
  const staged = columns.map((column, i) => ({ ...column, staged: stagedColumn(i) }));
  const boxed = isBoxed(staged);
  const conditions = [
    sql`staged.kind = ${name}`,
    sql`entry.account_id = ${accountId}`,
    sql`(${underAnotherKey('entry', fingerprint)} or ${boxed})`,
    holds(time),
    ...(id === null ? [] : [sql`${sql.ref(`entry.${id}`)} = staged.entry_id`]),
    ...(shape.versioned ? [sql`entry.version = staged.version`] : []),
    ...(locked ? [sql`not ${locked(time)}`] : []),
    ...staged.flatMap((column) =>
      column.optional ? [keepsItsText(column.column, column.staged, boxed)] : [],
    ),
  ];
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** The one statement that seals rows of a kind anew. @returns how many it has */
async function resealRows(
  tx: Database,
  kind: EntryType,
  source: Source,
  resealing: Resealing,
): Promise<number> {
  const set = kind.columns.map(({ column }, i) => sql`${sql.ref(column)} = ${sql.ref(stagedColumn(i))}`);
  const { numAffectedRows } = await sql`
    update ${sql.table(kind.table)} as entry set ${sql.join(set)}, key_fingerprint = ${resealing.fingerprint}
    from ${source} where ${fits(kind, resealing)}`.execute(tx);
  return Number(numAffectedRows);
}

/** As `fits`, of a row whose words stand in another table. */
const fitsWords = (
  { id, holds }: EntryType,
  { entry_id }: ResealedRow,
  { accountId, fingerprint, time }: Resealing,
): RawBuilder<SqlBool> => sql<SqlBool>`${sql.ref(`entry.${id}`)} = ${entry_id} and entry.account_id = ${accountId}
  and ${underAnotherKey('entry', fingerprint)} and ${holds(time)}`;

/**
 * A row whose words stand in another table: the row first, as a reading does, then the words, if any are left.
 * @returns how many rows it has sealed anew
 */
async function resealWords(
  tx: Database,
  kind: EntryType,
  words: NonNullable<EntryType['words']>,
  one: ResealedRow,
  resealing: Resealing,
): Promise<number> {
  const { entry_id, first } = one;
  const { rows } =
    await sql`update ${sql.table(kind.table)} as entry set key_fingerprint = ${resealing.fingerprint}
    where ${fitsWords(kind, one, resealing)} returning account_id`.execute(tx);
  if (rows.length === 0 || first === null) return rows.length;
  await tx
    .updateTable(words.table)
    .set({ encrypted_content: padToOverflow(first) })
    .where(sql.ref(words.by), '=', entry_id)
    .execute();
  return rows.length;
}

/** One row of a request as a table. PostgreSQL takes such parameters for text unless it is told otherwise. */
const asTable = (one: ResealedRow): Source =>
  sql<ResealedRow>`(
    select cast(${one.kind} as text) as kind, cast(${one.entry_id} as bigint) as entry_id,
      cast(${one.version} as integer) as version, cast(${one.first} as text) as first,
      cast(${one.second} as text) as second, cast(${one.third} as text) as third
  )`.as('staged');

/**
 * Whether each of these entries would be sealed anew. Asked before any is: whoever names one that is not there shall not have the
 * rows of a whole vault written, and that undone, as often as they ask.
 */
async function allFit(
  tx: Database,
  entries: readonly ResealedEntry[],
  resealing: Resealing,
): Promise<boolean> {
  const rows = entries.map((entry) => toRow(entry));
  if (new Set(rows.map(({ kind, entry_id }) => `${kind} ${entry_id}`)).size < rows.length) return false;
  for (const one of rows) {
    const kind = kindOf(one.kind, allKinds);
    const table = sql`${sql.table(kind.table)} as entry`;
    const found = kind.words
      ? sql`select 1 from ${table} where ${fitsWords(kind, one, resealing)}`
      : sql`select 1 from ${table}, ${asTable(one)} where ${fits(kind, resealing)}`;
    if ((await found.execute(tx)).rows.length === 0) return false;
  }
  return true;
}

/**
 * Takes entries that were opened with a key of the ring and sealed under the present one. Those that were changed,
 * burned or sealed anew meanwhile are passed over, unless the book says of all that they were sealed anew.
 * @param isRecorded in a transaction with an entry of the book, which whoever began it undoes upon `entries-changed`
 * @returns `key-changed`, with nothing changed, when `fingerprint` is not the present key's
 */
export async function resealEntries(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  fingerprint: string,
  entries: ResealedEntry[],
  isRecorded: boolean,
): Promise<'resealed' | 'key-changed' | 'entries-changed'> {
  const resealing = { accountId, fingerprint, time: now() };
  return transact(db, async (tx) => {
    await lockAccount(tx, accountId);
    const present = await tx
      .selectFrom('vault_keys')
      .select('account_id')
      .where('account_id', '=', accountId)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst();
    if (!present) return 'key-changed';
    if (isRecorded && !(await allFit(tx, entries, resealing))) return 'entries-changed';
    // One by one: they come as they are opened, a few at a time.
    for (const entry of entries) {
      const kind = kindOf(entry.kind, allKinds);
      const one = toRow(entry);
      const resealed = kind.words
        ? await resealWords(tx, kind, kind.words, one, resealing)
        : await resealRows(tx, kind, asTable(one), resealing);
      if (isRecorded && resealed !== 1) return 'entries-changed';
    }
    return 'resealed';
  });
}
