// Sending one file, sealed by segments. It is read first for its marks, whose root is kept beside the key before any byte leaves,
// and a large one again for what the server lacks. So an upload goes on after a reload, and never with another file under the
// same key.
import { toBase64Url } from '../../crypto/base64.ts';
import type { Bytes } from '../../crypto/encoding.ts';
import {
  FileChangedError,
  type FileCipher,
  fileCipher,
  type MarksSoFar,
  sealRange,
  sealSegment,
} from '../../crypto/file.ts';
import { type Range, type Steps, segmentRange } from '../../crypto/file-layout.ts';
import { fileRoot } from '../../crypto/file-root.ts';
import { PART_HALVINGS_MAX, PARTS_AT_ONCE, partBytes } from '../../shared/file-limits.ts';
import { type FileState, files } from '../../shared/nouns/files.ts';
import { ApiError, answerRefused, refusedAs } from '../api/api-error.ts';
import { AFTER_LOST, type Pause, patiently } from '../api/patiently.ts';
import { type FilesVault, putPart, reserveFile } from './file-calls.ts';

/** What is drawn and kept of a file before it is sent. */
export interface FileToSend {
  id: string;
  key: Bytes;
  /** Base64url; null before its first byte may leave. */
  root: string | null;
}

/** How far an upload is, in bytes: of the file while it is read for its root, of its ciphertext while it is sent. */
export interface UploadProgress {
  doing: 'preparing' | 'sending';
  done: number;
  of: number;
}

/** How much of a file is read at once, in bytes: each reading asks another process, which costs more than its bytes do. */
const READ_BYTES = 8 * 1024 ** 2;
/** The same of each part while several are sent: what was read, and what was sealed of it, is in memory several times over. */
const READ_BYTES_OF_PART = 2 * 1024 ** 2;
/** The largest ciphertext that is kept from the first reading, in bytes, so that photographs are read and sealed once. */
const SEALED_KEPT_MAX = 64 * 1024 ** 2;

/** Nothing on the way to the server takes parts, however small. */
export class PartsRefused extends Error {}

interface UploadOptions {
  signal: AbortSignal;
  onProgress: (progress: UploadProgress) => void;
  /** Keeps the root beside number and key, durably. Nothing is sent before. */
  keepRoot: (root: string) => Promise<unknown>;
  pause?: Pause;
  /** Tests alone have others, as `partBytes`, the steps of the format and what is kept are large. */
  steps?: Steps;
  bytesOfPart?: (halvings: number) => number;
  sealedKeptMax?: number;
}

/** How often parts were halved on the way to a server, so that the next file begins as the last one went. */
const halvingsTo = new WeakMap<FilesVault['api'], number>();

/**
 * Sends a file until the server has all of it. Sent again, it goes on where it was.
 * @returns its root
 * @throws FileChangedError where the file is another one than when it began, PartsRefused, ApiError, TypeError, what its
 *   reading throws, and the signal's reason
 */
export async function uploadFile(
  vault: FilesVault,
  file: Blob,
  { id, key, root }: FileToSend,
  options: UploadOptions,
): Promise<string> {
  const cipher = await fileCipher({ id, key, bytes: file.size }, options.steps);
  const marks: MarksSoFar = new Map();
  const sealed = await readThrough(file, cipher, marks, options);
  const found = toBase64Url(await fileRoot(cipher, marks));
  if (root !== null && root !== found) throw new FileChangedError();
  await options.keepRoot(found);
  const sending = { vault, file, cipher, marks, sealed, options };
  let state = root === null ? null : await whatIsThere(sending);
  for (;;) {
    const halvings: number = state?.halvings ?? halvingsTo.get(vault.api) ?? 0;
    try {
      await sendMissing(sending, state ?? (await reserve(sending, halvings, root === null)));
      return found;
    } catch (error) {
      const isSlow = refusedAs(error, 'too-slow');
      if (!isSlow && !isTooLargeForTheWay(error)) throw error;
      if (halvings >= PART_HALVINGS_MAX) {
        // What was refused today says nothing of the next file.
        halvingsTo.delete(vault.api);
        throw isSlow ? error : new PartsRefused();
      }
      halvingsTo.set(vault.api, halvings + 1);
      state = null;
    }
  }
}

/** Also this server's own word for a body that is too large, but not for a vault that is full. */
const isTooLargeForTheWay = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 413 && (error.code === '' || error.code === 'too-large');

interface Sending {
  vault: FilesVault;
  file: Blob;
  cipher: FileCipher;
  /** The mark of each segment, as it was read first. */
  marks: MarksSoFar;
  /** All of its ciphertext, where it is short enough to be kept. */
  sealed: Bytes | null;
  options: UploadOptions;
}

/** Reads a file forwards by blocks. What it gives is shorter where the file has become shorter. */
function blockReader(file: Blob, blockBytes: number): (plain: Range) => Promise<Bytes> {
  let [start, block] = [0, new Uint8Array()];
  return async ({ from, to }) => {
    if (from < start || to > start + block.length)
      [start, block] = [
        from,
        new Uint8Array(await file.slice(from, Math.max(to, from + blockBytes)).arrayBuffer()),
      ];
    return block.subarray(from - start, to - start);
  };
}

/** Seals every segment once, for its mark. @returns the ciphertext of a file that is not large */
async function readThrough(
  file: Blob,
  cipher: FileCipher,
  marks: MarksSoFar,
  { signal, onProgress, sealedKeptMax = SEALED_KEPT_MAX }: UploadOptions,
): Promise<Bytes | null> {
  const { layout } = cipher;
  const readBlock = blockReader(file, READ_BYTES);
  const read = (plain: Range) => {
    signal.throwIfAborted();
    onProgress({ doing: 'preparing', done: plain.from, of: layout.bytes });
    return readBlock(plain);
  };
  if (layout.sealed <= sealedKeptMax)
    return (await sealRange(cipher, { from: 0, to: layout.sealed }, read, marks)).bytes;
  for (let index = 0; index < layout.segments; index += 1)
    await sealSegment(cipher, index, await read(segmentRange(layout, index).plain), marks);
  return null;
}

/** One part of its ciphertext. */
async function sealPart({ file, cipher, marks, sealed }: Sending, range: Range): Promise<Bytes> {
  if (sealed) return sealed.subarray(range.from, range.to);
  const read = blockReader(file, Math.min(READ_BYTES_OF_PART, range.to - range.from));
  return (await sealRange(cipher, range, read, marks)).bytes;
}

const patience = ({ signal, pause }: UploadOptions) => ({
  ...{ signal, afterLost: AFTER_LOST },
  ...(pause && { pause }),
});

/** What the server has of it; null where it knows nothing of it, or not this. */
async function whatIsThere({ vault, cipher, options }: Sending): Promise<FileState | null> {
  const { signal } = options;
  try {
    const params = { fileId: cipher.id };
    const state = await patiently(() => vault.api.send(files.get, { params, signal }), patience(options));
    return state.bytes === cipher.layout.sealed ? state : null;
  } catch (error) {
    if (refusedAs(error, 'not-found')) return null;
    throw error;
  }
}

/** @param isNew its number was drawn just now, so that nothing of it can be there */
async function reserve(
  { vault, cipher, options }: Sending,
  halvings: number,
  isNew: boolean,
): Promise<FileState> {
  const { sealed } = cipher.layout;
  const body = { fileId: cipher.id, bytes: sealed, halvings };
  const state = await patiently(() => reserveFile(vault, body, options.signal), patience(options));
  const { bytesOfPart = partBytes } = options;
  const parts = Math.ceil(sealed / bytesOfPart(state.halvings));
  const missing = new Set(state.missing.filter((part) => part < parts));
  if (isNew && missing.size < parts)
    throw answerRefused('The server says that it has this file already, which was never sent. Try again.');
  return state;
}

/** Sends what is missing, a few parts at once. */
async function sendMissing(sending: Sending, { missing, halvings }: FileState): Promise<void> {
  const { vault, cipher, options } = sending;
  const { bytesOfPart = partBytes } = options;
  const of = cipher.layout.sealed;
  const each = bytesOfPart(halvings);
  const rangeOf = (part: number) => ({ from: part * each, to: Math.min((part + 1) * each, of) });
  const todo = [...new Set(missing)].filter((part) => part * each < of);
  let done = of - todo.reduce((all, part) => all + rangeOf(part).to - rangeOf(part).from, 0);
  const tell = () => options.onProgress({ doing: 'sending', done, of });
  tell();
  const lanes = new AbortController();
  const { signal } = lanes;
  const end = () => lanes.abort(options.signal.reason);
  options.signal.addEventListener('abort', end, { once: true });
  const lane = async () => {
    for (let part = todo.shift(); part !== undefined; part = todo.shift()) {
      signal.throwIfAborted();
      const range = rangeOf(part);
      const bytes = await sealPart(sending, range);
      const number = part;
      await patiently(
        () => putPart(vault, cipher.id, number, bytes, signal),
        patience({ ...options, signal }),
      );
      done += range.to - range.from;
      tell();
    }
  };
  // One that fails ends the others, and says why.
  const running = Array.from({ length: Math.min(PARTS_AT_ONCE, todo.length) }, () =>
    lane().catch((error: unknown) => lanes.abort(error)),
  );
  await Promise.all(running);
  options.signal.removeEventListener('abort', end);
  signal.throwIfAborted();
}
