// What becomes of files that nobody wants any more: reservations that were left, files without an entry, and the bytes of
// whatever is gone, which the store is asked to erase until it has.
import { type SqlBool, sql } from 'kysely';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { tablesWithFiles } from '../../db/file-triggers.ts';
import type { Database } from '../../db/open.ts';
import { heapOf, withEach } from '../../db/steps.ts';
import type { Deps } from '../../deps.ts';

type Store = Pick<Deps, 'db' | 'now'>;

/** How long a file may wait for its next part. */
const UNFINISHED_LASTS = 48 * HOUR;
/** How long one whose parts have all come may wait for its entry, which may be a draft until then. */
const UNCLAIMED_LASTS = 30 * DAY;
/** How often the store is asked again to erase what it would not: at first after a minute, and in the end so often. */
const TRY_AGAIN = MINUTE;
const TRY_AT_LEAST = 6 * HOUR;
/** How many are looked at together. */
const TOGETHER = 100;

/**
 * The entry or letter that a file belongs to is there, in its list or among what can be restored; or the one-time link, as long
 * as it carries it. What was left with a letter is not asked about: it is claimed, and goes with it.
 */
const hasEntry = sql<SqlBool>`(${sql.join(
  [
    ...tablesWithFiles.map(
      (table) => sql`exists (select 1 from ${sql.table(table)} as entry
      where entry.account_id = files.account_id and entry.seal_id = files.seal_id)`,
    ),
    sql`exists (select 1 from link_files
      where link_files.file = files.id and link_files.seal_id = files.seal_id)`,
  ],
  sql` or `,
)})`;

/** Also where nobody has said yet that it is whole: that comes with its entry. */
const hasArrived = sql<SqlBool>`parts = (select count(*) from file_parts where file_parts.file = files.id)`;

/**
 * Erases what belongs to no entry: two days after its last part where parts are missing, thirty days after it was last asked
 * for where none is. What belongs to one is not looked at again.
 */
export async function expireFiles({ db, now }: Store, signal?: AbortSignal): Promise<void> {
  const [unfinished, unclaimed] = [now() - UNFINISHED_LASTS, now() - UNCLAIMED_LASTS];
  await withEach(
    db,
    heapOf('files', ['changed_at', 'id']),
    sql`is_claimed = 0 and changed_at <= ${unfinished}
      and (changed_at <= ${unclaimed} or ${hasEntry} or not ${hasArrived})`,
    async (tx, these) => {
      await sql`delete from files where ${these} and not ${hasEntry}`.execute(tx);
      await sql`update files set is_claimed = 1 where ${these}`.execute(tx);
    },
    signal,
  );
}

/**
 * Files that are gone, and whose bytes are due to be erased: those that went first, and as many of those that are tried again,
 * so that neither waits for an end of the other.
 */
export async function nextToErase({ db, now }: Store): Promise<string[]> {
  const due = db
    .selectFrom('files_to_erase')
    .select('store_key')
    .limit(TOGETHER / 2);
  const fresh = await due.where('next_try_at', '=', 0).orderBy('id').execute();
  const again = await due
    .where('next_try_at', '>', 0)
    .where('next_try_at', '<=', now())
    .orderBy('next_try_at')
    .orderBy('id')
    .execute();
  return [...again, ...fresh].map(({ store_key }) => store_key);
}

export async function noteErased({ db }: Store, storeKey: string): Promise<void> {
  await db.deleteFrom('files_to_erase').where('store_key', '=', storeKey).execute();
}

/** The store would not erase it: it is asked again later, each time after twice as long. */
export async function postponeErasing({ db, now }: Store, storeKey: string): Promise<void> {
  const file = db.updateTable('files_to_erase').where('store_key', '=', storeKey);
  const { tries = 1 } =
    (await file.set({ tries: sql`tries + 1` }).returning('tries').executeTakeFirst()) ?? {};
  const wait = Math.min(TRY_AGAIN * 2 ** (tries - 1), TRY_AT_LEAST);
  await file.set({ next_try_at: now() + wait }).execute();
}

/** Which of these names of parts no file has. @param names as many as `list` of the store gave together */
export async function unknownParts(db: Database, names: readonly string[]): Promise<Set<string>> {
  const known = await db
    .selectFrom('file_parts')
    .select('stored_as')
    .where('stored_as', 'in', [...names])
    .execute();
  const unknown = new Set(names);
  for (const { stored_as } of known) unknown.delete(stored_as);
  return unknown;
}
