// Where the ciphertext of files is read: the calls of whoever owns them, or of somebody whom they were given to. No contract is
// here, so that a page outside of the app loads none.
import { OpenError } from '../../crypto/errors.ts';
import type { FileCipher } from '../../crypto/file.ts';
import { CLAIM_HEADER } from '../../shared/letter-claim.ts';
import type { files } from '../../shared/nouns/files.ts';
import { REDEMPTION_HEADER } from '../../shared/share-lease.ts';
import { ApiError } from '../api/api-error.ts';
import type { Pause } from '../api/patiently.ts';
import { addressOf } from '../api/plain-call.ts';

export interface FileSource {
  /**
   * The ciphertext of a file from one byte on, as it comes.
   * @param fileId its number
   * @param range from which byte, and up to which one (exclusive)
   * @throws OpenError where the server answers with another range than was asked for; ApiError, TypeError
   */
  read(
    fileId: string,
    range: { from: number; to: number },
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>>;
  /**
   * Of a source that reads what this device keeps: fetches what does not open there, and puts it in its place once it does open.
   * @param segments which of the file, the last one exclusive
   * @returns whether something was put right, so that reading again is worth while
   * @throws ApiError, TypeError, and the signal's reason
   */
  mend?(
    file: FileCipher,
    segments: { first: number; end: number },
    options: { signal: AbortSignal; pause?: Pause },
  ): Promise<boolean>;
}

type Fetch = typeof globalThis.fetch;

/** @throws ApiError on a non-successful answer, TypeError when the server cannot be reached */
export async function fetchBytes(fetch: Fetch, address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, { ...init, credentials: 'include' });
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  throw new ApiError(response.status, text || response.statusText, response.headers.get('retry-after'));
}

/**
 * Asks for a range of a file, and looks whether that is what comes.
 * @param headers what says who asks
 * @throws as `FileSource.read`
 */
export async function fetchRange(
  fetch: Fetch,
  address: string,
  headers: Readonly<Record<string, string>>,
  { from, to }: { from: number; to: number },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetchBytes(fetch, address, {
    signal,
    headers: { ...headers, range: `bytes=${from}-${to - 1}` },
  });
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

/** As the contract has it. */
const OF_LINK: typeof files.readByLink.path = '/api/shares/{keyId}/files/{fileId}';

/** Files of a one-time link, for the browser that has opened it. @param redemptionId the number that it drew for that */
export const filesOfLink = (fetch: Fetch, keyId: string, redemptionId: string): FileSource => ({
  read: (fileId, range, signal) =>
    fetchRange(
      fetch,
      addressOf(OF_LINK, { keyId, fileId }),
      { [REDEMPTION_HEADER]: redemptionId },
      range,
      signal,
    ),
});

/** As the contract has it. */
const OF_LETTER: typeof files.readByLetter.path = '/api/legacy/{publicId}/files/{fileId}';

/**
 * Files of a letter, for whoever has its card or knows its passphrase.
 * @param publicId the number in its address
 * @param claim what either proves, as for the letter itself: never its key
 */
export const filesOfLetter = (fetch: Fetch, publicId: string, claim: string): FileSource => ({
  read: (fileId, range, signal) =>
    fetchRange(fetch, addressOf(OF_LETTER, { publicId, fileId }), { [CLAIM_HEADER]: claim }, range, signal),
});
