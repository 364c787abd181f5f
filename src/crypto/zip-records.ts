// The records of a zip, as bytes (APPNOTE.TXT, PKWARE): what stands before a file, behind it, and in the directory. Numbers that
// 32 bits have no room for stand in a field of 64-bit numbers. Pure.
import { type Bytes, utf8 } from './encoding.ts';

/** A file as the directory has it. */
export interface ZipRecord {
  path: string;
  /** 0 stored, 8 deflated. */
  method: 0 | 8;
  /** Whether sum and sizes stand behind the file, as they were not known before it. */
  isStreamed: boolean;
  crc: number;
  size: number;
  packed: number;
  /** Where its own header begins. */
  local: number;
}

/** From which number on 64 bits are needed: the number itself means that. */
export const WIDE_FROM = 0xffff_ffff;
const COUNT_MAX = 0xffff;
const UTF8_NAME = 0x0800;
const STREAMED = 0x0008;

/** Date and time of a zip, two seconds each step, from ISO 8601 in UTC. */
export function zipTime(moment: string): { time: number; date: number } {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (moment.match(/\d+/g) ?? []).map(
    Number,
  );
  return {
    time: (hour << 11) | (minute << 5) | (second >> 1),
    date: ((year - 1980) << 9) | (month << 5) | day,
  };
}

/** Numbers in little-endian order, each with its length in bytes. */
function numbers(...fields: readonly (readonly [value: number, length: 2 | 4 | 8])[]): Bytes {
  const bytes = new Uint8Array(fields.reduce((sum, [, length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, length] of fields) {
    if (length === 2) view.setUint16(at, value, true);
    else if (length === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += length;
  }
  return bytes;
}

export function joined(...parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const isWide = ({ size, packed }: Pick<ZipRecord, 'size' | 'packed'>, from: number) =>
  size >= from || packed >= from;

/** What stands before a file. @param from tests alone have a lower one */
export function localHeader(record: ZipRecord, at: ReturnType<typeof zipTime>, from = WIDE_FROM): Bytes {
  const { path, method, isStreamed, crc, size, packed } = record;
  const name = utf8(path);
  const wide = isWide(record, from);
  const known = isStreamed ? [0, 0, 0] : [crc, packed, size];
  const [sum = 0, short = 0, long = 0] = wide ? [known[0], WIDE_FROM, WIDE_FROM] : known;
  const extra = wide
    ? numbers([1, 2], [16, 2], [isStreamed ? 0 : size, 8], [isStreamed ? 0 : packed, 8])
    : numbers();
  return joined(
    numbers(
      [0x04034b50, 4],
      [wide ? 45 : 20, 2],
      [UTF8_NAME | (isStreamed ? STREAMED : 0), 2],
      [method, 2],
      [at.time, 2],
      [at.date, 2],
      [sum, 4],
      [short, 4],
      [long, 4],
      [name.length, 2],
      [extra.length, 2],
    ),
    name,
    extra,
  );
}

/** What stands behind a file whose sum was not known before it. */
export function descriptor(record: ZipRecord, from = WIDE_FROM): Bytes {
  const length = isWide(record, from) ? 8 : 4;
  return numbers([0x08074b50, 4], [record.crc, 4], [record.packed, length], [record.size, length]);
}

/** What the directory says of a file. */
export function centralHeader(record: ZipRecord, at: ReturnType<typeof zipTime>, from = WIDE_FROM): Bytes {
  const { path, method, isStreamed, crc, size, packed, local } = record;
  const name = utf8(path);
  const wide = isWide(record, from);
  const far = local >= from;
  const sizes = [...(wide ? [size, packed] : []), ...(far ? [local] : [])];
  const extra =
    sizes.length > 0
      ? numbers([1, 2], [8 * sizes.length, 2], ...sizes.map((n) => [n, 8] as const))
      : numbers();
  return joined(
    numbers(
      [0x02014b50, 4],
      [wide || far ? 45 : 20, 2],
      [wide || far ? 45 : 20, 2],
      [UTF8_NAME | (isStreamed ? STREAMED : 0), 2],
      [method, 2],
      [at.time, 2],
      [at.date, 2],
      [crc, 4],
      [wide ? WIDE_FROM : packed, 4],
      [wide ? WIDE_FROM : size, 4],
      [name.length, 2],
      [extra.length, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [far ? WIDE_FROM : local, 4],
    ),
    name,
    extra,
  );
}

/** What ends a zip. @param at where its directory begins */
export function endOfZip(count: number, length: number, at: number, from = WIDE_FROM): Bytes {
  const wide = count >= COUNT_MAX || length >= from || at >= from;
  const end64 = wide
    ? numbers(
        ...([
          [0x06064b50, 4],
          [44, 8],
          [45, 2],
          [45, 2],
          [0, 4],
          [0, 4],
        ] as const),
        ...([
          [count, 8],
          [count, 8],
          [length, 8],
          [at, 8],
        ] as const),
        ...([
          [0x07064b50, 4],
          [0, 4],
          [at + length, 8],
          [1, 4],
        ] as const),
      )
    : numbers();
  const few = wide ? COUNT_MAX : count;
  return joined(
    end64,
    numbers(
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [few, 2],
      [few, 2],
      [wide ? WIDE_FROM : length, 4],
      [wide ? WIDE_FROM : at, 4],
      [0, 2],
    ),
  );
}
