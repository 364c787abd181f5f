// The root of a file: what its entry says of all its segments together (docs/formats.md, "File"). Whoever has a file's key
// could seal another segment for its place; such a file has another root.
import { type Bytes, lengthPrefixed } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { type FileCipher, isSame, type Marks, markOf, openSegment } from './file.ts';
import { type Range, segmentRange } from './file-layout.ts';
import { LABELS } from './labels.ts';

const MARK_LENGTH = 32;

/**
 * The root of a file, 32 bytes, over its number, its padded length and the marks of all its segments.
 * Throws a SealError where one of them is missing.
 */
export async function fileRoot({ id, layout }: Omit<FileCipher, 'key'>, marks: Marks): Promise<Bytes> {
  const label = lengthPrefixed(LABELS.fileRoot, id, String(layout.padded));
  const bytes = new Uint8Array(label.length + layout.segments * MARK_LENGTH);
  bytes.set(label);
  for (let index = 0; index < layout.segments; index++) {
    const mark = marks.get(index);
    if (mark?.length !== MARK_LENGTH) throw new SealError();
    bytes.set(mark, label.length + index * MARK_LENGTH);
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/**
 * Opens a whole file by streaming, segment after segment, in order. The last one is held back until the root is right, so
 * that what was read to its end is the file that was sealed; what was read of a file that fails must be thrown away.
 * Throws an OpenError if anything at all is wrong, and what `read` throws.
 * @param root 32 bytes, from the entry's details
 * @param read gives exactly these bytes of the ciphertext, one segment; it is called for one after the other
 */
export async function* openWhole(
  file: FileCipher,
  root: Uint8Array,
  read: (sealed: Range) => Promise<Bytes>,
): AsyncGenerator<Bytes, void, undefined> {
  const { layout } = file;
  const marks = new Map<number, Bytes>();
  for (let index = 0; index < layout.segments; index++) {
    const sealed = await read(segmentRange(layout, index).sealed);
    const opened = await openSegment(file, index, sealed);
    marks.set(index, await markOf(sealed));
    const isLast = index === layout.segments - 1;
    if (isLast && !isSame(await fileRoot(file, marks), root)) throw new OpenError();
    yield opened;
  }
}
