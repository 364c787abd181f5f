// Files that a device keeps to open them without a connection: their ciphertext, as the server has it, in pieces. What is there is
// read there, and anything else is fetched. What is kept is proved as what is fetched is, by what its entry says of it.
import type { Bytes } from '../../crypto/encoding.ts';
import type { FileSource } from './file-source.ts';

/** How long a piece is, in bytes; the last one of a file is shorter. */
export const KEPT_PIECE_BYTES = 1024 ** 2;

/** Where the piece begins in which a byte stands. */
export const startOfPiece = (at: number): number => at - (at % KEPT_PIECE_BYTES);

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
  // A disk seldom spoils anything.
  mend: async (...given) => (await import('./mend-kept.ts')).mend(source, kept, ...given),
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
