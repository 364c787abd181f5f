// A second zip, written from PKWARE's APPNOTE and none of the product's libraries: it stores, and it reads what others
// compressed. Tests and vectors use it. It must never be imported by the product.
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** One file of a zip. Whatever is given beside its name and content is written as it is, true or not. */
export type ReferenceFile = {
  name: string;
  content: Uint8Array;
  /** What is declared as its size; the content's own otherwise. */
  size?: number;
  /** 0 stored, 8 deflated; `content` is written as it is. */
  method?: number;
  /** Where in the zip it begins, for one that shares another's bytes. */
  offset?: number;
};

const le = (length: number, value: number) =>
  Uint8Array.from({ length }, (_, i) => Math.floor(value / 256 ** i) & 0xff);

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** A zip of files in the order given; `wide` writes sizes and places as 64-bit numbers. */
export function zipAs(files: ReferenceFile[], { wide = false } = {}): Uint8Array {
  const locals: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, content, size = content.length, method = 0, offset = at } of files) {
    const path = utf8ToBytes(name);
    // Version 2.0, names in UTF-8, the first moment a zip knows.
    const common = concatBytes(
      le(2, 20),
      le(2, 0x800),
      le(2, method),
      le(2, 0),
      le(2, 33),
      le(4, crc32(content)),
    );
    const lengths = concatBytes(le(4, content.length), le(4, size), le(2, path.length));
    const full = le(4, 0xffffffff);
    const extra = concatBytes(le(2, 1), le(2, 24), le(8, size), le(8, content.length), le(8, offset));
    const sizes = wide
      ? concatBytes(full, full, le(2, path.length), le(2, extra.length))
      : concatBytes(lengths, le(2, 0));
    const where = wide ? concatBytes(full, path, extra) : concatBytes(le(4, offset), path);
    directory.push(
      concatBytes(utf8ToBytes('PK\x01\x02'), le(2, 20), common, sizes, new Uint8Array(10), where),
    );
    if (offset !== at) continue;
    const local = concatBytes(utf8ToBytes('PK\x03\x04'), common, lengths, le(2, 0), path, content);
    locals.push(local);
    at += local.length;
  }
  const index = concatBytes(...directory);
  const count = wide ? 0xffff : files.length;
  const begin = wide ? 0xffffffff : at;
  const end = [le(4, 0), le(2, count), le(2, count), le(4, index.length), le(4, begin), le(2, 0)];
  return concatBytes(
    ...locals,
    index,
    ...(wide ? wideEnd(files.length, index.length, at) : []),
    utf8ToBytes('PK\x05\x06'),
    ...end,
  );
}

/** The end of a directory in 64-bit numbers, and where it stands. */
function wideEnd(count: number, length: number, at: number): Uint8Array[] {
  return [
    concatBytes(utf8ToBytes('PK\x06\x06'), le(8, 44), le(2, 45), le(2, 45), le(4, 0), le(4, 0)),
    concatBytes(le(8, count), le(8, count), le(8, length), le(8, at)),
    concatBytes(utf8ToBytes('PK\x06\x07'), le(4, 0), le(8, at + length), le(4, 1)),
  ];
}

/** What a zip holds, in its order; compares every checksum. */
export async function unzipAs(zip: Uint8Array): Promise<Record<string, Uint8Array>> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  const end = zip.length - 22; // no comment
  if (view.getUint32(end) !== 0x504b0506) throw new Error('end of directory');
  const files: Record<string, Uint8Array> = {};
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [method, crc, packed] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 16, true),
      view.getUint32(at + 20, true),
    ];
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(zip.subarray(at + 46, nameEnd));
    const local = view.getUint32(at + 42, true);
    const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const raw = zip.slice(begin, begin + packed);
    const content = method === 8 ? await inflated(raw) : raw;
    if (crc32(content) !== crc) throw new Error('checksum');
    files[name] = content;
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return files;
}

async function inflated(raw: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
