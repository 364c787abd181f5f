// Reads a file out of its parts, as fast as whoever asked takes it.
import { partBytes } from '../../../shared/file-limits.ts';
import { PartMissing } from '../../adapters/file-store.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type FileRow, storedParts } from './store.ts';

/**
 * The bytes of a whole file from one position to another, both inclusive. The database is asked before the first of them, and
 * the store for the first of them before this returns.
 * @throws AppError `not-found` where the file was erased meanwhile, or the store has lost it; FileStoreAway
 */
export async function bytesOf(
  deps: Pick<Deps, 'db' | 'fileStore' | 'log'>,
  file: FileRow,
  first: number,
  last: number,
): Promise<ReadableStream<Uint8Array>> {
  const size = partBytes(file.halvings);
  const [from, to] = [Math.floor(first / size), Math.floor(last / size)];
  const names = await storedParts(deps.db, file, from, to);
  if (names.length !== to - from + 1) throw new AppError('not-found');
  const parts = names.map((name, i) => {
    const begin = (from + i) * size;
    return { name, first: Math.max(first - begin, 0), last: Math.min(last - begin, size - 1) };
  });
  const pieces = piecesOf(deps, file, parts);
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

async function* piecesOf(
  { fileStore }: Pick<Deps, 'fileStore'>,
  { store_key: file }: FileRow,
  parts: readonly Piece[],
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const { name, first, last } of parts) yield* fileStore.read({ file, name }, first, last);
}
