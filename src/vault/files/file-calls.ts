// The calls of files. Bytes go and come without JSON, so that they have calls of their own here; the others are as any call.
import { toBase64Url } from '../../crypto/base64.ts';
import type { Bytes } from '../../crypto/encoding.ts';
import { OpenError } from '../../crypto/errors.ts';
import { PART_DIGEST_HEADER } from '../../shared/file-limits.ts';
import { ACCOUNT_HEADER, type CallShape } from '../../shared/http/call.ts';
import { type FileState, files } from '../../shared/nouns/files.ts';
import { ApiError, refusedAs } from '../api/api-error.ts';
import { addressOf } from '../api/plain-call.ts';
import type { Vault } from '../vault.ts';
import { FileNotWhole } from './problems.ts';

/** What the calls need of a vault. */
export type FilesVault = Pick<Vault, 'api' | 'user'>;

/** Makes a call without JSON. @throws ApiError on a non-successful answer, TypeError when the server cannot be reached */
async function fetchBytes(
  { api, user }: FilesVault,
  { method, path }: CallShape,
  params: Record<string, string>,
  init: Pick<RequestInit, 'body' | 'signal'> & { headers?: Record<string, string> },
): Promise<Response> {
  const response = await api.fetch(addressOf(path, params), {
    ...init,
    method,
    credentials: 'include',
    headers: { ...init.headers, [ACCOUNT_HEADER]: user.id },
  });
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  throw new ApiError(response.status, text || response.statusText, response.headers.get('retry-after'));
}

/** Reserves room for a file, or asks what has arrived of it. @throws ApiError, TypeError */
export const reserveFile = (
  { api }: FilesVault,
  body: { fileId: string; bytes: number; halvings: number },
  signal: AbortSignal,
): Promise<FileState> => api.send(files.reserve, { body, signal });

/** Sends one part of a file's ciphertext. @throws ApiError, with status 413 where something on the way takes none so large */
export async function putPart(
  vault: FilesVault,
  fileId: string,
  part: number,
  bytes: Bytes,
  signal: AbortSignal,
): Promise<void> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  await fetchBytes(
    vault,
    files.putPart,
    { fileId, part: String(part) },
    {
      body: bytes,
      signal,
      headers: {
        'content-type': files.putPart.rawBody.type,
        [PART_DIGEST_HEADER]: toBase64Url(digest),
      },
    },
  );
}

/**
 * The ciphertext of a file from one byte on, as it comes.
 * @param range from which byte, and up to which one (exclusive)
 * @throws OpenError where the server answers with another range than was asked for; ApiError, TypeError
 */
export async function readFile(
  vault: FilesVault,
  fileId: string,
  { from, to }: { from: number; to: number },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetchBytes(
    vault,
    files.read,
    { fileId },
    {
      signal,
      headers: { range: `bytes=${from}-${to - 1}` },
    },
  );
  const answered = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  // Whole, where somebody on the way knows no ranges: right only where it begins with the first byte.
  const isRight = response.status === 206 ? answered === String(from) : from === 0;
  if (!isRight || !response.body) {
    // Nobody reads it: it must not hold the line.
    void response.body?.cancel();
    throw new OpenError();
  }
  return response.body;
}

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

/** Erases files that nothing names any more. One that cannot be erased now goes with its entry, or thirty days later. */
export async function eraseFiles(
  { api }: Pick<FilesVault, 'api'>,
  fileIds: readonly string[],
): Promise<void> {
  await Promise.allSettled(fileIds.map((fileId) => api.send(files.remove, { params: { fileId } })));
}
