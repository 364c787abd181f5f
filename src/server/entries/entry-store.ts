// One store for every list of sealed entries: pages, one entry, create, update, delete, restore. What a list has of its own (its
// kind, its fields in the clear, whether it can be locked) is given to `entryStore`.
import { DELETED_LASTS, type Deletion } from '../../shared/nouns/entry-calls.ts';
import { readLock } from '../../shared/nouns/memory.ts';
import type { ChangedRows } from '../changes/changed-rows.ts';
import { changedIn } from '../changes/changes-store.ts';
import { isAnotherKey } from '../db/key-guard.ts';
import type { Database } from '../db/open.ts';
import { epoch, iso, isoOrNull } from '../db/times.ts';
import { retried } from '../db/transact.ts';
import type { Deps } from '../deps.ts';
import { type Asked, type Page, readPage } from '../http/pages.ts';
import {
  columnsOf,
  type EntryInput,
  type EntryList,
  type EntryPatch,
  type EntryReply,
  type ListedKind,
  type Sealed,
  type Sent,
  type Value,
} from './entry-list.ts';
import { entryStatements, type Row } from './entry-statements-store.ts';

type Store = Pick<Deps, 'db' | 'now'>;

export type CreateRefusal = 'seal-reused' | 'key-changed';
export type UpdateRefusal =
  | 'not-found'
  | 'entry-deleted'
  | 'time-locked'
  | 'lock-stands'
  | 'stale-version'
  | 'key-changed';

/** How rows become entries, and what was sent becomes the values of a statement. */
function rowsOf<
  K extends ListedKind,
  Entry extends EntryReply & Record<Sealed<K>, string | null>,
  Input extends EntryInput & Sent<K, Entry>,
>(list: EntryList<K, Entry>) {
  const columns = columnsOf(list);
  const { lock, fields } = columns;

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

  const withDays = (row: Row, deletedAt: number): Entry & Deletion => ({
    ...toEntry(row),
    deletedAt: iso(deletedAt),
    erasedAt: iso(deletedAt + DELETED_LASTS),
  });
  const slots = fields.map(({ name, otherwise }) => ({
    name,
    otherwise,
    field: `field ${name}` as const,
    given: `given ${name}` as const,
  }));

  /** What was sent, by the names of the slots. */
  const valuesOf = (sent: Sent<K, Entry>) => {
    const byName = sent as Record<string, Value | undefined>;
    const values: Record<`field ${string}`, Value> & Record<`given ${string}`, 0 | 1> = {};
    for (const { name, otherwise, field, given } of slots) {
      values[field] = byName[name] ?? otherwise;
      values[given] = byName[name] === undefined ? 0 : 1;
    }
    return values;
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

  return { columns, toEntry, withDays, valuesOf, valuesOfNew };
}

const changedRows = <Entry>(
  kind: ListedKind,
  statements: ReturnType<typeof entryStatements>,
  toEntry: (row: Row) => Entry,
  withDays: (row: Row, deletedAt: number) => Entry & Deletion,
): ChangedRows<Entry | (Entry & Deletion)> => ({
  async sizes(db, range) {
    return (await statements.changedSizes(db, range.accountId, changedIn(kind, range))).rows;
  },
  async rows({ db, now }, range) {
    const time = now();
    const values = { accountId: range.accountId, now: time };
    const { rows } = await statements.changedRows(db, values, changedIn(kind, range));
    return rows.map((row) => {
      const deletedAt = row.deleted_at as number | null;
      if (deletedAt === null) return { id: row.id, row: toEntry(row) };
      const isOver = deletedAt <= time - DELETED_LASTS;
      return { id: row.id, row: isOver ? null : withDays(row, deletedAt) };
    });
  },
});

/** What can be done with entries that were deleted, and deleting them. */
function deletions<Entry>(
  statements: ReturnType<typeof entryStatements>,
  toEntry: (row: Row) => Entry,
  withDays: (row: Row, deletedAt: number) => Entry & Deletion,
) {
  return {
    /** Deletes an entry, locked or not. It can be restored for `DELETED_LASTS`. */
    async remove({ db, now }: Store, accountId: number, id: number): Promise<boolean> {
      return (await retried(db, () => statements.deletedEntry(db, { accountId, id, now: now() }))).length > 0;
    },

    /** One page of what can be restored, the newest entries first. A lock withholds as it does in the list. */
    async listDeleted({ db, now }: Store, accountId: number, asked: Asked): Promise<Page<Entry & Deletion>> {
      const since = now() - DELETED_LASTS;
      const { rows, more } = await readPage(asked, {
        sizes: (slice) => statements.deletedSizes(db, { accountId, since, ...slice }),
        rows: (slice) => statements.deletedPage(db, { accountId, now: now(), since, ...slice }),
      });
      return { rows: rows.map((row) => withDays(row, row.deleted_at as number)), more };
    },

    /** Brings a deleted entry back as it was, its lock included. Null where there is none, or no longer. */
    async restore({ db, now }: Store, accountId: number, id: number): Promise<Entry | null> {
      const time = now();
      const values = { accountId, id, now: time, since: time - DELETED_LASTS };
      const [row] = await retried(db, () => statements.restoredEntry(db, values));
      return row ? toEntry(row) : null;
    },

    /** Erases a deleted entry before its time. One that was not deleted, or was restored, stays. */
    async erase({ db }: Store, accountId: number, id: number): Promise<boolean> {
      return (await retried(db, () => statements.erasedEntry(db, { accountId, id }))).length > 0;
    },
  };
}

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
>(list: EntryList<K, Entry>) {
  const { columns, toEntry, withDays, valuesOf, valuesOfNew } = rowsOf<K, Entry, Input>(list);
  const statements = entryStatements(columns);

  async function find({ db, now }: Store, accountId: number, id: number): Promise<Entry | null> {
    const [row] = await statements.oneEntry(db, { accountId, now: now(), id });
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
      const [deleted] = await statements.isDeleted(deps.db, { accountId, id, since: time - DELETED_LASTS });
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
    /** Deleted ones among them, for as long as they can be restored. */
    changed: changedRows(list.kind, statements, toEntry, withDays),

    /** One page, newest first. */
    async list({ db, now }: Store, accountId: number, asked: Asked): Promise<Page<Entry>> {
      const { rows, more } = await readPage(asked, {
        sizes: (slice) => statements.pageSizes(db, { accountId, ...slice }),
        rows: (slice) => statements.onePage(db, { accountId, now: now(), ...slice }),
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
      const [row] = await retried(db, () => statements.newEntry(db, values));
      if (row) return toEntry(row);
      if (await isAnotherKey(db, accountId, input.keyFingerprint)) return 'key-changed';
      const [kept] = await statements.sameEntry(db, values);
      return kept ? toEntry(kept) : 'seal-reused';
    },

    /**
     * Keeps an entry as one statement of a transaction of the caller's.
     * @param time epoch milliseconds
     * @returns false when the vault has another key by now, or an entry of this seal
     */
    async createWithin(tx: Database, accountId: number, input: Input, time: number): Promise<boolean> {
      return (await statements.newEntry(tx, valuesOfNew(accountId, input, time))).length > 0;
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
      const [row] = await retried(deps.db, () => statements.changedEntry(deps.db, values));
      return row ? toEntry(row) : whyNot(deps, accountId, id, patch, time);
    },

    ...deletions(statements, toEntry, withDays),
  };
}
