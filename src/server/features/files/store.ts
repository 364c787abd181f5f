// The rows of files: what is reserved, which parts have come, and which entry a file belongs to. Its bytes stand in the store
// (adapters/file-store.ts), each part under a name that is used once: what this says is there is there, whoever else writes.
import { randomBytes } from 'node:crypto';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { FILES_OF_SEAL_MAX, partsOf } from '../../../shared/file-limits.ts';
import type { FileState } from '../../../shared/nouns/files.ts';
import { lockAccountRow } from '../../db/locks.ts';
import type { Database } from '../../db/open.ts';
import type { FilesTable } from '../../db/schema/files.ts';
import { retried, transact } from '../../db/transact.ts';
import type { Deps } from '../../deps.ts';

type Store = Pick<Deps, 'db' | 'now'>;
export type FileRow = Selectable<FilesTable>;

export interface Reservation {
  fileId: string;
  bytes: number;
  halvings: number;
}

const aStoreKey = () => randomBytes(16).toString('hex');

/** @returns null where the account has no file of this number */
export async function findFile(db: Database, accountId: number, fileId: string): Promise<FileRow | null> {
  const mine = db.selectFrom('files').selectAll().where('account_id', '=', accountId);
  return (await mine.where('file_id', '=', fileId).executeTakeFirst()) ?? null;
}

export async function stateOf(db: Database, file: FileRow): Promise<FileState> {
  const { file_id: fileId, bytes, halvings, seal_id: sealId, is_whole } = file;
  const isWhole = is_whole === 1;
  const missing = isWhole ? [] : await missingParts(db, file);
  return { fileId, bytes, halvings, sealId, isWhole, missing };
}

async function missingParts(db: Database, { id, parts }: FileRow): Promise<number[]> {
  const came = await db.selectFrom('file_parts').select('part').where('file', '=', id).execute();
  const here = new Set(came.map(({ part }) => part));
  return Array.from({ length: parts }, (_, part) => part).filter((part) => !here.has(part));
}

/**
 * Reserves room for a file, or finds the one that was reserved under its number. One that is not whole begins anew where its
 * parts are to have another size. Its time begins anew in any case (erasing-store.ts).
 * @returns `file-reserved` where it has another size
 * @throws where the vault is full (db/over-quota.ts)
 */
export function reserveFile(
  { db, now }: Store,
  accountId: number,
  { fileId, bytes, halvings }: Reservation,
): Promise<FileRow | 'file-reserved'> {
  const begun = {
    halvings,
    parts: partsOf(bytes, halvings),
    ...{ store_key: aStoreKey(), is_in_store: 0 as const },
    changed_at: now(),
  };
  return transact(db, async (tx) => {
    const reserved = await tx
      .insertInto('files')
      .values({ ...begun, account_id: accountId, file_id: fileId, bytes, seal_id: null })
      .onConflict((conflict) => conflict.columns(['account_id', 'file_id']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (reserved) return reserved;
    const mine = tx
      .updateTable('files')
      .where('account_id', '=', accountId)
      .where('file_id', '=', fileId)
      .where('bytes', '=', bytes)
      .returningAll();
    const anew = await mine
      .set(begun)
      .where('halvings', '<>', halvings)
      .where('is_whole', '=', 0)
      .executeTakeFirst();
    if (anew) await tx.deleteFrom('file_parts').where('file', '=', anew.id).execute();
    const file = anew ?? (await mine.set({ changed_at: now() }).executeTakeFirst());
    return file ?? 'file-reserved';
  });
}

/**
 * Says that a part of a file is about to be given to the store: from now on there may be something to erase.
 * @returns false where the file is gone, or was begun anew: then nothing may be given to the store
 */
export async function noteInStore(
  { db }: Store,
  { id, store_key }: Pick<FileRow, 'id' | 'store_key'>,
): Promise<boolean> {
  const { numUpdatedRows } = await retried(db, () =>
    db
      .updateTable('files')
      .set({ is_in_store: 1 })
      .where('id', '=', id)
      .where('store_key', '=', store_key)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

export interface StoredPart {
  part: number;
  digest: string;
  /** Its name in the store. */
  storedAs: string;
}

/**
 * Writes down that a part of a file has come.
 * @returns the name of the one in whose place it stands, or null; `refused` where the file is gone, was begun anew, or is whole
 */
export function keepPart(
  { db, now }: Store,
  file: Pick<FileRow, 'id' | 'store_key'>,
  { part, digest, storedAs }: StoredPart,
): Promise<{ replaced: string | null } | 'refused'> {
  return transact(db, async (tx) => {
    const open = await tx
      .updateTable('files')
      .set({ changed_at: now() })
      .where('id', '=', file.id)
      .where('store_key', '=', file.store_key)
      .where('is_whole', '=', 0)
      .returning('id')
      .executeTakeFirst();
    if (!open) return 'refused';
    // From here on nobody else writes a part of this file.
    const before = await partOf(tx, file.id, part);
    await tx
      .insertInto('file_parts')
      .values({ file: file.id, part, digest, stored_as: storedAs })
      .onConflict((conflict) =>
        conflict.columns(['file', 'part']).doUpdateSet({ digest, stored_as: storedAs }),
      )
      .execute();
    return { replaced: before?.stored_as ?? null };
  });
}

const partOf = (db: Database, file: number, part: number) =>
  db
    .selectFrom('file_parts')
    .select(['digest', 'stored_as'])
    .where('file', '=', file)
    .where('part', '=', part)
    .executeTakeFirst();

/** Whether a part has come with these bytes. */
export const hasPart = async (db: Database, file: FileRow, part: number, digest: string): Promise<boolean> =>
  (await partOf(db, file.id, part))?.digest === digest;

/** The names of parts in the store, in their order. */
export async function storedParts(
  db: Database,
  { id }: FileRow,
  first: number,
  last: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('file_parts')
    .select('stored_as')
    .where('file', '=', id)
    .where('part', '>=', first)
    .where('part', '<=', last)
    .orderBy('part')
    .execute();
  return rows.map(({ stored_as }) => stored_as);
}

const arrived = sql<number>`(select count(*) from file_parts where file_parts.file = files.id)`;

/** A file of a letter that watches or was released: as the letter itself, it is taken away by a fresh proof alone. */
const isGuarded = sql<SqlBool>`exists (select 1 from legacy_scrolls as letter
  where letter.account_id = files.account_id and letter.seal_id = files.seal_id and letter.state <> 'dormant')`;

/** A file of an account, and whether whoever asks has just proved who they are. */
interface AskedFile {
  accountId: number;
  fileId: string;
  fresh: boolean;
}

/**
 * Gives a file to an entry, once all of it has come.
 * @param sealId the entry's number, which need not be there yet
 * @returns `proof-needed` where that would take it away from a letter that watches or was released
 */
export function completeFile(
  { db, now }: Store,
  { accountId, fileId, fresh }: AskedFile,
  sealId: string,
): Promise<FileRow | 'not-found' | 'file-incomplete' | 'files-full' | 'proof-needed'> {
  return transact(db, async (tx) => {
    // So that two of them do not both become the last one that an entry may have.
    await lockAccountRow(tx, accountId);
    const others = sql<number>`(select count(*) from files as other
      where other.account_id = ${accountId} and other.seal_id = ${sealId} and other.id <> files.id)`;
    const whole = await tx
      .updateTable('files')
      .set({ is_whole: 1, seal_id: sealId, is_claimed: 0, changed_at: now() })
      .where('account_id', '=', accountId)
      .where('file_id', '=', fileId)
      .where((eb) => eb.or([eb('is_whole', '=', 1), eb('parts', '=', arrived)]))
      .where(others, '<', FILES_OF_SEAL_MAX)
      .$if(!fresh, (query) => query.where(sql<SqlBool>`(seal_id = ${sealId} or not ${isGuarded})`))
      .returningAll()
      .executeTakeFirst();
    return whole ?? whyNot(tx, accountId, fileId, fresh ? null : sealId);
  });
}

/** Finds words for a refusal that the statement has already made. @param unproved to whom it was to go without a fresh proof */
async function whyNot(tx: Database, accountId: number, fileId: string, unproved: string | null) {
  const file = await tx
    .selectFrom('files')
    .select(['is_whole', 'parts', 'seal_id', arrived.as('arrived'), isGuarded.as('guarded')])
    .where('account_id', '=', accountId)
    .where('file_id', '=', fileId)
    .executeTakeFirst();
  if (!file) return 'not-found';
  if (unproved !== null && file.guarded && file.seal_id !== unproved) return 'proof-needed';
  return file.is_whole === 1 || file.parts === Number(file.arrived) ? 'files-full' : 'file-incomplete';
}

/** Erases a file. Its bytes follow (erasing.ts). @returns why not, or null */
export async function removeFile(
  { db }: Store,
  { accountId, fileId, fresh }: AskedFile,
): Promise<'not-found' | 'proof-needed' | null> {
  const { numDeletedRows } = await retried(db, () =>
    db
      .deleteFrom('files')
      .where('account_id', '=', accountId)
      .where('file_id', '=', fileId)
      .$if(!fresh, (query) => query.where(sql<SqlBool>`not ${isGuarded}`))
      .executeTakeFirstOrThrow(),
  );
  if (Number(numDeletedRows) > 0) return null;
  return (await findFile(db, accountId, fileId)) ? 'proof-needed' : 'not-found';
}
