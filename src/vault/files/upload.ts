// Sending one file, sealed by segments as it is read. What was sealed of it is kept before it leaves (sealed-in-order.ts), so that
// an upload goes on after a reload.
import type { Bytes } from '../../crypto/encoding.ts';
import { type FileCipher, fileCipher, letGo } from '../../crypto/file.ts';
import type { Range, Steps } from '../../crypto/file-layout.ts';
import { PART_HALVINGS_MAX, PARTS_AT_ONCE, partBytes } from '../../shared/file-limits.ts';
import { type FileState, files } from '../../shared/nouns/files.ts';
import { ApiError, answerRefused, refusedAs } from '../api/api-error.ts';
import { AFTER_LOST, type Pause, patiently } from '../api/patiently.ts';
import { type FilesVault, putPart, reserveFile } from './file-calls.ts';
import type { SealBlock } from './sealed-blocks.ts';
import { type KeepSealed, SealedInOrder, type SealedSoFar } from './sealed-in-order.ts';

/** What is drawn and kept of a file before it is sent. */
export interface FileToSend {
  id: string;
  key: Bytes;
  /** Null where nothing of it can have left under this number and key. */
  sealed: SealedSoFar | null;
}

/** How far an upload is, in bytes: of what was sealed before while that is read again, of its ciphertext while it is sent. */
export interface UploadProgress {
  doing: 'preparing' | 'sending';
  done: number;
  of: number;
}

/** Nothing on the way to the server takes parts, however small. */
export class PartsRefused extends Error {}

export interface UploadOptions {
  signal: AbortSignal;
  onProgress: (progress: UploadProgress) => void;
  keepSealed: KeepSealed;
  /** Where it is sealed: a worker, or here. */
  seal: SealBlock;
  pause?: Pause;
  /** Tests alone have others, as `partBytes` and the steps of the format are large. */
  steps?: Steps;
  bytesOfPart?: (halvings: number) => number;
}

/** How often parts were halved on the way to a server, so that the next file begins as the last one went. */
const halvingsTo = new WeakMap<FilesVault['api'], number>();

/**
 * Sends a file until the server has all of it. Sent again, it goes on where it was.
 * @returns its root
 * @throws FileChangedError where the file is another one than when it began, PartsRefused, ApiError, TypeError, what its
 *   reading and `keepSealed` throw, and the signal's reason
 */
export async function uploadFile(
  vault: FilesVault,
  file: Blob,
  { id, key, sealed }: FileToSend,
  options: UploadOptions,
): Promise<string> {
  const cipher = await fileCipher({ id, key, bytes: file.size }, options.steps);
  const sealing = new SealedInOrder(file, cipher, options.keepSealed, options.seal);
  const sending = { vault, cipher, sealing, options };
  if (sealed) {
    const of = Math.min(file.size, sealed.segments * cipher.layout.segmentBytes);
    await sealing.again(sealed, (done) => {
      options.signal.throwIfAborted();
      options.onProgress({ doing: 'preparing', done, of });
    });
  }
  let state = sealed && (await whatIsThere(sending));
  for (;;) {
    const halvings: number = state?.halvings ?? halvingsTo.get(vault.api) ?? 0;
    try {
      await sendMissing(sending, state ?? (await reserve(sending, halvings)));
      return await sealing.root();
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
  cipher: FileCipher;
  sealing: SealedInOrder;
  options: UploadOptions;
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

function reserve({ vault, cipher, options }: Sending, halvings: number): Promise<FileState> {
  const body = { fileId: cipher.id, bytes: cipher.layout.sealed, halvings };
  return patiently(() => reserveFile(vault, body, options.signal), patience(options));
}

/**
 * Where the parts stand that the server lacks, by their numbers, in order.
 * @throws ApiError where it has what this device does not know to have sent: that could not be compared, and what is behind it would
 *   be sealed a second time
 */
function missingParts({ cipher, sealing, options }: Sending, { missing, halvings }: FileState) {
  const of = cipher.layout.sealed;
  const each = (options.bytesOfPart ?? partBytes)(halvings);
  const isMissing = new Set(missing);
  const todo: { part: number; range: Range }[] = [];
  for (let part = 0; part * each < of; part += 1) {
    const range = { from: part * each, to: Math.min((part + 1) * each, of) };
    if (isMissing.has(part)) todo.push({ part, range });
    else if (!sealing.mayHaveLeft(range)) throw answerRefused(HAS_MORE);
  }
  return todo;
}

const HAS_MORE =
  'The server says that it has more of this file than was sent from here. Remove it here, and add it anew.';

/** Sends what is missing, a few parts at once. */
async function sendMissing(sending: Sending, state: FileState): Promise<void> {
  const { vault, cipher, sealing, options } = sending;
  const todo = missingParts(sending, state);
  const of = cipher.layout.sealed;
  let done = todo.reduce((left, { range }) => left - (range.to - range.from), of);
  const tell = () => options.onProgress({ doing: 'sending', done, of });
  tell();
  const lanes = new AbortController();
  const { signal } = lanes;
  const end = () => lanes.abort(options.signal.reason);
  options.signal.addEventListener('abort', end, { once: true });
  const lane = async () => {
    for (let next = todo.shift(); next !== undefined; next = todo.shift()) {
      signal.throwIfAborted();
      const { part, range } = next;
      const bytes = await sealing.seal(range);
      await patiently(() => putPart(vault, cipher.id, part, bytes, signal), patience({ ...options, signal }));
      letGo(bytes);
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
