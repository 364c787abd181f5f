// Who may read the bytes of a file: the one place that decides it. Its owner does; for a while the browser that has broken the
// seal of a one-time link that carries it; and whoever may read a letter that was released, as long as they may read its words. For
// everybody else there is no such file.
import type { Expression, SqlBool } from 'kysely';
import type { Database } from '../../db/open.ts';
import { ofStandingVault } from '../../db/vault-state.ts';
import { provedBy } from '../../deadman/routes/scrolls/recipient-store.ts';
import { readableWhisper } from '../../deadman/routes/scrolls/whisper-store.ts';
import type { Deps } from '../../deps.ts';
import { proofHash, sha256 } from '../../digests.ts';
import { type FileRow, findFile } from './store.ts';

/** Somebody who asks for the bytes of a file. */
export type Reader =
  | { accountId: number }
  /** @property redemptionId as the browser sends it; undefined where it sends none */
  | { keyId: string; redemptionId: string | undefined }
  /** @property letter the number in its recipient's address @property claim as the browser sends it; undefined where it sends none */
  | { letter: string; claim: string | undefined }
  /** @property whisper the number of a letter that was left for the vault of an account */
  | { whisper: string; of: number };

/** @returns null where this one may not read it, or it is not there */
export async function findReadable(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  reader: Reader,
  fileId: string,
): Promise<FileRow | null> {
  if ('accountId' in reader) return findFile(db, reader.accountId, fileId);
  if ('whisper' in reader) return findOfLetter(db, readableWhisper(reader.of, reader.whisper), fileId);
  if ('letter' in reader) {
    const { letter, claim } = reader;
    return claim === undefined ? null : findOfLetter(db, provedBy(letter, proofHash(claim)), fileId);
  }
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

/** A file of a letter that was released. @param reads which recipient, and everything that must be true of them */
async function findOfLetter(
  db: Database,
  reads: Expression<SqlBool>,
  fileId: string,
): Promise<FileRow | null> {
  const file = await db
    .selectFrom('scroll_recipients')
    .innerJoin('legacy_scrolls', 'legacy_scrolls.id', 'scroll_recipients.scroll_id')
    .innerJoin('files', (join) =>
      join.on((eb) =>
        eb.or([
          eb('files.left_with', '=', eb.ref('legacy_scrolls.id')),
          eb.and([
            eb('files.account_id', '=', eb.ref('legacy_scrolls.account_id')),
            eb('files.seal_id', '=', eb.ref('legacy_scrolls.seal_id')),
          ]),
        ]),
      ),
    )
    .selectAll('files')
    .where(reads)
    .where('scroll_recipients.released_at', 'is not', null)
    .where('files.file_id', '=', fileId)
    .executeTakeFirst();
  return file ?? null;
}
