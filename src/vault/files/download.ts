// Getting one file back: fetched as it is opened, segment by segment. Nothing of it is believed that does not open, and a whole one
// is what it was sealed as only because its root says so.
import type { Bytes } from '../../crypto/encoding.ts';
import { OpenError } from '../../crypto/errors.ts';
import { type FileCipher, fileCipher, openRange } from '../../crypto/file.ts';
import { type Range, type Steps, segmentsOfPlain } from '../../crypto/file-layout.ts';
import { openWhole } from '../../crypto/file-root.ts';
import { ApiError, refusedAs } from '../api/api-error.ts';
import { AFTER_LOST, type Pause, patiently } from '../api/patiently.ts';
import type { FileSource } from './file-source.ts';

/** What a file is opened by, from the details of its entry. */
export interface FileToOpen {
  id: string;
  key: Bytes;
  /** How long it is, in bytes. */
  bytes: number;
  root: Bytes;
}

interface DownloadOptions {
  signal: AbortSignal;
  /** How many bytes of the file are here. */
  onProgress?: (done: number) => void;
  pause?: Pause;
  /** Tests alone have others. */
  steps?: Steps;
}

/** The server does not have a file that its entry names. */
export class FileMissing extends Error {}
/** What the server gives is not the file that was sealed, or not all of it. */
export class FileExchanged extends Error {}

/** What opening throws, by what it means. */
function explained(error: unknown): unknown {
  // 416: what the server has is shorter than what the entry says.
  const isShorter = error instanceof ApiError && error.status === 416;
  if (error instanceof OpenError || isShorter) return new FileExchanged();
  return refusedAs(error, 'not-found') ? new FileMissing() : error;
}

/** Gives a stream in pieces as they are asked for. */
export function taker(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  let rest: Uint8Array = new Uint8Array();
  return {
    /** @throws OpenError where the stream ends before: a connection that is cut ends otherwise */
    async take(length: number): Promise<Bytes> {
      const bytes = new Uint8Array(length);
      let at = 0;
      while (at < length) {
        if (rest.length === 0) {
          const { value, done } = await reader.read();
          if (done) throw new OpenError();
          rest = value;
        }
        const piece = rest.subarray(0, length - at);
        bytes.set(piece, at);
        at += piece.length;
        rest = rest.subarray(piece.length);
      }
      return bytes;
    },
    end: () => void reader.cancel().catch(() => {}),
  };
}

/** Reads a file's ciphertext in order, up to a byte, over one connection for as long as that lasts, and then over another. */
export function orderedReader(
  source: FileSource,
  id: string,
  to: number,
  options: Pick<DownloadOptions, 'signal' | 'pause'>,
) {
  const { signal, pause } = options;
  let open: ReturnType<typeof taker> | null = null;
  let isOver = false;
  const hangUp = () => {
    open?.end();
    open = null;
  };
  async function read(range: Range): Promise<Bytes> {
    signal.throwIfAborted();
    open ??= taker(await source.read(id, { from: range.from, to }, signal));
    // What is fetched ahead may be wanted by nobody by the time that it comes.
    if (isOver) throw new OpenError();
    return open.take(range.to - range.from);
  }
  return {
    end() {
      isOver = true;
      hangUp();
    },
    read: (range: Range) =>
      patiently(() => read(range).catch((error: unknown) => raiseAfter(hangUp, error)), {
        ...{ signal, afterLost: AFTER_LOST },
        ...(pause && { pause }),
      }),
  };
}

function raiseAfter(hangUp: () => void, error: unknown): never {
  hangUp();
  throw error;
}

/**
 * A whole file in order, piece by piece. A connection that is cut goes on where it was. What was read to its end is the file that
 * was sealed; what was read of one that fails must be thrown away.
 * @throws FileMissing, FileExchanged, ApiError, TypeError, and the signal's reason
 */
export async function* openPieces(
  source: FileSource,
  { id, key, bytes, root }: FileToOpen,
  options: DownloadOptions,
): AsyncGenerator<Bytes, void, undefined> {
  const cipher = await fileCipher({ id, key, bytes }, options.steps);
  let given = 0;
  /** Once more after something was put right: what was given out before is read again for the root, and not given again. */
  async function* read(): AsyncGenerator<Bytes, void, undefined> {
    const reader = orderedReader(source, id, cipher.layout.sealed, options);
    let [at, done] = [0, 0];
    try {
      for await (const piece of openWhole(cipher, root, reader.read)) {
        done += piece.length;
        if (at++ < given) continue;
        given = at;
        options.onProgress?.(done);
        yield piece;
      }
    } finally {
      reader.end();
    }
  }
  try {
    try {
      yield* read();
    } catch (error) {
      await mend(source, cipher, { first: 0, end: cipher.layout.segments }, options, error);
      yield* read();
    }
  } catch (error) {
    throw explained(error);
  }
}

/** @throws `error`, unless it means that something did not open which was put right now */
async function mend(
  source: FileSource,
  cipher: FileCipher,
  segments: { first: number; end: number },
  options: DownloadOptions,
  error: unknown,
): Promise<void> {
  if (!(error instanceof OpenError) || !(await source.mend?.(cipher, segments, options))) throw error;
}

/** A whole file. The browser keeps the pieces where it has room, also on its disk. @throws as `openPieces` */
export async function openFile(
  source: FileSource,
  file: FileToOpen,
  type: string,
  options: DownloadOptions,
): Promise<Blob> {
  const pieces: Blob[] = [];
  for await (const piece of openPieces(source, file, options)) pieces.push(new Blob([piece]));
  return new Blob(pieces, { type });
}

/**
 * Writes a whole file to where its owner has chosen, without holding it. What turns out not to be whole is not kept there.
 * @throws as `openPieces`, and what writing throws
 */
export async function saveFile(
  source: FileSource,
  file: FileToOpen,
  writable: WritableStream<Bytes>,
  options: DownloadOptions,
): Promise<void> {
  const writer = writable.getWriter();
  try {
    for await (const piece of openPieces(source, file, options)) await writer.write(piece);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}

/**
 * A range of a file. Each byte stands in its place; that all of the file was sealed at one time is known of a whole one alone.
 * @throws as `openPieces`
 */
export async function openFileRange(
  source: FileSource,
  { id, key, bytes }: Omit<FileToOpen, 'root'>,
  range: Range,
  options: DownloadOptions,
): Promise<Bytes> {
  const cipher = await fileCipher({ id, key, bytes }, options.steps);
  async function read(): Promise<Bytes> {
    let end = () => {};
    try {
      return await openRange(cipher, range, (sealed) => {
        const reader = orderedReader(source, id, sealed.to, options);
        end = reader.end;
        return reader.read(sealed);
      });
    } finally {
      end();
    }
  }
  try {
    try {
      return await read();
    } catch (error) {
      await mend(source, cipher, segmentsOfPlain(cipher.layout, range), options, error);
      return await read();
    }
  } catch (error) {
    throw explained(error);
  }
}
