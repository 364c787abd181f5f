// The central directory of a zip: which files it says it holds, and where each one's bytes are. Read where it lies, never the whole
// of it. Nothing is unpacked here and nothing declared is believed by whoever unpacks.

/** A file as the directory declares it. */
export interface ZipEntry {
  name: string;
  /** 0 stored, 8 deflated; others are refused by whoever unpacks. */
  method: number;
  /** Declared bytes, unpacked. */
  size: number;
  /** Declared bytes in the zip. */
  packed: number;
  /** Where its own header begins. */
  local: number;
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
/** The longest directory that is read: 200,000 files with names of 280 bytes. */
const DIRECTORY_MAX = 64 * 1024 * 1024;
/** Read at once where a little is wanted: many small files lie behind each other. */
const WINDOW = 1024 * 1024;

/** Reads a blob in pieces; pieces that lie close together cost one reading. */
export function pieceReader(blob: Blob): (at: number, length: number) => Promise<Uint8Array> {
  let window = { at: 0, bytes: new Uint8Array() };
  return async (at, length) => {
    if (!(at >= 0 && length >= 0 && at + length <= blob.size)) throw new RangeError('outside of the zip');
    const end = window.at + window.bytes.length;
    if (at < window.at || at + length > end) {
      const bytes = await blob.slice(at, at + Math.max(length, WINDOW)).arrayBuffer();
      window = { at, bytes: new Uint8Array(bytes) };
    }
    return window.bytes.subarray(at - window.at, at - window.at + length);
  };
}

type Read = ReturnType<typeof pieceReader>;

/**
 * The entries of a zip, one at a time, in the order of its directory. A number that points outside the zip throws a
 * RangeError, a record that is none an Error.
 */
export async function* zipEntries(zip: Blob, read: Read): AsyncGenerator<ZipEntry> {
  const { count, at: start, end } = await findDirectory(zip, read);
  const length = Math.min(end - start, DIRECTORY_MAX);
  const bytes = await read(start, Math.max(0, length));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  for (let left = count; left > 0; left -= 1) {
    if (view.getUint32(at, true) !== CENTRAL) throw new Error('no directory');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      view.getUint16(at + offset, true),
    ) as [number, number, number];
    const nameAt = at + 46;
    if (nameAt + nameLength > bytes.length) throw new RangeError('outside of the zip');
    yield {
      name: new TextDecoder().decode(bytes.subarray(nameAt, nameAt + nameLength)),
      method: view.getUint16(at + 10, true),
      ...sizesOf(view, at, nameAt + nameLength, extraLength),
    };
    at = nameAt + nameLength + extraLength + commentLength;
  }
}

/** Where a file's bytes begin, behind its own header. Throws as `zipEntries`, also where they end outside of the zip. */
export async function contentOf(zip: Blob, read: Read, { local, packed }: ZipEntry): Promise<number> {
  const header = await read(local, 30);
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  if (view.getUint32(0, true) !== LOCAL) throw new Error('no file');
  const at = local + 30 + view.getUint16(26, true) + view.getUint16(28, true);
  if (at + packed > zip.size) throw new RangeError('outside of the zip');
  return at;
}

/** Where the directory begins and ends, and how many files it names. The end record is the last one that fits. */
async function findDirectory(zip: Blob, read: Read): Promise<{ count: number; at: number; end: number }> {
  const from = Math.max(0, zip.size - END_LENGTH - COMMENT_MAX);
  const bytes = await read(from, zip.size - from);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = bytes.length - END_LENGTH; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== END) continue;
    const end = from + at;
    const [count, start] = [view.getUint16(at + 10, true), view.getUint32(at + 16, true)];
    if (count !== FULL_16 && start !== FULL_32) return { count, at: start, end };
    return (await findDirectory64(read, end)) ?? { count, at: start, end };
  }
  throw new Error('no end of a directory');
}

async function findDirectory64(read: Read, end: number) {
  const locator = end - 20;
  if (locator < 0) return null;
  const where = viewOf(await read(locator, 20));
  if (where.getUint32(0, true) !== LOCATOR_64) return null;
  const record = number64(where, 8);
  const found = viewOf(await read(record, 56));
  if (found.getUint32(0, true) !== END_64) throw new Error('no directory');
  return { count: number64(found, 32), at: number64(found, 48), end: record };
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

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

function number64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}
