// Who may read the bytes of a file: the one place that decides it. Its owner does; for a while the browser that has broken the
// seal of a one-time link that carries it; and whoever may read a letter that was released, as long as they may read its words. For
// everybody else there is no such file.
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { ofStandingVault } from '../../db/vault-state.ts';
import { secretOf, stands } from '../../deadman/routes/scrolls/opening-store.ts';
import { provedBy } from '../../deadman/routes/scrolls/recipient-store.ts';
import { readableWhisper } from '../../deadman/routes/scrolls/whisper-store.ts';
import type { Deps } from '../../deps.ts';
import { proofHash, sha256 } from '../../digests.ts';
import { CLAIMS, countGuess } from '../../http/guesses.ts';
import { type FileRow, findFile } from './store.ts';

/** Somebody who asks for the bytes of a file. */
export type Reader =
  | { accountId: number }
  /** @property redemptionId as the browser sends it; undefined where it sends none */
  | { keyId: string; redemptionId: string | undefined }
  /**
   * @property letter the number in its recipient's address @property claim as the browser sends it; undefined where it sends none
   * @property by the bucket of whoever asks
   */
  | { letter: string; claim: string | undefined; by: string }
  /** @property whisper the number of a letter that was left for the vault of an account */
  | { whisper: string; of: number };

/** A page reads some files of a letter at once, each by a right claim that counts as a wrong one until it is found to be right. */
const READS_AT_ONCE = 32;

/**
 * @returns null where this one may not read it, or it is not there
 * @throws AppError `too-many` for a passphrase that must wait; it is not looked at
 */
export async function findReadable(
  deps: Pick<Deps, 'db' | 'digests' | 'now'>,
  reader: Reader,
  fileId: string,
): Promise<FileRow | null> {
  const { db, now } = deps;
  if ('accountId' in reader) return findFile(db, reader.accountId, fileId);
  if ('whisper' in reader) return findOfLetter(db, readableWhisper(reader.of, reader.whisper), fileId);
  if ('letter' in reader) {
    const { letter, claim, by } = reader;
    if (claim === undefined) return null;
    const guessed = await findPassphrase(db, letter, fileId);
    const at = guessed && secretOf(letter, guessed.claim_hash);
    const guess = at && (await countGuess(deps, { at, by, allowance: CLAIMS, free: READS_AT_ONCE }));
    const file = await findOfLetter(db, provedBy(letter, proofHash(claim)), fileId);
    if (guess && file) await guess.forgive();
    return file;
  }
  const { keyId, redemptionId } = reader;
  if (redemptionId === undefined) return null;
  return findLent(db, { keyId, redemptionHash: sha256(redemptionId), fileId, time: now() });
}

/** What a claim at a file would be a guess at: where a passphrase opens the letter, and the file is there to tell whether it is right. */
async function findPassphrase(
  db: Database,
  letter: string,
  fileId: string,
): Promise<{ claim_hash: string | null } | null> {
  const eb = expressionBuilder<Schema, 'scroll_recipients'>();
  const opens = eb.and([eb('public_id', '=', letter), eb('access', '=', 'passphrase'), stands()]);
  const found = await ofLetter(db, opens, fileId).select('scroll_recipients.claim_hash').executeTakeFirst();
  return found ?? null;
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

/** Files of letters that were released. @param reads which recipient, and everything that must be true of them */
const ofLetter = (db: Database, reads: Expression<SqlBool>, fileId: string) =>
  db
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
    .where(reads)
    .where('scroll_recipients.released_at', 'is not', null)
    .where('files.file_id', '=', fileId);

async function findOfLetter(
  db: Database,
  reads: Expression<SqlBool>,
  fileId: string,
): Promise<FileRow | null> {
  return (await ofLetter(db, reads, fileId).selectAll('files').executeTakeFirst()) ?? null;
}
