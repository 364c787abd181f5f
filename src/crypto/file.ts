// A file sealed in segments, so that it is made and opened by streaming (docs/formats.md, "File"). Any segment can be made
// again from key and file. It must never seal two different plaintexts as one segment of one file: they would share a nonce.
import { fromBase64Url, toBase64Url } from './base64.ts';
import { type Bytes, exactly, lengthPrefixed } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import {
  type FileLayout,
  layoutOf,
  type Range,
  STEPS,
  type Steps,
  segmentRange,
  segmentsOfPlain,
  segmentsOfSealed,
  TAG_BYTES,
} from './file-layout.ts';
import { FILE_LABELS } from './labels.ts';

/** The length of a file's key, in bytes. */
export const FILE_KEY_LENGTH = 32;
const ID_LENGTH = 16;
const NONCE_LENGTH = 12;

/** A new file's number, 16 random bytes as 22 characters of base64url, and its key, for this file alone. */
export function newFile(): { id: string; key: Bytes } {
  return {
    id: toBase64Url(crypto.getRandomValues(new Uint8Array(ID_LENGTH))),
    key: crypto.getRandomValues(new Uint8Array(FILE_KEY_LENGTH)),
  };
}

/** What every segment of one file is sealed and opened with. */
export type FileCipher = { id: string; key: CryptoKey; layout: FileLayout };

/**
 * Makes a file's key ready for use. The page cannot read it out again.
 * Throws a TypeError for a number or key of another length, and a RangeError for what is no length.
 * @param bytes the length of the file itself, which is bound into every segment as its padded length
 */
export async function fileCipher(
  { id, key, bytes }: { id: string; key: Uint8Array; bytes: number },
  steps: Steps = STEPS,
): Promise<FileCipher> {
  exactly(ID_LENGTH, fromBase64Url(id));
  const layout = layoutOf(bytes, steps);
  const raw = exactly(FILE_KEY_LENGTH, key);
  return {
    id,
    key: await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']),
    layout,
  };
}

/**
 * The file is another one than when its upload began. Nothing of it may be sent under this number and key: what is there
 * now needs new ones.
 */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
  constructor() {
    super('The file has changed');
  }
}

/**
 * What identifies a sealed segment: SHA-256 over its bytes, tag included. The root is made of all of them in order, and a
 * segment that is made again is compared with it.
 */
export async function markOf(sealed: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', sealed));
}

/** The marks of segments by their index. */
export type Marks = ReadonlyMap<number, Bytes>;
/**
 * The marks of all segments of a file that were sealed so far. One try of an upload has one such map, whatever it does at once: sealing compares with it and adds to it, in one step.
 */
export type MarksSoFar = Map<number, Bytes>;

/**
 * Seals one segment: deterministic, given key, number, length and plaintext.
 * Throws a FileChangedError where `plain` is not as long as this segment must be, or where it was sealed otherwise before; a
 * RangeError for a segment that the file does not have; a SealError for anything else.
 * **Before any byte of `sealed` leaves the device the caller has stored, for whoever has the key later, what all segments up to
 * this one were (`fileRoot`), and has found those that were stored before to be the same.** Else a file that changed in between
 * would use a nonce twice.
 * @param plain exactly the bytes of `segmentRange(…).plain`; the padding is put on here
 * @param marks gets this one
 * @returns the ciphertext with its tag, and its mark
 */
export async function sealSegment(
  file: FileCipher,
  index: number,
  plain: Bytes,
  marks: MarksSoFar,
): Promise<{ sealed: Bytes; mark: Bytes }> {
  const ranges = segmentRange(file.layout, index);
  if (plain.length !== lengthOf(ranges.plain)) throw new FileChangedError();
  const sealed = await encrypted(file, index, padded(plain, lengthOf(ranges.sealed)));
  const mark = await markOf(sealed);
  // Nothing is awaited between looking and adding: of two that seal the same place at once, the second one compares.
  const before = marks.get(index);
  if (before && !isSame(mark, before)) throw new FileChangedError();
  marks.set(index, mark);
  return { sealed, mark };
}

/**
 * Opens one segment.
 * Throws an OpenError, which tells nothing, if anything at all is wrong: another file, place, length or key, a changed byte,
 * padding that is not zeros.
 * @param sealed exactly the bytes of `segmentRange(…).sealed`
 * @returns what stands there of the file, without padding
 */
export async function openSegment(file: FileCipher, index: number, sealed: Bytes): Promise<Bytes> {
  try {
    const ranges = segmentRange(file.layout, index);
    if (sealed.length !== lengthOf(ranges.sealed)) throw new OpenError();
    const plain = await crypto.subtle.decrypt(algorithmOf(file, index), file.key, sealed);
    return withoutPadding(new Uint8Array(plain), lengthOf(ranges.plain));
  } catch {
    throw new OpenError();
  }
}

/** How many segments of a range are worked on at once: while one is being hashed, the next one is sealed. */
const SEALED_AT_ONCE = 2;

/**
 * Seals what is needed of a file to send one range of its ciphertext, which need not begin or end with a segment.
 * Throws what `sealSegment`, `segmentsOfSealed` and `read` throw.
 * @param read gives exactly these bytes of the file, or fewer where it has become shorter; it is called once
 * @param marks gets those of this range
 * @returns the range, and the marks of all its segments. What they stand for is stored before the bytes are sent (`sealSegment`),
 *   also of those that were in `marks` already: another part may not have stored it yet
 */
export async function sealRange(
  file: FileCipher,
  range: Range,
  read: (plain: Range) => Promise<Bytes>,
  marks: MarksSoFar,
): Promise<{ bytes: Bytes; marks: Marks }> {
  const { first, end } = segmentsOfSealed(file.layout, range);
  const { from } = segmentRange(file.layout, first).plain;
  const plain = await read({ from, to: segmentRange(file.layout, end - 1).plain.to });
  const bytes = new Uint8Array(lengthOf(range));
  const ofRange = new Map<number, Bytes>();
  let next = first;
  const lane = async () => {
    for (let index = next++; index < end; index = next++) {
      const { plain: at, sealed: place } = segmentRange(file.layout, index);
      const of = plain.subarray(at.from - from, at.to - from);
      const { sealed, mark } = await sealSegment(file, index, of, marks);
      copyRange(sealed, place.from, bytes, range);
      letGo(sealed);
      ofRange.set(index, mark);
    }
  };
  await Promise.all(Array.from({ length: SEALED_AT_ONCE }, lane));
  return { bytes, marks: ofRange };
}

/**
 * Opens one range of a file: what a player needs of a recording. Each segment is authentic in its place; that all of the file
 * is what was sealed at one time is known only of a whole one (`openWhole`).
 * Throws an OpenError if anything at all is wrong, and what `read` throws.
 * @param read gives exactly these bytes of the ciphertext; it is called once
 */
export async function openRange(
  file: FileCipher,
  range: Range,
  read: (sealed: Range) => Promise<Bytes>,
): Promise<Bytes> {
  const segments = segmentsOfPlain(file.layout, range);
  const sealed = await read(segments.sealed);
  if (sealed.length !== lengthOf(segments.sealed)) throw new OpenError();
  const bytes = new Uint8Array(lengthOf(range));
  for (let index = segments.first; index < segments.end; index++) {
    const { plain, sealed: at } = segmentRange(file.layout, index);
    const start = segments.sealed.from;
    const opened = await openSegment(file, index, sealed.subarray(at.from - start, at.to - start));
    copyRange(opened, plain.from, bytes, range);
  }
  return bytes;
}

/**
 * Gives memory back at once where the engine can, as a file has far more of it than a collector of garbage hurries for. Nothing is
 * left in the buffer that the bytes stand in.
 */
export function letGo({ buffer }: Bytes): void {
  (buffer as ArrayBuffer & { transfer?: (length: number) => ArrayBuffer }).transfer?.(0);
}

const lengthOf = ({ from, to }: Range): number => to - from;

/** Nonce and additional data of a segment: they are what binds it to its place. */
function algorithmOf({ id, layout }: FileCipher, index: number): AesGcmParams {
  const last = index === layout.segments - 1 ? 1 : 0;
  const iv = new Uint8Array(NONCE_LENGTH);
  iv[NONCE_LENGTH - 1] = last;
  // No shift: an index may have more than 32 bits.
  for (let at = NONCE_LENGTH - 2, rest = index; rest > 0; at--, rest = Math.floor(rest / 256))
    iv[at] = rest % 256;
  const length = String(layout.padded);
  const additionalData = lengthPrefixed(FILE_LABELS.segment, id, String(index), String(last), length);
  return { name: 'AES-GCM', iv, additionalData };
}

async function encrypted(file: FileCipher, index: number, plain: Bytes): Promise<Bytes> {
  try {
    return new Uint8Array(await crypto.subtle.encrypt(algorithmOf(file, index), file.key, plain));
  } catch {
    throw new SealError();
  }
}

/** Zeros behind it, up to what a segment of this length as sealed has. No copy where there are none. */
function padded(plain: Bytes, sealedBytes: number): Bytes {
  const length = sealedBytes - TAG_BYTES;
  if (plain.length === length) return plain;
  const bytes = new Uint8Array(length);
  bytes.set(plain);
  return bytes;
}

function withoutPadding(plain: Bytes, length: number): Bytes {
  for (let at = length; at < plain.length; at++) if (plain[at] !== 0) throw new OpenError();
  return plain.subarray(0, length);
}

/** Copies what of `source`, which begins at `from`, stands in `range`, to its place there. */
export function copyRange(source: Bytes, from: number, into: Bytes, range: Range): void {
  const start = Math.max(from, range.from);
  const end = Math.min(from + source.length, range.to);
  into.set(source.subarray(start - from, end - from), start - range.from);
}

/** Whether two marks or roots are one. Neither is secret. */
export const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);
