// Who may read the bytes of a file: the one place that decides it. Its owner does, and for a while the browser that has
// broken the seal of a one-time link that carries it. For everybody else there is no such file.
import type { Database } from '../../db/open.ts';
import { ofStandingVault } from '../../db/vault-state.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../digests.ts';
import { type FileRow, findFile } from './store.ts';

/** Somebody who asks for the bytes of a file. */
export type Reader =
  | { accountId: number }
  /** @property redemptionId as the browser sends it; undefined where it sends none */
  | { keyId: string; redemptionId: string | undefined };

/** @returns null where this one may not read it, or it is not there */
export async function findReadable(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  reader: Reader,
  fileId: string,
): Promise<FileRow | null> {
  if ('accountId' in reader) return findFile(db, reader.accountId, fileId);
  const { keyId, redemptionId } = reader;
  if (redemptionId === undefined) return null;
  return findLent(db, { keyId, redemptionHash: sha256(redemptionId), fileId, time: now() });
}

interface Lent {
  keyId: string;
  redemptionHash: string;
  fileId: string;
  time: number;
}

/** A file of a link that was opened with this number, until its time is over. */
async function findLent(
  db: Database,
  { keyId, redemptionHash, fileId, time }: Lent,
): Promise<FileRow | null> {
  const file = await db
    .selectFrom('shareable_keys')
    .innerJoin('link_files', 'link_files.link', 'shareable_keys.id')
    .innerJoin('files', 'files.id', 'link_files.file')
    .selectAll('files')
    .where('shareable_keys.key_id', '=', keyId)
    .where('shareable_keys.redemption_hash', '=', redemptionHash)
    .where('shareable_keys.opened_at', 'is not', null)
    .where(ofStandingVault('shareable_keys'))
    .where('link_files.until', '>', time)
    .where('files.file_id', '=', fileId)
    .executeTakeFirst();
  return file ?? null;
}
