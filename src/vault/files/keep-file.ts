// Keeping a file on the device: fetched, proved, and kept piece by piece on the way. In a file of its own: it is fetched once somebody
// wants a file to be kept.
import { fileCipher } from '../../crypto/file.ts';
import { FileExchanged, type FileToOpen, openPieces, taker } from './download.ts';
import type { FileSource } from './file-source.ts';
import { KEPT_PIECE_BYTES, type KeptFiles, startOfPiece } from './kept-pieces.ts';
import { emptySpoiled, mend } from './mend-kept.ts';

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
 * What turns out to be of another one is not kept.
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
    if (error instanceof FileExchanged && !(await keepsRest(kept, file, options))) await kept.drop([file.id]);
    throw error;
  }
}

/**
 * Lets go of what does not open. One wrong answer of a server takes nothing of the rest away.
 * @returns false where all of it opens, and is another file together; or where it cannot be changed
 */
const keepsRest = async (
  kept: KeptFiles,
  { id, key, bytes }: FileToOpen,
  { steps }: Parameters<typeof openPieces>[2],
): Promise<boolean> =>
  !(await emptySpoiled(kept, await fileCipher({ id, key, bytes }, steps)).catch(() => true));
