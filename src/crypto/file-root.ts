// The root of a file: what its entry says of all its segments together (docs/formats.md, "File"). Whoever has a file's key
// could seal another segment for its place; such a file has another root.
import { type Bytes, lengthPrefixed } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { type FileCipher, isSame, letGo, type Marks, markOf, openSegment } from './file.ts';
import { type Range, segmentRange } from './file-layout.ts';
import { FILE_LABELS } from './labels.ts';

const MARK_LENGTH = 32;
/** How many segments of a whole file are fetched and opened at once, so that neither waits for the other, nor for who takes them. */
const AHEAD = 3;

/**
 * The root of a file, 32 bytes, over its number, its padded length and the marks of all its segments; or that of its first ones,
 * which is kept while it is sent.
 * Throws a SealError where one of them is missing.
 */
export async function fileRoot(
  { id, layout }: Omit<FileCipher, 'key'>,
  marks: Marks,
  segments = layout.segments,
): Promise<Bytes> {
  const label = lengthPrefixed(FILE_LABELS.root, id, String(layout.padded));
  const bytes = new Uint8Array(label.length + segments * MARK_LENGTH);
  bytes.set(label);
  for (let index = 0; index < segments; index++) {
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
 * @param read gives exactly these bytes of the ciphertext, one segment, in a buffer of their own, which is let go; it is called for
 *   one after the other, and for a few before they are taken
 */
export async function* openWhole(
  file: FileCipher,
  root: Uint8Array,
  read: (sealed: Range) => Promise<Bytes>,
): AsyncGenerator<Bytes, void, undefined> {
  const { layout } = file;
  const marks = new Map<number, Bytes>();
  async function open(index: number, sealed: Bytes): Promise<Bytes> {
    const [opened, mark] = await Promise.all([openSegment(file, index, sealed), markOf(sealed)]);
    letGo(sealed);
    marks.set(index, mark);
    return opened;
  }
  let reading: Promise<unknown> = Promise.resolve();
  function begin(index: number): Promise<Bytes> {
    const sealed = reading.then(() => read(segmentRange(layout, index).sealed));
    reading = sealed;
    const opening = sealed.then((bytes) => open(index, bytes));
    // Nobody may ask for it any more, once one before it has failed.
    opening.catch(() => {});
    return opening;
  }
  /** Those that were begun and are not given out yet, in order. */
  const ahead: Promise<Bytes>[] = [];
  let begun = 0;
  for (let index = 0; index < layout.segments; index++) {
    while (begun < Math.min(index + AHEAD, layout.segments)) ahead.push(begin(begun++));
    const opened = (await ahead.shift()) as Bytes;
    const isLast = index === layout.segments - 1;
    if (isLast && !isSame(await fileRoot(file, marks), root)) throw new OpenError();
    yield opened;
  }
}
