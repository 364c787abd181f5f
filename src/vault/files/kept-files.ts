// Files that a device keeps to open them without a connection: their ciphertext, as the server has it, in pieces. What is there is
// read there, and anything else is fetched. What is kept is proved as what is fetched is, by what its entry says of it.
import type { Bytes } from '../../crypto/encoding.ts';
import { copyRange, type FileCipher, openSegment } from '../../crypto/file.ts';
import { type Range, segmentRange } from '../../crypto/file-layout.ts';
import { FileExchanged, type FileToOpen, openPieces, orderedReader, taker } from './download.ts';
import type { FileSource } from './file-source.ts';

/** How long a piece is, in bytes; the last one of a file is shorter. */
export const KEPT_PIECE_BYTES = 1024 ** 2;

const startOfPiece = (at: number): number => at - (at % KEPT_PIECE_BYTES);

/** Where a device keeps files of one account. Numbers of files are what they are known by. */
export interface KeptFiles {
  /** Of which files something is here. */
  list(): Promise<ReadonlyMap<string, KeptFile>>;
  /** The piece that begins with this byte; null where it is not here. */
  load(fileId: string, from: number): Promise<Bytes | null>;
  /** Keeps a piece. @throws DOMException QuotaExceededError where the browser has no room; where nothing may be kept */
  save(fileId: string, from: number, piece: Bytes): Promise<void>;
  /** Notes that all of a file is here. @throws as `save` */
  finish(fileId: string): Promise<void>;
  drop(fileIds: readonly string[]): Promise<void>;
}

export interface KeptFile {
  /** How much of it is here, in bytes of ciphertext. */
  bytes: number;
  isWhole: boolean;
}

/** Files that are read on the device, as far as they are there. Where they are not, they are fetched. */
export const keptOrFetched = (source: FileSource, kept: KeptFiles): FileSource => ({
  async read(fileId, { from, to }, signal) {
    let at = from;
    let fetched: ReadableStreamDefaultReader<Uint8Array> | null = null;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (fetched) return pass(fetched, controller);
        if (at >= to) return controller.close();
        const piece = await pieceFrom(kept, fileId, at);
        if (piece) {
          controller.enqueue(piece.subarray(0, to - at));
          at += piece.length;
          return;
        }
        fetched = (await source.read(fileId, { from: at, to }, signal)).getReader();
        await pass(fetched, controller);
      },
      cancel: (reason) => fetched?.cancel(reason),
    });
  },
  mend: (...given) => mend(source, kept, ...given),
});

/** What is kept of a file from one byte on, up to the end of its piece. */
async function pieceFrom(kept: KeptFiles, fileId: string, at: number): Promise<Bytes | null> {
  const start = startOfPiece(at);
  const rest = (await kept.load(fileId, start))?.subarray(at - start);
  return rest && rest.length > 0 ? rest : null;
}

async function pass(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  const { value, done } = await reader.read();
  if (done) controller.close();
  else controller.enqueue(value);
}

/**
 * A disk may spoil what is kept. What does not open is fetched once more, segment by segment, and takes its place where it does: a
 * server that has it no more, or gives something else, spoils nothing of what is here. For the rest as `FileSource.mend`.
 */
async function mend(
  source: FileSource,
  kept: KeptFiles,
  ...[file, { first, end }, options]: Parameters<NonNullable<FileSource['mend']>>
): Promise<boolean> {
  let isMended = false;
  for (let index = first; index < end; index++) {
    options.signal.throwIfAborted();
    const range = segmentRange(file.layout, index).sealed;
    const pieces = await keptIn(kept, file.id, range);
    const here = new Uint8Array(range.to - range.from);
    for (const [start, piece] of pieces) copyRange(piece, start, here, range);
    if (pieces.size === 0 || (await opens(file, index, here))) continue;
    const reader = orderedReader(source, file.id, range.to, options);
    const sealed = await reader.read(range).finally(reader.end);
    if (!(await opens(file, index, sealed))) continue;
    for (const [start, piece] of pieces) {
      copyRange(sealed, range.from, piece, { from: start, to: start + piece.length });
      // Where it cannot be kept any more it is read from the server.
      await kept.save(file.id, start, piece).catch(() => kept.drop([file.id]));
    }
    isMended = true;
  }
  return isMended;
}

const opens = (file: FileCipher, index: number, sealed: Bytes): Promise<boolean> =>
  openSegment(file, index, sealed).then(
    () => true,
    () => false,
  );

/** What is here of the pieces that some bytes stand in, by where they begin: each as long as it has to be for them. */
async function keptIn(kept: KeptFiles, fileId: string, { from, to }: Range): Promise<Map<number, Bytes>> {
  const pieces = new Map<number, Bytes>();
  for (let start = startOfPiece(from); start < to; start += KEPT_PIECE_BYTES) {
    const piece = await kept.load(fileId, start);
    if (!piece) continue;
    const bytes = new Uint8Array(Math.min(Math.max(piece.length, to - start), KEPT_PIECE_BYTES));
    bytes.set(piece.subarray(0, bytes.length));
    pieces.set(start, bytes);
  }
  return pieces;
}

/** A file that is kept as it is read, to its end: what is here already is not fetched again. */
const keptAsRead = (source: FileSource, kept: KeptFiles): FileSource => ({
  async read(fileId, { from, to }, signal) {
    let at = from;
    let fetched: ReturnType<typeof taker> | null = null;
    const end = () => {
      fetched?.end();
      fetched = null;
    };
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (at >= to) return controller.close();
        const start = startOfPiece(at);
        const length = Math.min(KEPT_PIECE_BYTES, to - start);
        let piece = await kept.load(fileId, start);
        if (piece?.length === length) end();
        else {
          fetched ??= taker(await source.read(fileId, { from: start, to }, signal));
          piece = await fetched.take(length);
          // Nothing is kept behind whoever has just dropped it.
          signal.throwIfAborted();
          await kept.save(fileId, start, piece);
        }
        controller.enqueue(piece.subarray(at - start));
        at = start + piece.length;
      },
      cancel: end,
    });
  },
  mend: (...given) => mend(source, kept, ...given),
});

/**
 * Keeps a file on the device, and proves that it is the one that was sealed. What was kept of it before is not fetched again.
 * One that turns out to be another is not kept.
 * @throws as `openPieces`, and as `KeptFiles.save`
 */
export async function keepFile(
  source: FileSource,
  kept: KeptFiles,
  file: FileToOpen,
  options: Parameters<typeof openPieces>[2],
): Promise<void> {
  try {
    // What was fetched ahead still comes after an end.
    for await (const _ of openPieces(keptAsRead(source, kept), file, options))
      options.signal.throwIfAborted();
    await kept.finish(file.id);
  } catch (error) {
    if (error instanceof FileExchanged) await kept.drop([file.id]);
    throw error;
  }
}
