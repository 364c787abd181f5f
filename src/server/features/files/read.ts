// Reads a file out of its parts, as fast as whoever asked takes it.
import { partBytes } from '../../../shared/file-limits.ts';
import { PartMissing } from '../../adapters/file-store.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type FileRow, storedParts } from './store.ts';

/** How many names of parts are asked for at once: the largest file may have thousands, and many are read at a time. */
const NAMES_AT_ONCE = 16;

/**
 * The bytes of a whole file from one position to another, both inclusive. The store is asked for the first of them before this
 * returns. A file that is erased meanwhile breaks off.
 * @throws AppError `not-found` where the file was erased meanwhile, or the store has lost it; FileStoreAway
 */
export async function bytesOf(
  deps: Pick<Deps, 'db' | 'fileStore' | 'log'>,
  file: FileRow,
  first: number,
  last: number,
): Promise<ReadableStream<Uint8Array>> {
  const pieces = piecesOf(deps, file, partsOf(deps, file, first, last));
  // Before the answer has begun: a store that is away can be told of then.
  let next: IteratorResult<Uint8Array, void> | null = await pieces.next().catch((error: unknown) => {
    if (!(error instanceof PartMissing)) throw error;
    deps.log.error({ file: file.id, err: error }, 'the store of files has not what the database says');
    throw new AppError('not-found');
  });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = next ?? (await pieces.next());
        next = null;
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

/** Where in the store some bytes stand: from one position of a part to another, both inclusive. */
interface Piece {
  name: string;
  first: number;
  last: number;
}

/** @throws AppError `not-found` where the database does not know one of them by the time that it is read */
async function* partsOf(
  { db }: Pick<Deps, 'db'>,
  file: FileRow,
  first: number,
  last: number,
): AsyncGenerator<Piece, void, undefined> {
  const size = partBytes(file.halvings);
  const to = Math.floor(last / size);
  for (let from = Math.floor(first / size); from <= to; from += NAMES_AT_ONCE) {
    const until = Math.min(from + NAMES_AT_ONCE - 1, to);
    const names = await storedParts(db, file, from, until);
    if (names.length !== until - from + 1) throw new AppError('not-found');
    for (const [i, name] of names.entries()) {
      const begin = (from + i) * size;
      yield { name, first: Math.max(first - begin, 0), last: Math.min(last - begin, size - 1) };
    }
  }
}

async function* piecesOf(
  { fileStore }: Pick<Deps, 'fileStore'>,
  { store_key: file }: FileRow,
  parts: AsyncIterable<Piece>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { name, first, last } of parts) yield* fileStore.read({ file, name }, first, last);
}
