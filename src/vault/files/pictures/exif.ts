// The block of Exif in a picture (CIPA DC-008, which is a TIFF): what it says is read as far as people are told of it, and a new one is
// made that says nothing but how the picture is turned and when it was taken. Every offset in it may lead anywhere.
import type { Bytes } from '../../../crypto/encoding.ts';
import { isEdtf } from '../../../shared/edtf.ts';
import { viewOf } from './blob-bytes.ts';

/** What a block of Exif says. */
export interface ExifFacts {
  /** From 2 to 8 where the picture is shown turned or mirrored. */
  orientation?: number;
  /** By the clock of the camera: `2019-05-17T14:30:05`. */
  takenAt?: string;
  camera?: string;
  /** In degrees, north and east positive. */
  place?: { latitude: number; longitude: number };
}

const TAGS = {
  make: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  changedAt: 0x0132,
  exif: 0x8769,
  gps: 0x8825,
  takenAt: 0x9003,
  digitizedAt: 0x9004,
  latitudeRef: 1,
  latitude: 2,
  longitudeRef: 3,
  longitude: 4,
} as const;

const [ASCII, SHORT, LONG, RATIONAL] = [2, 3, 4, 5];
/** The longest text and the most fields of a directory that are looked at. */
const TEXT_MAX = 256;
const FIELDS_MAX = 512;

interface Field {
  type: number;
  count: number;
  /** Where its value stands, or where that is said. */
  at: number;
}

type Directory = Map<number, Field>;

/** What a block says; nothing of one that is none. Throws nothing. */
export function readExif(block: Bytes): ExifFacts {
  const order = String.fromCharCode(block[0] ?? 0, block[1] ?? 0);
  if (order !== 'II' && order !== 'MM') return {};
  return new ExifBlock(block, order === 'II').facts();
}

/** What is read, or null where an offset leads out of the block: what else it says is read all the same. */
function unlessOutside<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const NO_FIELDS: Directory = new Map();

class ExifBlock {
  private readonly view: DataView;
  private readonly bytes: Bytes;
  private readonly isLittle: boolean;

  constructor(bytes: Bytes, isLittle: boolean) {
    this.view = viewOf(bytes);
    this.bytes = bytes;
    this.isLittle = isLittle;
  }

  facts(): ExifFacts {
    const first = unlessOutside(() => (this.short(2) === 42 ? this.directory(this.long(4)) : null));
    if (!first) return {};
    const exif = this.within(first, TAGS.exif);
    const orientation = this.number(first.get(TAGS.orientation));
    const takenAt =
      this.time(exif.get(TAGS.takenAt)) ??
      this.time(exif.get(TAGS.digitizedAt)) ??
      this.time(first.get(TAGS.changedAt));
    const camera = this.camera(first);
    const place = unlessOutside(() => this.place(this.within(first, TAGS.gps)));
    return {
      ...(orientation !== null && orientation >= 2 && orientation <= 8 && { orientation }),
      ...(takenAt && { takenAt }),
      ...(camera && { camera }),
      ...(place && { place }),
    };
  }

  private short = (at: number) => this.view.getUint16(at, this.isLittle);
  private long = (at: number) => this.view.getUint32(at, this.isLittle);

  /** As many of its fields as stand in the block. @throws RangeError where none of it does */
  private directory(at: number): Directory {
    const fields: Directory = new Map();
    const count = Math.min(this.short(at), FIELDS_MAX);
    for (let n = 0; n < count; n += 1) {
      const field = at + 2 + n * 12;
      if (field + 12 > this.bytes.length) break;
      const tag = this.short(field);
      const value = { type: this.short(field + 2), count: this.long(field + 4), at: field + 8 };
      if (!fields.has(tag)) fields.set(tag, value);
    }
    return fields;
  }

  /** A directory that another one leads to; an empty one where it leads nowhere. */
  private within(directory: Directory, tag: number): Directory {
    const field = directory.get(tag);
    if (field?.type !== LONG) return NO_FIELDS;
    return unlessOutside(() => this.directory(this.long(field.at))) ?? NO_FIELDS;
  }

  private number(field: Field | undefined): number | null {
    return field?.type === SHORT && field.count === 1 ? this.short(field.at) : null;
  }

  private text(field: Field | undefined): string {
    if (field?.type !== ASCII || field.count > TEXT_MAX) return '';
    const from = field.count <= 4 ? field.at : this.long(field.at);
    const bytes = this.bytes.subarray(from, from + field.count);
    const text = new TextDecoder().decode(bytes).split('\0')[0] ?? '';
    // Whatever could turn the writing around, or cannot be seen.
    return text.replace(/[\p{C}\p{Zl}\p{Zp}\ufffd]/gu, '').trim();
  }

  /** `2019:05:17 14:30:05`, as it is written there, or as some programs write it. */
  private time(field: Field | undefined): string | null {
    const [, year, month, day, time] =
      /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:[0-5]\d)/.exec(this.text(field)) ?? [];
    const taken = `${year}-${month}-${day}T${time}`;
    return time !== undefined && isEdtf(taken.slice(0, -3)) ? taken : null;
  }

  /** Maker and model; the maker once where the model names it too. */
  private camera(directory: Directory): string {
    const make = this.text(directory.get(TAGS.make));
    const model = this.text(directory.get(TAGS.model));
    const [first = ''] = make.split(' ');
    return model.toLowerCase().startsWith(first.toLowerCase()) ? model : `${make} ${model}`.trim();
  }

  private place(directory: Directory): ExifFacts['place'] | null {
    const latitude = this.degrees(directory.get(TAGS.latitude), directory.get(TAGS.latitudeRef), 'S');
    const longitude = this.degrees(directory.get(TAGS.longitude), directory.get(TAGS.longitudeRef), 'W');
    if (latitude === null || longitude === null) return null;
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
  }

  /** Three fractions: degrees, minutes, seconds. */
  private degrees(field: Field | undefined, ref: Field | undefined, negative: string): number | null {
    if (field?.type !== RATIONAL || field.count !== 3) return null;
    const from = this.long(field.at);
    const parts = [0, 1, 2].map((n) => {
      const [above, below] = [this.long(from + n * 8), this.long(from + n * 8 + 4)];
      return above === 0 ? 0 : above / below;
    });
    const sum = parts.reduce((all, part, n) => all + part / 60 ** n, 0);
    if (!Number.isFinite(sum)) return null;
    return this.text(ref).toUpperCase() === negative ? -sum : sum;
  }
}

/**
 * A block that says how a picture is turned and when it was taken, and nothing else; null where there is neither. Not in which
 * zone: that says something of the place.
 */
export function plainExif({ orientation, takenAt }: ExifFacts): Bytes | null {
  if (orientation === undefined && takenAt === undefined) return null;
  const fields = (orientation === undefined ? 0 : 1) + (takenAt === undefined ? 0 : 1);
  const first = 8;
  const second = first + 2 + fields * 12 + 4;
  const text = second + 2 + 12 + 4;
  const bytes = new Uint8Array(takenAt === undefined ? second : text + 20);
  const view = viewOf(bytes);
  bytes.set([0x49, 0x49]);
  view.setUint16(2, 42, true);
  view.setUint32(4, first, true);
  view.setUint16(first, fields, true);
  let at = first + 2;
  const put = (tag: number, type: number, count: number, value: number) => {
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, count, true);
    if (type === SHORT) view.setUint16(at + 8, value, true);
    else view.setUint32(at + 8, value, true);
    at += 12;
  };
  if (orientation !== undefined) put(TAGS.orientation, 3, 1, orientation);
  if (takenAt !== undefined) {
    put(TAGS.exif, 4, 1, second);
    view.setUint16(second, 1, true);
    at = second + 2;
    put(TAGS.takenAt, 2, 20, text);
    const [day = '', time = ''] = takenAt.split('T');
    bytes.set(new TextEncoder().encode(`${day.replaceAll('-', ':')} ${time}\0`), text);
  }
  return bytes;
}
