// Files that belong to entries, letters and one-time links: bytes that a browser has sealed, received in parts and read by ranges.
// They pass through here piece by piece, and no part of them is held in memory.
import type { Context, Hono } from 'hono';
import { PART_DIGEST_HEADER } from '../../../shared/file-limits.ts';
import { CLAIM_HEADER } from '../../../shared/letter-claim.ts';
import { files } from '../../../shared/nouns/files.ts';
import { REDEMPTION_HEADER } from '../../../shared/share-lease.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../digests.ts';
import { AppError } from '../../errors.ts';
import { cuttingConnection } from '../../http/breaking-off.ts';
import { clientAddress, networkOf } from '../../http/client-address.ts';
import { claimBucket } from '../../http/guesses.ts';
import { createPacedReads } from '../../http/paced-reads.ts';
import type { Person } from '../../http/places.ts';
import { answerRange } from '../../http/ranged-answer.ts';
import { route } from '../../http/route.ts';
import { type Caller, hasFreshProof } from '../../http/session.ts';
import { bytesOf } from './read.ts';
import { findReadable, type Reader } from './readers-store.ts';
import { partReceiver } from './receive.ts';
import { completeFile, type FileRow, findFile, removeFile, reserveFile, stateOf } from './store.ts';

export function fileRoutes(app: Hono, deps: Deps): void {
  const receive = partReceiver(deps);
  const reads = createPacedReads(deps.uploads.elapsed, deps.metrics);

  /** @throws AppError `not-found`, also for what is another account's */
  async function mine({ accountId }: Caller, fileId: string): Promise<FileRow> {
    const file = await findFile(deps.db, accountId, fileId);
    if (!file) throw new AppError('not-found');
    return file;
  }

  const asked = (caller: Caller, fileId: string) => ({
    ...{ accountId: caller.accountId, fileId, fresh: hasFreshProof(deps, caller) },
  });

  route(app, deps, files.reserve, async ({ body, caller }) => {
    const file = await reserveFile(deps, caller.accountId, body);
    if (file === 'file-reserved') throw new AppError(file);
    return stateOf(deps.db, file);
  });

  route(app, deps, files.get, async ({ params, caller }) =>
    stateOf(deps.db, await mine(caller, params.fileId)),
  );

  route(app, deps, files.putPart, async ({ params, raw, caller, c }) => {
    const file = await mine(caller, params.fileId);
    const part = partNumber(file, params.part);
    await receive(file, { part, digest: digestIn(c.req.header(PART_DIGEST_HEADER)) }, raw, caller);
  });

  route(app, deps, files.complete, async ({ params, body, caller }) => {
    const file = await completeFile(deps, asked(caller, params.fileId), body.sealId);
    if (typeof file === 'string') throw new AppError(file);
    return stateOf(deps.db, file);
  });

  route(app, deps, files.read, ({ params, caller, c }) => answerBytes(c, caller, params.fileId));

  route(app, deps, files.readByLink, ({ params: { keyId, fileId }, c }) =>
    answerBytes(c, { keyId, redemptionId: c.req.header(REDEMPTION_HEADER) }, fileId),
  );

  route(app, deps, files.readByLetter, ({ params: { publicId, fileId }, c }) =>
    answerBytes(c, { letter: publicId, claim: c.req.header(CLAIM_HEADER), by: claimBucket(deps, c) }, fileId),
  );

  route(app, deps, files.readByWhisper, ({ params: { publicId, fileId }, caller, c }) =>
    answerBytes(c, { whisper: publicId, of: caller.accountId }, fileId),
  );

  async function answerBytes(c: Context, reader: Reader, fileId: string): Promise<Response> {
    const file = await findReadable(deps, reader, fileId);
    if (!file) throw new AppError('not-found');
    if (file.is_whole === 0) throw new AppError('file-incomplete');
    const headers = {
      'Cache-Control': 'no-store',
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment',
    };
    // The name in the store is another one for other bytes, and stays here.
    const tag = `"${sha256(file.store_key).slice(0, 32)}"`;
    const network = networkOf(clientAddress(deps.config, c));
    const who = { person: personOf(reader, file), reader: sharerOf(reader), network };
    return answerRange(c, { tag, length: file.bytes, headers }, async (first, last) =>
      cuttingConnection(c, await reads.read(who, () => bytesOf(deps, file, first, last)), deps.log),
    );
  }

  route(app, deps, files.remove, async ({ params, caller }) => {
    const refusal = await removeFile(deps, asked(caller, params.fileId));
    if (refusal) throw new AppError(refusal);
  });
}

/** Whose reads are counted together: an account's own, and beside them all of what it has lent, however many links and letters do. */
function personOf(reader: Reader, { account_id, left_with }: FileRow): Person {
  if ('accountId' in reader) return reader.accountId;
  return account_id === null ? `left with ${left_with}` : `lent by ${account_id}`;
}

/** Who reads of those that share what one account has lent: none of them can keep the others out. */
function sharerOf(reader: Reader): Person {
  if ('accountId' in reader) return reader.accountId;
  if ('keyId' in reader) return `link ${reader.keyId}`;
  return 'letter' in reader ? `letter ${reader.letter}` : `whisper ${reader.whisper}`;
}

/** @throws AppError `not-found` for what is no part of the file */
function partNumber({ parts }: FileRow, sent: string): number {
  if (!/^\d{1,5}$/.test(sent) || Number(sent) >= parts) throw new AppError('not-found');
  return Number(sent);
}

/** @throws AppError `wrong-digest` */
function digestIn(header: string | undefined): string {
  if (header !== undefined && /^[\w-]{43}$/.test(header)) return header;
  throw new AppError(
    'wrong-digest',
    `The header ${PART_DIGEST_HEADER} has to hold the SHA-256 of the bytes as base64url.`,
  );
}
