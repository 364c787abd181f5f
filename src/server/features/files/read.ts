// Reads a file out of its parts, as fast as whoever asked takes it.
import { partBytes } from '../../../shared/nouns/files.ts';
import type { Deps } from '../../deps.ts';
import { type FileRow, storedParts } from './store.ts';

/** The bytes of a whole file from one position to another, both inclusive. */
export function bytesOf(
  deps: Pick<Deps, 'db' | 'fileStore'>,
  file: FileRow,
  first: number,
  last: number,
): ReadableStream<Uint8Array> {
  const pieces = piecesOf(deps, file, first, last);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    // A piece is read when the one before has left.
    { highWaterMark: 0 },
  );
}

async function* piecesOf(
  { db, fileStore }: Pick<Deps, 'db' | 'fileStore'>,
  file: FileRow,
  first: number,
  last: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const size = partBytes(file.halvings);
  const from = Math.floor(first / size);
  const names = await storedParts(db, file, from, Math.floor(last / size));
  for (const [i, name] of names.entries()) {
    const begin = (from + i) * size;
    const part = { file: file.store_key, name };
    yield* fileStore.read(part, Math.max(first - begin, 0), Math.min(last - begin, size - 1));
  }
}
