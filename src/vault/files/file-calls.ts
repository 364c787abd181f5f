// The calls of files. Bytes go and come without JSON, so that they have calls of their own here; the others are as any call.
import { toBase64Url } from '../../crypto/base64.ts';
import type { Bytes } from '../../crypto/encoding.ts';
import { PART_DIGEST_HEADER } from '../../shared/file-limits.ts';
import { ACCOUNT_HEADER } from '../../shared/http/call.ts';
import { type FileState, files } from '../../shared/nouns/files.ts';
import { refusedAs } from '../api/api-error.ts';
import { addressOf } from '../api/plain-call.ts';
import type { Vault } from '../vault.ts';
import { type FileSource, fetchBytes, fetchRange } from './file-source.ts';
import { FileNotWhole } from './problems.ts';

/** What the calls need of a vault. */
export type FilesVault = Pick<Vault, 'api'> & { user: Pick<Vault['user'], 'id'> };

/** Reserves room for a file, or asks what has arrived of it. @throws ApiError, TypeError */
export const reserveFile = (
  { api }: FilesVault,
  body: { fileId: string; bytes: number; halvings: number },
  signal: AbortSignal,
): Promise<FileState> => api.send(files.reserve, { body, signal });

/** Sends one part of a file's ciphertext. @throws ApiError, with status 413 where something on the way takes none so large */
export async function putPart(
  { api, user }: FilesVault,
  fileId: string,
  part: number,
  bytes: Bytes,
  signal: AbortSignal,
): Promise<void> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const { method, path, rawBody } = files.putPart;
  await fetchBytes(api.fetch, addressOf(path, { fileId, part: String(part) }), {
    method,
    body: bytes,
    signal,
    headers: {
      'content-type': rawBody.type,
      [PART_DIGEST_HEADER]: toBase64Url(digest),
      [ACCOUNT_HEADER]: user.id,
    },
  });
}

/** The files of a vault, for its owner. */
export const ownFiles = ({ api, user }: FilesVault): FileSource => ({
  read: (fileId, range, signal) =>
    fetchRange(
      api.fetch,
      addressOf(files.read.path, { fileId }),
      { [ACCOUNT_HEADER]: user.id },
      range,
      signal,
    ),
});

/** The files of a whisper, for the vault that it was left for. @param publicId the number in its address */
export const filesOfWhisper = ({ api, user }: FilesVault, publicId: string): FileSource => ({
  read: (fileId, range, signal) =>
    fetchRange(
      api.fetch,
      addressOf(files.readByWhisper.path, { publicId, fileId }),
      { [ACCOUNT_HEADER]: user.id },
      range,
      signal,
    ),
});

/**
 * Says that files belong to the entry of a seal number: right before it is sent, and again with each try.
 * @throws FileNotWhole; ApiError, TypeError
 */
export async function completeFiles(
  { api }: Pick<FilesVault, 'api'>,
  fileIds: readonly string[],
  sealId: string,
): Promise<void> {
  for (const fileId of fileIds) {
    try {
      await api.send(files.complete, { params: { fileId }, body: { sealId } });
    } catch (error) {
      throw refusedAs(error, 'not-found', 'file-incomplete') ? new FileNotWhole(fileId) : error;
    }
  }
}

/**
 * Whether the server has all of a file that is in a draft. It keeps it for longer from then on.
 * @throws ApiError, TypeError
 */
export async function isStillThere({ api }: Pick<FilesVault, 'api'>, fileId: string): Promise<boolean> {
  try {
    const { bytes, halvings, missing } = await api.send(files.get, { params: { fileId } });
    // Nothing may be reserved in parts of another size: what has arrived would be given up.
    if (missing.length > 0) return false;
    return (await api.send(files.reserve, { body: { fileId, bytes, halvings } })).missing.length === 0;
  } catch (error) {
    if (refusedAs(error, 'not-found')) return false;
    throw error;
  }
}

/**
 * Erases a file that was in a draft, unless an entry has it: a try of which the answer was lost may have sealed it. What cannot
 * be erased now is erased later, as it belongs to nothing.
 */
export async function eraseUnclaimed({ api }: Pick<FilesVault, 'api'>, fileId: string): Promise<void> {
  const params = { fileId };
  try {
    if ((await api.send(files.get, { params })).sealId === null) await api.send(files.remove, { params });
  } catch {
    // The server erases it by itself.
  }
}

/**
 * Erases files that nothing names any more. One that cannot be erased now goes with its entry, or thirty days later: nobody is
 * asked for a proof.
 */
export async function eraseFiles(
  { api }: Pick<FilesVault, 'api'>,
  fileIds: readonly string[],
): Promise<void> {
  await Promise.allSettled(
    fileIds.map((fileId) => api.send(files.remove, { params: { fileId }, isUnasked: true })),
  );
}
