// What a disk has spoiled of a file that is kept is fetched once more.
import type { Bytes } from '../../crypto/encoding.ts';
import { copyRange, type FileCipher, openSegment } from '../../crypto/file.ts';
import { type Range, segmentRange } from '../../crypto/file-layout.ts';
import { orderedReader } from './download.ts';
import type { FileSource } from './file-source.ts';
import { KEPT_PIECE_BYTES, type KeptFiles, startOfPiece } from './kept-pieces.ts';

/**
 * A disk may spoil what is kept. What does not open is fetched once more, segment by segment, and takes its place where it does: a
 * server that has it no more, or gives something else, spoils nothing of what is here. For the rest as `FileSource.mend`.
 */
export async function mend(
  source: FileSource,
  kept: KeptFiles,
  ...[file, { first, end }, options]: Parameters<NonNullable<FileSource['mend']>>
): Promise<boolean> {
  let isMended = false;
  for (let index = first; index < end; index++) {
    options.signal.throwIfAborted();
    const range = segmentRange(file.layout, index).sealed;
    const pieces = await keptIn(kept, file.id, range);
    if (pieces.size === 0 || (await opens(file, index, assembled(pieces, range)))) continue;
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

/**
 * Empties what is here of a file and does not open, so that it is fetched again.
 * @returns whether nothing had to be, though all of the file is here
 */
export async function emptySpoiled(kept: KeptFiles, file: FileCipher): Promise<boolean> {
  const spoiled = new Set<number>();
  let isRight = true;
  for (let index = 0; index < file.layout.segments; index++) {
    const range = segmentRange(file.layout, index).sealed;
    const pieces = await keptIn(kept, file.id, range);
    const isAllHere = pieces.has(startOfPiece(range.from)) && pieces.has(startOfPiece(range.to - 1));
    if (isAllHere && (await opens(file, index, assembled(pieces, range)))) continue;
    isRight = false;
    // Of one that is here in part nobody can tell.
    if (isAllHere) for (const start of pieces.keys()) spoiled.add(start);
  }
  for (const start of spoiled) await kept.save(file.id, start, new Uint8Array());
  return isRight;
}

function assembled(pieces: ReadonlyMap<number, Bytes>, range: Range): Bytes {
  const sealed = new Uint8Array(range.to - range.from);
  for (const [start, piece] of pieces) copyRange(piece, start, sealed, range);
  return sealed;
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
    // One that was emptied is as one that is not here.
    if (!piece?.length) continue;
    const bytes = new Uint8Array(Math.min(Math.max(piece.length, to - start), KEPT_PIECE_BYTES));
    bytes.set(piece.subarray(0, bytes.length));
    pieces.set(start, bytes);
  }
  return pieces;
}
