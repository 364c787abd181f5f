// Looks into a file for what it carries besides its picture, and for how large that is. What walks through pictures of one kind is
// fetched with the first of them.
import { BlobBytes, beginsWith, latin, PNG_SIGNATURE } from './blob-bytes.ts';
import type { LookedInto } from './looked-into.ts';

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

/** @throws what reading the file throws: it was moved or changed; and where the code for its kind cannot be fetched */
export async function lookInto(file: Blob): Promise<LookedInto> {
  const format = await formatOf(file);
  const bytes = new BlobBytes(file);
  if (format === 'other') return NOTHING;
  // What a GIF or a BMP may say besides, such as comments, is not looked for: cameras make none.
  if (format === 'gif' || format === 'bmp' || format === 'boxed') {
    const { sizeOf } = await import('./sizes.ts');
    return { ...(format === 'boxed' ? UNREAD : NOTHING), size: await sizeOf[format](bytes) };
  }
  if (format === 'unread' || file.size > LOOKED_BYTES_MAX) return UNREAD;
  return (await walks[format]()).default(file, bytes);
}

const walks = {
  jpeg: () => import('./jpeg.ts'),
  png: () => import('./png.ts'),
  webp: () => import('./webp.ts'),
};

/**
 * The largest picture that a browser is asked to draw, in pixels: 67 million, a camera's of 64. For one of that size Chromium took 264 MB
 * more to make a thumbnail, and 346 MB to show it; for one of 100 million, 386 and 516 MB. Phones end a page that takes as much.
 */
export const PICTURE_PIXELS_MAX = 2 ** 26;

/** Whether a picture says that it is too large to be drawn, as one that was made to fill a memory does. */
export const isTooLargeToDraw = (size: LookedInto['size']): boolean =>
  size !== null && size.width * size.height > PICTURE_PIXELS_MAX;
