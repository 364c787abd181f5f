// One store for every list of sealed entries: pages, one entry, create, update, delete, restore. What a list has of its own (its
// kind, its fields in the clear, whether it can be locked) is given to `entryStore`. Every guard stands in the statement that writes,
// and no statement of this file reads the ciphertext of an entry that is locked.
import { type Compilable, type Expression, type RawBuilder, sql } from 'kysely';
import { DELETED_LASTS, type Deletion } from '../../shared/nouns/deleted-entries.ts';
import { readLock } from '../../shared/nouns/memory.ts';
import { type FieldName, type KindName, type Kinds, sealedKinds } from '../../shared/sealed-kinds.ts';
import { asNumber, asText } from '../db/casts.ts';
import { compiled } from '../db/compiled.ts';
import { createdUnderTheKey, isAnotherKey, sealedUnderTheKey, standsUnderItsKey } from '../db/key-guard.ts';
import type { Database } from '../db/open.ts';
import { sealedTables } from '../db/sealed-tables.ts';
import { epoch, iso, isoOrNull } from '../db/times.ts';
import { retried } from '../db/transact.ts';
import type { Deps } from '../deps.ts';
import { type Asked, type Page, readPage } from '../http/pages.ts';

type Store = Pick<Deps, 'db' | 'now'>;
type Value = string | number | null;

/** What every entry answers, whatever its list. */
interface EntryReply {
  id: number;
  version: number;
  createdAt: string;
  updatedAt: string;
  sealId: string | null;
  keyFingerprint: string | null;
}

interface EntryInput {
  sealId?: string | null | undefined;
  keyFingerprint?: string | null | undefined;
  createdAt?: string | null | undefined;
  timeLockUntil?: string | null | undefined;
}

interface EntryPatch {
  version: number;
  keyFingerprint?: string | null | undefined;
  timeLockUntil?: string | null | undefined;
}

/** The kinds that stand in lists of this store. */
export type ListedKind = Extract<KindName, 'memory' | 'relationship' | 'myth'>;
type Sealed<K extends ListedKind> = FieldName<Kinds[K]>;

/** The fields in the clear that one list has of its own, by their names in the contract. */
type ClearField<K extends ListedKind, Entry> = Exclude<
  keyof Entry & string,
  keyof EntryReply | 'timeLockUntil' | Sealed<K>
>;
type Sent<K extends ListedKind, Entry> = Partial<Record<ClearField<K, Entry> | Sealed<K>, unknown>>;

interface Column {
  column: string;
  type: 'text' | 'number';
  /** What stands there when a new entry does not say. */
  otherwise?: Value;
}

/** One list: its kind, which has the table and the sealed fields, and what it has besides. */
export interface EntryList<K extends ListedKind, Entry> {
  kind: K;
  clear: { [Name in ClearField<K, Entry>]: Column };
  /** The column of its lock, if its entries can be locked, and the sealed fields that are null while one is. */
  lock: Entry extends { timeLockUntil: string | null }
    ? { column: 'time_lock_until'; withholds: readonly Sealed<K>[] }
    : null;
}

export type CreateRefusal = 'seal-reused' | 'key-changed';
export type UpdateRefusal =
  | 'not-found'
  | 'entry-deleted'
  | 'time-locked'
  | 'lock-stands'
  | 'stale-version'
  | 'key-changed';

/** A row as the statements select it: the columns by their names. */
type Row = Record<string, Value> & { id: number };

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

const list = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts);
const statement = <R>(db: Database, text: RawBuilder<R>): Compilable<R> => ({
  compile: () => text.compile(db),
});

/**
 * Makes the store of one list.
 * @returns functions that answer expected outcomes as values: an entry, a refusal's code, null or false where there is
 *   nothing of this number in this account
 */
export function entryStore<
  K extends ListedKind,
  Entry extends EntryReply & Record<Sealed<K>, string | null>,
  Input extends EntryInput & Sent<K, Entry>,
  Patch extends EntryPatch & Sent<K, Entry>,
>({ kind, clear, lock: locking }: EntryList<K, Entry>) {
  const { table: name, columns } = sealedTables[kind];
  const lock = locking?.column ?? null;
  const withheld: readonly string[] = locking?.withholds ?? [];
  const sealed = Object.entries<string>(columns).map(([field, column]) => ({
    ...{ name: field, column, type: 'text' as const, sealed: true, withheld: withheld.includes(field) },
    ...{ optional: field in sealedKinds[kind].optional, otherwise: null },
  }));
  const inTheClear = Object.entries<Column>(clear).map(([field, column]) => ({
    ...{ otherwise: null, ...column, name: field },
    ...{ sealed: false, withheld: false, optional: false },
  }));
  const fields = [...sealed, ...inTheClear];
  const table = sql.table(name);
  const lockColumn = lock === null ? null : sql.ref(lock);
  const cast = ({ type }: Pick<Column, 'type'>, value: Expression<unknown>) =>
    type === 'text' ? asText(value) : asNumber(value);
  type Values = Slots & Record<`field ${string}`, Value> & Record<`given ${string}`, 0 | 1>;
  type Slot = <Name extends keyof Values>(name: Name) => Expression<Values[Name]>;

  const locked = (now: Expression<number>) =>
    lockColumn === null ? sql`1 = 0` : sql`coalesce(${lockColumn} > ${now}, false)`;
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

  function toEntry(row: Row): Entry {
    const entry: Record<string, unknown> = { id: row.id };
    for (const field of fields) entry[field.name] = row[field.column];
    if (lock !== null) entry.timeLockUntil = isoOrNull(row[lock] as number | null);
    entry.createdAt = iso(row.created_at as number);
    entry.updatedAt = iso(row.updated_at as number);
    entry.version = row.version;
    entry.sealId = row.seal_id;
    entry.keyFingerprint = row.key_fingerprint;
    return entry as unknown as Entry;
  }

  const onePage = compiled<Values>()((db, value) =>
    statement(
      db,
      sql<Row>`select ${selected(value)} from ${table}
        where account_id = ${value('accountId')} and id < ${value('before')} and deleted_at is null
        order by id desc limit ${value('limit')}`,
    ),
  ) as (db: Database, values: Pick<Values, 'accountId' | 'now' | 'before' | 'limit'>) => Promise<Row[]>;

  const deletedPage = compiled<Values>()((db, value) =>
    statement(
      db,
      sql<Row>`select ${selected(value)}, deleted_at from ${table}
        where account_id = ${value('accountId')} and id < ${value('before')} and deleted_at > ${value('since')}
        order by id desc limit ${value('limit')}`,
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
        order by id desc limit ${value('limit')}`,
    ),
  );
  const deletedSizes = compiled<Pick<Values, 'accountId' | 'since' | 'before' | 'limit'>>()((db, value) =>
    statement(
      db,
      sql<{ size: number }>`select ${size} as size from ${table}
        where account_id = ${value('accountId')} and id < ${value('before')} and deleted_at > ${value('since')}
        order by id desc limit ${value('limit')}`,
    ),
  );

  const oneEntry = compiled<Values>()((db, value) =>
    statement(
      db,
      sql<Row>`select ${selected(value)} from ${table}
        where account_id = ${value('accountId')} and id = ${value('id')} and deleted_at is null`,
    ),
  ) as (db: Database, values: Pick<Values, 'accountId' | 'now' | 'id'>) => Promise<Row[]>;

  const ownColumns = [...(lock === null ? [] : [lock]), ...fields.map(({ column }) => column)];
  const ownValues = (value: Slot) => [
    ...(lock === null ? [] : [asNumber(value('lock'))]),
    ...fields.map((field) => cast(field, value(`field ${field.name}`))),
  ];

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

  const isDeleted = compiled<Pick<Values, 'accountId' | 'id' | 'since'>>()((db, value) =>
    statement(
      db,
      sql<{ id: number }>`select id from ${table}
        where id = ${value('id')} and account_id = ${value('accountId')} and deleted_at > ${value('since')}`,
    ),
  );

  /** What was sent, by the names of the slots. */
  const valuesOf = (sent: Sent<K, Entry>) => {
    const byName = sent as Record<string, Value | undefined>;
    return Object.fromEntries(
      fields.flatMap((field) => [
        [`field ${field.name}`, byName[field.name] ?? field.otherwise],
        [`given ${field.name}`, byName[field.name] === undefined ? 0 : 1],
      ]),
    ) as Record<`field ${string}`, Value> & Record<`given ${string}`, 0 | 1>;
  };

  const valuesOfNew = (accountId: number, input: Input, time: number) => ({
    ...valuesOf(input),
    accountId,
    lock: readLock(input.timeLockUntil),
    sealId: input.sealId ?? null,
    keyFingerprint: input.keyFingerprint ?? null,
    createdAt: Math.min(epoch(input.createdAt) ?? time, time),
    now: time,
  });

  async function find({ db, now }: Store, accountId: number, id: number): Promise<Entry | null> {
    const [row] = await oneEntry(db, { accountId, now: now(), id });
    return row ? toEntry(row) : null;
  }

  /** Finds words for a refusal that the statement has already made. */
  async function whyNot(
    deps: Store,
    accountId: number,
    id: number,
    patch: Patch,
    time: number,
  ): Promise<UpdateRefusal> {
    const found = await find(deps, accountId, id);
    if (!found) {
      const [deleted] = await isDeleted(deps.db, { accountId, id, since: time - DELETED_LASTS });
      return deleted ? 'entry-deleted' : 'not-found';
    }
    const until = 'timeLockUntil' in found ? epoch(found.timeLockUntil as string | null) : null;
    if (until !== null && until > time) {
      const asked = readLock(patch.timeLockUntil);
      return patch.timeLockUntil !== undefined && (asked ?? 0) < until ? 'lock-stands' : 'time-locked';
    }
    if (found.version === patch.version) return 'key-changed';
    return (await isAnotherKey(deps.db, accountId, patch.keyFingerprint)) ? 'key-changed' : 'stale-version';
  }

  return {
    find,

    /** One page, newest first. */
    async list({ db, now }: Store, accountId: number, asked: Asked): Promise<Page<Entry>> {
      const { rows, more } = await readPage(asked, {
        sizes: (slice) => pageSizes(db, { accountId, ...slice }),
        rows: (slice) => onePage(db, { accountId, now: now(), ...slice }),
      });
      return { rows: rows.map(toEntry), more };
    },

    /**
     * Keeps an entry. Sending the same seal with the same fields again, as after a lost answer, keeps it once.
     * @returns `seal-reused` when the seal already belongs to something else, `key-changed` when it was sealed under a
     *   key that is not the vault's any more
     */
    async create({ db, now }: Store, accountId: number, input: Input): Promise<Entry | CreateRefusal> {
      const values = valuesOfNew(accountId, input, now());
      const [row] = await retried(() => newEntry(db, values));
      if (row) return toEntry(row);
      if (await isAnotherKey(db, accountId, input.keyFingerprint)) return 'key-changed';
      const [kept] = await sameEntry(db, values);
      return kept ? toEntry(kept) : 'seal-reused';
    },

    /**
     * Keeps an entry as one statement of a transaction of the caller's.
     * @param time epoch milliseconds
     * @returns false when the vault has another key by now, or an entry of this seal
     */
    async createWithin(tx: Database, accountId: number, input: Input, time: number): Promise<boolean> {
      return (await newEntry(tx, valuesOfNew(accountId, input, time))).length > 0;
    },

    /**
     * Changes an entry that is not locked. The statement itself holds every condition: mine, not locked, the version
     * that the writer saw, the key of today, and no lock taken away or brought nearer.
     */
    async update(deps: Store, accountId: number, id: number, patch: Patch): Promise<Entry | UpdateRefusal> {
      const time = deps.now();
      const values = {
        ...valuesOf(patch),
        accountId,
        id,
        version: patch.version,
        lock: readLock(patch.timeLockUntil),
        keyFingerprint: patch.keyFingerprint ?? null,
        now: time,
      };
      const [row] = await retried(() => changedEntry(deps.db, values));
      return row ? toEntry(row) : whyNot(deps, accountId, id, patch, time);
    },

    /** A query: how many entries an account has. Those that were deleted are none. */
    count: (_: Database, accountId: number) =>
      sql<number>`(select count(*) from ${table} where account_id = ${accountId} and deleted_at is null)`,

    /** Deletes an entry, locked or not. It can be restored for `DELETED_LASTS`. */
    async remove({ db, now }: Store, accountId: number, id: number): Promise<boolean> {
      return (await retried(() => deletedEntry(db, { accountId, id, now: now() }))).length > 0;
    },

    /** One page of what can be restored, the newest entries first. A lock withholds as it does in the list. */
    async listDeleted({ db, now }: Store, accountId: number, asked: Asked): Promise<Page<Entry & Deletion>> {
      const since = now() - DELETED_LASTS;
      const { rows, more } = await readPage(asked, {
        sizes: (slice) => deletedSizes(db, { accountId, since, ...slice }),
        rows: (slice) => deletedPage(db, { accountId, now: now(), since, ...slice }),
      });
      const withDays = rows.map((row) => {
        const deletedAt = row.deleted_at as number;
        return { ...toEntry(row), deletedAt: iso(deletedAt), erasedAt: iso(deletedAt + DELETED_LASTS) };
      });
      return { rows: withDays, more };
    },

    /** Brings a deleted entry back as it was, its lock included. Null where there is none, or no longer. */
    async restore({ db, now }: Store, accountId: number, id: number): Promise<Entry | null> {
      const time = now();
      const values = { accountId, id, now: time, since: time - DELETED_LASTS };
      const [row] = await retried(() => restoredEntry(db, values));
      return row ? toEntry(row) : null;
    },

    /** Erases a deleted entry before its time. One that was not deleted, or was restored, stays. */
    async erase({ db }: Store, accountId: number, id: number): Promise<boolean> {
      return (await retried(() => erasedEntry(db, { accountId, id }))).length > 0;
    },
  };
}
