// How large a picture says that it is, for the kinds that are not walked through to their end: GIF, BMP, and the pictures in boxes
// (AVIF and HEIC). What says something larger than it is, or cannot be read, has no size.
import { type BlobBytes, latin, Malformed, viewOf } from './blob-bytes.ts';
import type { LookedInto } from './looked-into.ts';

type Size = LookedInto['size'];

/** @throws what reading the file throws */
const unlessMalformed = (read: Promise<Size>): Promise<Size> =>
  read.catch((error: unknown) => {
    if (error instanceof Malformed) return null;
    throw error;
  });

/** By the format of the file, as its beginning tells it. @throws what reading the file throws */
export const sizeOf = {
  gif: (file: BlobBytes): Promise<Size> => unlessMalformed(gifSize(file)),
  bmp: (file: BlobBytes): Promise<Size> => unlessMalformed(bmpSize(file)),
  boxed: (file: BlobBytes): Promise<Size> => unlessMalformed(new BoxWalk(file).size()),
};

async function gifSize(file: BlobBytes): Promise<Size> {
  const view = viewOf(await file.piece(6, 4));
  return { width: view.getUint16(0, true), height: view.getUint16(2, true) };
}

/** How long the header of a BMP is that begins with the first of these has its sides in 16 bits, and the others in 32. */
const OLD_HEADER = 12;
const HEADERS = new Set([OLD_HEADER, 16, 40, 52, 56, 64, 108, 124]);

/** A BMP (the structures BITMAPCOREHEADER and BITMAPINFOHEADER and its successors). */
async function bmpSize(file: BlobBytes): Promise<Size> {
  const view = viewOf(await file.piece(14, 12));
  const header = view.getUint32(0, true);
  if (!HEADERS.has(header)) return null;
  if (header === OLD_HEADER) return { width: view.getUint16(4, true), height: view.getUint16(6, true) };
  // A negative height is that of a picture whose first line is the uppermost.
  return { width: Math.abs(view.getInt32(4, true)), height: Math.abs(view.getInt32(8, true)) };
}

/** More boxes than any picture has on the way to its properties, and more than any has outermost: a film may have many thousands. */
const BOXES_MAX = 4096;
const OUTERMOST_MAX = 64;

/** A picture in boxes (ISO/IEC 14496-12 and 23008-12). */
class BoxWalk {
  private readonly file: BlobBytes;
  private count = 0;

  constructor(file: BlobBytes) {
    this.file = file;
  }

  /** The largest that any of its pictures says: a large one is often put together of small ones. @throws Malformed */
  async size(): Promise<Size> {
    const sizes: NonNullable<Size>[] = [];
    for await (const meta of this.boxes(0, this.file.size, 'meta', OUTERMOST_MAX)) {
      // Version and flags stand before what is in it.
      for await (const properties of this.boxes(meta.from + 4, meta.to, 'iprp')) {
        for await (const list of this.boxes(properties.from, properties.to, 'ipco')) {
          for await (const { from } of this.boxes(list.from, list.to, 'ispe')) {
            const view = viewOf(await this.file.piece(from + 4, 8));
            sizes.push({ width: view.getUint32(0), height: view.getUint32(4) });
          }
        }
      }
    }
    const [largest = null] = sizes.sort((a, b) => b.width * b.height - a.width * a.height);
    return largest;
  }

  /** The boxes of a name between two places, and where what is in each stands. @throws Malformed */
  private async *boxes(from: number, to: number, name: string, most = BOXES_MAX) {
    for (let at = from, here = 0; at < to; here += 1) {
      this.count += 1;
      if (here === most || this.count > BOXES_MAX) throw new Malformed();
      const head = await this.file.piece(at, 8);
      const short = viewOf(head).getUint32(0);
      const is = latin(head.subarray(4));
      const large = short === 1 ? viewOf(await this.file.piece(at + 8, 8)).getBigUint64(0) : null;
      const begins = at + (large === null ? 8 : 16);
      // Of no length is the last one, which goes to the end.
      const end = short === 0 ? to : at + (large === null ? short : Number(large));
      if (end < begins || end > to) throw new Malformed();
      if (is === name) yield { from: begins, to: end };
      at = end;
    }
  }
}
