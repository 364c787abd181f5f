// The central directory of a zip: which files it says it holds, and where each one's bytes are. Pure reading of what is
// declared; nothing is unpacked here and nothing declared is believed by whoever unpacks.

/** A file as the directory declares it. */
export interface ZipEntry {
  name: string;
  /** 0 stored, 8 deflated; others are refused by whoever unpacks. */
  method: number;
  /** Declared bytes, unpacked. */
  size: number;
  /** Its bytes in the zip. */
  packed: Uint8Array;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_LENGTH = 22;
const COMMENT_MAX = 0xffff;
const FULL_16 = 0xffff;
const FULL_32 = 0xffffffff;
const SIZES_64 = 1;

/**
 * The entries of a zip, one at a time, in the order of its directory. A number that points outside the zip throws a
 * RangeError, a record that is none an Error.
 */
export function* zipEntries(zip: Uint8Array): Generator<ZipEntry> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  const { count, at: start } = findDirectory(view);
  let at = start;
  for (let left = count; left > 0; left -= 1) {
    if (view.getUint32(at, true) !== CENTRAL) throw new Error('no directory');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      view.getUint16(at + offset, true),
    ) as [number, number, number];
    const nameAt = at + 46;
    const sizes = sizesOf(view, at, nameAt + nameLength, extraLength);
    yield {
      name: textOf(slice(zip, nameAt, nameLength)),
      method: view.getUint16(at + 10, true),
      size: sizes.size,
      packed: slice(zip, contentOf(view, sizes.local), sizes.packed),
    };
    at = nameAt + nameLength + extraLength + commentLength;
  }
}

/** Where the directory begins and how many files it names. The end record is the last one that fits. */
function findDirectory(view: DataView): { count: number; at: number } {
  const last = view.byteLength - END_LENGTH;
  for (let end = last; end >= 0 && end >= last - COMMENT_MAX; end -= 1) {
    if (view.getUint32(end, true) !== END) continue;
    const [count, at] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
    if (count !== FULL_16 && at !== FULL_32) return { count, at };
    return findDirectory64(view, end) ?? { count, at };
  }
  throw new Error('no end of a directory');
}

function findDirectory64(view: DataView, end: number): { count: number; at: number } | null {
  const locator = end - 20;
  if (locator < 0 || view.getUint32(locator, true) !== LOCATOR_64) return null;
  const record = number64(view, locator + 8);
  if (view.getUint32(record, true) !== END_64) throw new Error('no directory');
  return { count: number64(view, record + 32), at: number64(view, record + 48) };
}

/** What the central record declares; what does not fit there stands in a field of 64-bit numbers behind the name. */
function sizesOf(view: DataView, at: number, extraAt: number, extraLength: number) {
  const declared = [
    { of: 'size', value: view.getUint32(at + 24, true) },
    { of: 'packed', value: view.getUint32(at + 20, true) },
    { of: 'local', value: view.getUint32(at + 42, true) },
  ] as const;
  let wide = -1;
  for (
    let field = extraAt;
    field + 4 <= extraAt + extraLength;
    field += 4 + view.getUint16(field + 2, true)
  ) {
    if (view.getUint16(field, true) === SIZES_64) wide = field + 4;
  }
  const sizes = { size: 0, packed: 0, local: 0 };
  for (const { of, value } of declared) {
    const isWide = value === FULL_32 && wide >= 0;
    sizes[of] = isWide ? number64(view, wide) : value;
    if (isWide) wide += 8;
  }
  return sizes;
}

/** Where a file's bytes begin, behind its own header. */
function contentOf(view: DataView, local: number): number {
  if (view.getUint32(local, true) !== LOCAL) throw new Error('no file');
  return local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
}

function slice(zip: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > zip.length) throw new RangeError('outside of the zip');
  return zip.subarray(at, at + length);
}

function number64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
