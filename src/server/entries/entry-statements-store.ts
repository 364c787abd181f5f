// The statements of one list of sealed entries. Every guard stands in the statement that writes, and none reads the
// ciphertext of an entry that is locked.
import { type Compilable, type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { asNumber, asText } from '../db/casts.ts';
import { compiled } from '../db/compiled.ts';
import { createdUnderTheKey, sealedUnderTheKey, standsUnderItsKey } from '../db/key-guard.ts';
import type { Database } from '../db/open.ts';
import type { Columns, Field, Value } from './entry-list.ts';

/** A row as the statements select it: the columns by their names. */
export type Row = Record<string, Value> & { id: number };

interface Slots {
  accountId: number;
  id: number;
  before: number;
  limit: number;
  now: number;
  /** What was deleted earlier cannot be restored. */
  since: number;
  createdAt: number;
  sealId: string | null;
  keyFingerprint: string | null;
  version: number;
  lock: number | null;
}

type Values = Slots & Record<`field ${string}`, Value> & Record<`given ${string}`, 0 | 1>;
type Slot = <Name extends keyof Values>(name: Name) => Expression<Values[Name]>;

const list = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts);
const statement = <R>(db: Database, text: RawBuilder<R>): Compilable<R> => ({
  compile: () => text.compile(db),
});

const cast = ({ type }: Pick<Field, 'type'>, value: Expression<unknown>) =>
  type === 'text' ? asText(value) : asNumber(value);

/** What of a list stands in its statements again and again. */
function partsOf({ table, lock, fields }: Columns) {
  const lockColumn = lock === null ? null : sql.ref(lock);
  const selected = (value: Slot) =>
    list([
      ...['id', 'seal_id', 'key_fingerprint', 'version', 'created_at', 'updated_at'].map((c) => sql.ref(c)),
      ...(lockColumn === null ? [] : [lockColumn]),
      ...fields.map(({ column, withheld }) =>
        withheld && lockColumn !== null
          ? sql`case when ${lockColumn} > ${value('now')} then null else ${sql.ref(column)} end as ${sql.ref(column)}`
          : sql.ref(column),
      ),
    ]);

  const ownColumns = [...(lock === null ? [] : [lock]), ...fields.map(({ column }) => column)];
  const ownValues = (value: Slot) => [
    ...(lock === null ? [] : [asNumber(value('lock'))]),
    ...fields.map((field) => cast(field, value(`field ${field.name}`))),
  ];
  return {
    ...{ name: table, table: sql.table(table), fields, lockColumn, selected, ownColumns, ownValues },
    sealed: fields.filter((field) => field.sealed),
  };
}

type Parts = ReturnType<typeof partsOf>;

/** Built once for a list, and compiled once per database. */
export function entryStatements(columns: Columns) {
  const parts = partsOf(columns);
  return {
    ...readingOne(parts),
    ...readingPages(parts),
    ...creating(parts),
    ...changing(parts),
    ...deleting(parts),
  };
}

function readingOne({ table, selected }: Parts) {
  const oneEntry = compiled<Values>()((db, value) =>
    statement(
      db,
      sql<Row>`select ${selected(value)} from ${table}
        where account_id = ${value('accountId')} and id = ${value('id')} and deleted_at is null`,
    ),
  ) as (db: Database, values: Pick<Values, 'accountId' | 'now' | 'id'>) => Promise<Row[]>;

  const isDeleted = compiled<Pick<Values, 'accountId' | 'id' | 'since'>>()((db, value) =>
    statement(
      db,
      sql<{ id: number }>`select id from ${table}
        where id = ${value('id')} and account_id = ${value('accountId')} and deleted_at > ${value('since')}`,
    ),
  );

  return { oneEntry, isDeleted };
}

function readingPages({ table, sealed, selected }: Parts) {
  const onePage = compiled<Values>()((db, value) =>
    statement(
      db,
      sql<Row>`select ${selected(value)} from ${table}
        where account_id = ${value('accountId')} and id < ${value('before')} and deleted_at is null
        order by id desc limit ${value('limit')} + 0`,
    ),
  ) as (db: Database, values: Pick<Values, 'accountId' | 'now' | 'before' | 'limit'>) => Promise<Row[]>;

  const deletedPage = compiled<Values>()((db, value) =>
    statement(
      db,
      sql<Row>`select ${selected(value)}, deleted_at from ${table}
        where account_id = ${value('accountId')} and id < ${value('before')} and deleted_at > ${value('since')}
        order by id desc limit ${value('limit')} + 0`,
    ),
  ) as (
    db: Database,
    values: Pick<Values, 'accountId' | 'now' | 'since' | 'before' | 'limit'>,
  ) => Promise<Row[]>;

  const size = sql.join(
    sealed.map(({ column, optional }) =>
      optional ? sql`coalesce(octet_length(${sql.ref(column)}), 0)` : sql`octet_length(${sql.ref(column)})`,
    ),
    sql` + `,
  );
  const pageSizes = compiled<Pick<Values, 'accountId' | 'before' | 'limit'>>()((db, value) =>
    statement(
      db,
      sql<{ size: number }>`select ${size} as size from ${table}
        where account_id = ${value('accountId')} and id < ${value('before')} and deleted_at is null
        order by id desc limit ${value('limit')} + 0`,
    ),
  );
  const deletedSizes = compiled<Pick<Values, 'accountId' | 'since' | 'before' | 'limit'>>()((db, value) =>
    statement(
      db,
      sql<{ size: number }>`select ${size} as size from ${table}
        where account_id = ${value('accountId')} and id < ${value('before')} and deleted_at > ${value('since')}
        order by id desc limit ${value('limit')} + 0`,
    ),
  );

  const changedSizes = (db: Database, accountId: number, these: RawBuilder<SqlBool>) =>
    sql<{ id: number; size: number }>`select id, ${size} as size from ${table}
      where account_id = ${accountId} and ${these}`.execute(db);

  const changedRows = (
    db: Database,
    { accountId, now }: Pick<Values, 'accountId' | 'now'>,
    these: RawBuilder<SqlBool>,
  ) =>
    sql<Row>`select ${selected(() => sql.val(now) as never)}, deleted_at from ${table}
      where account_id = ${accountId} and ${these}`.execute(db);

  return { onePage, deletedPage, pageSizes, deletedSizes, changedSizes, changedRows };
}

function creating({ table, selected, ownColumns, ownValues }: Parts) {
  const newEntry = compiled<Values>()((db, value) => {
    const [account, key] = [asNumber(value('accountId')), asText(value('keyFingerprint'))];
    const columns = ['account_id', 'seal_id', 'key_fingerprint', 'version', 'created_at', 'updated_at'];
    return statement(
      db,
      sql<Row>`insert into ${table} (${list([...columns, ...ownColumns].map((c) => sql.ref(c)))})
        select ${list([
          account,
          asText(value('sealId')),
          key,
          sql`1`,
          asNumber(value('createdAt')),
          asNumber(value('now')),
          ...ownValues(value),
        ])}
        where ${createdUnderTheKey(db, account, key)}
        on conflict (account_id, seal_id) do nothing
        returning ${selected(value)}`,
    );
  }) as (
    db: Database,
    values: Omit<Values, 'id' | 'before' | 'limit' | 'version' | 'since'>,
  ) => Promise<Row[]>;

  /** The entry that the same request has made before; not one that was deleted since, whose seal stays taken. */
  const sameEntry = compiled<Values>()((db, value) =>
    statement(
      db,
      sql<Row>`select ${selected(value)} from ${table}
        where account_id = ${value('accountId')} and seal_id = ${value('sealId')} and deleted_at is null and ${sql.join(
          ownValues(value).map((own, i) => sql`${sql.ref(ownColumns[i] ?? '')} is not distinct from ${own}`),
          sql` and `,
        )}`,
    ),
  ) as typeof newEntry;

  return { newEntry, sameEntry };
}

function changing({ name, table, fields, sealed, lockColumn, selected }: Parts) {
  const locked = (now: Expression<number>) =>
    lockColumn === null ? sql`1 = 0` : sql`coalesce(${lockColumn} > ${now}, false)`;

  const changedEntry = compiled<Values>()((db, value) => {
    const key = asText(value('keyFingerprint'));
    const sets = fields.map((field) => {
      const [column, sent] = [sql.ref(field.column), cast(field, value(`field ${field.name}`))];
      return field.optional
        ? sql`${column} = case when ${asNumber(value(`given ${field.name}`))} = 1 then ${sent} else ${column} end`
        : sql`${column} = ${sent}`;
    });
    // What is not sent stays, but not under another key's name: nothing could open it any more.
    const opensLater = sealed
      .filter(({ optional }) => optional)
      .map(
        ({ column, name: field }) =>
          sql`and (${asNumber(value(`given ${field}`))} = 1 or ${sql.ref(column)} is null
            or key_fingerprint is not distinct from ${key})`,
      );
    if (lockColumn !== null) {
      sets.push(sql`${lockColumn} = coalesce(${asNumber(value('lock'))}, ${lockColumn})`);
    }
    return statement(
      db,
      sql<Row>`update ${table}
        set ${list(sets)}, key_fingerprint = ${key}, version = version + 1, updated_at = ${value('now')}
        where id = ${value('id')} and account_id = ${value('accountId')} and version = ${value('version')}
          and deleted_at is null and not ${locked(value('now'))}
          and ${sealedUnderTheKey(db, value('accountId'), key)}
          and ${standsUnderItsKey(name, key)} ${sql.join(opensLater, sql` `)}
        returning ${selected(value)}`,
    );
  }) as (
    db: Database,
    values: Omit<Values, 'before' | 'limit' | 'createdAt' | 'sealId' | 'since'>,
  ) => Promise<Row[]>;

  return { changedEntry };
}

function deleting({ table, selected }: Parts) {
  const deletedEntry = compiled<Pick<Values, 'accountId' | 'id' | 'now'>>()((db, value) =>
    statement(
      db,
      sql<{ id: number }>`update ${table} set deleted_at = ${value('now')}
        where id = ${value('id')} and account_id = ${value('accountId')} and deleted_at is null returning id`,
    ),
  );

  const restoredEntry = compiled<Values>()((db, value) =>
    statement(
      db,
      sql<Row>`update ${table} set deleted_at = null
        where id = ${value('id')} and account_id = ${value('accountId')} and deleted_at > ${value('since')}
        returning ${selected(value)}`,
    ),
  ) as (db: Database, values: Pick<Values, 'accountId' | 'id' | 'now' | 'since'>) => Promise<Row[]>;

  const erasedEntry = compiled<Pick<Values, 'accountId' | 'id'>>()((db, value) =>
    statement(
      db,
      sql<{ id: number }>`delete from ${table}
        where id = ${value('id')} and account_id = ${value('accountId')} and deleted_at is not null returning id`,
    ),
  );

  return { deletedEntry, restoredEntry, erasedEntry };
}
