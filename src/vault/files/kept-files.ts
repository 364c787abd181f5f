// Files that a device keeps to open them without a connection: their ciphertext, as the server has it, in pieces. What is there is
// read there, and anything else is fetched. What is kept is proved as what is fetched is, by what its entry says of it.
import type { Bytes } from '../../crypto/encoding.ts';
import type { FileSource } from './file-source.ts';
import { type KeptFiles, startOfPiece } from './kept-pieces.ts';

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
