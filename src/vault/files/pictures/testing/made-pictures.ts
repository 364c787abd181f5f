// Pictures made byte by byte for tests: what stands in them besides is known, and written by other code than what reads it.
const text = (value: string) => Uint8Array.from(value, (sign) => sign.charCodeAt(0));

export function joined(...pieces: (Uint8Array | number[] | string)[]): Uint8Array<ArrayBuffer> {
  const all = pieces.map((piece) => (typeof piece === 'string' ? text(piece) : Uint8Array.from(piece)));
  const bytes = new Uint8Array(all.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of all) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const big = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) & 255);
const little = (value: number, bytes: number) => big(value, bytes).reverse();

interface ExifOptions {
  isLittle?: boolean;
  orientation?: number;
  takenAt?: string;
  make?: string;
  model?: string;
  /** Degrees, minutes, seconds, and the sign of the half. */
  latitude?: { parts: [number, number, number]; half: 'N' | 'S' };
  longitude?: { parts: [number, number, number]; half: 'E' | 'W' };
  owner?: string;
}

/** A TIFF with three directories, as cameras write it. Seconds are given in hundredths. */
export function anExif(options: ExifOptions = {}): Uint8Array<ArrayBuffer> {
  const number = options.isLittle ? little : big;
  type Entry = [tag: number, type: number, count: number, value: number[]];
  const ascii = (tag: number, value: string): Entry => [tag, 2, value.length + 1, [...text(value), 0]];
  const rationals = (tag: number, [d, m, s]: [number, number, number]): Entry => [
    tag,
    5,
    3,
    [d, 1, m, 1, s, 100].flatMap((part) => number(part, 4)),
  ];
  const first: Entry[] = [];
  if (options.make !== undefined) first.push(ascii(0x010f, options.make));
  if (options.model !== undefined) first.push(ascii(0x0110, options.model));
  if (options.orientation !== undefined) first.push([0x0112, 3, 1, number(options.orientation, 2)]);
  if (options.owner !== undefined) first.push(ascii(0x013b, options.owner));
  const exif: Entry[] = options.takenAt === undefined ? [] : [ascii(0x9003, options.takenAt)];
  const gps: Entry[] = [];
  const { latitude, longitude } = options;
  if (latitude) gps.push(ascii(1, latitude.half), rationals(2, latitude.parts));
  if (longitude) gps.push(ascii(3, longitude.half), rationals(4, longitude.parts));

  const bytes: number[] = [...text(options.isLittle ? 'II' : 'MM'), ...number(42, 2), ...number(8, 4)];
  /** Writes a directory behind what is there. @returns where the pointers in it stand */
  function put(entries: Entry[], pointers: number[]): number[] {
    const at = bytes.length;
    const count = entries.length + pointers.length;
    let values = at + 2 + count * 12 + 4;
    const tail: number[] = [];
    const places: number[] = [];
    bytes.push(...number(count, 2));
    for (const [tag, type, many, value] of entries) {
      bytes.push(...number(tag, 2), ...number(type, 2), ...number(many, 4));
      if (value.length <= 4) bytes.push(...value, ...Array(4 - value.length).fill(0));
      else {
        bytes.push(...number(values, 4));
        tail.push(...value);
        values += value.length;
      }
    }
    for (const tag of pointers) {
      bytes.push(...number(tag, 2), ...number(4, 2), ...number(1, 4));
      places.push(bytes.length);
      bytes.push(0, 0, 0, 0);
    }
    bytes.push(0, 0, 0, 0, ...tail);
    return places;
  }
  const [toExif = 0, toGps = 0] = put(first, [0x8769, 0x8825]);
  bytes.splice(toExif, 4, ...number(bytes.length, 4));
  put(exif, []);
  bytes.splice(toGps, 4, ...number(bytes.length, 4));
  put(gps, []);
  return Uint8Array.from(bytes);
}

export const segment = (marker: number, ...body: (Uint8Array | number[] | string)[]) => {
  const bytes = joined(...body);
  return joined([0xff, marker], big(bytes.length + 2, 2), bytes);
};

export const JFIF = segment(0xe0, 'JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0]);
export const ICC = segment(0xe2, 'ICC_PROFILE\0', [1, 1], 'colours');
export const FRAME = segment(0xc0, [8], big(600, 2), big(800, 2), [1, 1, 0x11, 0]);
/** Coded data with a byte 0xff in it, a restart and a second scan. */
export const SCANS = joined(
  segment(0xda, [1, 1, 0, 0, 63, 0]),
  [1, 2, 0xff, 0, 3, 0xff, 0xd0, 4],
  segment(0xc4, 'table'),
  segment(0xda, [1, 1, 0, 0, 63, 0]),
  [5, 6],
);

/** A JPEG of 800 by 600 with blocks behind its resolution. */
export const aJpeg = (blocks: Uint8Array[] = [], behind: Uint8Array | string = ''): Uint8Array<ArrayBuffer> =>
  joined([0xff, 0xd8], JFIF, ...blocks, ICC, FRAME, SCANS, [0xff, 0xd9], behind);

export const exifSegment = (exif: Uint8Array) => segment(0xe1, 'Exif\0\0', exif);

/** With a wrong checksum: what reads it here does not look at that. */
export const pngChunk = (name: string, ...data: (Uint8Array | number[] | string)[]) => {
  const bytes = joined(...data);
  return joined(big(bytes.length, 4), name, bytes, [0, 0, 0, 0]);
};

export const aPng = (
  chunks: Uint8Array[] = [],
  { width = 800, height = 600, behind = '' }: { width?: number; height?: number; behind?: string } = {},
): Uint8Array<ArrayBuffer> =>
  joined(
    [0x89, ...text('PNG\r\n\x1a\n')],
    pngChunk('IHDR', big(width, 4), big(height, 4), [8, 2, 0, 0, 0]),
    ...chunks,
    pngChunk('IDAT', 'picture'),
    pngChunk('IEND'),
    behind,
  );

export const webpChunk = (name: string, ...data: (Uint8Array | number[] | string)[]) => {
  const bytes = joined(...data);
  return joined(name, little(bytes.length, 4), bytes, bytes.length % 2 === 0 ? [] : [0]);
};

export const aWebp = (flags: number, chunks: Uint8Array[] = [], behind = ''): Uint8Array<ArrayBuffer> => {
  const body = joined(
    'WEBP',
    webpChunk('VP8X', [flags, 0, 0, 0], little(799, 3), little(599, 3)),
    webpChunk('VP8 ', 'the picture'),
    ...chunks,
  );
  return joined('RIFF', little(body.length, 4), body, behind);
};

const box = (name: string, ...data: (Uint8Array | number[] | string)[]) => {
  const bytes = joined(...data);
  return joined(big(bytes.length + 8, 4), name, bytes);
};

/** A picture in boxes, with the size of each of its parts; the box that has them has a length of 64 bits. */
export function aBoxed(brand: string, ...sizes: [width: number, height: number][]): Uint8Array<ArrayBuffer> {
  const properties = sizes.map(([width, height]) => box('ispe', [0, 0, 0, 0], big(width, 4), big(height, 4)));
  const list = joined(box('colr', 'nclx'), ...properties);
  const long = joined(big(1, 4), 'ipco', big(list.length + 16, 8), list);
  const meta = box('meta', [0, 0, 0, 0], box('hdlr', 'pict'), box('iprp', long));
  // The last box says no length: it goes to the end.
  return joined(box('ftyp', brand, [0, 0, 0, 0], 'mif1'), meta, [0, 0, 0, 0], 'mdat', 'the picture');
}

/** A BMP whose first line is the uppermost; `isOld` for the header that it had first. */
export const aBmp = (width: number, height: number, isOld = false): Uint8Array<ArrayBuffer> =>
  joined(
    'BM',
    big(0, 12),
    isOld ? [little(12, 4), little(width, 2), little(height, 2)].flat() : little(40, 4),
    isOld ? [] : [...little(width, 4), ...little(2 ** 32 - height, 4)],
    big(0, 24),
  );
