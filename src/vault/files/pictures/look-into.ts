// What a file carries besides its picture, said before it is sealed, and the same file without that. The picture itself is never
// coded anew: its bytes are copied, and what is not known to be needed for it is left out.
import { BlobBytes, beginsWith, latin } from './blob-bytes.ts';
import { type ExifFacts, plainExif, readExif } from './exif.ts';
import { walkJpeg } from './jpeg.ts';
import { PNG_SIGNATURE, walkPng } from './png.ts';
import { sizeOfBmp, sizeOfBoxed, sizeOfGif } from './sizes.ts';
import type { Walked } from './walked.ts';
import { walkWebp } from './webp.ts';

/** What a file carries, as a draft keeps it and its form shows it. */
export interface Carried {
  /** By the clock of the camera: `2019-05-17T14:30:05`. */
  takenAt?: string;
  camera?: string;
  /** In degrees, north and east positive; `named` where notes of programs name it. */
  place?: { latitude: number; longitude: number } | 'named';
  /** Comments, descriptions and the like, which are not read further. */
  notes?: true;
  /**
   * `possible`, or why it cannot be taken out: `unread` for a kind of file that is not understood here, `damaged` for one that is
   * not whole.
   */
  removal: 'possible' | 'unread' | 'damaged';
}

/** A file that was looked into. */
export interface LookedInto {
  /** Null where it carries nothing, as far as such files can. */
  carried: Carried | null;
  /** In pixels as they are stored; null where it is no picture that is understood here. */
  size: Walked['size'];
  /** The same picture with nothing but its date and how it is turned; null where that cannot be made, or nothing has to be. */
  without: Blob | null;
}

/** The largest picture that is walked through, in bytes. */
const LOOKED_BYTES_MAX = 256 * 1024 ** 2;
const BEGINNING = 16;

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'bmp' | 'boxed' | 'unread' | 'other';

/** Of TIFF, also with offsets of 64 bits, and of the cameras' own formats, which are made like it; of Photoshop; of JPEG XL. */
const UNREAD_BEGINNINGS = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+', '8BPS', '\xff\x0a', '\0\0\0\x0cJXL '];

/** By what it begins with: what a device says of its type may be anything. */
async function formatOf(file: Blob): Promise<Format> {
  const start = new Uint8Array(await file.slice(0, BEGINNING).arrayBuffer());
  if (beginsWith(start, '\xff\xd8\xff')) return 'jpeg';
  if (beginsWith(start, PNG_SIGNATURE)) return 'png';
  if (beginsWith(start, 'RIFF') && beginsWith(start.subarray(8), 'WEBP')) return 'webp';
  if (beginsWith(start, 'GIF8')) return 'gif';
  if (beginsWith(start, 'BM')) return 'bmp';
  // HEIC, AVIF, MP4 and QuickTime.
  if (latin(start.subarray(4, 8)) === 'ftyp') return 'boxed';
  return UNREAD_BEGINNINGS.some((beginning) => beginsWith(start, beginning)) ? 'unread' : 'other';
}

const NOTHING: LookedInto = { carried: null, size: null, without: null };
const UNREAD: LookedInto = { ...NOTHING, carried: { removal: 'unread' } };

/** @throws what reading the file throws: it was moved or changed */
export async function lookInto(file: Blob): Promise<LookedInto> {
  const format = await formatOf(file);
  const bytes = new BlobBytes(file);
  if (format === 'other') return NOTHING;
  // What a GIF or a BMP may say besides, such as comments, is not looked for: cameras make none.
  if (format === 'gif') return { ...NOTHING, size: await sizeOfGif(bytes) };
  if (format === 'bmp') return { ...NOTHING, size: await sizeOfBmp(bytes) };
  if (format === 'boxed') return { ...UNREAD, size: await sizeOfBoxed(bytes) };
  if (format === 'unread' || file.size > LOOKED_BYTES_MAX) return UNREAD;
  const walk = { jpeg: walkJpeg, png: walkPng, webp: walkWebp }[format];
  const walked = await walk(file, bytes);
  const facts = walked.exif ? readExif(walked.exif) : {};
  const carried = carriedBy(walked, facts);
  const parts = carried?.removal === 'possible' ? walked.rebuilt?.(plainExif(facts)) : undefined;
  return {
    carried,
    size: walked.size,
    without: parts ? new Blob(parts, { type: file.type }) : null,
  };
}

/**
 * The largest picture that a browser is asked to draw, in pixels: 67 million, a camera's of 64. For one of that size Chromium took 264 MB
 * more to make a thumbnail, and 346 MB to show it; for one of 100 million, 386 and 516 MB. Phones end a page that takes as much.
 */
export const PICTURE_PIXELS_MAX = 2 ** 26;

/** Whether a picture says that it is too large to be drawn, as one that was made to fill a memory does. */
export const isTooLargeToDraw = (size: Walked['size']): boolean =>
  size !== null && size.width * size.height > PICTURE_PIXELS_MAX;

function carriedBy({ exif, hasNotes, notesNamePlace, rebuilt }: Walked, facts: ExifFacts): Carried | null {
  if (exif === null && !hasNotes && rebuilt) return null;
  const { takenAt, camera } = facts;
  const place = facts.place ?? (notesNamePlace ? 'named' : undefined);
  return {
    ...(takenAt && { takenAt }),
    ...(camera && { camera }),
    ...(place && { place }),
    // Exif always has more than is told of it: settings, serial numbers, what its maker has written.
    ...((hasNotes || exif !== null) && { notes: true as const }),
    removal: rebuilt ? 'possible' : 'damaged',
  };
}
