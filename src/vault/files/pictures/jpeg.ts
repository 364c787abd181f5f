// A JPEG (ISO/IEC 10918-1), marker by marker up to its end. Kept are the picture, its colours and how they are coded; every other
// block of an application, every comment and whatever stands behind the end is not the picture.
import type { Bytes } from '../../../crypto/encoding.ts';
import { type BlobBytes, beginsWith, isWalkedWhole, Malformed } from './blob-bytes.ts';
import { type LookedInto, lookedInto } from './looked-into.ts';
import { KeptRanges, namesPlace, type Walked } from './walked.ts';

const [SOI, EOI, SOS, COMMENT] = [0xd8, 0xd9, 0xda, 0xfe];
/** More markers than any picture has: a scan of a progressive one has one, and there are a few tables. */
const MARKERS_MAX = 4096;
const EXIF = 'Exif\0\0';

const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
/** A frame: its size stands there. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** What of the blocks of applications the picture needs: its resolution, its colours, and how they are coded. */
function isNeeded(marker: number, body: Bytes): boolean {
  if (marker === 0xe0) return beginsWith(body, 'JFIF\0');
  if (marker === 0xe2) return beginsWith(body, 'ICC_PROFILE\0');
  return marker === 0xee && beginsWith(body, 'Adobe');
}

/** Where the next marker stands behind coded data. */
async function endOfScan(file: BlobBytes, from: number): Promise<number> {
  for (let at = from; at + 1 < file.size; ) {
    const { bytes } = await file.windowFrom(at);
    let n = 0;
    for (; n + 1 < bytes.length; n += 1) {
      if (bytes[n] !== 0xff) continue;
      const next = bytes[n + 1] as number;
      // A byte of the data that is 0xff has a zero behind it; restarts stand among the data.
      if (next !== 0 && next !== 0xff && !isAlone(next)) return at + n;
    }
    // The last byte of a window may begin a marker; that of the file cannot.
    at += n;
  }
  return file.size;
}

class JpegWalk {
  private readonly file: BlobBytes;
  readonly kept = new KeptRanges();
  /** Behind the resolution, where a block of Exif is put in. */
  readonly head = new KeptRanges();
  size: Walked['size'] = null;
  exif: Bytes | null = null;
  hasNotes = false;
  notesNamePlace = false;
  private isInHead = true;

  constructor(file: BlobBytes) {
    this.file = file;
  }

  /** @throws Malformed */
  async walk(): Promise<void> {
    let at = 2;
    this.keep(0, at);
    for (let count = 0; at < this.file.size; count += 1) {
      if (count === MARKERS_MAX) throw new Malformed();
      const [first, marker = 0] = await this.file.piece(at, 2);
      if (first !== 0xff || marker === SOI || marker === 0) throw new Malformed();
      if (marker === EOI) {
        this.keep(at, at + 2);
        this.hasNotes ||= at + 2 < this.file.size;
        return;
      }
      // Any number of bytes 0xff may stand before a marker; the walk gives up where there are too many.
      if (marker === 0xff) at += 1;
      else if (isAlone(marker)) {
        this.keep(at, at + 2);
        at += 2;
      } else at = await this.block(at, marker);
    }
  }

  private keep(from: number, to: number): void {
    (this.isInHead ? this.head : this.kept).add(from, to);
  }

  /** @returns where it ends, with the coded data behind it */
  private async block(at: number, marker: number): Promise<number> {
    const [, , high = 0, low = 0] = await this.file.piece(at, 4);
    const length = high * 256 + low;
    if (length < 2) throw new Malformed();
    // Copied: the next window takes its place.
    const body = (await this.file.piece(at + 4, length - 2)).slice();
    let end = at + 2 + length;
    if (marker === COMMENT || (marker >= 0xe0 && marker <= 0xef)) {
      if (isNeeded(marker, body)) {
        this.isInHead &&= marker === 0xe0;
        this.keep(at, end);
      } else this.note(marker, body);
      return end;
    }
    this.isInHead = false;
    if (isFrame(marker) && body.length >= 5) {
      const [, y1 = 0, y0 = 0, x1 = 0, x0 = 0] = body;
      this.size ??= { width: x1 * 256 + x0, height: y1 * 256 + y0 };
    }
    if (marker === SOS) end = await endOfScan(this.file, end);
    this.keep(at, end);
    return end;
  }

  private note(marker: number, body: Bytes): void {
    if (marker === 0xe1 && beginsWith(body, EXIF) && this.exif === null) {
      this.exif = body.subarray(EXIF.length);
      return;
    }
    this.hasNotes = true;
    this.notesNamePlace ||= namesPlace(body);
  }
}

/** The segment of a block of Exif. */
function segmentOf(exif: Bytes): Bytes {
  const length = 2 + EXIF.length + exif.length;
  const segment = new Uint8Array(2 + length);
  segment.set([0xff, 0xe1, length >> 8, length & 255]);
  segment.set(new TextEncoder().encode(EXIF), 4);
  segment.set(exif, 4 + EXIF.length);
  return segment;
}

/** @throws what reading the file throws */
export default async function lookIntoJpeg(blob: Blob, file: BlobBytes): Promise<LookedInto> {
  const walk = new JpegWalk(file);
  const isWhole = await isWalkedWhole(walk);
  const { size, exif, hasNotes, notesNamePlace, head, kept } = walk;
  const rebuilt = (block: Bytes | null) => [
    ...head.of(blob),
    ...(block ? [segmentOf(block)] : []),
    ...kept.of(blob),
  ];
  return lookedInto(blob, { size, exif, hasNotes, notesNamePlace, rebuilt: isWhole ? rebuilt : null });
}
